"""Renders one page on request, with a browser of its own that ends with the page."""

from contextlib import AsyncExitStack

from msgspec.structs import replace

from gossamer.fetch.body_readers import ExtractPage
from gossamer.fetch.fetcher import HttpFetcher
from gossamer.fetch.set_cookie_header import CookieHeaders
from gossamer.host.render_worker import open_rendering
from gossamer.model.errors import KnownError
from gossamer.model.messages.page_contents_messages import PageAnswer
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
from gossamer.model.visit import Visit
from gossamer.render.browser_discovery import find_browsers


async def rendered_page(
    wish: RenderPage, configured: ConfigureWorker, fetcher: HttpFetcher, extract: ExtractPage
) -> RenderingReport:
    """What a browser makes of a page now, with a picture of it, whatever the settings say."""
    settings = replace(configured.settings, screenshots=True)
    try:
        find_browsers(settings.browser)
    except KnownError as e:  # the one that was chosen is gone
        unasked = PageAnswer(Outcome.PENDING)
        return RenderingReport(wish.number, wish.url, unasked, reason=e.said)
    configured = replace(configured, settings=settings)
    async with AsyncExitStack() as opened:
        pages = await open_rendering(configured, fetcher, extract, opened)
        visit = await pages.fetch(Fetch(0, wish.url), CookieHeaders(""))
    return _described(wish, visit)


def _described(wish: RenderPage, visit: Visit) -> RenderingReport:
    answer = PageAnswer(
        visit.outcome, visit.status, visit.detail, visit.is_page_read, visit.truncated
    )
    rendering = visit.rendering or Rendering()
    described = RenderingReport(wish.number, wish.url, answer, rendering)
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
