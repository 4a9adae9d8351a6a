"""One browser for the tests of a module, each of whose pages has a context of its own.

So has a crawl. To start a browser and end it takes as much of a processor as a dozen pages.
"""

import asyncio
from types import TracebackType
from typing import Self

from gossamer.render.browser_discovery import BrowserProgram
from gossamer.render.page_renderer import PageRenderer
from gossamer.render.page_requests import RequestResponder
from gossamer.render.rendered_page import RenderedPage, RenderJob
from tests.fakes.browsers import browser
from tests.integration.crawling import in_time
from tests.sites.odd_pages import answer


class SharedRenderer:
    """A page renderer that outlives the run of each test. Use with `with`."""

    def __init__(self, program: BrowserProgram | None = None) -> None:
        """The browser starts with the first page; by default, the one that renders pages."""
        self._runner = asyncio.Runner()
        self._renderer = PageRenderer(program or browser())

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        problem: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        with self._runner:
            self._runner.run(self._renderer.__aexit__(kind, problem, traceback))

    def render(self, job: RenderJob, respond: RequestResponder = answer) -> RenderedPage:
        """Render a page; `respond` serves what it loads."""
        return self._runner.run(in_time(self._renderer.render(job, respond)))
