"""Pages whose tabs hang: it is known whose fault that is."""

import asyncio
from contextlib import suppress
from typing import NamedTuple

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
HANGS_AFTER_S = 0.5
"""A tab that has computed for so long does nothing else: what such a page takes is a fifth."""
LOOKS_EVERY_S = 0.1


async def nothing(*_: object) -> ResourceResult:
    return ResourceResult(None, None, "none")


def job(script: str) -> RenderJob:
    body = f"<!doctype html><title>Page</title><h1>Page</h1><script>{script}</script>"
    return RenderJob(URL, PageResponse(200, HTML, body.encode()), RenderLimits(timeout_s=4.0))


class Shown(NamedTuple):
    """What one browser has made of a page, and of one that makes its tab hang."""

    usual: RenderedPage
    hanging: RenderedPage
    tabs: list[Tab]
    """Those in which they were rendered."""


async def shown_by(program: BrowserProgram, script: str) -> tuple[RenderedPage, RenderedPage]:
    """A page without a script, then one with this script, whose tab is stopped once it hangs.

    That leaves the processor: it answers no sooner.
    """
    async with PageRenderer(program, BrowserTimings(call_s=6.0)) as renderer:
        usual = await renderer.render(job(""), nothing)
        async with asyncio.TaskGroup() as tasks:
            stopping = tasks.create_task(stop_what_hangs(tabs()), name="stopping what hangs")
            hanging = await renderer.render(job(script), nothing)
            stopping.cancel()
    return usual, hanging


async def stop_what_hangs(others: set[psutil.Process]) -> None:
    while True:
        for process in tabs() - others:
            with suppress(psutil.Error):  # tabs end all the time
                if process.cpu_times().user >= HANGS_AFTER_S:
                    process.suspend()
                    return
        await asyncio.sleep(LOOKS_EVERY_S)


def tabs() -> set[psutil.Process]:
    """The processes of tabs that there are."""
    found = set()
    for process in psutil.Process().children(recursive=True):
        with suppress(psutil.Error):
            if "--type=renderer" in process.cmdline():
                found.add(process)
    return found


def shown(program: BrowserProgram, script: str) -> Shown:
    used: list[Tab] = []
    begin = PageRendering.run

    async def note_and_begin(rendering: PageRendering, tab: Tab) -> RenderedPage:
        used.append(tab)
        return await begin(rendering, tab)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(PageRendering, "run", note_and_begin)
        return Shown(*run(shown_by(program, script)), used)


@pytest.fixture(scope="module")
def when_loaded() -> Shown:
    """One hangs when it has loaded."""
    return shown(browser(), f"setTimeout(() => {HANG}, 300)")


@pytest.fixture(scope="module")
def while_parsed() -> Shown:
    """One hangs while it is parsed, in a browser for people: it has no time to say anything."""
    return shown(full_browser(), HANG)


@NEEDS_BROWSER
def test_a_tab_says_that_it_has_taken_its_page(when_loaded: Shown) -> None:
    assert when_loaded.usual.is_taken
    assert "<h1>Page</h1>" in when_loaded.usual.html


@NEEDS_FULL_BROWSER
def test_so_does_one_of_a_browser_for_people(while_parsed: Shown) -> None:
    assert while_parsed.usual.is_taken


@NEEDS_BROWSER
def test_a_page_that_makes_its_tab_hang_when_it_has_loaded_is_rendered_once(
    when_loaded: Shown,
) -> None:
    """Another browser would hang as well."""
    page = when_loaded.hanging
    assert (page.is_timed_out, page.is_taken, page.html) == (True, True, "")
    assert len(when_loaded.tabs) == 2


@NEEDS_FULL_BROWSER
def test_so_is_a_page_that_does_so_while_it_is_parsed(while_parsed: Shown) -> None:
    """Its tab has no time to say that it has the document."""
    page = while_parsed.hanging
    assert (page.is_timed_out, page.is_taken, page.html) == (True, True, "")
    assert len(while_parsed.tabs) == 2
