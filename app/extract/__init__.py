"""Turns bytes into facts and links; the only importer of HTML parsers."""
