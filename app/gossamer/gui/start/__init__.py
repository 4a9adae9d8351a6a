"""The start page: what to crawl, and the crawls of before."""
