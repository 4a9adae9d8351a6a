"""A disk that neither answers nor fails: the crawl says so, waits, obeys, and goes on by itself."""

import asyncio
import sqlite3
import threading
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from gossamer.crawl_host.crawl_host import CrawlHost
from gossamer.model.crawl_state import PAUSES, CrawlState
from gossamer.model.messages.crawl_messages import (
    Cancel,
    Close,
    HostCommand,
    Pause,
    Progress,
    Resume,
)
from tests.fakes.contents import contents
from tests.fakes.faulty_disk import FaultyDisk, failure
from tests.fakes.web import FakeWeb
from tests.integration.hosting import Hosting, Told
from tests.patience import PATIENCE_S

SILENT_S = 0.3
PAGES = 200

Hears = Callable[[CrawlHost, Progress, int], None]


def web(pages: int = PAGES) -> FakeWeb:
    made = FakeWeb(delay_s=lambda _: 0.02)
    made.page("/", *(f"/{n}" for n in range(pages)))
    for n in range(pages):
        made.page(f"/{n}", "/")
    return made


class Silent:
    """A crawl whose disk does not answer from its 40th write on, until `answer`."""

    def __init__(self, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.path = path
        self.web = web()
        self._hosting = Hosting(self.web, threads=True, stalled_after_s=SILENT_S)
        self._hosting.create(path, workers=4)
        self._is_asked = False
        self._answers = threading.Event()
        self._fails = 0
        self.first: Progress | None = None
        """What was told first."""
        self.disk = FaultyDisk(monkeypatch)
        self.disk.deed = self._write

    def answer(self, *, failing: int = 0) -> None:
        """Let the disk answer, or fail."""
        self._fails = failing
        self._answers.set()

    def run(self, hears: Hears) -> Told:
        """Crawl; `hears` is told progress that has a notice, and how many before had one.

        On a busy machine a disk may seem not to answer before this one does not: that is not told.
        """
        heard = 0

        def person(host: CrawlHost, progress: Progress) -> None:
            nonlocal heard
            if progress.notice and self._is_asked:
                self.first = self.first or progress
                hears(host, progress, heard)
                heard += 1

        return self._hosting.run(self.path, person)

    def _write(self, number: int) -> None:
        if number < 40 or self._answers.is_set():
            return
        self._is_asked = True
        assert self._answers.wait(PATIENCE_S)
        if self._fails:
            fails, self._fails = self._fails, 0
            raise failure(fails)


@pytest.fixture
def silent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Silent:
    return Silent(tmp_path / "a.gossamer", monkeypatch)


def soon(act: Callable[[], object]) -> None:
    """Do it when there was time for whatever should not happen meanwhile."""
    asyncio.get_running_loop().call_later(SILENT_S, act)


def assert_whole(silent: Silent) -> None:
    found = contents(silent.path)
    assert found.state is CrawlState.FINISHED
    assert len(found.urls) == PAGES + 1
    assert set(Counter(silent.web.answered).values()) == {1}, "nothing was asked twice"


def test_an_unresponsive_disk_is_reported_and_the_crawl_resumes_by_itself(silent: Silent) -> None:
    asked: list[int] = []

    def answer() -> None:
        asked.append(len(silent.web.asked))
        silent.answer()

    def hears(_: CrawlHost, progress: Progress, heard: int) -> None:
        assert progress.state in PAUSES
        assert progress.waits
        if heard == 0:
            asked.append(len(silent.web.asked))
            soon(answer)

    told = silent.run(hears)
    (notice,) = told.notices
    assert "does not respond" in notice
    assert silent.path.name in notice
    assert CrawlState.PAUSED in {p.state for p in told.progress if p.notice}
    assert told.trouble == []
    assert asked[0] == asked[1], "no request is made meanwhile"
    assert not told.progress[-1].notice
    assert_whole(silent)


def test_a_pause_by_the_user_outlasts_an_unresponsive_disk(silent: Silent) -> None:
    commanded: list[bool] = []

    def hears(host: CrawlHost, progress: Progress, heard: int) -> None:
        commanded.append(progress.waits)
        if heard == 0:
            host.receive([Pause()])
            soon(silent.answer)
            asyncio.get_running_loop().call_later(2 * SILENT_S, resume, host)

    def resume(host: CrawlHost) -> None:
        asked.append(len(silent.web.asked))
        host.receive([Resume()])

    asked: list[int] = []
    told = silent.run(hears)
    assert commanded[0] is True
    assert commanded[-1] is False
    assert asked[0] < PAGES, "it stays paused when the disk answers"
    first = next(n for n, p in enumerate(told.progress) if p.notice and not p.waits)
    after = [p.state for p in told.progress[first:] if not p.notice]
    assert after[0] is CrawlState.PAUSED
    assert_whole(silent)


def test_resuming_with_an_unresponsive_disk_reports_the_reason(silent: Silent) -> None:
    def hears(host: CrawlHost, progress: Progress, heard: int) -> None:
        assert progress.waits
        if heard == 0:
            host.receive([Resume()])
        elif heard == 1:
            silent.answer()

    told = silent.run(hears)
    first = next(n for n, each in enumerate(told.progress) if each is silent.first)
    assert told.progress[first + 1].notice, "and is not told that it runs"
    assert_whole(silent)


def test_a_disk_error_after_a_stall_is_waited_for(silent: Silent) -> None:
    def hears(_: CrawlHost, progress: Progress, heard: int) -> None:
        assert progress.waits, "nobody has to resume it"
        if heard == 0:
            silent.answer(failing=sqlite3.SQLITE_IOERR)

    told = silent.run(hears)
    assert len(told.notices) == 2
    found = contents(silent.path)
    assert (found.state, len(found.urls)) == (CrawlState.FINISHED, PAGES + 1)


@pytest.mark.parametrize(
    ("command", "state"), [(Close(), CrawlState.PAUSED), (Cancel(), CrawlState.CANCELLED)]
)
def test_a_crawl_ends_when_an_unresponsive_disk_answers(
    silent: Silent, command: HostCommand, state: CrawlState
) -> None:
    asked: list[int] = []

    def hears(host: CrawlHost, _: Progress, heard: int) -> None:
        if heard == 0:
            asked.append(len(silent.web.asked))
            host.receive([command])
            soon(silent.answer)

    told = silent.run(hears)
    assert told.trouble == []
    assert (told.progress[-1].state, told.progress[-1].notice) == (state, None)
    assert asked[0] == len(silent.web.asked)
    assert contents(silent.path).state is state
