"""Makes one project of the shards of a crawl."""
