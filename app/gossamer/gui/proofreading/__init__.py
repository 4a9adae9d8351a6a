"""The errors of spelling and grammar of a site, and what to do about them."""
