"""Reads the images of a page for people: their files, and the sizes that the page gives them."""

from collections.abc import Iterator
from itertools import islice
from typing import Final
from urllib.parse import unquote_to_bytes

from gossamer.extract.charset_detection import sniff
from gossamer.extract.html_page import page_base, utf_8_markup
from gossamer.extract.lexbor_backend import find
from gossamer.extract.links import Links
from gossamer.extract.parsed_elements import Attributes
from gossamer.model.link_kinds import LinkKind
from gossamer.model.messages.page_image_messages import MAX_FILES, MAX_IMAGES, PageImage
from gossamer.model.text_cleaning import one_line

_WITH_SIZE: Final = frozenset({"img", "source", "input"})
"""Elements whose width and height are those of an image that they show."""
_MAX_ATTRIBUTE: Final = 40
"""Characters of an attribute that are shown."""


def images_of(body: bytes, charset: str | None, url: str) -> tuple[list[PageImage], bool]:
    """The images of the page `url` in document order, and whether there are more than MAX_IMAGES.

    Their files are resolved like the links of a page. `charset` is that of Content-Type.
    """
    found = list(islice(_images(body, charset, url), MAX_IMAGES + 1))
    return found[:MAX_IMAGES], len(found) > MAX_IMAGES


def _images(body: bytes, charset: str | None, url: str) -> Iterator[PageImage]:
    parsed = find(utf_8_markup(body, charset), unquote_to_bytes(url))
    base = page_base(parsed, url, sniff(body, charset)[0])
    for element in parsed.elements:
        if element.tag not in _WITH_SIZE:
            continue
        links = Links(base, MAX_FILES)
        links.add_elements([element], paths=parsed.paths)
        page_links = links.as_page_links()
        files = [
            (link.element, links.targets[link.target])
            for link in page_links
            if link.kind is LinkKind.IMAGE
        ]
        if files:
            yield PageImage(files, *_texts(element.attributes, "width", "height", "loading"))


def _texts(attributes: Attributes, *names: str) -> list[str | None]:
    """Attributes as written, None for missing ones."""
    return [
        one_line(attributes[name] or "", _MAX_ATTRIBUTE) if name in attributes else None
        for name in names
    ]
