"""The spelling and grammar errors of a site, and actions on them."""
