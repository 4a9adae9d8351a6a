"""Sitemaps and feeds: reading the URLs they list."""
