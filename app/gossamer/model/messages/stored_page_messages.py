"""The messages about a stored page: as a browser shows it, or its text and images."""

from typing import Final

from msgspec import Struct

from gossamer.model.archive_record import ArchiveRecord
from gossamer.model.messages.page_image_messages import ImageFile
from gossamer.model.translatable import Translatable

VIEWED_BYTES: Final = 2 * 1024 * 1024
"""Bytes of a decoded page that are examined."""
MAX_IMAGES_BYTES: Final = 8 * 1024 * 1024
"""Of all images of a page."""


class PageScreen(Struct, frozen=True, array_like=True):
    """The screen that a browser shows a page on: CSS pixels across, and device pixels for each."""

    width: int
    scale: float = 1.0


class ViewStored(Struct, tag=True, frozen=True, array_like=True):
    """Make a view of the page `url`, which the archive of the project at `project` has.

    With a `screen`, as a browser shows it there, if there is one; else of its text and images.
    """

    number: int
    url: str
    project: str
    record: ArchiveRecord
    screen: PageScreen | None = None


class ScreenshotLink(Struct, frozen=True, array_like=True):
    """A link in the screenshot of a page: its position, in CSS pixels, and its target.

    `place` is how far down the screenshot it leads, if its target is within the page; else -1.
    """

    x: int
    y: int
    width: int
    height: int
    url: str
    place: int = -1


class FullPageScreenshot(Struct, frozen=True):
    """A page as a browser shows it, from top to end; `width` and `height` are CSS pixels.

    The JPEG files `strips` follow each other downwards; each is `strip_height` CSS pixels high, the
    last one the rest. `is_cut`: the page continues.
    """

    width: int
    height: int
    strip_height: int
    strips: list[bytes]
    links: list[ScreenshotLink] = []
    is_cut: bool = False


class ViewedPage(Struct, tag=True, frozen=True):
    """The view of a page: a screenshot, or inert markup, or the `reason` for neither.

    Images in the markup are identified by the numbers of `images`, as far as the archive has
    them. `date` is when it was fetched, in ISO 8601; `is_cut`: the page continues. `no_screenshot`
    says why no browser shows it, if that was requested.
    """

    number: int
    url: str
    html: str = ""
    images: dict[int, ImageFile] = {}
    date: str = ""
    is_cut: bool = False
    screenshot: FullPageScreenshot | None = None
    no_screenshot: Translatable | None = None
    reason: Translatable | None = None
