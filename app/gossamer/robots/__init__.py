"""Parses robots.txt and decides which URLs it allows."""
