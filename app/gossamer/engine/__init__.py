"""The crawl engine: decides what is fetched and when; all I/O goes through interfaces."""
