"""What the modules of this folder take and give: elements by topic, and facts."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from gossamer.extract.parsed_elements import HEADINGS, Element
from gossamer.model.page_flags import LinkPlace

_HEAD: Final = int(LinkPlace.HEAD)


class TopicFacts(NamedTuple):
    """Some of a page's facts: values of PageFields by name, and bits of its three numbers."""

    values: dict[str, Any]
    markup: int = 0
    content: int = 0
    directives: int = 0


NOTHING: Final = TopicFacts({})


@dataclass(slots=True)
class FactElements:
    """The elements that state facts, in document order.

    `metas` are by name, `links` by each token of rel, both in lower case. `refreshes` are
    those `meta` that have an http-equiv of that name.
    """

    titles: list[Element] = field(default_factory=list)
    headings: list[Element] = field(default_factory=list)
    metas: dict[str, list[Element]] = field(default_factory=lambda: defaultdict(list))
    links: dict[str, list[Element]] = field(default_factory=lambda: defaultdict(list))
    refreshes: list[Element] = field(default_factory=list)


def fact_elements(metadata: Sequence[Element]) -> FactElements:
    """Sort a page's metadata by topic, in one pass."""
    found = FactElements()
    for element in metadata:
        tag = element.tag
        if tag == "meta":
            _add_meta(found, element)
        elif tag == "link":
            for rel in set((element.attributes.get("rel") or "").lower().split()):
                found.links[rel].append(element)
        elif tag in HEADINGS:
            found.headings.append(element)
        elif tag == "title":
            found.titles.append(element)
    return found


def _add_meta(found: FactElements, element: Element) -> None:
    attributes = element.attributes
    if name := attributes.get("name"):
        found.metas[name.strip().lower()].append(element)
    if "http-equiv" in attributes and (attributes["http-equiv"] or "").lower() == "refresh":
        found.refreshes.append(element)


def outside_head(elements: Sequence[Element]) -> bool:
    """Whether one of them is not in the head of the tree."""
    return any(element.place != _HEAD for element in elements)
