"""Gossamer: an open desktop website crawler with a live tree of pages and redirects."""

__version__ = "0.1.0"
