"""How often a page is rendered whose tab dies."""

import asyncio

import pytest

from gossamer.host.render_worker import RenderingFetcher
from gossamer.render.browser_discovery import BrowserKind, BrowserProgram
from gossamer.render.page_renderer import PageRenderer
from gossamer.render.page_requests import PageResponse, RequestResponder
from gossamer.render.rendered_page import RenderedPage, RenderJob

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
