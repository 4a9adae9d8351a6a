"""What a worker makes of a page that it cannot render, if the archive has its DOM."""

import asyncio
from typing import TYPE_CHECKING, cast

import pytest

from gossamer.extract.html_page import extract
from gossamer.fetch.body_readers import ExtractPage, HeaderPairs
from gossamer.fetch.resource_exchange import ResourceResponse
from gossamer.fetch.set_cookie_header import CookieHeaders
from gossamer.model.fields.page_facts import PageFacts
from gossamer.model.fields.rendering_fields import RenderOutcome
from gossamer.model.messages.worker_messages import ConfigureWorker, Fetch
from gossamer.model.outcome import Outcome
from gossamer.model.rendering import Rendering
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.settings.rendering_choices import RenderMode
from gossamer.model.settings.request_settings import Parser
from gossamer.model.visit import Extract, Visit
from gossamer.page_worker.page_fetchers import StoredRendering
from gossamer.page_worker.rendering_fetcher import RenderingFetcher

if TYPE_CHECKING:
    from gossamer.fetch.fetcher import HttpFetcher
    from gossamer.page_worker.page_resources import PageResources
    from gossamer.page_worker.resource_politeness import ResourcePoliteness
    from gossamer.page_worker.robots_texts import RobotsTexts

URL = "https://example.com/"
HTML = b"<!doctype html><title>Shell</title>"
DOM = "<!doctype html><title>Shop</title><p>five words made by scripts"


class OnePage:
    """Fetches that page, with no archive of its own, for a crawl without custom definitions."""

    archive = apply_patterns = None

    async def fetch_page(self, *_: object) -> tuple[Visit, ResourceResponse]:
        visit = Visit(Outcome.PAGE, status=200, facts=PageFacts(title="Shell"), charset="utf-8")
        return visit, ResourceResponse(200, (), HTML)


class OneDom:
    """Knows how the crawl rendered it."""

    def stored_rendering(self, *_: object) -> StoredRendering:
        rendering = Rendering(RenderOutcome.RENDERED)
        facts = PageFacts(title="Shop", word_count=5)
        visit = Visit(Outcome.PAGE, status=200, facts=facts, rendering=rendering)
        return StoredRendering(DOM, visit, rendering)


class NoPace:
    """Has nothing to keep in mind."""

    def note(self, *_: object) -> None:
        """Forget it."""


def read_dom(body: bytes, url: str, charset: str | None, *, headers: HeaderPairs) -> Extract:
    return extract(body, url, charset, Parser.SELECTOLAX, headers)


def read_nothing(*_: object, headers: HeaderPairs) -> Extract:
    del headers
    raise TimeoutError


@pytest.mark.parametrize(
    ("read", "outcome", "title"),
    [
        (read_dom, RenderOutcome.RENDERED, "Shop"),
        (read_nothing, RenderOutcome.NO_BROWSER, "Shell"),
    ],
)
def test_a_page_counts_as_rendered_only_if_its_stored_dom_can_be_read(
    read: ExtractPage, outcome: RenderOutcome, title: str
) -> None:
    """Otherwise the audit would take what the HTML says for what the crawl has seen."""
    fetcher = RenderingFetcher(
        cast("HttpFetcher", OnePage()),
        read,
        None,
        cast("PageResources", None),
        cast("ResourcePoliteness", NoPace()),
        cast("RobotsTexts", None),
        ConfigureWorker(CrawlSettings(roots=(URL,), render=RenderMode.ON)),
    )
    fetcher.take_archive(OneDom())
    visit = asyncio.run(fetcher.fetch(Fetch(0, URL), CookieHeaders()))
    assert visit.rendering is not None
    assert visit.facts is not None
    assert (visit.rendering.render_outcome, visit.facts.title) == (outcome, title)
