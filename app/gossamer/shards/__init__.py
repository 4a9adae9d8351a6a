"""Crawls divided among shards: their files, the exchange of links, and the end of it all."""
