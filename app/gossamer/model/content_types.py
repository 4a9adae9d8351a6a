"""Content types of files, as servers name them."""

from enum import StrEnum
from functools import lru_cache
from typing import Final


class ContentKind(StrEnum):
    """Kinds of content types, in the order in which lists have them.

    The values are stored in comparison files.
    """

    HTML = "html"
    JAVASCRIPT = "javascript"
    CSS = "css"
    IMAGE = "image"
    MEDIA = "media"
    FONT = "font"
    PDF = "pdf"
    XML = "xml"
    OTHER = "other"
    UNKNOWN = "unknown"
    """No content type is known."""


KIND_OF_TYPE: Final = {
    "text/html": ContentKind.HTML,
    "application/xhtml+xml": ContentKind.HTML,
    "text/css": ContentKind.CSS,
    "application/pdf": ContentKind.PDF,
    "application/xml": ContentKind.XML,
    "text/xml": ContentKind.XML,
    "application/vnd.ms-fontobject": ContentKind.FONT,
}
KIND_OF_PART: Final = {
    "image/": ContentKind.IMAGE,
    "audio/": ContentKind.MEDIA,
    "video/": ContentKind.MEDIA,
    "font/": ContentKind.FONT,
    "javascript": ContentKind.JAVASCRIPT,
    "ecmascript": ContentKind.JAVASCRIPT,
    "font-": ContentKind.FONT,
}
"""Kinds of the other types, by what these contain; the first that fits counts."""
XML_ENDING: Final = "+xml"
"""The ending of other XML types (RFC 7303). Office documents have "openxml" in theirs."""


def content_kind(content_type: str | None) -> ContentKind:
    """The kind of a content type in lower case, without parameters."""
    if not content_type:
        return ContentKind.UNKNOWN
    if content_type in KIND_OF_TYPE:
        return KIND_OF_TYPE[content_type]
    other = ContentKind.XML if content_type.endswith(XML_ENDING) else ContentKind.OTHER
    return next((kind for part, kind in KIND_OF_PART.items() if part in content_type), other)


@lru_cache(maxsize=1_000)  # few values occur on a site
def names_type(header: str) -> bool:
    """Whether a Content-Type header names a type, such as "text/css; charset=utf-8"."""
    before, _, after = header.partition(";")[0].strip(" ").partition("/")
    return bool(before and after) and " " not in before + after and "/" not in after
