"""Reads canonicals, rel=next and rel=prev, AMP and mobile pages: a page's other URLs.

URLs are resolved and without fragment; anything else is kept as written.
"""

import re
from collections.abc import Iterable, Sequence
from typing import Final

from gossamer.extract.facts.topic_facts import NOTHING, FactElements, TopicFacts, outside_head
from gossamer.extract.link_header import HeaderLink
from gossamer.extract.link_targets import MAX_AS_WRITTEN, MAX_TARGET
from gossamer.extract.parsed_elements import Attributes, Element
from gossamer.model.fields.page_flags import MarkupFlag
from gossamer.model.lazy_pattern import lazy_pattern
from gossamer.model.link_kinds import LinkKind, kind_by_rel
from gossamer.model.text_cleaning import clean_text
from gossamer.urls.url_joining import Base
from gossamer.urls.url_parsing import without_fragment

_MULTIPLE: Final = int(MarkupFlag.MULTIPLE_CANONICALS)
_CONFLICTING: Final = int(MarkupFlag.CONFLICTING_CANONICALS)
_RELATIVE: Final = int(MarkupFlag.CANONICAL_RELATIVE)
_FRAGMENT: Final = int(MarkupFlag.CANONICAL_FRAGMENT)
_INVALID_ATTRIBUTE: Final = int(MarkupFlag.CANONICAL_INVALID_ATTRIBUTE)
_OUTSIDE_HEAD: Final = int(MarkupFlag.CANONICAL_OUTSIDE_HEAD)
_EMPTY: Final = int(MarkupFlag.CANONICAL_EMPTY)
_LATER_SELF: Final = int(MarkupFlag.LATER_SELF_CANONICAL)
_PAGINATION: Final = int(MarkupFlag.PAGINATION)
_MULTIPLE_PAGINATION: Final = int(MarkupFlag.MULTIPLE_PAGINATION)

_SCHEME: Final = lazy_pattern(r"[a-z][a-z0-9+.-]*:", re.IGNORECASE)
_INVALID_ATTRIBUTES: Final = frozenset({"hreflang", "lang", "media", "type"})
_FOR_SMALL_SCREENS: Final = lazy_pattern(r"max-(?:device-)?width|handheld", re.IGNORECASE)
_MAX_ELEMENTS: Final = 100
_NEXT: Final = ("next",)
_PREVIOUS: Final = ("prev", "previous")
NAMING: Final = frozenset({"canonical", "alternate", "amphtml", *_NEXT, *_PREVIOUS})
"""Relations that name URLs of a page besides its own."""


def canonical_facts(
    elements: FactElements, header_links: Sequence[HeaderLink], base: Base, page_url: str
) -> TopicFacts:
    """Canonicals of elements and headers of the page at `page_url`.

    An empty href names none, an invalid one no other.
    """
    in_elements = elements.links.get("canonical", [])[:_MAX_ELEMENTS]
    in_headers = _in_headers(header_links, ("canonical",))
    if not (in_elements or in_headers):
        return NOTHING
    hrefs = [href for element in in_elements if (href := _href(element.attributes))]
    urls = [_resolved(href, base) for href in hrefs]
    header_urls = [without_fragment(link.target) for link in in_headers]
    markup = _OUTSIDE_HEAD if outside_head(in_elements) else 0
    if len(urls) + len(header_urls) > 1:
        is_later = page_url in (*urls[1:], *header_urls[1:])
        markup |= _MULTIPLE | (_LATER_SELF if is_later else 0)
        if len({*filter(None, map(base.join, hrefs)), *header_urls}) > 1:
            markup |= _CONFLICTING
    if any("#" in target for target in (*hrefs, *(link.target for link in in_headers))):
        markup |= _FRAGMENT
    if not all(map(_SCHEME.match, hrefs)) or any(link.is_relative for link in in_headers):
        markup |= _RELATIVE
    if not all(_INVALID_ATTRIBUTES.isdisjoint(element.attributes) for element in in_elements):
        markup |= _INVALID_ATTRIBUTE
    if not (urls or header_urls):
        markup |= _EMPTY
    values = {
        "canonical": urls[0] if urls else ("" if in_elements else None),
        "canonical_header": header_urls[0] if header_urls else None,
    }
    return TopicFacts(values, markup)


def pagination_facts(
    elements: FactElements, header_links: Sequence[HeaderLink], base: Base
) -> TopicFacts:
    """The next and the previous page of a series, by elements and headers."""
    values: dict[str, str] = {}
    markup = 0
    for name, rels in (("next", _NEXT), ("prev", _PREVIOUS)):
        urls = _urls(elements, rels, base)
        header_urls = [without_fragment(each.target) for each in _in_headers(header_links, rels)]
        if urls:
            values[f"{name}_url"] = urls[0]
        if header_urls:
            values[f"{name}_header"] = header_urls[0]
        if urls or header_urls:
            markup |= _PAGINATION
        if len({*urls, *header_urls}) > 1:
            markup |= _MULTIPLE_PAGINATION
    return TopicFacts(values, markup)


def other_version_facts(elements: FactElements, base: Base) -> TopicFacts:
    """The AMP page, and the page for small screens."""
    values: dict[str, str] = {}
    if amp := _urls(elements, ("amphtml",), base):
        values["amp_url"] = amp[0]
    for _, attributes, *_ in elements.links.get("alternate", ())[:_MAX_ELEMENTS]:
        href = _href(attributes)
        is_style = kind_by_rel(attributes["rel"] or "") is LinkKind.STYLESHEET
        if href and not is_style and _FOR_SMALL_SCREENS.search(attributes.get("media") or ""):
            values["mobile_url"] = _resolved(href, base)
            break
    return TopicFacts(values)


def _urls(elements: FactElements, rels: Iterable[str], base: Base) -> list[str]:
    """What the `link` elements with one of these relations name, except empty ones."""
    named: list[Element] = []
    for rel in rels:
        named += elements.links.get(rel, ())
    hrefs = [_href(element.attributes) for element in named[:_MAX_ELEMENTS]]
    return [_resolved(href, base) for href in hrefs if href]


def _in_headers(header_links: Sequence[HeaderLink], rels: Sequence[str]) -> list[HeaderLink]:
    """The links of headers with one of these relations."""
    return [
        link
        for link in header_links
        if link.target and not set(rels).isdisjoint(link.rel.lower().split())
    ]


def _href(attributes: Attributes) -> str:
    return (attributes.get("href") or "").strip()


def _resolved(href: str, base: Base) -> str:
    """The URL of an href, serialised, or `href` if it is invalid."""
    url = base.join(href)
    return clean_text(href, MAX_AS_WRITTEN) if url is None else url[:MAX_TARGET]
