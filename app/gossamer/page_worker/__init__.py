"""The processes that fetch pages for a crawl, over HTTP or in a browser, and extract them."""
