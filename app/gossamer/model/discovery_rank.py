"""The rank of a URL: clicks and redirects from a root, whether a file, whether in a sitemap."""

from enum import IntEnum
from typing import Self

from msgspec import Struct

from gossamer.model.outcome import FILES, PAGES, Outcome

MAX_HOPS = 255
UNLINKED = 65_532
"""The depth of URLs that only a sitemap, or the list of an archive, leads to: fetched all the
same."""
NOFOLLOWED = 65_533
"""The depth of URLs that are only linked with the request not to follow."""
RECORDED = 65_534
"""The depth of URLs that no clicks lead to."""
FORMER = 65_535
"""The depth of URLs known only from the earlier crawl: nothing in this one leads there."""


class SitemapRole(IntEnum):
    """How a URL relates to sitemaps. Stored in `url.listed`; greater is better."""

    NONE = 0
    """No sitemap names it."""
    LISTED = 1
    """A sitemap names it."""
    SITEMAP = 2
    """It is named as a sitemap, and to be read as one."""
    READ = 3
    """It was read as one."""


_SITEMAP_ROLES = tuple(SitemapRole)
"""By their numbers: a look-up here costs a tenth of a call of the enum."""
_SITEMAP_ROLE = SitemapRole.SITEMAP

READ_OTHERWISE = frozenset(
    {
        Outcome.PENDING,
        *PAGES,
        *FILES,
        Outcome.PAGE_NOT_PARSED,
        Outcome.CHECKED,
    }
)
"""What became, or was to become, of a URL before it was known as a sitemap: it is requested
again."""


class Rank(Struct, frozen=True, gc=False):
    """How a URL was reached. Smaller is better in `depth` and `hops`, true in the rest.

    `depth` counts clicks from a root: a link costs one, a redirect none. From UNLINKED on it says
    that no clicks lead there, and why the URL is known. `hops` counts the redirects since the last
    link or root; the rest of the redirect limit follows from it. `as_file`: the URL is wanted as a
    file, such as an image, and is checked unless it is read. `listed`: whether a sitemap names it:
    then it is read, however deep. From SITEMAP on it is read as one.
    """

    depth: int
    hops: int = 0
    as_file: bool = False
    listed: SitemapRole = SitemapRole.NONE

    @classmethod
    def stored(cls, depth: int, hops: int, as_file: int, listed: int) -> Self:
        """The rank in a row of the project file."""
        return cls(depth, hops, bool(as_file), _SITEMAP_ROLES[listed])

    @property
    def as_sitemap(self) -> bool:
        """Whether the URL is wanted as a sitemap."""
        return self.listed >= _SITEMAP_ROLE

    @property
    def level(self) -> int:
        """0 for what is fetched, 1 for what is checked, 2 for what is recorded."""
        return 0 if self.depth <= UNLINKED else 2 - self.as_file

    def merged(self, other: "Rank") -> "Rank":
        """The better of each part: the result is the same whatever way is found first."""
        return Rank(
            min(self.depth, other.depth),
            min(self.hops, other.hops),
            self.as_file or other.as_file,
            max(self.listed, other.listed),
        )

    def clicked(self) -> "Rank":
        """How a followed link on a page of this rank reaches its target."""
        return Rank(self.depth if self.depth >= UNLINKED - 1 else self.depth + 1)

    def redirected(self) -> "Rank":
        """How a redirect of a URL of this rank reaches its target: as deep, and one hop further."""
        hops, listed = min(self.hops + 1, MAX_HOPS), min(self.listed, _SITEMAP_ROLE)
        return Rank(self.depth, hops, self.as_file, listed)


JUST_RECORDED = Rank(RECORDED, MAX_HOPS)
"""The rank of URLs that no counting way leads to: any other is better."""
JUST_FORMER = Rank(FORMER, MAX_HOPS)
"""The rank of URLs that only the previous crawl of a recrawl knows: merely checked."""
JUST_ARCHIVED = Rank(UNLINKED)
"""The rank of a page that an archive has and nothing leads to: it is read all the same."""
JUST_NOFOLLOWED = Rank(NOFOLLOWED, MAX_HOPS)
"""Likewise, but with a link that asks not to be followed."""
AS_FILE = Rank(RECORDED, as_file=True)
"""The rank of URLs that are only to be checked."""
LISTED = Rank(UNLINKED, listed=SitemapRole.LISTED)
"""The rank of URLs that a sitemap names."""
SITEMAP = Rank(UNLINKED, listed=SitemapRole.SITEMAP)
"""The rank of a sitemap."""
