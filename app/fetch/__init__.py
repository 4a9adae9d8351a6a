"""Asks one URL once and says what came. The only importer of aiohttp."""

from app.fetch import certificates as certificates  # before anything else imports aiohttp
from app.fetch.fetcher import Fetcher

__all__ = ["Fetcher"]
