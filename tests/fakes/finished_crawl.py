"""A finished crawl of a few pages, as a project of a series."""

import sqlite3
from contextlib import closing
from pathlib import Path

from gossamer.model.crawl_state import CrawlState
from gossamer.model.outcome import Outcome
from gossamer.model.store_batch import StoreBatch
from tests.fakes.crawled import Crawled


def finished_crawl(path: Path, pages: int = 2, series: str = "") -> Path:
    """A finished crawl of so many pages and an error; of a series if that is given."""
    with Crawled(path) as crawled:
        for number in range(pages):
            crawled.page(f"/{number}", title="")
        crawled.failed("/gone", Outcome.CLIENT_ERROR, status=404)
        crawled.writer.commit(StoreBatch(state=CrawlState.FINISHED, seconds=3.0))
    if series:
        with closing(sqlite3.connect(path)) as connection, connection:
            connection.execute("UPDATE project SET series = ?", (series,))
    return path
