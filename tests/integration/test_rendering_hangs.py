"""Pages whose tabs hang: it is known whose fault that is."""

import asyncio
from contextlib import suppress

import psutil
import pytest

from gossamer.render.browser_discovery import BrowserProgram
from gossamer.render.browser_process import BrowserTimings
from gossamer.render.page_renderer import PageRenderer
from gossamer.render.page_rendering import PageRendering, Tab
from gossamer.render.page_requests import PageResponse, ResourceResult
from gossamer.render.rendered_page import RenderedPage, RenderJob, RenderLimits
from tests.fakes.browsers import (
    NEEDS_BROWSER,
    NEEDS_FULL_BROWSER,
    browser,
    full_browser,
)
from tests.integration.crawling import run

URL = "http://hangs.example/"
HTML = [("Content-Type", "text/html; charset=utf-8")]
HANG = r"('a' + '\u0315\u0300'.repeat(1_000_000)).normalize('NFC')"
"""Takes a minute, and cannot be ended as scripts can: the marks are put in order one by one."""
HANGS_AFTER_S = 1.0
"""A tab that has computed for so long does nothing else: what such a page takes is a tenth."""
LOOKS_EVERY_S = 0.1


async def nothing(*_: object) -> ResourceResult:
    return ResourceResult(None, None, "none")


def job(script: str) -> RenderJob:
    body = f"<!doctype html><title>Page</title><h1>Page</h1><script>{script}</script>"
    return RenderJob(URL, PageResponse(200, HTML, body.encode()), RenderLimits(timeout_s=4.0))


async def shown_by(program: BrowserProgram, script: str = "") -> RenderedPage:
    """A page with this script."""
    async with PageRenderer(program, BrowserTimings(call_s=6.0)) as renderer:
        return await renderer.render(job(script), nothing)


@NEEDS_BROWSER
def test_a_tab_says_that_it_has_taken_its_page() -> None:
    page = run(shown_by(browser()))
    assert page.is_taken
    assert "<h1>Page</h1>" in page.html


@NEEDS_FULL_BROWSER
def test_so_does_one_of_a_browser_for_people() -> None:
    page = run(shown_by(full_browser()))
    assert page.is_taken


async def shown_hanging(program: BrowserProgram, script: str) -> RenderedPage:
    """Likewise. Its tab is stopped once it hangs, to leave the processor: it answers no sooner."""
    async with asyncio.TaskGroup() as tasks:
        stopping = tasks.create_task(stop_what_hangs(), name="stopping what hangs")
        page = await shown_by(program, script)
        stopping.cancel()
    return page


async def stop_what_hangs() -> None:
    while True:
        for process in psutil.Process().children(recursive=True):
            with suppress(psutil.Error):  # tabs end all the time
                is_tab = "--type=renderer" in process.cmdline()
                if is_tab and process.cpu_times().user >= HANGS_AFTER_S:
                    process.suspend()
                    return
        await asyncio.sleep(LOOKS_EVERY_S)


@pytest.fixture
def tabs(monkeypatch: pytest.MonkeyPatch) -> list[Tab]:
    """Those in which pages are rendered."""
    used: list[Tab] = []
    begin = PageRendering.run

    async def note_and_begin(rendering: PageRendering, tab: Tab) -> RenderedPage:
        used.append(tab)
        return await begin(rendering, tab)

    monkeypatch.setattr(PageRendering, "run", note_and_begin)
    return used


@NEEDS_BROWSER
def test_a_page_that_makes_its_tab_hang_when_it_has_loaded_is_rendered_once(
    tabs: list[Tab],
) -> None:
    """Another browser would hang as well."""
    page = run(shown_hanging(browser(), f"setTimeout(() => {HANG}, 300)"))
    assert (page.is_timed_out, page.is_taken, page.html) == (True, True, "")
    assert len(tabs) == 1


@NEEDS_FULL_BROWSER
def test_so_is_a_page_that_does_so_while_it_is_parsed(tabs: list[Tab]) -> None:
    """Its tab has no time to say that it has the document."""
    page = run(shown_hanging(full_browser(), HANG))
    assert (page.is_timed_out, page.is_taken, page.html) == (True, True, "")
    assert len(tabs) == 1
