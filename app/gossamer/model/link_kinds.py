"""The kinds of links: in which element or header a link was found."""

from enum import IntEnum


class LinkKind(IntEnum):
    """The element a link was found in. Stored in `link.kind`."""

    ANCHOR = 1
    AREA = 2
    FRAME = 3
    """`<frame src>` and `<iframe src>`."""
    REDIRECT = 4
    """The Location of a 3xx answer."""
    IMAGE = 5
    SCRIPT = 6
    STYLESHEET = 7
    CANONICAL = 8
    ALTERNATE = 9
    PAGINATION = 10
    """`<link rel="next">` and `<link rel="prev">`."""
    ICON = 11
    MEDIA = 12
    """`<video> <audio> <source> <track> <embed> <object>`."""
    FORM = 13
    OTHER = 14
    """Any other `<link href>`, and what no other kind covers."""
    META_REFRESH = 15
    REFRESH_HEADER = 16
    CSS = 17
    """`url()` and `@import` in style sheets and style attributes."""
    OPEN_GRAPH = 18
    SITEMAP = 19
    """A page named in a sitemap or feed."""
    SITEMAP_INDEX = 20
    """A sitemap named in a sitemap index, or in robots.txt."""


READER_KINDS = frozenset({LinkKind.ANCHOR, LinkKind.AREA, LinkKind.FRAME})
"""Kinds that take a reader to another page: a page's outlinks."""
