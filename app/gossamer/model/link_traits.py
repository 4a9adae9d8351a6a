"""What is known of a link besides its target and text, as bits of one number.

The bits are stored in project files: a bit, once assigned, keeps its meaning.
"""

from enum import IntEnum, IntFlag


class LinkPosition(IntEnum):
    """The part of the page that a link is in: bits 0 to 2 of `link.traits`."""

    UNKNOWN = 0
    """In a header, a sitemap, or a project of an old version."""
    HEAD = 1
    NAVIGATION = 2
    HEADER = 3
    CONTENT = 4
    ASIDE = 5
    FOOTER = 6


class PathType(IntEnum):
    """How a link's URL is written: bits 3 to 5 of `link.traits`."""

    UNKNOWN = 0
    ABSOLUTE = 1
    PROTOCOL_RELATIVE = 2
    ROOT_RELATIVE = 3
    PATH_RELATIVE = 4


class LinkTrait(IntFlag):
    """Other bits of `link.traits`."""

    NEW_WINDOW = 1 << 6
    """target=_blank."""
    NO_ALT = 1 << 7
    """An image without alt attribute."""
    EMPTY_ALT = 1 << 8
    """An image with an empty alt that has something to say: in content, or alone in a link."""
    NO_SIZE = 1 << 9
    """An image without width or height attribute."""
    FORM_FIELD = 1 << 10
    """The action of a form."""
    WRONG_SIZE = 1 << 13
    """An image whose file does not have the size at which the rendered page shows it."""
    IMAGE_TEXT = 1 << 14
    """A link whose text is the alternative text of an image in it: it has no words of its own."""


class LinkOrigin(IntEnum):
    """Where a link was found: bits 11 and 12 of `link.traits`."""

    HTML = 0
    """In the HTML, of a page that was not rendered."""
    HTML_ONLY = 1
    RENDERED = 2
    BOTH = 3


PLACE_BITS = 0b111
PATH_TYPE_SHIFT = 3
ORIGIN_SHIFT = 11
ORIGIN_BITS = 0b11
MAX_TRAITS = (1 << 15) - 1
"""No `link.traits` is larger."""


def position_of_link(traits: int) -> LinkPosition:
    """The position of a link with these traits."""
    return LinkPosition(traits & PLACE_BITS)


def path_type_of(traits: int) -> PathType:
    """How the URL of a link with these traits is written."""
    return PathType(traits >> PATH_TYPE_SHIFT & PLACE_BITS)


def origin_of(traits: int) -> LinkOrigin:
    """Where a link with these traits was found."""
    return LinkOrigin(traits >> ORIGIN_SHIFT & ORIGIN_BITS)
