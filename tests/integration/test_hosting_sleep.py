"""A crawl host whose machine sleeps in the middle of a crawl."""

import asyncio
from collections import Counter
from pathlib import Path

import pytest

from gossamer.host import crawl_host
from gossamer.host.suspend_detector import SuspendDetector
from gossamer.model.state import CrawlState
from tests.fakes.contents import contents
from tests.fakes.web import FakeWeb
from tests.integration.hosting import Hosting

SLEEPS_AT_S = 2.0


def test_what_was_in_flight_when_the_machine_slept_is_asked_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def always_s() -> float:
        now_s = asyncio.get_running_loop().time()
        return now_s + (3600.0 if now_s >= SLEEPS_AT_S else 0.0)

    def watch() -> SuspendDetector:
        return SuspendDetector(asyncio.get_running_loop().time, always_s)

    monkeypatch.setattr(crawl_host, "SuspendDetector", watch)
    web = FakeWeb(delay_s=lambda path: 0.1 if path == "/" else 10.0)
    web.page("/", "/a", "/b")
    web.page("/a")
    web.page("/b")
    hosting = Hosting(web, monkeypatch)
    project = hosting.create(tmp_path / "a.gossamer", max_tries=1)
    told = hosting.run(project)
    assert told.trouble == []
    assert CrawlState.PAUSED not in {p.state for p in told.progress}
    assert Counter(web.paths_asked()) == {"/": 1, "/a": 2, "/b": 2}
    assert web.dropped == 1, "the old connections are closed"
    assert contents(project).state is CrawlState.FINISHED
