"""The process that examines single pages on request: fetched, rendered, or from the archive."""
