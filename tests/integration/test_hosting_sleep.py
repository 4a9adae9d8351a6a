"""A crawl host whose machine sleeps in the middle of a crawl."""

import asyncio
from collections import Counter
from contextlib import suppress
from pathlib import Path

from gossamer.crawl_host.suspend_detector import SuspendDetector
from gossamer.model.crawl_state import CrawlState
from tests.fakes.contents import contents
from tests.fakes.web import FakeWeb
from tests.integration.hosting import Hosting

SLEEPS_AT_S = 2.0


def test_urls_in_flight_during_a_suspend_are_fetched_again(tmp_path: Path) -> None:
    def awake_s() -> float:
        with suppress(RuntimeError):  # it is made before there is a loop
            return asyncio.get_running_loop().time()
        return 0.0

    def always_s() -> float:
        now_s = awake_s()
        return now_s + (3600.0 if now_s >= SLEEPS_AT_S else 0.0)

    web = FakeWeb(delay_s=lambda path: 0.1 if path == "/" else 10.0)
    web.page("/", "/a", "/b")
    web.page("/a")
    web.page("/b")
    hosting = Hosting(web, suspend=SuspendDetector(awake_s, always_s))
    project = hosting.create(tmp_path / "a.gossamer", max_tries=1)
    told = hosting.run(project)
    assert told.trouble == []
    assert CrawlState.PAUSED not in {p.state for p in told.progress}
    assert Counter(web.paths_asked()) == {"/": 1, "/a": 2, "/b": 2}
    assert web.dropped == 1, "the old connections are closed"
    assert contents(project).state is CrawlState.FINISHED
