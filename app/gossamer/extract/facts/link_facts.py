"""Reads the links of a page: where they lead, and what they say."""

import re
from collections.abc import Callable, Collection, Mapping
from itertools import compress
from typing import Final, NamedTuple

from gossamer.extract.facts.generic_anchor_texts import generic_texts
from gossamer.extract.facts.topic_facts import PageContent, TopicFacts
from gossamer.model.fields.page_flags import ContentFlag
from gossamer.model.lazy_pattern import lazy_pattern
from gossamer.model.link_kinds import (
    HYPERLINK_KINDS,
    INLINK_KINDS,
    LOADED_KINDS,
    LinkKind,
    says_nofollow,
)
from gossamer.model.link_traits import ORIGIN_SHIFT, PATH_TYPE_SHIFT, PLACE_BITS, PathType
from gossamer.model.visit import PageLinks
from gossamer.urls.url_parsing import is_http, of_other_origins

_MIXED_CONTENT: Final = int(ContentFlag.MIXED_CONTENT)
_INSECURE_FORM: Final = int(ContentFlag.INSECURE_FORM)
_LOCALHOST_LINK: Final = int(ContentFlag.LOCALHOST_LINK)
_UNCRAWLABLE_LINK: Final = int(ContentFlag.UNCRAWLABLE_LINK)
_NO_ANCHOR_TEXT: Final = int(ContentFlag.NO_ANCHOR_TEXT)
_GENERIC_ANCHOR_TEXT: Final = int(ContentFlag.GENERIC_ANCHOR_TEXT)
_NOFOLLOW_LINK: Final = int(ContentFlag.NOFOLLOW_LINK)
_PROTOCOL_RELATIVE: Final = int(ContentFlag.PROTOCOL_RELATIVE)

_HYPERLINKS: Final = frozenset(map(int, HYPERLINK_KINDS))
_LOADED: Final = frozenset(map(int, LOADED_KINDS))
_MARKS_LOADED: Final = bytes(kind in _LOADED for kind in range(256))
"""For `bytes.translate`: 1 for these kinds, 0 for the others."""
_INSECURE: Final[Mapping[int, int]] = {
    **dict.fromkeys(_LOADED, _MIXED_CONTENT),
    LinkKind.FORM: _INSECURE_FORM,
}
_WITHOUT_SCHEME: Final = frozenset(
    traits
    for traits in range(1 << ORIGIN_SHIFT)  # the results of rendering are not known yet
    if traits >> PATH_TYPE_SHIFT & PLACE_BITS == PathType.PROTOCOL_RELATIVE
)
"""Traits of links whose URLs begin with two slashes."""
_UNCRAWLABLE: Final = dict.fromkeys(_HYPERLINKS, _UNCRAWLABLE_LINK)
_ON_LOCALHOST: Final = dict.fromkeys(map(int, INLINK_KINDS), _LOCALHOST_LINK)
_LOCALHOST: Final = lazy_pattern(
    r"https?://(?:[^/@]*@)?((?:[^/@:]+\.)?localhost|127\.[0-9.]+|0\.0\.0\.0|\[::1\])[:/]"
)
_LOCALHOST_IN_LINES: Final = re.compile("\n" + _LOCALHOST.pattern)


class CrawledSite(NamedTuple):
    """Which URLs are internal to the crawl, and the names of its roots' hosts."""

    is_internal: Callable[[str], bool] = is_http
    hosts: Collection[str] = ()


EVERYWHERE: Final = CrawledSite()
"""A site for which every web address is internal."""


def link_facts(page: PageContent, site: CrawledSite, page_url: str, page_origin: str) -> TopicFacts:
    """Flags for the links of the page at this URL, of this origin."""
    links, targets = page.links, page.targets
    content = _internal(page, site, page_url)
    content |= _without_scheme(links)
    # Nearly all targets lead to the same origin. Searching the others in one text takes a tenth
    # of the time of examining each.
    foreign = of_other_origins(targets, page_origin)
    if not foreign:
        return TopicFacts({}, 0, content)
    others = "\n".join(["", *foreign])
    if "\njavascript:" in others:
        content |= _flag_if_any(
            links, targets, lambda target: target.startswith("javascript:"), _UNCRAWLABLE
        )
    if page_origin.startswith("https:") and "\nhttp:" in others:
        content |= _flag_if_any(
            links, targets, lambda target: target.startswith("http:"), _INSECURE
        )
    if _may_be_localhost(others) and _LOCALHOST_IN_LINES.search(others):
        content |= _flag_if_any(
            links, targets, lambda target: _is_foreign_localhost(target, site.hosts), _ON_LOCALHOST
        )
    return TopicFacts({}, 0, content)


def _internal(page: PageContent, site: CrawledSite, page_url: str) -> int:
    """Flags for internal links. Only few of them need a closer look."""
    links, targets = page.links, page.targets
    texts = [links.texts[position] for position in page.unclear]
    generic = generic_texts(page.parsed.language).among(texts) if texts else ()
    noted = dict.fromkeys(links.rels.where(says_nofollow, len(links)), _NOFOLLOW_LINK)
    if generic:
        for position, text in zip(page.unclear, texts, strict=True):
            if text in generic:
                if not text:
                    flag = _NO_ANCHOR_TEXT
                elif targets[links.targets[position]] == page_url:
                    continue  # it names a section, as tables of contents do
                else:
                    flag = _GENERIC_ANCHOR_TEXT
                noted[position] = noted.get(position, 0) | flag
    content = 0
    for position, flags in noted.items():
        if (
            flags & ~content
            and links.kinds[position] in _HYPERLINKS
            and site.is_internal(targets[links.targets[position]])
        ):
            content |= flags
    return content


def _without_scheme(links: PageLinks) -> int:
    """The flag, if the URL of anything loaded with the page begins with two slashes."""
    loaded = compress(links.traits, links.kinds.translate(_MARKS_LOADED))
    return 0 if _WITHOUT_SCHEME.isdisjoint(loaded) else _PROTOCOL_RELATIVE


def _flag_if_any(
    links: PageLinks, targets: list[str], holds: Callable[[str], bool], flags: Mapping[int, int]
) -> int:
    """The flags, by kind, of the links to the targets for which it holds."""
    found = {number for number, target in enumerate(targets) if holds(target)}
    content = 0
    for target, kind in zip(links.targets, links.kinds, strict=True):
        if target in found:
            content |= flags.get(kind, 0)
    return content


def _may_be_localhost(urls: str) -> bool:
    """Whether a closer look is needed; takes half the time."""
    return "localhost" in urls or "127." in urls or "0.0.0.0" in urls or "[::1]" in urls  # noqa: S104 - nothing is bound


def _is_foreign_localhost(url: str, own_hosts: Collection[str]) -> bool:
    """Whether a URL leads to the visitor's own machine, though the crawl is of another."""
    found = _LOCALHOST.match(url)
    return found is not None and found[1] not in own_hosts
