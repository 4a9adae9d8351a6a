"""Extracts facts and links from response bodies; the only importer of HTML parsers."""
