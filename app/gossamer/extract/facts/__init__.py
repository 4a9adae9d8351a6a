"""Reads the facts of a page from its elements, links and headers, a module for each topic."""
