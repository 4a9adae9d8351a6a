"""Reads the project file for the window, on its own thread."""
