"""Reads a page's directives for robots, when it refreshes, and its viewport."""

from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache
from typing import Final

from gossamer.extract.css_and_srcset_urls import refresh_of
from gossamer.extract.facts.titles_and_headings import meta_content
from gossamer.extract.facts.topic_facts import NOTHING, FactElements, TopicFacts, outside_head
from gossamer.extract.parsed_elements import IN_NOSCRIPT, Element
from gossamer.model.fields.page_flags import Directive, MarkupFlag
from gossamer.model.known_crawlers import META_NAMES
from gossamer.model.text_cleaning import one_line
from gossamer.model.visit import Refresh
from gossamer.urls.meta_robots import (
    directive_words,
    joined_directives,
    robots_directives,
)
from gossamer.urls.refresh_directive import MAX_REDIRECT_DELAY_S, parse_refresh, read_refresh
from gossamer.urls.url_joining import Base
from gossamer.urls.url_parsing import is_http

_MAX_ROBOTS: Final = 100
_MAX_HEADER: Final = 2_000
_MAX_NAMED: Final = 200
"""Characters kept of the directives for a single crawler."""
_MAX_REFRESH: Final = 500
_ROBOTS_OUTSIDE_HEAD: Final = int(MarkupFlag.ROBOTS_OUTSIDE_HEAD)
_AJAX_FRAGMENT: Final = int(MarkupFlag.AJAX_FRAGMENT)
_REFRESH: Final = int(Directive.REFRESH)
_BITS: Final = {
    directive.name.lower().replace("_", "-"): int(directive)
    for directive in Directive
    if directive.name and directive is not Directive.REFRESH
} | {"unavailable_after": int(Directive.UNAVAILABLE_AFTER)}


def robots_facts(elements: FactElements, robot: str, header_values: Sequence[str]) -> TopicFacts:
    """The directives of the page and its X-Robots-Tag for all robots, or `robot`, in lower case."""
    metas = elements.metas
    ours = metas.get("robots", [])
    if robot and robot != "robots" and robot in metas:
        ours = [*ours, *metas[robot]]
    said = [meta_content(element) for element in ours[:_MAX_ROBOTS]]
    # They apply together, as the fields of X-Robots-Tag do.
    robots = one_line(", ".join(filter(None, said))) if ours else None
    bits = directive_bits(robots) if robots else 0
    if header_values:
        bits |= directive_bits(robots_directives(header_values, robot)[:_MAX_HEADER])
    markup = _ROBOTS_OUTSIDE_HEAD if outside_head(ours) else 0
    values = {"robots": robots}
    if names := META_NAMES.intersection(metas):
        values["crawler_robots"] = _told_to_crawlers(metas, names, robot)
    return TopicFacts(values, markup, 0, bits)


def _told_to_crawlers(
    metas: Mapping[str, Sequence[Element]], names: Collection[str], robot: str
) -> str:
    """The directives for single crawlers; also for all robots, if `robots` does not hold just that.

    It does not if the crawl itself uses one of these names.
    """
    told = [*(["robots"] if robot in names else ()), *sorted(names)]
    return joined_directives((name, _said(metas.get(name, ()))) for name in told)


def _said(metas: Sequence[Element]) -> str:
    said = filter(None, (meta_content(element) for element in metas[:_MAX_ROBOTS]))
    return one_line(", ".join(said), _MAX_NAMED)


@lru_cache(maxsize=1_000)
def directive_bits(text: str) -> int:
    """The bits of Directive in `text`; `none` is a bit of its own.

    >>> directive_bits("NoIndex, max-snippet:20") == Directive.NOINDEX | Directive.MAX_SNIPPET
    True
    """
    bits = 0
    for token in directive_words(text):
        bits |= _BITS.get(token.partition(":")[0], 0)
    return bits


def meta_facts(elements: FactElements) -> TopicFacts:
    """The viewport, and whether the page requests the old AJAX crawling scheme."""
    metas = elements.metas
    viewports, fragments = metas.get("viewport"), metas.get("fragment", ())
    is_ajax = any(meta_content(element) == "!" for element in fragments)
    values = {"viewport": meta_content(viewports[0])} if viewports else {}
    return TopicFacts(values, _AJAX_FRAGMENT if is_ajax else 0)


def refresh_facts(elements: FactElements, base: Base, url: str, header: str = "") -> TopicFacts:
    """The refresh as written, and whether the one that counts leaves visitors on the page.

    `header` is the value of the Refresh header, which takes precedence over elements.
    """
    refreshes = [element for element in elements.refreshes if element.text != IN_NOSCRIPT]
    if not (refreshes or header):
        return NOTHING
    values = {}
    if refreshes:
        values["refresh"] = one_line(refreshes[0][1].get("content") or "", _MAX_REFRESH)
    refresh = _first(refreshes, base, url, header)
    stays = refresh is not None and (refresh.url == url or refresh.delay_s > MAX_REDIRECT_DELAY_S)
    return TopicFacts(values, 0, 0, _REFRESH if stays else 0)


def first_refresh(metas: Sequence[Element], base: Base, url: str) -> Refresh | None:
    """The `<meta http-equiv="refresh">` that counts, if it leads from `url` to another page.

    The first that is valid counts, even if it loads the same page again (HTML Standard §4.2.5.3,
    "will declaratively refresh"). Those in `noscript` are for visitors without scripts.
    """
    equivalents = [
        element for element in metas if "http-equiv" in element[1] and element[2] != IN_NOSCRIPT
    ]
    refresh = _first(equivalents, base, url)
    return refresh if refresh and refresh.url != url and is_http(refresh.url) else None


def _first(metas: Sequence[Element], base: Base, url: str, header: str = "") -> Refresh | None:
    """The first valid refresh of the page at `url`; one that names no URL leads to `url`."""
    if header:
        if refresh := parse_refresh(header, url):
            return refresh
        if (read := read_refresh(header)) and read[1] is None:
            return Refresh(read[0], url)
    for element in metas:
        refresh_read = refresh_of(element.attributes)
        if refresh_read is None:
            continue
        delay_s, href = refresh_read
        target = url if href is None else base.join(href)
        if target is not None and not target.startswith("javascript:"):
            return Refresh(delay_s, target)
    return None
