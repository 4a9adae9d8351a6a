"""Renders one page on request, with a browser of its own that ends with the page."""

from contextlib import AsyncExitStack
from typing import Final

from msgspec.structs import replace

from gossamer.extract.dom_outline import dom_lines
from gossamer.extract.html_page import utf_8_markup
from gossamer.extract.page_contents import paragraphs
from gossamer.extract.text_comparison import lines_side_by_side, side_by_side
from gossamer.fetch.body_readers import ExtractPage
from gossamer.fetch.fetcher import HttpFetcher
from gossamer.fetch.set_cookie_header import CookieHeaders
from gossamer.host.child_loop import ending_within
from gossamer.host.render_worker import MarkupBeforeAndAfter, open_rendering
from gossamer.model.errors import KnownError
from gossamer.model.messages.page_contents_messages import PageFetchOutcome, SideBySide
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
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.settings.rendering_choices import RenderMode
from gossamer.model.visit import Visit
from gossamer.render.browser_discovery import find_browsers

_UTF_8: Final = "utf-8"
_LOOK_S: Final = 20.0


async def rendered_page(
    wish: RenderPage, configured: ConfigureWorker, fetcher: HttpFetcher, extract: ExtractPage
) -> RenderingReport:
    """How a browser renders a page now, with a picture of it, whatever the settings say."""
    settings = replace(configured.settings, render=RenderMode.ON, screenshots=True)
    try:
        find_browsers(settings.browser)
    except KnownError as e:  # the chosen one is gone
        unasked = PageFetchOutcome(Outcome.PENDING)
        return RenderingReport(wish.number, wish.url, unasked, reason=e.said)
    configured = replace(configured, settings=settings)
    async with AsyncExitStack() as opened:
        pages = await open_rendering(configured, fetcher, extract, opened)
        seen: list[MarkupBeforeAndAfter] = []
        pages.seen = seen.append
        visit = await pages.fetch(Fetch(0, wish.url), CookieHeaders(""))
    described = _described(wish, visit)
    if not described.is_rendered or not seen:
        return described
    texts, dom = _side_by_side(seen[-1], settings)
    return replace(described, texts=texts, dom=dom)


def _side_by_side(
    page: MarkupBeforeAndAfter, settings: CrawlSettings
) -> tuple[SideBySide, SideBySide]:
    """Text and DOM of a page before and after rendering."""
    with ending_within(_LOOK_S):
        exclude = settings.content_exclude
        html, is_html_cut = paragraphs(page.html, page.charset, exclude)
        rendered, is_cut = paragraphs(page.rendered, _UTF_8, exclude)
        texts = side_by_side(html, rendered)
        texts = replace(texts, is_cut=texts.is_cut or is_html_cut or is_cut)
        markup = (utf_8_markup(page.html, page.charset), utf_8_markup(page.rendered, _UTF_8))
        return texts, lines_side_by_side(*map(dom_lines, markup))


def _described(wish: RenderPage, visit: Visit) -> RenderingReport:
    outcome = PageFetchOutcome(
        visit.outcome, visit.status, visit.detail, visit.is_page_read, visit.truncated
    )
    rendering = visit.rendering or Rendering()
    described = RenderingReport(wish.number, wish.url, outcome, rendering)
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
