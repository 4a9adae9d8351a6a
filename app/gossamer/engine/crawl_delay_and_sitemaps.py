"""Applies what a robots.txt says besides its rules: Crawl-delay and Sitemap.

RFC 9309, section 2.2.4, calls these other records. The rules are in `robots_cache`.
"""

import asyncio

from gossamer.engine.batch_recorder import Recorder
from gossamer.engine.crawl_memory import CrawlMemory
from gossamer.engine.interfaces import RobotsPolicy
from gossamer.engine.visit_processing import ResultQueue
from gossamer.model.store_batch import RobotsRow
from gossamer.urls.url_parsing import host_of, join


class OtherRobotsRecords:
    """Is given each robots.txt as the crawl learns it, and keeps it."""

    def __init__(self, memory: CrawlMemory, recorder: Recorder, results: ResultQueue) -> None:
        """`results` admits the sitemaps."""
        self._policy = memory.policy
        self._frontier = memory.frontier
        self._batch = memory.batch
        self._recorder = recorder
        self._results = results

    def apply(self, site: str, rules: RobotsPolicy, row: RobotsRow) -> None:
        """Keep the delay of this origin, and queue the sitemaps of a site that is crawled."""
        settings = self._policy.settings
        if settings.source is None:
            now = asyncio.get_running_loop().time()
            self._frontier.set_delay(host_of(f"{site}/"), rules.crawl_delay_s or 0.0, now)
        self._batch.add_robots(row)
        self._recorder.commit_soon()
        if settings.use_sitemaps and site in self._policy.root_origins:
            named = [url for url in (join(f"{site}/", text) for text in rules.sitemaps) if url]
            self._results.put_sitemaps(named or [f"{site}/sitemap.xml"])
