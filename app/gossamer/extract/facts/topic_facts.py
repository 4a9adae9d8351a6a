"""The inputs and results of the modules of this folder: elements by topic, and facts."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Final, NamedTuple

from msgspec import Struct

from gossamer.extract.parsed_elements import Element, ParsedElements
from gossamer.model.link_traits import LinkPosition
from gossamer.model.visit import PageLinks

_HEAD: Final = int(LinkPosition.HEAD)


class TopicFacts(Struct, frozen=True, gc=False):
    """Some of a page's facts: values of PageFields by name, and bits of its three numbers."""

    values: dict[str, Any]
    markup: int = 0
    content: int = 0
    directives: int = 0


NOTHING: Final = TopicFacts({})


class PageContent(NamedTuple):
    """The parsed parts of a page: its markup in UTF-8, its elements, its links and their targets.

    `unclear` are the positions of links whose texts may be generic: see `Links`.
    """

    markup: bytes
    parsed: ParsedElements
    links: PageLinks
    targets: list[str]
    unclear: list[int]


class FactElements(NamedTuple):
    """The elements that state facts, in document order.

    `metas` are by name, `links` by each token of rel, both in lower case. `refreshes` are
    those `meta` that have an http-equiv of that name.
    """

    titles: list[Element]
    headings: list[Element]
    metas: dict[str, list[Element]]
    links: dict[str, list[Element]]
    refreshes: list[Element]


def fact_elements(parsed: ParsedElements) -> FactElements:
    """Sort the elements of a page by topic."""
    by_tag = parsed.by_tag
    metas: dict[str, list[Element]] = {}
    refreshes: list[Element] = []
    for element in by_tag.get("meta", ()):
        attributes = element[1]
        if name := attributes.get("name"):
            metas.setdefault(name.strip().lower(), []).append(element)
        if "http-equiv" in attributes and (attributes["http-equiv"] or "").lower() == "refresh":
            refreshes.append(element)
    links: dict[str, list[Element]] = {}
    for element in by_tag.get("link", ()):
        for rel in _tokens(element[1].get("rel") or ""):
            links.setdefault(rel, []).append(element)
    return FactElements(by_tag.get("title", []), parsed.headings, metas, links, refreshes)


@lru_cache(maxsize=1_000)
def _tokens(rel: str) -> frozenset[str]:
    return frozenset(rel.lower().split())


def outside_head(elements: Sequence[Element]) -> bool:
    """Whether one of them is not in the head of the tree."""
    if len(elements) == 1:  # as nearly always
        return elements[0][3] != _HEAD
    return any(element[3] != _HEAD for element in elements)
