"""Runs queries that people write, on a read-only connection, within limits."""
