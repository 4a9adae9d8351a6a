"""What a recrawl knows of its previous crawl: which one that is, and its responses."""

from msgspec import Struct

from gossamer.model.archive_record import ReferredRecord
from gossamer.model.discovery_rank import SitemapRole
from gossamer.model.outcome import Outcome
from gossamer.model.response_warnings import Warnings
from gossamer.model.visit import Visit


class PreviousCrawlReference(Struct, frozen=True):
    """The project that a recrawl starts from. Another one at the same path does not count."""

    path: str
    created_at: float
    """When it was created, in Unix time: no two projects share a moment."""


class PreviousPage(Struct, frozen=True, array_like=True, gc=False):
    """A page of the previous crawl: its id there, its URL, and where that was first found."""

    id: int
    url: str
    parent: str
    """The URL of that page; "" for a root."""


class PreviousText(Struct, frozen=True):
    """A text file of a host in the previous crawl, such as its robots.txt.

    The headers of `visit` are only its validators.
    """

    visit: Visit
    text: str
    referred: ReferredRecord | None = None
    """As that of a `PreviousResponse`."""


class PreviousResponse(Struct, frozen=True, gc=False):
    """A response of the previous crawl, as far as it decides how the URL is requested again.

    `id` is that of the URL there. `as_file` is whether pages load it. `location` is the target of a
    redirect.
    """

    id: int
    outcome: Outcome
    listed: SitemapRole
    as_file: bool
    status: int | None
    warnings: Warnings
    headers: list[tuple[str, str]]
    content_type: str
    content_hash: bytes | None
    size_bytes: int | None
    raw_bytes: int
    location: str | None
    fetched_at: float
    unchanged_since: float | None
    """None if the previous crawl was no recrawl, or had no such response before."""
    referred: ReferredRecord | None = None
    """The record of it that the archive of this crawl can take over; None if there is none."""

    @property
    def since(self) -> float:
        """When the content was first seen as it is: Unix time."""
        return self.fetched_at if self.unchanged_since is None else self.unchanged_since

    def values(self, name: str) -> list[str]:
        """The values of the headers of that name, which is in lower case, in order."""
        return [value for each, value in self.headers if each.lower() == name]
