"""The messages about a stored page as a view shows it."""

from typing import Final

from msgspec import Struct

from gossamer.model.archive_record import ArchiveRecord
from gossamer.model.messages.page_image_messages import ImageFile
from gossamer.model.translatable import Translatable

VIEWED_BYTES: Final = 2 * 1024 * 1024
"""Of a page, decoded, that is looked at."""
MAX_PICTURE_BYTES: Final = 8 * 1024 * 1024
"""Of all pictures of a page."""


class ViewStored(Struct, tag=True, frozen=True, array_like=True):
    """Make a view of the page `url`, which the archive of the project at `project` has."""

    number: int
    url: str
    project: str
    record: ArchiveRecord


class ViewedPage(Struct, tag=True, frozen=True):
    """The view of a page: markup that can do nothing, or the `reason` why there is none.

    Its pictures are called by the numbers of `images`, as far as the archive has them. `date` is
    when it was fetched, in ISO 8601; `is_cut`: the page goes on.
    """

    number: int
    url: str
    html: str = ""
    images: dict[int, ImageFile] = {}
    date: str = ""
    is_cut: bool = False
    reason: Translatable | None = None
