"""The rows that the engine writes to the project file in one batch, and those it looks up."""

from collections.abc import Iterable, Iterator
from typing import Self

from msgspec import Struct

from gossamer.model.archive_record import ArchiveRecord
from gossamer.model.crawl_state import CrawlState
from gossamer.model.discovery_rank import Rank
from gossamer.model.link_kinds import LinkAction
from gossamer.model.outcome import Outcome
from gossamer.model.outcome_details import Detail
from gossamer.model.previous_crawl import PreviousCrawlReference
from gossamer.model.server_certificate import ServerCertificate
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.shards import CountedLink, PageJudgement, PeerCounts, ShardIdentity
from gossamer.model.site_checks import SiteCheckRow
from gossamer.model.visit import NO_LINKS, CountedResponse, Link, PageLinks, Visit

REACH = 2_000
"""Links over which better ranks are propagated in one transaction."""


class UrlRow(Struct, frozen=True, gc=False):
    """A known URL.

    `parent` is the id of the URL it was first found on, None for a root; it never changes, so that
    trees stay still while better ways are found. `detail` is the exact cause of a refusal: a line
    of robots.txt, a pattern.
    """

    id: int
    url: str
    rank: Rank
    outcome: Outcome
    parent: int | None = None
    detail: Detail | None = None


class LinkRows(Struct, frozen=True, gc=False):
    """The links of a requested URL: where each leads, what is done about it, and itself.

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
    """A URL that was requested for good: the result, and where its links lead.

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
    """The robots.txt of an origin as it was fetched. `status` is None when nothing came.

    `etag` and `last_modified` are what it can be asked for again by.
    """

    origin: str
    status: int | None
    text: str
    detail: Detail | None
    fetched_at: float
    etag: str = ""
    last_modified: str = ""


class HostResponse(Struct, frozen=True, gc=False):
    """Where the archive has a response for `url`, that belongs to none of its URLs: a robots.txt.

    `errno` is why it did not take it, 0 if it did.
    """

    url: str
    archived: list[ArchiveRecord]
    errno: int = 0


class LoopChange(Struct, frozen=True, gc=False):
    """A redirect that turned out to be a loop, or to be none any more."""

    id: int
    url: str
    old: Outcome
    new: Outcome


class StoreBatch(Struct):
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
    6. `risky`: (url id, words) for URLs, those of other shards too, whose links look like they
       sign out or delete. Of a shard: `received`, by shard the number of the last link from it
       that is admitted with this batch, and `acknowledged`, by shard that of the last one that it
       has committed; `counted`, links to URLs of other shards that these may refuse, and `judged`,
       by the id of a URL of another shard the page that has led to it by now, and its judgement;
       `propagated`, as `improved`, but nothing to URLs over budget that `improved` does not lift,
       and `refused`: (url id, depth) for those over budget that another shard leads to.
    7. `robots`, `site_checks`, `host_responses`, `certificates`, `state`, `seconds`, `settings`
       and `base_position` of the project.
    """

    new: list[UrlRow] = []
    decided: list[tuple[int, Outcome, Detail | None]] = []
    visits: list[VisitRow] = []
    improved: list[tuple[int, Rank]] = []
    owed: list[int] = []
    budgets: dict[str, int] = {}
    robots: list[RobotsRow] = []
    site_checks: list[SiteCheckRow] = []
    host_responses: list[HostResponse] = []
    certificates: list[ServerCertificate] = []
    received: dict[int, int] = {}
    acknowledged: dict[int, int] = {}
    risky: list[tuple[int, str]] = []
    counted: list[CountedLink] = []
    judged: dict[int, tuple[int, PageJudgement]] = {}
    propagated: list[tuple[int, Rank]] = []
    refused: list[tuple[int, int]] = []
    state: CrawlState | None = None
    seconds: float | None = None
    settings: CrawlSettings | None = None
    base_position: int | None = None
    reach: int = REACH
    replaced: list[CountedResponse] = []
    """Filled by the store: the responses that `visits` replaced."""
    loop_changes: list[LoopChange] = []
    """Filled by the store: the redirects that it gave another outcome than the engine did."""
    owing: bool = False
    """Filled by the store: whether better ranks, or loops, are still to be propagated."""
    passed_on: list[tuple[int, Rank]] = []
    """Filled by the store of a shard: better ranks of URLs of other shards that these may have
    refused, and that keep their rank here."""
    peers: dict[int, PeerCounts] = {}
    """Filled by the store of a shard: what is exchanged with the others, as it is committed."""

    @property
    def handed_over(self) -> list[int]:
        """The known URLs that turned out to be another shard's to fetch."""
        other = Outcome.OTHER_SHARD
        return [url_id for url_id, outcome, _ in self.decided if outcome is other]

    @property
    def changes_content(self) -> bool:
        """Whether it changes more than ranks, robots.txt files and the project's own row."""
        return bool(
            self.new or self.visits or self.decided or self.loop_changes or self.site_checks
        )

    def __bool__(self) -> bool:
        """Whether there is anything to commit."""
        return bool(
            self.new
            or self.visits
            or self.decided
            or self.improved
            or self.owed
            or self.robots
            or self.site_checks
            or self.host_responses
            or self.certificates
            or self.received
            or self.acknowledged
            or self.risky
            or self.counted
            or self.propagated
            or self.refused
            or self.state
            or self.settings
            or self.base_position is not None
        )


class ProjectSummary(Struct, frozen=True):
    """A project as a whole, read when it is opened.

    `statuses` and `outcomes` count URLs; `outcomes` includes PENDING. `last_id` is the highest URL
    id, 0 for none; `received_bytes` the bytes of all bodies over the wire.
    """

    settings: CrawlSettings
    state: CrawlState
    seconds: float
    last_id: int
    received_bytes: int
    statuses: dict[int, int]
    outcomes: dict[Outcome, int]
    unchanged: int = 0
    """Responses of a recrawl that are those of its previous crawl."""
    created_at: float = 0.0
    content_stamp: int = 0
    """Rises with each commit that changes URLs, visits or links."""
    series: str = ""
    """The id of its series: 32 hexadecimal digits."""
    previous: PreviousCrawlReference | None = None
    """What it is a recrawl of, if it is one."""
    base_position: int = 0
    """Up to this id, pages of the previous crawl that nothing led to have been looked for."""
    site_checks: tuple[SiteCheckRow, ...] = ()
    """What was requested from hosts, or is still to be: without the responses."""
    risky: dict[str, str] = {}
    """URLs whose links look like they sign out or delete, with the words of these."""
    shard: ShardIdentity | None = None
    """Which shard of a crawl it is, if it is one."""
    peers: dict[int, PeerCounts] = {}
    """What it has exchanged with the other shards, by their numbers."""
