"""Tells what else is to say of a link: its place, how its URL is written, what its image lacks."""

import re
from typing import Final

from gossamer.extract.parsed_elements import Attributes, Element
from gossamer.model.link_kinds import LinkKind
from gossamer.model.page_flags import PATH_TYPE_SHIFT, LinkPlace, LinkTrait, PathType

_PATH_TYPE = re.compile(r"[\0- ]*(?:([/\\]{2})|([/\\])|([A-Za-z][A-Za-z0-9+.-]*:))?")
_PATH_TYPES: Final = {
    None: PathType.PATH_RELATIVE << PATH_TYPE_SHIFT,
    1: PathType.PROTOCOL_RELATIVE << PATH_TYPE_SHIFT,
    2: PathType.ROOT_RELATIVE << PATH_TYPE_SHIFT,
    3: PathType.ABSOLUTE << PATH_TYPE_SHIFT,
}
_WITH_TARGET: Final = frozenset({"a", "area", "form"})
_IN_LINK = re.compile(r"(?:^| > )a(?:\.[^ ]*)? > ")
_CONTENT: Final = int(LinkPlace.CONTENT)
_ASIDE: Final = int(LinkPlace.ASIDE)
_NEW_WINDOW: Final = int(LinkTrait.NEW_WINDOW)
_NO_ALT, _EMPTY_ALT = int(LinkTrait.NO_ALT), int(LinkTrait.EMPTY_ALT)
_NO_SIZE, _FORM_FIELD = int(LinkTrait.NO_SIZE), int(LinkTrait.FORM_FIELD)


def path_type(href: str) -> int:
    """The PathType of a URL as written, as a bit field of `link.traits`."""
    found = _PATH_TYPE.match(href)
    return _PATH_TYPES[found.lastindex if found else None]


def element_traits(element: Element, kind: LinkKind, path: str, *, after_empty_link: bool) -> int:
    """The place of an element's own link and its LinkTrait, as `link.traits` has them.

    `path` is the element's; `after_empty_link` says that the link before it has no text.
    """
    tag, attributes, _, place, _ = element
    traits = int(place)
    if tag == "img":
        return traits | _image_traits(attributes, place, path, after_empty_link=after_empty_link)
    if tag in _WITH_TARGET and (attributes.get("target") or "").lower() == "_blank":
        traits |= _NEW_WINDOW
    return traits | _FORM_FIELD if kind is LinkKind.FORM else traits


def _image_traits(attributes: Attributes, place: int, path: str, *, after_empty_link: bool) -> int:
    traits = 0 if attributes.get("width") and attributes.get("height") else _NO_SIZE
    if "alt" not in attributes:
        return traits | _NO_ALT
    if (attributes["alt"] or "").strip():
        return traits
    # Elsewhere an image may be there for its looks, unless it is all there is of a link.
    is_alone = place == _ASIDE and after_empty_link and _IN_LINK.search(path) is not None
    return traits | _EMPTY_ALT if place == _CONTENT or is_alone else traits
