"""A whole crawl in the test's own process: engine, fetcher and project file are the real ones.

For what cannot be brought into the crawl's processes: name servers and authorities of a test.
"""

import ssl
from functools import partial
from pathlib import Path

from aiohttp.abc import AbstractResolver

from gossamer.crawl_host.writer_thread import StoreThread
from gossamer.engine.crawl import Crawl
from gossamer.extract.html_page import extract, header_links
from gossamer.fetch import HttpFetcher
from gossamer.model.crawl_path import CrawlPath
from gossamer.model.crawl_state import CrawlState
from gossamer.model.freshness import NO_CONDITIONS, Conditions
from gossamer.model.messages.worker_messages import FetchKind
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.visit import FetchMode, Visit
from gossamer.robots.robots_txt import rules_for
from gossamer.sitemaps.sitemap_reader import read_sitemap
from gossamer.store import project
from gossamer.urls.scope_and_limits import Scope
from tests.integration.crawling import run


class _Inside:
    """The engine's Fetcher, without processes."""

    def __init__(self, fetcher: HttpFetcher) -> None:
        self._fetcher = fetcher
        self.certificates = ()

    async def fetch(
        self,
        url: str,
        kind: FetchKind = FetchKind.PAGE,
        mode: FetchMode = FetchMode.USUAL,
        conditions: Conditions = NO_CONDITIONS,
        path: CrawlPath | None = None,  # noqa: ARG002 - there is no archive
    ) -> Visit:
        match kind:
            case FetchKind.CHECK:
                return await self._fetcher.check(url, None, mode, conditions)
            case FetchKind.SITEMAP:
                return await self._fetcher.fetch_sitemap(url, read_sitemap, None, mode, conditions)
            case _:
                return await self._fetcher.fetch(url, None, mode, conditions)

    async def fetch_text(
        self, url: str, conditions: Conditions = NO_CONDITIONS
    ) -> tuple[Visit, str]:
        return await self._fetcher.fetch_text(url, conditions=conditions)

    def change_settings(self, settings: CrawlSettings) -> None:
        """Nothing here changes its settings."""

    async def drop(self) -> None:
        await self._fetcher.drop()


def crawl_inside(
    path: Path,
    settings: CrawlSettings,
    resolver: AbstractResolver | None = None,
    tls: ssl.SSLContext | None = None,
) -> None:
    """Crawl to the end into a new project; with the system's resolver and trust by default."""
    project.create(path, settings)

    async def main() -> None:
        store = StoreThread()
        try:
            summary = await store.open(path)
            async with HttpFetcher(
                settings,
                partial(extract, parser=settings.parser, max_links=settings.max_links),
                resolver=resolver,
                tls=tls,
                header_links=partial(header_links, max_links=settings.max_links),
            ) as fetcher:
                crawl = Crawl(summary, store, _Inside(fetcher), rules_for, Scope(settings))
                assert await crawl.run() is CrawlState.FINISHED
        finally:
            await store.close()

    run(main())
