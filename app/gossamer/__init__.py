"""Gossamer: an open desktop website crawler with a live tree of pages and redirects."""

__version__ = "0.1.0"

DESKTOP_ID = "org.gossamer.Gossamer"
"""The program's name for desktops: of its desktop file, its icon and its AppStream component."""
