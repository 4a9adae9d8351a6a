"""The process of one crawl: engine, writer, and the workers that they use."""
