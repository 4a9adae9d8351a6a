"""What the engine asks of the project file: rows to write, rows to look up."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Self

from msgspec import Struct

from gossamer.model.details import Detail
from gossamer.model.link_kinds import LinkAction
from gossamer.model.outcome import FILES, PAGES, Outcome
from gossamer.model.page import NO_LINKS, Link, PageLinks, Visit
from gossamer.model.settings import CrawlSettings
from gossamer.model.state import CrawlState

MAX_HOPS = 255
REACH = 2_000
"""Links over which better ranks are carried on in one transaction."""


UNLINKED = 65_533
"""The depth of what only a sitemap leads to: to be fetched, though no clicks do."""
NOFOLLOWED = 65_534
"""The depth of what is linked only with a wish that it be not followed."""
RECORDED = 65_535
"""The depth of what no clicks lead to."""


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
JUST_NOFOLLOWED = Rank(NOFOLLOWED, MAX_HOPS)
"""Likewise, but where a link asks that it be not followed."""
AS_FILE = Rank(RECORDED, as_file=True)
"""The rank of what is only to be checked."""
LISTED = Rank(UNLINKED, listed=SitemapRole.LISTED)
"""The rank of what a sitemap names."""
SITEMAP = Rank(UNLINKED, listed=SitemapRole.SITEMAP)
"""The rank of a sitemap."""


class UrlRow(Struct, frozen=True, gc=False):
    """A known URL.

    `parent` is the id of the URL it was first found on, None for a root; it never changes, so
    that trees stay still while better ways are found. `detail` says what exactly a
    refusal is due to: a line of robots.txt, a pattern.
    """

    id: int
    url: str
    rank: Rank
    outcome: Outcome
    parent: int | None = None
    detail: Detail | None = None


class LinkRows(Struct, frozen=True, gc=False):
    """The links of a URL that was asked: where each leads, what is done about it, and itself.

    A link's position is its index. Columns like those of `PageLinks`: `targets` are ids, `actions`
    a LinkAction in each byte.
    """

    targets: list[int] = []
    actions: bytes = b""
    links: PageLinks = NO_LINKS

    @classmethod
    def of(cls, rows: Iterable[tuple[int, LinkAction, Link]]) -> Self:
        """Those given one by one."""
        rows = list(rows)
        links = PageLinks.of(row[2] for row in rows)
        return cls([row[0] for row in rows], bytes(row[1] for row in rows), links)

    def __len__(self) -> int:
        return len(self.targets)

    def __iter__(self) -> Iterator[tuple[int, LinkAction, Link]]:
        return zip(self.targets, map(LinkAction, self.actions), self.links, strict=True)


NO_ROWS = LinkRows()


class VisitRow(Struct, frozen=True, gc=False):
    """A URL that was asked, for good: what came, and where its links lead.

    `outcome` is the engine's decision (it knows limits and scope), `visit.outcome` what the page
    worker saw, without its targets and links: `links` has taken their place. A redirect's last link
    is of kind REDIRECT, after those of a page that refreshes.
    """

    id: int
    visit: Visit
    outcome: Outcome
    tries: int
    links: LinkRows = NO_ROWS


class RobotsRow(Struct, frozen=True, gc=False):
    """The robots.txt of an origin as it was fetched. `status` is None when nothing came."""

    origin: str
    status: int | None
    text: str
    detail: Detail | None
    fetched_at: float


class LoopChange(Struct, frozen=True, gc=False):
    """A redirect that turned out to be a loop, or to be none any more."""

    id: int
    url: str
    old: Outcome
    new: Outcome


@dataclass(slots=True)
class StoreBatch:
    """What is committed in one transaction, in this order.

    1. `new`: URLs seen for the first time.
    2. `decided`: (url id, outcome, detail) for known URLs whose outcome changes without a visit.
       A URL that was refused, is queued after all and visited at once stands here and in
       `visits`.
    3. `visits`: URLs asked; each gets its outcome, its visit row, its links. Redirects that turn
       out to be loops, or to be none any more, whenever they were asked, get another outcome.
    4. `improved`: (url id, rank) for known URLs reached by a better way. What leads on from these
       and from `owed`, the ids of URLs whose rank got better before their links were stored, is
       reached better too: the store carries that on through redirects and followed links,
       the nearest URL first, over about `reach` of them. What is left is owed to later batches.
    5. `budgets`: what is spent of the budgets that bound traps, by key.
    6. `robots`, then `state`, `seconds` and `settings` of the project.
    """

    new: list[UrlRow] = field(default_factory=list)
    decided: list[tuple[int, Outcome, Detail | None]] = field(default_factory=list)
    visits: list[VisitRow] = field(default_factory=list)
    improved: list[tuple[int, Rank]] = field(default_factory=list)
    owed: list[int] = field(default_factory=list)
    budgets: dict[str, int] = field(default_factory=dict)
    robots: list[RobotsRow] = field(default_factory=list)
    state: CrawlState | None = None
    seconds: float | None = None
    settings: CrawlSettings | None = None
    reach: int = REACH
    replaced: list[tuple[int | None, int]] = field(default_factory=list)
    """Filled by the store: status and size in bytes of answers that `visits` took the place of."""
    relooped: list[LoopChange] = field(default_factory=list)
    """Filled by the store: the redirects that it gave another outcome than the engine did."""
    owing: bool = False
    """Filled by the store: whether better ranks, or loops, are still to be carried on."""

    def __bool__(self) -> bool:
        """Whether there is anything to commit."""
        return bool(
            self.new
            or self.visits
            or self.decided
            or self.improved
            or self.owed
            or self.robots
            or self.state
            or self.settings
        )


@dataclass(frozen=True, slots=True)
class ProjectSummary:
    """A project as a whole, read when it is opened.

    `statuses` and `outcomes` count URLs; `outcomes` includes PENDING. `last_id` is the highest
    URL id, 0 for none; `raw_bytes` what came over the wire of all bodies.
    """

    settings: CrawlSettings
    state: CrawlState
    seconds: float
    last_id: int
    raw_bytes: int
    statuses: dict[int, int]
    outcomes: dict[Outcome, int]
    created_at: float = 0.0
