"""The start page: what to crawl, and the recent crawls."""
