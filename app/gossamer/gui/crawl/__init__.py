"""The crawl that the window shows: its session, what it reports, what the next one begins with."""
