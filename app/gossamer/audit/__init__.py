"""Audit rules: problems of a site or its crawl, decided from the data in the project file."""
