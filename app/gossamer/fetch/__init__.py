"""Makes single HTTP requests and returns the responses; the only importer of aiohttp."""

from gossamer.fetch import certificates as certificates  # before anything else imports aiohttp
from gossamer.fetch.fetcher import HttpFetcher

__all__ = ["HttpFetcher"]
