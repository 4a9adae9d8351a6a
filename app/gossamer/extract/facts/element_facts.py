"""Reads the elements of the body: links, forms, buttons and images, and what they lack."""

from typing import Final

from gossamer.extract.facts.topic_facts import TopicFacts
from gossamer.extract.label_references import LABELLED_BY
from gossamer.extract.parsed_elements import IN_LABEL, Attributes, ParsedElements
from gossamer.model.fields.page_flags import ContentFlag, MarkupFlag
from gossamer.urls.url_joining import Base
from gossamer.urls.url_parsing import is_http, origin

_PASSWORD_FIELD: Final = int(ContentFlag.PASSWORD_FIELD)
_HAS_FORM: Final = int(ContentFlag.HAS_FORM)
_UNSAFE_CROSS_ORIGIN: Final = int(ContentFlag.UNSAFE_CROSS_ORIGIN)
_MIXED_CONTENT: Final = int(ContentFlag.MIXED_CONTENT)
_UNCRAWLABLE_LINK: Final = int(ContentFlag.UNCRAWLABLE_LINK)
_PROTOCOL_RELATIVE: Final = int(ContentFlag.PROTOCOL_RELATIVE)
_EMPTY_LINK: Final = int(MarkupFlag.EMPTY_LINK)
_EMPTY_BUTTON: Final = int(MarkupFlag.EMPTY_BUTTON)
_MISSING_LABEL: Final = int(MarkupFlag.MISSING_LABEL)
_MISSING_ALT: Final = int(MarkupFlag.MISSING_ALT)

_NAMES: Final = ("aria-label", LABELLED_BY, "title")
_IMAGE_NAMES: Final = frozenset({"alt", "aria-label", "title"})
_DECORATIVE: Final = frozenset({"none", "presentation"})
_UNLABELLED: Final = frozenset({"button", "hidden", "image", "reset", "submit"})
"""Types of `input` that need no label."""
_SCRIPTED: Final = frozenset({"onclick", "routerlink", "[routerlink]"})
_SAFE: Final = frozenset({"noopener", "noreferrer"})
_LOADED_BY_LINK: Final = frozenset({"preload", "modulepreload", "manifest"})
"""Relations to what a browser loads, besides those that make links to resources."""


class _ElementFlags:
    """The flags of one page, gathered in one pass over its elements."""

    def __init__(self, base: Base, page_origin: str) -> None:
        self.markup = 0
        self.content = 0
        self.labelled: set[str] = set()
        """The ids that labels with a text refer to."""
        self.fields: list[str] = []
        """The ids of form fields that need a label, "" for those without one."""
        self._base = base
        self._origin = page_origin
        self._is_encrypted = page_origin.startswith("https:")

    def link(self, attributes: Attributes, text: str) -> None:
        if "href" not in attributes:
            if not _SCRIPTED.isdisjoint(attributes):
                self.content |= _UNCRAWLABLE_LINK
            return
        if not text.strip() and not _has_name(attributes):
            self.markup |= _EMPTY_LINK
        if "target" in attributes:
            self._opening_link(attributes)

    def area(self, attributes: Attributes, _: str) -> None:
        if "target" in attributes:
            self._opening_link(attributes)

    def _opening_link(self, attributes: Attributes) -> None:
        if (attributes["target"] or "").strip().lower() != "_blank":
            return
        if not _SAFE.isdisjoint((attributes.get("rel") or "").lower().split()):
            return
        url = self._base.known(attributes.get("href") or "")
        if url is not None and is_http(url) and origin(url) != self._origin:
            self.content |= _UNSAFE_CROSS_ORIGIN

    def button(self, attributes: Attributes, text: str) -> None:
        if not text.strip() and not _has_name(attributes):
            self.markup |= _EMPTY_BUTTON

    def input(self, attributes: Attributes, text: str) -> None:
        kind = (attributes.get("type") or "").strip().lower()
        if kind == "password":
            self.content |= _PASSWORD_FIELD
        if kind not in _UNLABELLED:
            self.field(attributes, text)
        elif kind == "button" and not (attributes.get("value") or "").strip():
            self.button(attributes, "")

    def field(self, attributes: Attributes, text: str) -> None:
        if text != IN_LABEL and not _has_name(attributes):
            self.fields.append(attributes.get("id") or "")

    def label(self, attributes: Attributes, text: str) -> None:
        if (own := attributes.get("for")) and text.strip():
            self.labelled.add(own)

    def form(self, _: Attributes, __: str) -> None:
        self.content |= _HAS_FORM

    def image(self, attributes: Attributes, _: str) -> None:
        if (
            _IMAGE_NAMES.isdisjoint(attributes)
            and not attributes.get(LABELLED_BY)
            and (attributes.get("role") or "").strip().lower() not in _DECORATIVE
        ):
            self.markup |= _MISSING_ALT

    def link_element(self, attributes: Attributes, _: str) -> None:
        rels = (attributes.get("rel") or "").lower().split()
        href = attributes.get("href")
        if not href or _LOADED_BY_LINK.isdisjoint(rels):
            return
        if href.lstrip().startswith("//"):
            self.content |= _PROTOCOL_RELATIVE
        if self._is_encrypted and (self._base.known(href) or "").startswith("http:"):
            self.content |= _MIXED_CONTENT


_JUDGED: Final = {
    "link": _ElementFlags.link_element,
    "a": _ElementFlags.link,
    "area": _ElementFlags.area,
    "button": _ElementFlags.button,
    "form": _ElementFlags.form,
    "img": _ElementFlags.image,
    "input": _ElementFlags.input,
    "label": _ElementFlags.label,
    "select": _ElementFlags.field,
    "textarea": _ElementFlags.field,
}


def element_facts(parsed: ParsedElements, base: Base, page_origin: str) -> TopicFacts:
    """Flags for the elements of a page of this origin, and for its plain links."""
    flags = _ElementFlags(base, page_origin)
    for tag, elements in parsed.by_tag.items():
        judge = _JUDGED.get(tag)
        if judge is not None:
            for element in elements:
                judge(flags, element[1], element[2])
    if not all(parsed.anchors.texts):
        flags.markup |= _EMPTY_LINK
    if flags.fields and not flags.labelled.issuperset(flags.fields):
        flags.markup |= _MISSING_LABEL
    return TopicFacts({}, flags.markup, flags.content)


def _has_name(attributes: Attributes) -> bool:
    """Whether attributes give an element a name for assistive technology."""
    return any(name in attributes and (attributes[name] or "").strip() for name in _NAMES)
