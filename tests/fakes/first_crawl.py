"""A crawl whose copies crawl faster.

Python adapts code to what it is run with. A copy of a process has what that has adapted: without
it, each crawl of a test, which is a small one, would run all code for the first time.
"""

import threading
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from gossamer.audit.site_audit import run_site_audit
from gossamer.model.settings.crawl_settings import CrawlSettings
from tests.integration.crawling_inside import crawl_inside
from tests.sites import Site

_PAGES: Final = 12
"""More than Python runs code before it adapts it."""


def crawl_first() -> None:
    """Crawl and audit a small site in this process, which has no thread afterwards either."""
    with TemporaryDirectory() as folder, Site() as site:
        site.page("/", links=[f"/{number}" for number in range(_PAGES)])
        for number in range(_PAGES):
            site.page(f"/{number}", links=["/", "/gone"])
        project = Path(folder) / "first.gossamer"
        crawl_inside(project, CrawlSettings(roots=(site.url("/"),)))
        run_site_audit(project)
    assert threading.active_count() == 1
