"""Asks one URL once and says what came. The only importer of aiohttp."""

from app.fetch.fetcher import Fetcher

__all__ = ["Fetcher"]
