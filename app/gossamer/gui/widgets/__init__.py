"""Widgets that several features of the window share."""
