"""Turns bytes into facts and links; the only importer of HTML parsers."""

from app.extract.page import ExtractError, extract

__all__ = ["ExtractError", "extract"]
