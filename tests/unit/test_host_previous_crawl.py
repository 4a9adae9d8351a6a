"""The previous project of a recrawl is opened, or done without."""

import asyncio
import threading
from pathlib import Path

from gossamer.host.previous_crawl_thread import PreviousCrawlThread
from gossamer.model.previous_crawl import PreviousCrawlReference
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.store import project
from gossamer.store.reading.reader import Reader

SETTINGS = CrawlSettings(roots=("http://site.test/",))


def reads_alike(path: Path, **before: object) -> bool | None:
    """Whether a previous project with these settings reads pages alike; None: it was not opened."""
    project.create(path, CrawlSettings(**{"roots": SETTINGS.roots, **before}))  # type: ignore[arg-type] # field by field
    with Reader(path) as reader:
        reference = PreviousCrawlReference(str(path), reader.summary().created_at)

    async def main() -> bool | None:
        previous = await PreviousCrawlThread.opened(reference, SETTINGS)
        if previous is None:
            return None
        await previous.close()
        return previous.reads_alike

    try:
        return asyncio.run(main())
    finally:
        for thread in threading.enumerate():
            if thread.name.startswith("previous"):
                thread.join(10.0)
                assert not thread.is_alive()


def test_a_pattern_that_is_refused_by_now_does_not_keep_a_recrawl_from_its_project(
    tmp_path: Path,
) -> None:
    assert reads_alike(tmp_path / "p.gossamer", exclude=("(a+)+$",))


def test_a_project_whose_settings_make_no_sense_is_done_without(tmp_path: Path) -> None:
    assert reads_alike(tmp_path / "p.gossamer", roots=("ftp://site.test/",)) is None
