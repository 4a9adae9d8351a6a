"""Scrapy with six fields per page and all links followed, as its tutorial does it.

Usage: scrapy_crawl.py ROOT WORKERS FEED. Writes the CSV feed, prints one JSON object.
"""

import json
import sys
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

import scrapy  # type: ignore[import-not-found]  # lives in the peers' environment alone
from scrapy.crawler import CrawlerProcess  # type: ignore[import-not-found]  # likewise
from scrapy.http import HtmlResponse  # type: ignore[import-not-found]  # likewise
from scrapy.linkextractors import LinkExtractor  # type: ignore[import-not-found]  # likewise


class SiteSpider(scrapy.Spider):  # type: ignore[misc]  # unknown to the type checker here
    """One site, every page."""

    name = "site"

    def __init__(self, root: str) -> None:
        super().__init__()
        self.start_urls = [root]
        self.allowed_domains = [urlsplit(root).hostname]
        self.links = LinkExtractor()  # leaves out mailto: and the like, at which follow() raises

    def parse(self, response: Any) -> Iterator[Any]:  # noqa: ANN401 - a class unknown here
        if not isinstance(response, HtmlResponse):
            return
        yield {
            "url": response.url,
            "status": response.status,
            "title": response.css("title::text").get(),
            "h1": response.css("h1::text").get(),
            "description": response.css("meta[name=description]::attr(content)").get(),
            "canonical": response.css("link[rel=canonical]::attr(href)").get(),
        }
        yield from response.follow_all(self.links.extract_links(response))


def main(root: str, workers: int, feed: str) -> None:
    process = CrawlerProcess(
        {
            "CONCURRENT_REQUESTS": workers,
            "CONCURRENT_REQUESTS_PER_DOMAIN": workers,
            "DOWNLOAD_DELAY": 0,
            "ROBOTSTXT_OBEY": False,
            "COOKIES_ENABLED": False,  # its cookie jar would fetch the Public Suffix List
            "TELNETCONSOLE_ENABLED": False,
            "LOG_LEVEL": "ERROR",
            "FEEDS": {feed: {"format": "csv"}},
        }
    )
    crawler = process.create_crawler(SiteSpider)
    process.crawl(crawler, root=root)
    process.start()
    stats = crawler.stats.get_stats()
    json.dump(
        {"seconds": stats["elapsed_time_seconds"], "urls": stats["response_received_count"]},
        sys.stdout,
    )


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), sys.argv[3])
