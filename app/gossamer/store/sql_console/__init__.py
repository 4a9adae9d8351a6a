"""Runs queries of the SQL console, on a read-only connection, within limits."""
