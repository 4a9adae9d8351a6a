"""Failure handling: retries, network outages, and pausing when too much fails."""
