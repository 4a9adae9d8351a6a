"""Renders one page on request, with a browser of its own that ends with the page."""

from contextlib import AsyncExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from gossamer.fetch.body_readers import ExtractPage
from gossamer.fetch.fetcher import HttpFetcher
from gossamer.fetch.set_cookie_header import CookieHeaders
from gossamer.inspector.compared_markup import compared_markup, dom_changes
from gossamer.model.errors import KnownError
from gossamer.model.messages.page_contents_messages import PageFetchOutcome
from gossamer.model.messages.page_rendering_messages import (
    OriginLink,
    RenderingReport,
    RenderPage,
    compared_facts,
    tally_links,
)
from gossamer.model.messages.worker_messages import ConfigureWorker, Fetch
from gossamer.model.outcome import Outcome
from gossamer.model.rendering import Rendering
from gossamer.model.settings.rendering_choices import RenderMode
from gossamer.model.translatable import Translatable
from gossamer.model.visit import Visit
from gossamer.page_worker.rendering_fetcher import open_rendering
from gossamer.render.browser_discovery import find_browsers

if TYPE_CHECKING:
    from gossamer.extract.rendered_differences import MarkupBeforeAndAfter


async def rendered_page(
    request: RenderPage, configured: ConfigureWorker, fetcher: HttpFetcher, extract: ExtractPage
) -> RenderingReport:
    """How a browser renders a page now, with a screenshot of it, whatever the settings say."""
    settings = replace(configured.settings, render=RenderMode.ON, screenshots=True)
    try:
        find_browsers(settings.browser)
    except KnownError as e:  # the chosen one is gone
        unasked = PageFetchOutcome(Outcome.PENDING)
        return RenderingReport(request.number, request.url, unasked, reason=e.said)
    configured = replace(configured, settings=settings)
    async with AsyncExitStack() as opened:
        pages = await open_rendering(configured, fetcher, extract, opened)
        seen: list[MarkupBeforeAndAfter] = []
        pages.seen = seen.append
        visit = await pages.fetch(Fetch(0, request.url), CookieHeaders(""))
    described = _described(request, visit)
    if not described.is_rendered or not seen:
        return described
    texts, dom = compared_markup(seen[-1], settings.content_exclude)
    described = replace(described, texts=texts, dom=dom)
    if request.dom is None:
        return described
    changes = dom_changes(Path(request.folder), request.dom, request.url, seen[-1].rendered)
    if isinstance(changes, Translatable):
        return replace(described, why_no_changes=changes)
    return replace(described, dom_changes=changes)


def _described(request: RenderPage, visit: Visit) -> RenderingReport:
    outcome = PageFetchOutcome(
        visit.outcome, visit.status, visit.detail, visit.is_page_read, visit.truncated
    )
    rendering = visit.rendering or Rendering()
    described = RenderingReport(request.number, request.url, outcome, rendering)
    if not described.is_rendered:
        return described
    links = visit.links
    traits = links.traits or [0] * len(links.kinds)
    columns = zip(links.targets, links.texts, links.kinds, traits, strict=True)
    return replace(
        described,
        redirect=visit.location or "",
        facts=compared_facts(visit.facts, rendering),
        links=tally_links(
            OriginLink(visit.targets[target], text, kind, bits)
            for target, text, kind, bits in columns
        ),
    )
