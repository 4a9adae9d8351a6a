"""Answers queries that people write: on a connection that can only read, within limits."""
