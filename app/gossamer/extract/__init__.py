"""Extracts facts and links from response bodies; the only importer of HTML parsers."""

from gossamer.extract.html_page import ExtractError, extract

__all__ = ["ExtractError", "extract"]
