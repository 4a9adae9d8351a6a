"""Finds the traits of links: position, how the URL is written, what the image lacks."""

import re
from typing import Final

from gossamer.extract.parsed_elements import Attributes, Element
from gossamer.model.lazy_pattern import lazy_pattern
from gossamer.model.link_traits import PATH_TYPE_SHIFT, LinkPosition, LinkTrait, PathType

_PATH_TYPE = re.compile(r"[\0- ]*(?:([/\\]{2})|([/\\])|([A-Za-z][A-Za-z0-9+.-]*:))?")
_ABSOLUTE: Final = PathType.ABSOLUTE << PATH_TYPE_SHIFT
_RELATIVE: Final = PathType.PATH_RELATIVE << PATH_TYPE_SHIFT
_PATH_TYPES: Final = {
    None: _RELATIVE,
    1: PathType.PROTOCOL_RELATIVE << PATH_TYPE_SHIFT,
    2: PathType.ROOT_RELATIVE << PATH_TYPE_SHIFT,
    3: _ABSOLUTE,
}
WITH_WINDOW: Final = frozenset({"a", "area", "form"})
"""Elements whose `target` says where the link opens."""
_HTTP: Final = ("http://", "https://")
_IN_LINK = lazy_pattern(r"(?:^| > )a(?:\.[^ ]*)? > ")
_CONTENT: Final = int(LinkPosition.CONTENT)
_ASIDE: Final = int(LinkPosition.ASIDE)
_NEW_WINDOW: Final = int(LinkTrait.NEW_WINDOW)
_NO_ALT, _EMPTY_ALT = int(LinkTrait.NO_ALT), int(LinkTrait.EMPTY_ALT)
_NO_SIZE, _FORM_FIELD = int(LinkTrait.NO_SIZE), int(LinkTrait.FORM_FIELD)


def path_type(href: str) -> int:
    """The PathType of a URL as written, as a bit field of `link.traits`."""
    if href.startswith(_HTTP):
        return _ABSOLUTE
    if (href[:1].isalnum() or href[:1] == ".") and ":" not in href:
        return _RELATIVE
    found = _PATH_TYPE.match(href)
    return _PATH_TYPES[found.lastindex if found else None]


def element_traits(tag: str, attributes: Attributes) -> int:
    """The LinkTrait of the link that an element of `WITH_WINDOW` makes."""
    traits = _FORM_FIELD if tag == "form" else 0
    if (attributes.get("target") or "").lower() == "_blank":
        traits |= _NEW_WINDOW
    return traits


def image_traits(element: Element, path: str, *, after_empty_link: bool) -> int:
    """The LinkTrait of the link that an `img` makes.

    `path` is the element's; `after_empty_link` says that the preceding link has no text.
    """
    _, attributes, _, place, _ = element
    traits = 0 if attributes.get("width") and attributes.get("height") else _NO_SIZE
    if "alt" not in attributes:
        return traits | _NO_ALT
    if (attributes["alt"] or "").strip():
        return traits
    # Elsewhere an image may be decoration, unless it is all that a link has.
    is_alone = place == _ASIDE and after_empty_link and _IN_LINK.search(path) is not None
    return traits | _EMPTY_ALT if place == _CONTENT or is_alone else traits
