"""Turns bytes into facts and links; the only importer of HTML parsers."""

from gossamer.extract.page import ExtractError, extract

__all__ = ["ExtractError", "extract"]
