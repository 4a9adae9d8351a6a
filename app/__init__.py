"""Gossamer: an open desktop website crawler with a live tree of pages and redirects."""
