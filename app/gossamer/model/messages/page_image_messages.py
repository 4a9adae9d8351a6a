"""The messages about the images of a page: what its source says of them, and one of their files."""

from enum import Enum
from typing import Final

from msgspec import Struct

from gossamer.model.messages.page_contents_messages import PageFetchOutcome

MAX_IMAGES: Final = 2_000
"""Images of a page that are read."""
MAX_FILES: Final = 50
"""Files that one image may choose from."""
MAX_FILE_BYTES: Final = 10 * 1024 * 1024
"""Larger files are not shown."""


class ImageFormat(Enum):
    """The format of a file, by its first bytes. The values are Qt's names of those it can read."""

    PNG = "png"
    JPEG = "jpeg"
    GIF = "gif"
    WEBP = "webp"
    BMP = "bmp"
    ICO = "ico"
    SVG = "svg"
    AVIF = "avif"
    JPEG_XL = "jxl"
    TIFF = "tiff"


DECODED: Final = frozenset(
    {
        *(ImageFormat.PNG, ImageFormat.JPEG, ImageFormat.GIF, ImageFormat.WEBP),
        *(ImageFormat.BMP, ImageFormat.ICO),
    }
)
"""Pixel formats that the window can show."""


class ReadImages(Struct, tag=True, frozen=True, array_like=True):
    """Read the images of the page `url`; request it unless it was the last one, or `again`."""

    number: int
    url: str
    again: bool = False


class FetchImage(Struct, tag=True, frozen=True, array_like=True):
    """Request the file of an image, and what it redirects to."""

    number: int
    url: str


class PageImage(Struct, frozen=True, array_like=True):
    """An image in the source of a page: its files, and attributes as written, None if absent.

    A file has the place that names it, as in `Link.element` ("img", "img srcset"), and the URL.
    """

    files: list[tuple[str, str]]
    width: str | None = None
    height: str | None = None
    loading: str | None = None


class PageImages(Struct, tag=True, frozen=True):
    """The images of a page in document order. `is_cut`: there are more."""

    number: int
    url: str
    fetched: PageFetchOutcome
    images: list[PageImage] = []
    is_cut: bool = False


class ImageFile(Struct, tag=True, frozen=True):
    """The result of requesting the file of an image.

    `format` is None for anything but a known image. The `body` is empty if it is not to be decoded:
    of another format, too large, or a drawing that could load something.
    """

    number: int
    url: str
    fetched: PageFetchOutcome
    content_type: str = ""
    size_bytes: int = 0
    format: ImageFormat | None = None
    body: bytes = b""
    is_too_large: bool = False
    width: int = 0
    """In pixels, of a drawing, which has no size but the one it declares; 0 if it declares none."""
    height: int = 0
