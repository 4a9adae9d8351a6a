"""Crawlee for Python with its parsel crawler, three fields per page, everything in memory.

Usage: crawlee_crawl.py ROOT WORKERS. Prints one JSON object.
"""

import asyncio
import json
import logging
import sys
import time
from typing import Any

from crawlee import ConcurrencySettings  # type: ignore[import-not-found]  # peers' environment
from crawlee.crawlers import ParselCrawler  # type: ignore[import-not-found]  # likewise
from crawlee.storage_clients import (  # type: ignore[import-not-found]  # likewise
    MemoryStorageClient,
)


async def main(root: str, workers: int) -> None:
    crawler = ParselCrawler(
        storage_client=MemoryStorageClient(),
        concurrency_settings=ConcurrencySettings(
            min_concurrency=workers, max_concurrency=workers, desired_concurrency=workers
        ),
        respect_robots_txt_file=False,
        configure_logging=False,
    )

    async def handle(context: Any) -> None:  # noqa: ANN401 - a class unknown here
        await context.push_data(
            {
                "url": context.request.url,
                "title": context.selector.css("title::text").get(),
                "h1": context.selector.css("h1::text").get(),
            }
        )
        await context.enqueue_links(strategy="same-hostname")

    crawler.router.default_handler(handle)
    began = time.perf_counter()
    statistics = await crawler.run([root])
    seconds = time.perf_counter() - began
    json.dump({"seconds": seconds, "urls": statistics.requests_finished}, sys.stdout)


if __name__ == "__main__":
    logging.disable(logging.CRITICAL)
    asyncio.run(main(sys.argv[1], int(sys.argv[2])))
