"""What robots.txt allows and what sitemaps list."""
