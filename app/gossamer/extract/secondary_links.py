"""Links that stand elsewhere than in an element's main attribute."""

from collections.abc import Iterator
from typing import NamedTuple

from gossamer.extract.css_urls import css_urls
from gossamer.extract.meta_refresh import refresh_of
from gossamer.extract.parsed_elements import Attributes, Element
from gossamer.extract.srcset import srcset_urls
from gossamer.model.link_kinds import LinkKind
from gossamer.model.text_cleaning import one_line

MAX_ELEMENT = 60
"""Characters of `Link.element`; tag names can be of any length."""

_MORE_ATTRIBUTES: dict[str, list[tuple[str, LinkKind]]] = {}
for _kind in LinkKind:
    for _tag, _attribute in _kind.declaration.more_attributes.items():
        _MORE_ATTRIBUTES.setdefault(_tag, []).append((_attribute, _kind))
_META_NAMES = {name: kind for kind in LinkKind for name in kind.declaration.meta_names}

WITH_SECONDARY_LINKS = frozenset({*_MORE_ATTRIBUTES, "input", "meta", "style"})
"""The elements that `secondary_links` is to be asked about, beside those with a style attribute."""


class SecondaryLink(NamedTuple):
    """A link as written. Fields are those of `gossamer.model.visit.Link` of the same names."""

    href: str
    kind: LinkKind
    element: str
    text: str = ""


def secondary_links(element: Element) -> Iterator[SecondaryLink]:
    """What an element links to beside its main attribute."""
    tag, attributes, text = element
    if tag == "style":
        yield from _style_sheet(attributes, text)
    elif tag == "meta":
        yield from _meta(attributes)
    elif tag == "input":
        yield from _image_button(attributes)
    if tag in _MORE_ATTRIBUTES:
        yield from _more_attributes(tag, attributes)
    if style := attributes.get("style"):
        name = one_line(f"{tag[:MAX_ELEMENT]} style", MAX_ELEMENT)
        for url in css_urls(style):
            yield SecondaryLink(url, LinkKind.CSS, name)


def _more_attributes(tag: str, attributes: Attributes) -> Iterator[SecondaryLink]:
    for name, kind in _MORE_ATTRIBUTES[tag]:
        value = attributes.get(name)
        if value or (name in attributes and kind.declaration.empty_is_page):
            text = (attributes.get("alt") or "") if kind is LinkKind.IMAGE else ""
            for url in srcset_urls(value) if value and "srcset" in name else [value or ""]:
                yield SecondaryLink(url, kind, f"{tag} {name}", text)


def _image_button(attributes: Attributes) -> Iterator[SecondaryLink]:
    is_image = (attributes.get("type") or "").lower() == "image"
    if is_image and (src := attributes.get("src")):
        yield SecondaryLink(src, LinkKind.IMAGE, "input", attributes.get("alt") or "")


def _meta(attributes: Attributes) -> Iterator[SecondaryLink]:
    refresh = refresh_of(attributes)
    if refresh is not None and refresh[1] is not None:
        yield SecondaryLink(refresh[1], LinkKind.META_REFRESH, "meta refresh")
    name = (attributes.get("property") or attributes.get("name") or "").strip().lower()
    kind = _META_NAMES.get(name)
    if kind is not None and (content := (attributes.get("content") or "").strip()):
        yield SecondaryLink(content, kind, f"meta {name}")


def _style_sheet(attributes: Attributes, text: str) -> Iterator[SecondaryLink]:
    if (attributes.get("type") or "text/css").strip().lower() == "text/css":
        for url in css_urls(text):
            yield SecondaryLink(url, LinkKind.CSS, "style")
