"""The robots.txt files and sitemaps that differ between two crawls."""

from enum import StrEnum

from msgspec import Struct


class SiteFileKind(StrEnum):
    """What a file of a host is."""

    ROBOTS = "robots"
    SITEMAP = "sitemap"


class SiteFileChange(Struct, frozen=True, array_like=True):
    """A robots.txt or sitemap that differs. Statuses and texts are of robots.txt.

    For a sitemap, how many URLs it names; None if there is none.
    """

    kind: SiteFileKind
    url: str
    before_status: int | None = None
    after_status: int | None = None
    before_text: str = ""
    after_text: str = ""
    before_urls: int | None = None
    after_urls: int | None = None
