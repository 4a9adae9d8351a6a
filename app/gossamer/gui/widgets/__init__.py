"""Widgets that several features of the window use."""
