"""Finds the links that an element makes, as they are written in it."""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from threading import Lock
from typing import Final, NamedTuple

from gossamer.extract.css_and_srcset_urls import may_link_otherwise, secondary_links
from gossamer.extract.label_references import label_of
from gossamer.extract.link_trait_reader import WITH_WINDOW, element_traits, path_type
from gossamer.extract.parsed_elements import ALT_MARK, MAX_LINE, Attributes, Element
from gossamer.model.bounded_dict import remember
from gossamer.model.link_kinds import LinkKind, kind_by_rel
from gossamer.model.link_traits import LinkTrait
from gossamer.model.text_cleaning import one_line

_SOURCES: Final[dict[str, tuple[str, LinkKind]]] = {
    tag: (attribute, kind)
    for kind in LinkKind
    for tag, attribute in kind.declaration.elements.items()
}
"""The attribute with an element's target, and the kind of link it makes.

For an element's other links see `gossamer.extract.css_and_srcset_urls`.
"""

EMPTY_IS_PAGE: Final = frozenset(kind for kind in LinkKind if kind.declaration.empty_is_page)

_IN_DRAWINGS: Final = frozenset({"a", "image"})
"""Elements of SVG, which link with `xlink:href` in SVG 1.1; diagram tools still do."""

_TEXT_IN_ATTRIBUTES: Final = frozenset({"link", "img", "area"})
"""Elements whose text is in attributes, and for `link` also the kind."""

_IMAGE_TEXT: Final = int(LinkTrait.IMAGE_TEXT)
_ALIKE: Final = frozenset({"link", "meta", "script", "style"})
"""Elements that are the same on most pages of a site."""
_MOST_REMEMBERED: Final = 1_000
_MOST_CHARACTERS: Final = 4_000
"""Elements with more, such as a URL that contains an image, are not remembered."""
_MOST_LINKS: Final = 20
"""Elements with more are not remembered either."""


class WrittenLink(NamedTuple):
    """A link as written. `text`, `rel`, `element` and `window` are those of `Link`.

    `path_type` and `traits` are the bits of `Link.traits` that the element alone decides.
    """

    href: str
    kind: LinkKind
    element: str
    text: str = ""
    rel: str = ""
    window: str = ""
    path_type: int = 0
    traits: int = 0


_memory: dict[tuple[object, ...], tuple[WrittenLink, ...]] = {}
_memory_lock: Final = Lock()


def written_links(element: Element) -> Iterable[WrittenLink]:
    """The links that an element makes: the main one, if it has one, then others.

    If it is empty, there is none; an iterator may also turn out to have none.

    The traits of an image that depend on where it stands are not among theirs.
    """
    tag, attributes, text, _, _ = element
    if tag not in _SOURCES and not may_link_otherwise(tag, attributes):
        return ()  # such as keywords, which differ on all pages
    if tag not in _ALIKE:
        return _links(element)
    key = (tag, text, *attributes.items())
    found = _memory.get(key)
    if found is not None:
        return found
    written = (text, *attributes, *attributes.values())
    if sum(len(each or "") for each in written) > _MOST_CHARACTERS:
        return _links(element)  # one by one: a style sheet may have a million
    found = tuple(_links(element))
    if len(found) <= _MOST_LINKS:
        with _memory_lock:
            remember(_memory, key, found, _MOST_REMEMBERED)
    return found


def _links(element: Element) -> Iterator[WrittenLink]:
    tag, attributes, text, *_ = element
    if (source := _SOURCES.get(tag)) is not None:
        attribute, kind = source
        href = attributes.get(attribute) or _empty_or_foreign(tag, attributes, source)
        if href is not None:
            yield _main_link(element, href, kind)
    if may_link_otherwise(tag, attributes):
        for secondary in secondary_links(element):
            href, kind, name, text = secondary
            yield WrittenLink(href, kind, name, link_text(text), path_type=path_type(href))


def _main_link(element: Element, href: str, kind: LinkKind) -> WrittenLink:
    tag, attributes, text, *_ = element
    traits, rel, window = 0, attributes.get("rel"), None
    if tag in WITH_WINDOW:
        traits, window = element_traits(tag, attributes), attributes.get("target")
    if tag in _TEXT_IN_ATTRIBUTES:
        kind, text = _kind_and_text(tag, attributes, kind)
    elif text[:1] == ALT_MARK:
        traits |= _IMAGE_TEXT
        text = text[1:]
    elif not text.strip():
        text = label_of(attributes)
    return WrittenLink(
        href,
        kind,
        tag,
        link_text(text),
        rel_tokens(rel) if rel else "",
        link_text(window) if window else "",
        path_type(href),
        traits,
    )


@lru_cache(maxsize=1_000)  # few values occur on a site
def rel_tokens(rel: str) -> str:
    """The part of a rel attribute that is kept."""
    return one_line(" ".join(rel.lower().split()), MAX_LINE)


def link_text(text: str) -> str:
    """The part of a link's text that is kept."""
    if len(text) > MAX_LINE or "  " in text or not text.isprintable():
        text = one_line(text, MAX_LINE)
    return text.strip()


def _empty_or_foreign(tag: str, attributes: Attributes, source: tuple[str, LinkKind]) -> str | None:
    """The target if the attribute is empty or missing; None if there is no link."""
    attribute, kind = source
    if attribute in attributes:
        return "" if kind in EMPTY_IS_PAGE else None
    return (attributes.get("xlink:href") or None) if tag in _IN_DRAWINGS else None


def _kind_and_text(tag: str, attributes: Attributes, kind: LinkKind) -> tuple[LinkKind, str]:
    """Kind and text of an element of `_TEXT_IN_ATTRIBUTES`: for an alternate, its language."""
    if tag != "link":
        named = label_of(attributes) if tag == "area" else ""
        return kind, attributes.get("alt") or named
    rel = attributes.get("rel")
    kind = kind_by_rel(rel) if rel else LinkKind.OTHER
    return kind, (attributes.get("hreflang") or "") if kind is LinkKind.ALTERNATE else ""
