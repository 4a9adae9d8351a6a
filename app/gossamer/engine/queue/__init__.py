"""The queue of URLs to fetch: the frontier, the queue of each host, and what memory holds of it."""
