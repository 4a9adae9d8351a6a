"""What went missing from the archive of a project while it was crawled."""

from typing import Final

from msgspec import Struct

from gossamer.model.number_format import number
from gossamer.model.translatable import Translatable, said

_NAMED: Final = 3


class ArchiveLoss(Struct, frozen=True):
    """Files that are missing or cut short, and how many URLs have no record any more for that."""

    files: tuple[str, ...]
    urls: int

    def joined(self, earlier: "ArchiveLoss | None") -> "ArchiveLoss":
        """This one, and an earlier one of the same crawl."""
        if earlier is None:
            return self
        files = tuple(dict.fromkeys((*earlier.files, *self.files)))
        return ArchiveLoss(files, earlier.urls + self.urls)

    @property
    def said(self) -> Translatable:
        """What is gone, and what to do, as sentences for the user."""
        files = ", ".join(self.files[:_NAMED]) + (", …" if len(self.files) > _NAMED else "")
        return said(
            "Files of the archive went missing or were cut short: {files}. URLs without a record "
            "now: {number}. Crawl the site again to keep them.",
            files=files,
            number=number(self.urls),
        )
