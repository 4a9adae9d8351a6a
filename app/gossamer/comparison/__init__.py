"""Comparison: what differs between two projects."""
