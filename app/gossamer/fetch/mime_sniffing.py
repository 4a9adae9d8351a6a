"""Detects the type of a body whose Content-Type is missing or doubtful (MIME Sniffing).

Two beginnings count as HTML besides those of the standard, as servers that send no type send
them: `<meta`, and a byte order mark before any of the others.
"""

import re
from enum import Enum

from gossamer.model.lazy_pattern import lazy_pattern

SNIFFED_BYTES = 1445
"""The standard's resource header."""
ENOUGH_BYTES = 512
"""How many bytes to wait for: whatever distinguishes types comes before."""
HTML = "text/html"
_BINARY = "application/octet-stream"
_TEXT = "text/plain"

_UNKNOWN_TYPES = frozenset({"", "unknown/unknown", "application/unknown", "*/*"})
"""§7: the types that say nothing; "" is no type, or nonsense."""
_APACHE_TYPES = frozenset(
    {
        "text/plain",
        "text/plain; charset=ISO-8859-1",
        "text/plain; charset=iso-8859-1",
        "text/plain; charset=UTF-8",
    }
)
"""§5.1: what old versions of Apache sent for any unknown file."""

_LOOKS_LIKE_HTML = lazy_pattern(
    rb"(?:\xef\xbb\xbf)?[\t\n\x0c\r ]*<(?:(?:!DOCTYPE HTML|HTML|HEAD|SCRIPT|IFRAME|H1|DIV|FONT"
    rb"|TABLE|A|STYLE|TITLE|B|BODY|BR|P|META)[ >\t\n\x0c\r/]|!--)",
    re.IGNORECASE,
)
_LOOKS_LIKE_XML = lazy_pattern(rb"[\t\n\x0c\r ]*<\?xml")
_BYTE_ORDER_MARK = lazy_pattern(rb"\xfe\xff|\xff\xfe|\xef\xbb\xbf")
_BINARY_BYTE = lazy_pattern(rb"[\x00-\x08\x0b\x0e-\x1a\x1c-\x1f]")
_MAGIC: tuple[tuple[re.Pattern[bytes], str], ...] = tuple(
    (lazy_pattern(pattern, re.DOTALL), mime_type)
    for pattern, mime_type in (
        (rb"%!PS-Adobe-", "application/postscript"),
        (_BYTE_ORDER_MARK.pattern, _TEXT),
        (rb"\x00\x00[\x01\x02]\x00", "image/x-icon"),
        (rb"BM", "image/bmp"),
        (rb"GIF8[79]a", "image/gif"),
        (rb"RIFF....WEBPVP", "image/webp"),
        (rb"\x89PNG\r\n\x1a\n", "image/png"),
        (rb"\xff\xd8\xff", "image/jpeg"),
        (rb"FORM....AIFF", "audio/aiff"),
        (rb"ID3", "audio/mpeg"),
        (rb"OggS\x00", "application/ogg"),
        (rb"MThd\x00\x00\x00\x06", "audio/midi"),
        (rb"RIFF....AVI ", "video/avi"),
        (rb"RIFF....WAVE", "audio/wave"),
        (rb"....ftyp(?:mp4|.{8}(?:.{4}){0,60}?mp4)", "video/mp4"),
        (rb"\x1a\x45\xdf\xa3.{0,34}\x42\x82.{1,8}webm", "video/webm"),
        (rb"\x1f\x8b\x08", "application/x-gzip"),
        (rb"PK\x03\x04", "application/zip"),
        (rb"Rar \x1a\x07\x00", "application/x-rar-compressed"),
    )
)


class SniffPolicy(Enum):
    """How far to doubt a server's Content-Type."""

    NOT = "the type stands"
    ANYTHING = "it may be anything"
    NO_PAGE = "it may be anything but what runs scripts: the server says not to guess"
    TEXT_OR_BINARY = "it is text, or else nobody knows"


def sniff_of(essence: str, header: str, *, no_sniff: bool) -> SniffPolicy:
    """What to make of a Content-Type `header` with that `essence`, "" if it has none (§7).

    `no_sniff` says that the header X-Content-Type-Options does.
    """
    if essence in _UNKNOWN_TYPES:
        return SniffPolicy.NO_PAGE if no_sniff else SniffPolicy.ANYTHING
    if header in _APACHE_TYPES and not no_sniff:
        return SniffPolicy.TEXT_OR_BINARY
    return SniffPolicy.NOT


def sniffed_type(start: bytes, sniff: SniffPolicy) -> str:
    """The MIME type of a body by its first SNIFFED_BYTES bytes, in lower case."""
    if sniff is SniffPolicy.TEXT_OR_BINARY:
        is_text = _BYTE_ORDER_MARK.match(start) or not _BINARY_BYTE.search(start)
        return _TEXT if is_text else _BINARY
    if sniff is SniffPolicy.ANYTHING:
        if looks_like_html(start):
            return HTML
        if _LOOKS_LIKE_XML.match(start):
            return "text/xml"
        if start.startswith(b"%PDF-"):
            return "application/pdf"
    for pattern, mime_type in _MAGIC:
        if pattern.match(start):
            return mime_type
    return _BINARY if _BINARY_BYTE.search(start) else _TEXT


def looks_like_html(start: bytes) -> bool:
    """Whether the first bytes of a body of unknown type are those of a page."""
    return _LOOKS_LIKE_HTML.match(start) is not None
