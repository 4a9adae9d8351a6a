"""Saving the rows of a damaged project file."""
