"""The child processes of a crawl: connects engine, fetch, extract, robots and store."""
