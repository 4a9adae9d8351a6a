"""The API that the window and the command line drive; starts and watches the crawl host."""
