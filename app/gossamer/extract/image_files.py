"""Recognises the format of an image file by its bytes, and whether a drawing is safe to draw."""

import re
from typing import Final, NamedTuple

from gossamer.model.messages.page_image_messages import ImageFormat

_SIGNATURES: Final = (
    (re.compile(rb"\x89PNG\r\n\x1a\n"), ImageFormat.PNG),
    (re.compile(rb"\xff\xd8\xff"), ImageFormat.JPEG),
    (re.compile(rb"GIF8[79]a"), ImageFormat.GIF),
    (re.compile(rb"RIFF....WEBPVP", re.DOTALL), ImageFormat.WEBP),
    (re.compile(rb"BM"), ImageFormat.BMP),
    (re.compile(rb"\0\0[\1\2]\0"), ImageFormat.ICO),
    (re.compile(rb"....ftypavi[fs]", re.DOTALL), ImageFormat.AVIF),
    (re.compile(rb"\xff\x0a|\0\0\0\x0cJXL \r\n\x87\n"), ImageFormat.JPEG_XL),
    (re.compile(rb"II\*\0|MM\0\*"), ImageFormat.TIFF),
)
"""MIME Sniffing Standard §6.1, and the formats that came after it."""
_ROOT_WITHIN: Final = 4_096
_SVG_ROOT: Final = re.compile(
    rb"(?:\xef\xbb\xbf)?\s*+(?:<\?xml[^>]*+>\s*+|<!--.*?-->\s*+|<!DOCTYPE[^>\[]*+>\s*+|)*+"
    rb"<svg(?P<attributes>[\s/>](?:[^>\"']|\"[^\"]*+\"|'[^']*+'|)*+)",
    re.DOTALL,
)
_LENGTH: Final = re.compile(rb"\s*+([0-9]{1,6}(?:\.[0-9]{1,6})?)(?:px)?\s*+")
_MAX_DRAWING: Final = 256 * 1024
_MAX_PARTS: Final = 3_000
_DRAWN: Final = frozenset(
    (
        b"svg g defs path rect circle ellipse line polyline polygon title desc metadata"
        b" lineargradient radialgradient stop"
    ).split()
)
"""Elements that draw themselves, and load and repeat nothing."""
_ELEMENT: Final = re.compile(rb"<([^\s/>!?][^\s/>]*+)")
_HARMFUL: Final = re.compile(
    rb"href|@import|stroke-dash|url\((?!\s*+[\"']?#)|<!(?!--|DOCTYPE)|<!DOCTYPE[^>]*\[|&(?!#|amp;|lt;|gt;|quot;)"
    rb"|<\?(?!xml\s)|encoding=[\"'](?!utf-8)|\0",
    re.IGNORECASE,
)


class Drawing(NamedTuple):
    """An SVG file: the pixel size it requests, 0 if none, and whether it can be drawn.

    One that `is_harmless` is small, and made only of shapes.
    """

    width: int
    height: int
    is_harmless: bool


def format_of(body: bytes) -> ImageFormat | None:
    """The image format of a file; None for an unknown one."""
    for signature, found in _SIGNATURES:
        if signature.match(body):
            return found
    return ImageFormat.SVG if _SVG_ROOT.match(body, 0, _ROOT_WITHIN) else None


def drawing_of(body: bytes) -> Drawing:
    """What can be found out about an SVG file without drawing it."""
    root = _SVG_ROOT.match(body, 0, _ROOT_WITHIN)
    width, height = (0, 0) if root is None else _size(root["attributes"])
    return Drawing(width, height, _is_harmless(body))


def _size(attributes: bytes) -> tuple[int, int]:
    """Width and height in pixels; a drawing without both is as large as its area in a page."""
    given = [_LENGTH.fullmatch(_attribute(attributes, name)) for name in (b"width", b"height")]
    pixels = [round(float(each[1])) for each in given if each]
    return (pixels[0], pixels[1]) if len(pixels) == len(given) else (0, 0)


def _attribute(attributes: bytes, name: bytes) -> bytes:
    found = re.search(rb"\s" + name + rb"\s*+=\s*+(?:\"([^\"]*+)\"|'([^']*+)')", attributes)
    return b"" if found is None else found[1] or found[2] or b""


def _is_harmless(body: bytes) -> bool:
    if len(body) > _MAX_DRAWING or _HARMFUL.search(body):
        return False
    names = [name.lower().removeprefix(b"svg:") for name in _ELEMENT.findall(body)]
    return len(names) <= _MAX_PARTS and _DRAWN.issuperset(names)
