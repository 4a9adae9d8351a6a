"""Makes single HTTP requests and returns the responses; the only importer of aiohttp."""

from gossamer.fetch import tls_contexts as tls_contexts  # before anything else imports aiohttp
from gossamer.fetch.fetcher import HttpFetcher

__all__ = ["HttpFetcher"]
