"""Reads the URLs that sitemaps and feeds list."""
