"""Rescues the rows of damaged project files."""
