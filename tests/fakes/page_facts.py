"""Reads the facts of small pages."""

from collections.abc import Sequence
from typing import Final

from gossamer.extract.facts.link_facts import EVERYWHERE, CrawledSite
from gossamer.extract.html_page import extract
from gossamer.model.fields.page_facts import PageFacts
from gossamer.model.fields.page_flags import ContentFlag, MarkupFlag
from gossamer.model.settings.request_settings import Parser

URL: Final = "https://example.com/docs/page.html"
_PAGE: Final = "<!doctype html><html lang=en><head>{}</head><body>{}</body></html>"


def facts_of(
    parser: Parser,
    head: str = "",
    body: str = "",
    *,
    url: str = URL,
    headers: Sequence[tuple[str, str]] = (),
    site: CrawledSite = EVERYWHERE,
) -> PageFacts:
    """Those of a well-formed page in English, read by a crawler named Gossamer."""
    markup = _PAGE.format(head, body).encode()
    return extract(markup, url, "utf-8", parser, headers, robot="gossamer", site=site).facts


def markup_of(
    parser: Parser,
    head: str = "",
    body: str = "",
    *,
    headers: Sequence[tuple[str, str]] = (),
) -> MarkupFlag:
    """The markup flags of such a page."""
    return MarkupFlag(facts_of(parser, head, body, headers=headers).markup or 0)


def content_of(
    parser: Parser,
    head: str = "",
    body: str = "",
    *,
    url: str = URL,
    headers: Sequence[tuple[str, str]] = (),
    site: CrawledSite = EVERYWHERE,
) -> ContentFlag:
    """The content flags of such a page."""
    facts = facts_of(parser, head, body, url=url, headers=headers, site=site)
    return ContentFlag(facts.content or 0)
