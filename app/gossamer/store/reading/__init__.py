"""Reads a project file: rows, filters, counts, trees."""
