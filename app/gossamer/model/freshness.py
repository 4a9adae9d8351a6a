"""How an answer of a recrawl compares with that of its previous crawl, and how it is asked for."""

from enum import IntEnum
from typing import Final

from msgspec import Struct

from gossamer.model.archive_record import ReferredRecord


class Freshness(IntEnum):
    """How an answer compares with that of the previous crawl. Stored in `visit.freshness`."""

    NOT_MODIFIED = 1
    """The server said so (304): facts and links are those of the previous crawl."""
    NOT_DUE = 2
    """It was not asked for, because it did not change for long: likewise."""
    SAME = 3
    """It was fetched, and is the same."""
    CHANGED = 4
    """It was fetched, and is another."""
    NEW = 5
    """The previous crawl has no answer of this URL."""


UNCHANGED: Final = frozenset({Freshness.NOT_MODIFIED, Freshness.NOT_DUE})
"""Pages that are those of the previous crawl: nothing of them was transferred."""


class Conditions(Struct, frozen=True, array_like=True, gc=False):
    """When a server may answer 304: the values of If-None-Match and If-Modified-Since, or ""."""

    etags: str = ""
    modified_since: str = ""
    referred: ReferredRecord | None = None
    """What the archive has of the answer that a 304 would confirm."""

    def __bool__(self) -> bool:
        """Whether there is any."""
        return bool(self.etags or self.modified_since)


NO_CONDITIONS: Final = Conditions()


class Validators(Struct, frozen=True):
    """What an answer can be asked for again by, as the server sent it; "" for what it lacks."""

    etag: str = ""
    last_modified: str = ""


NO_VALIDATORS: Final = Validators()
