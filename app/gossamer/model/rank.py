"""The rank of a URL: clicks and redirects from a root, whether a file, whether in a sitemap."""

from enum import IntEnum
from typing import Self

from msgspec import Struct

from gossamer.model.outcome import FILES, PAGES, Outcome

MAX_HOPS = 255
UNLINKED = 65_532
"""The depth of what only a sitemap, or the list of an archive, leads to: to be fetched all the
same."""
NOFOLLOWED = 65_533
"""The depth of what is linked only with a wish that it be not followed."""
RECORDED = 65_534
"""The depth of what no clicks lead to."""
FORMER = 65_535
"""The depth of what is only known from the earlier crawl: nothing in this one leads there."""


class SitemapRole(IntEnum):
    """What sitemaps have to do with a URL. Stored in `url.listed`; greater is better."""

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
"""What became, or was to become, of a URL before it was known for a sitemap: it is asked again."""


class Rank(Struct, frozen=True, gc=False):
    """How a URL was reached. Smaller is better in `depth` and `hops`, true in the rest.

    `depth` counts clicks from a root: a link costs one, a redirect none. From UNLINKED on it says
    that no clicks lead there, and why the URL is known. `hops` counts the redirects since the
    last link or root; what is left of the redirect limit follows from it. `as_file` is whether
    the URL is wanted as a file, an image say: it is checked, unless it is read; `listed` whether
    a sitemap names it: it is read, however deep it lies. From SITEMAP on it is read as one.
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
        """The better of each part: what counts is the same whatever way is found first."""
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
        """How a redirect of a URL of this rank reaches its target: no deeper, a hop further."""
        hops, listed = min(self.hops + 1, MAX_HOPS), min(self.listed, _SITEMAP_ROLE)
        return Rank(self.depth, hops, self.as_file, listed)


JUST_RECORDED = Rank(RECORDED, MAX_HOPS)
"""The rank of what no way leads to that counts: any other is better."""
JUST_FORMER = Rank(FORMER, MAX_HOPS)
"""The rank of what only the previous crawl of a recrawl knows: to be checked, no more."""
JUST_ARCHIVED = Rank(UNLINKED)
"""The rank of a page that an archive has and nothing leads to: it is read all the same."""
JUST_NOFOLLOWED = Rank(NOFOLLOWED, MAX_HOPS)
"""Likewise, but where a link asks that it be not followed."""
AS_FILE = Rank(RECORDED, as_file=True)
"""The rank of what is only to be checked."""
LISTED = Rank(UNLINKED, listed=SitemapRole.LISTED)
"""The rank of what a sitemap names."""
SITEMAP = Rank(UNLINKED, listed=SitemapRole.SITEMAP)
"""The rank of a sitemap."""
