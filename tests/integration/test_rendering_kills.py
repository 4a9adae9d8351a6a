"""Whatever process is killed while pages are rendered: the crawl's result is the same, and no
process or profile stays behind."""

import asyncio
import os
import re
import signal
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import psutil
import pytest

from gossamer.model.crawl_state import CrawlState
from gossamer.model.fields.derived_rendering_fields import RenderStatus
from gossamer.model.fields.rendering_fields import RenderOutcome
from gossamer.model.fields.url_record import UrlRecord
from gossamer.model.outcome import PAGES as PAGE_OUTCOMES
from gossamer.model.outcome import Outcome
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.settings.rendering_choices import RenderMode
from gossamer.render.browser_process import BrowserTimings
from gossamer.render.page_rendering import PageRendering, Tab
from gossamer.render.rendered_page import RenderedPage
from gossamer.session.crawl_session import CrawlSession
from gossamer.store import project as projects
from tests.fakes.archived import archive_files, doms, types_in
from tests.fakes.browsers import NEEDS_BROWSER
from tests.fakes.processes import child_processes
from tests.integration.crawling import (
    assert_gone,
    kill_together,
    new_session,
    records,
    resume_all,
    run,
    until_rest,
)
from tests.integration.rendering_inside import rendered_visits
from tests.integration.shells import shell
from tests.patience import PATIENCE_S
from tests.sites import Response, Site
from tests.sites.responses import html_page

pytestmark = [
    NEEDS_BROWSER,
    pytest.mark.skipif(sys.platform != "linux", reason="looks for processes of Linux"),
]
PAGES = 8
FEW = 4
"""Pages that are enough where one thing happens to those in the tabs."""
TABS = 2
SETTINGS = {
    "render": RenderMode.ON,
    "render_tabs": TABS,
    "render_timeout_s": PATIENCE_S,
    "processes": 1,
    "use_sitemaps": False,
    "archive": True,
}
KINDS = ("renderer", "gpu-process", "", "render worker")
MADE = "made by a script"
APP = f"""fetch('/data?'+location.pathname).then(a=>a.text()).then(()=>{{
document.body.insertAdjacentHTML('beforeend','<h1>{MADE}</h1>')}})""".encode()


@pytest.fixture(autouse=True)
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder for temporary files, which is empty again when a crawl is over."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setenv("TMPDIR", str(folder))
    monkeypatch.setattr(tempfile, "tempdir", None)
    yield folder
    monkeypatch.undo()


@pytest.fixture
def star() -> Iterator[Site]:
    """A root that links to pages, each of which a script finishes."""
    with star_of(PAGES) as site:
        yield site


@pytest.fixture
def small_star() -> Iterator[Site]:
    """Likewise, with few pages."""
    with star_of(FEW) as site:
        yield site


@contextmanager
def star_of(pages: int) -> Iterator[Site]:
    def answer(path: str) -> Response | None:
        if path.startswith("/data"):
            return Response()
        if path == "/app.js":
            return Response(body=APP, headers=(("Content-Type", "text/javascript"),))
        links = [f"/{n}" for n in range(pages)] if path == "/" else []
        if path != "/" and not path.removeprefix("/").isdigit():
            return None
        page = html_page(f"Page {path}", links) + b"<script src=/app.js></script>"
        return Response(body=page)

    with Site() as site:
        site.generate(answer)
        yield site


class Gates:
    """Holds each page but the root back, half-way through being rendered, until it is let on."""

    def __init__(self, star: Site) -> None:
        self._star = star
        self._closed = {f"/data?/{n}": star.slow(f"/data?/{n}") for n in range(PAGES)}

    def waiting(self) -> list[str]:
        """What is asked for by pages that are held back."""
        return [path for path in self._closed if path in self._star.paths]

    async def until_all_tabs_wait(self) -> None:
        await self._star.wait_until(lambda: len(self.waiting()) == TABS)

    def open(self) -> None:
        """Let those on that wait, and whoever asks for the same later."""
        for path in self.waiting():
            self._closed.pop(path).open()

    def open_all(self) -> None:
        for gate in self._closed.values():
            gate.open()


Said = dict[str, tuple[object, ...]]
"""What a project says of each URL."""


def truth(star: Site, count: int = PAGES) -> Said:
    """What a crawl of so many pages finds, whatever is killed."""
    pages = {
        star.url(path): (Outcome.PAGE, 200, RenderStatus.RENDERED, MADE, f"Page {path}", 2)
        for path in ("/", *(f"/{n}" for n in range(count)))
    }
    return {**pages, star.url("/app.js"): (Outcome.FILE, 200, None, None, None, None)}


def said(path: Path) -> Said:
    """What a project says of each URL, but for times."""

    def of(record: UrlRecord) -> tuple[object, ...]:
        rendered = (record.render_status, record.h1_as_rendered, record.title, record.page_requests)
        return record.outcome, record.status, *rendered

    return {url: of(record) for url, record in records(path).items()}


def browser_of(pid: int) -> list[psutil.Process]:
    """The processes of the browser that a render worker below `pid` has started, it first."""
    family = psutil.Process(pid).children(recursive=True)
    browser = next(each for each in family if is_browser(each))
    return [browser, *browser.children(recursive=True)]


def is_browser(process: psutil.Process) -> bool:
    words = words_of(process)
    has_profile = any(word.startswith("--user-data-dir=") for word in words)
    return has_profile and not any(word.startswith("--type=") for word in words)


def words_of(process: psutil.Process) -> list[str]:
    """Its command line; none if it has just ended, as tabs do all the time."""
    try:
        return process.cmdline()
    except psutil.Error:
        return []


def kind_of(process: psutil.Process) -> str:
    """Such as "renderer"; "" for the browser itself, and the script that started it."""
    found = re.search(r"--type=([a-z-]+)", " ".join(words_of(process)))
    return found[1] if found else ""


def victims(session: CrawlSession, kind: str) -> list[psutil.Process]:
    assert session.host_pid is not None
    browser = browser_of(session.host_pid)
    if kind == "render worker":
        return [parent for parent in [browser[0].parent()] if parent is not None]
    return [each for each in browser if kind_of(each) == kind]


def assert_doms_kept(path: Path) -> None:
    """The archive has the DOM of each page that was rendered, as its script has left it."""
    found = doms(path)
    pages = [url for url, row in records(path).items() if row.outcome in PAGE_OUTCOMES]
    assert sorted(found) == sorted(pages)
    assert all(f"<h1>{MADE}</h1>" in markup.decode() for markup in found.values())
    assert all(map(types_in, archive_files(path)))


def assert_nothing_left(folder: Path) -> None:
    assert list(folder.iterdir()) == []


def test_killed_processes_change_no_result(star: Site, tmp_path: Path, temporary: Path) -> None:
    path = tmp_path / "a.gossamer"
    gates = Gates(star)

    async def main() -> None:
        family: list[psutil.Process] = []
        async with new_session(path, star.url(), **SETTINGS) as session:
            await session.start()
            for kind in KINDS:
                await gates.until_all_tabs_wait()
                assert session.host_pid is not None
                family += psutil.Process(session.host_pid).children(recursive=True)
                doomed = victims(session, kind)
                assert doomed
                for each in doomed:
                    with suppress(psutil.NoSuchProcess):  # tabs end all the time
                        each.kill()
                gates.open()
            assert await until_rest(session) is CrawlState.FINISHED
        assert_gone(family)

    run(main())
    assert said(path) == truth(star)
    assert_doms_kept(path)
    assert_nothing_left(temporary)


def test_pages_are_rendered_where_the_browser_can_make_no_more_tabs(
    small_star: Site, tmp_path: Path, temporary: Path
) -> None:
    path = tmp_path / "a.gossamer"
    gates = Gates(small_star)

    async def main() -> None:
        async with new_session(path, small_star.url(), **SETTINGS) as session:
            await session.start()
            await gates.until_all_tabs_wait()
            doomed = victims(session, "zygote")
            assert doomed
            for each in doomed:
                each.kill()
            gates.open_all()
            assert await until_rest(session) is CrawlState.FINISHED

    run(main())
    assert said(path) == truth(small_star, FEW)
    assert_doms_kept(path)
    assert_nothing_left(temporary)


def test_a_stopped_browser_is_given_up_and_the_pages_that_are_left_are_rendered(
    small_star: Site, temporary: Path
) -> None:
    settings = CrawlSettings(roots=(small_star.url(),), **{**SETTINGS, "render_timeout_s": 6.0})  # type: ignore[arg-type]  # field by field
    urls = [small_star.url(f"/{n}") for n in range(FEW)]

    def stop() -> None:
        for each in browser_of(os.getpid()):
            with suppress(ProcessLookupError):  # tabs end all the time
                os.kill(each.pid, signal.SIGSTOP)

    visits = rendered_visits(settings, BrowserTimings(call_s=6.0), urls, stop)
    assert {visit.outcome for visit in visits} <= PAGE_OUTCOMES
    outcomes = [visit.rendering and visit.rendering.render_outcome for visit in visits]
    lost = {RenderOutcome.CRASHED, RenderOutcome.FAILED}
    assert lost & {*outcomes[1:]}  # those which it had begun
    assert {*outcomes[1:]} - lost
    assert child_processes() == []
    assert_nothing_left(temporary)


def test_pages_whose_tabs_hang_before_they_ask_for_them_are_rendered_by_another_browser(
    small_star: Site, temporary: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """That says nothing of the pages, and the browser makes no tabs that live."""
    settings = CrawlSettings(roots=(small_star.url(),), **{**SETTINGS, "render_timeout_s": 6.0})  # type: ignore[arg-type]  # field by field
    urls = [small_star.url(f"/{n}") for n in range(FEW)]
    hanging: list[psutil.Process] = []
    begin = PageRendering.run

    async def hang_and_begin(rendering: PageRendering, tab: Tab) -> RenderedPage:
        with suppress(psutil.NoSuchProcess):  # another browser takes its place
            for each in hanging[0].children(recursive=True) if hanging else ():
                if kind_of(each) == "renderer":
                    each.suspend()
        return await begin(rendering, tab)

    monkeypatch.setattr(PageRendering, "run", hang_and_begin)

    def hang() -> None:
        hanging.append(browser_of(os.getpid())[0])

    visits = rendered_visits(settings, BrowserTimings(call_s=6.0), urls, hang)
    outcomes = [visit.rendering and visit.rendering.render_outcome for visit in visits]
    assert outcomes == [RenderOutcome.RENDERED] * FEW
    assert child_processes() == []
    assert_nothing_left(temporary)


def test_a_crawl_whose_processes_are_killed_is_resumed_with_the_same_result(
    star: Site, tmp_path: Path, temporary: Path
) -> None:
    path = tmp_path / "a.gossamer"
    gates = Gates(star)
    projects.create(path, CrawlSettings(roots=(star.url(),), **SETTINGS))  # type: ignore[arg-type]  # field by field
    for victim in ("host", "shell", "all"):
        with shell(path) as process:
            star.block_until(lambda: bool(gates.waiting()))
            host, *others = psutil.Process(process.pid).children(recursive=True)
            doomed = {"host": [host], "shell": [psutil.Process(process.pid)]}
            kill_together(doomed.get(victim, [psutil.Process(process.pid), host, *others]))
            process.wait(PATIENCE_S)
        assert_gone([host, *others])
        gates.open()
    gates.open_all()
    resume_all(path)
    assert said(path) == truth(star)
    assert_doms_kept(path)
    assert_nothing_left(temporary)


def test_a_render_worker_that_has_to_be_killed_leaves_no_profile(
    small_star: Site, tmp_path: Path, temporary: Path
) -> None:
    path = tmp_path / "a.gossamer"
    gates = Gates(small_star)

    async def main() -> None:
        async with new_session(path, small_star.url(), **SETTINGS) as session:
            await session.start()
            await gates.until_all_tabs_wait()
            (worker,) = victims(session, "render worker")
            family = [worker, *worker.children(recursive=True)]
            worker.suspend()  # it cannot end its browser, nor remove what that had
            await session.cancel()
        assert_gone(family)
        gates.open_all()

    run(main())
    assert_nothing_left(temporary)


def test_after_a_pause_or_a_cancel_no_byte_leaves(
    small_star: Site, tmp_path: Path, temporary: Path
) -> None:
    path = tmp_path / "a.gossamer"
    gates = Gates(small_star)

    async def main() -> None:
        async with new_session(path, small_star.url(), **SETTINGS) as session:
            await session.start()
            await gates.until_all_tabs_wait()
            await session.pause(now=True)
            await small_star.wait_until(lambda: small_star.open_connections == 0)
            asked = len(small_star.requests)
            gates.open()
            await asyncio.sleep(1)  # nothing tells that nothing happens
            assert len(small_star.requests) == asked
            await session.resume()
            await gates.until_all_tabs_wait()
            await session.cancel()
            await small_star.wait_until(lambda: small_star.open_connections == 0)
            asked = len(small_star.requests)
        assert len(small_star.requests) == asked
        gates.open_all()

    run(main())
    resume_all(path)
    assert said(path) == truth(small_star, FEW)
    assert_doms_kept(path)
    assert_nothing_left(temporary)
