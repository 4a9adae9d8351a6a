"""How often a page is rendered whose tab dies."""

import asyncio
from types import SimpleNamespace
from typing import TYPE_CHECKING, cast

import pytest

from gossamer.page_worker.rendering_fetcher import RenderingFetcher
from gossamer.render import page_renderer
from gossamer.render.browser_discovery import BrowserKind, BrowserProgram
from gossamer.render.browser_process import BrowserStartError
from gossamer.render.page_renderer import MAX_BARREN, PageRenderer
from gossamer.render.page_requests import PageResponse, RequestResponder
from gossamer.render.rendered_page import RenderedPage, RenderJob

if TYPE_CHECKING:
    from gossamer.render.page_renderer import _Tabs

JOB = RenderJob("https://example.com/", PageResponse(200, [], b""))


class DyingTabs(PageRenderer):
    """Shows each page as `page`."""

    def __init__(self, page: RenderedPage) -> None:
        super().__init__(BrowserProgram("/nowhere", BrowserKind.HEADLESS_SHELL))
        self.page = page
        self.tries = 0

    async def render(self, job: RenderJob, respond: RequestResponder) -> RenderedPage:
        del job, respond
        self.tries += 1
        return self.page


@pytest.mark.parametrize(
    ("page", "tries"),
    [
        (RenderedPage(), 1),
        (RenderedPage(is_crashed=True), 2),
        (RenderedPage(is_crashed=True, is_out_of_memory=True), 1),
    ],
)
def test_a_page_is_tried_again_unless_it_would_die_again(page: RenderedPage, tries: int) -> None:
    tabs = DyingTabs(page)
    respond: RequestResponder = NotImplemented
    rendered = RenderingFetcher._rendered(tabs, JOB, respond)  # noqa: SLF001 - without a worker
    assert asyncio.run(rendered) is page
    assert tabs.tries == tries


class Browser:
    """A browser whose tabs die: all of them, or those that have begun their page."""

    def __init__(self, *, begins: bool) -> None:
        self.has_begun = begins
        self.pages = 0
        self.running = 0
        self.is_spent = True
        self.browser = SimpleNamespace(devtools=None)

    async def render(self, *_: object) -> RenderedPage:
        self.pages += 1
        return RenderedPage(is_crashed=True, is_begun=self.has_begun)


class Browsers(PageRenderer):
    """Starts such browsers; those with the numbers `good` begin their page."""

    def __init__(self, *good: int) -> None:
        super().__init__(BrowserProgram("/nowhere", BrowserKind.HEADLESS_SHELL))
        self.good = good
        self.starts = 0

    async def _start_once(self) -> "_Tabs":
        self.starts += 1
        browser = cast("_Tabs", Browser(begins=self.starts in self.good))
        self._open.add(browser)
        return browser


@pytest.mark.parametrize(("good", "starts"), [((), MAX_BARREN), ((3, 6), 6 + MAX_BARREN)])
def test_browsers_that_begin_no_page_are_given_up(
    good: tuple[int, ...], starts: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(page_renderer, "PageRendering", lambda *_: None)
    browsers = Browsers(*good)

    async def main() -> None:
        respond: RequestResponder = NotImplemented
        for _ in range(2 * starts):
            await browsers.render(JOB, respond)

    with pytest.raises(BrowserStartError, match="die before they load"):
        asyncio.run(main())
    assert browsers.starts == starts
