"""Notes about a site, its URLs, issues, dates and crawls."""
