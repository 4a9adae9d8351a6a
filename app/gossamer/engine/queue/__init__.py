"""The queue of URLs to fetch: the frontier, host queues, and the part held in memory."""
