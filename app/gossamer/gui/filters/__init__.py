"""Widgets that filter a table: text filter, facet menu, filter chips."""
