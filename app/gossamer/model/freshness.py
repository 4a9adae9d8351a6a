"""How a response of a recrawl compares with that of its previous crawl, and how to request it."""

from enum import IntEnum
from typing import Final

from msgspec import Struct

from gossamer.model.archive_record import ReferredRecord


class Freshness(IntEnum):
    """How a response compares with that of the previous crawl. Stored in `visit.freshness`."""

    NOT_MODIFIED = 1
    """The server said so (304): facts and links are those of the previous crawl."""
    NOT_DUE = 2
    """It was not requested, because it had not changed for long: likewise."""
    SAME = 3
    """It was fetched, and is the same."""
    CHANGED = 4
    """It was fetched, and is different."""
    NEW = 5
    """The previous crawl has no response for this URL."""


UNCHANGED: Final = frozenset({Freshness.NOT_MODIFIED, Freshness.NOT_DUE})
"""Pages that are those of the previous crawl: nothing of them was transferred."""


class Conditions(Struct, frozen=True, array_like=True, gc=False):
    """When a server may respond 304: the values of If-None-Match and If-Modified-Since, or ""."""

    etags: str = ""
    modified_since: str = ""
    referred: ReferredRecord | None = None
    """Where the archive has the response that a 304 would confirm."""

    def __bool__(self) -> bool:
        """Whether there is any."""
        return bool(self.etags or self.modified_since)


NO_CONDITIONS: Final = Conditions()


class Validators(Struct, frozen=True):
    """The validators of a response for a later request, as the server sent them; "" for none."""

    etag: str = ""
    last_modified: str = ""


NO_VALIDATORS: Final = Validators()
