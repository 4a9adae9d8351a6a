"""The history of a site: its crawls as a table and as charts."""
