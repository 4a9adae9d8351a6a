"""Declares the requests about a host as such: they belong to no URL of the crawl."""

from enum import IntEnum

from msgspec import Struct

from gossamer.model.outcome import Outcome
from gossamer.model.outcome_details import Detail


class SiteCheck(IntEnum):
    """What is requested from a host once in a crawl. Stored in `site_check.kind`."""

    MADE_UP_URL = 1
    """A URL that cannot exist: how the host responds for pages that it does not have."""
    SECOND_MADE_UP_URL = 2
    """Another one, if the first response was a page: to see how such responses differ."""
    LLMS_TXT = 3
    """Its llms.txt."""


MADE_UP_URLS = frozenset({SiteCheck.MADE_UP_URL, SiteCheck.SECOND_MADE_UP_URL})


class SiteCheckRow(Struct, frozen=True, gc=False):
    """The response of a host to a check, or that it is still to be requested: `outcome` None.

    `url` is what was requested first, and `final_url` where redirects led; the rest is about that.
    Facts are set for a page; `text` and the validators for a later request only for an llms.txt.
    """

    origin: str
    kind: SiteCheck
    url: str
    outcome: Outcome | None = None
    status: int | None = None
    final_url: str = ""
    detail: Detail | None = None
    fetched_at: float = 0.0
    content_type: str = ""
    size_bytes: int = 0
    title: str | None = None
    word_count: int | None = None
    content_hash: bytes | None = None
    sketch: bytes | None = None
    text: str = ""
    etag: str = ""
    last_modified: str = ""
