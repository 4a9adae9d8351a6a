"""Collects the rows of the next commit, and answers queries about URLs not yet committed."""

from typing import Final

from gossamer.model.crawl_state import CrawlState
from gossamer.model.discovery_rank import Rank
from gossamer.model.outcome import Outcome
from gossamer.model.outcome_details import Detail
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.shards import CountedLink, PageJudgement
from gossamer.model.site_checks import SiteCheckRow
from gossamer.model.store_batch import HostResponse, RobotsRow, StoreBatch, UrlRow, VisitRow
from gossamer.model.visit import Visit
from gossamer.urls.url_parsing import without_userinfo

MAX_VISITS: Final = 1_000
MAX_LINKS: Final = 100_000


class PendingBatch:
    """Builds a `StoreBatch`, and answers queries about what it will commit."""

    def __init__(
        self, last_id: int = 0, *, max_visits: int = MAX_VISITS, max_links: int = MAX_LINKS
    ) -> None:
        """`last_id` is the highest id of the project; the limits bound what may wait."""
        self.last_id = last_id
        """The highest id given so far."""
        self._max_visits = max_visits
        self._max_links = max_links
        self._rows = StoreBatch()
        self._visits: dict[int, VisitRow] = {}
        self._decisions: dict[int, Outcome] = {}
        self._links = 0

    def __bool__(self) -> bool:
        """Whether there is anything to commit."""
        return bool(self._visits) or bool(self._rows)

    def has_room(self, waiting: int) -> bool:
        """Whether more may be fetched, while so many visits wait to be admitted."""
        return len(self._visits) + waiting < self._max_visits and self._links < self._max_links

    @property
    def is_half_full(self) -> bool:
        """Whether to commit at once, before no more may be fetched."""
        return 2 * len(self._visits) >= self._max_visits or 2 * self._links >= self._max_links

    def decision(self, url_id: int) -> Outcome | None:
        """What was last decided about a URL without a visit; None if nothing was."""
        return self._decisions.get(url_id)

    def visit_of(self, url_id: int) -> VisitRow | None:
        """The visit of a URL, if there is one."""
        return self._visits.get(url_id)

    def add_url(self, row: UrlRow) -> None:
        """Add a URL that was seen for the first time; its id is the highest."""
        self.last_id = row.id
        self._rows.new.append(row)

    def is_new(self, url_id: int) -> bool:
        """Whether a URL was seen for the first time since the last batch."""
        return bool(self._rows.new) and url_id >= self._rows.new[0].id

    def add_visit(self, row: VisitRow) -> None:
        """Add a visit, for good, or in the place of that URL's earlier one."""
        before = self._visits.get(row.id)
        self._links += len(row.links) - (0 if before is None else len(before.links))
        self._visits[row.id] = row

    def remove_visit(self, url_id: int) -> bool:
        """Take back a visit that is not committed yet; False if there is none."""
        row = self._visits.pop(url_id, None)
        self._links -= 0 if row is None else len(row.links)
        return row is not None

    def decide(self, url_id: int, outcome: Outcome, detail: Detail | None) -> None:
        """Give a known URL an outcome without a visit."""
        self._decisions[url_id] = outcome
        self._rows.decided.append((url_id, outcome, detail))

    def set_base_position(self, position: int) -> None:
        """Note up to which id the previous crawl was looked through."""
        self._rows.base_position = position

    def improve(self, url_id: int, rank: Rank) -> None:
        """Note that a known URL was reached with a better rank."""
        self._rows.improved.append((url_id, rank))

    def owe(self, url_id: int) -> None:
        """Have the better rank of a URL in `visits` propagated when its links are stored."""
        self._rows.owed.append(url_id)

    def add_robots(self, row: RobotsRow) -> None:
        """Add the robots.txt of an origin."""
        self._rows.robots.append(row)

    def add_site_check(self, row: SiteCheckRow) -> None:
        """Add a site check of a host, or its result."""
        self._rows.site_checks.append(row)

    def add_host_response(self, url: str, visit: Visit) -> None:
        """Add the record, if any, of a response for what is no URL of the crawl."""
        if visit.archived or visit.archive_errno:
            asked = without_userinfo(url)[0]
            self._rows.host_responses.append(
                HostResponse(asked, visit.archived, visit.archive_errno)
            )

    def receive(self, shard: int, number: int) -> None:
        """Note that the links of another shard are admitted up to this number."""
        self._rows.received[shard] = number

    def acknowledge(self, shard: int, number: int) -> None:
        """Note that another shard has committed the links to it up to this number."""
        self._rows.acknowledged[shard] = number

    def judge(self, url_id: int, page: int, judgement: PageJudgement) -> None:
        """Note the page whose free link leads to a URL of another shard: the first in the batch."""
        self._rows.judged.setdefault(url_id, (page, judgement))

    def hand_over(self, link: CountedLink) -> None:
        """Hand a link over to a shard that may refuse it."""
        self._rows.counted.append(link)

    def propagate(self, url_id: int, rank: Rank) -> None:
        """Note the better rank of a URL by a link that another shard handed over before."""
        self._rows.propagated.append((url_id, rank))

    def note_refused(self, url_id: int, depth: int) -> None:
        """Note how deep a URL is that another shard leads to, if a budget has left it out."""
        self._rows.refused.append((url_id, depth))

    def add_risky(self, url_id: int, words: str) -> None:
        """Note that a link to a URL, which another shard may own, says that it signs out."""
        self._rows.risky.append((url_id, words))

    def set_state(self, state: CrawlState) -> None:
        """Commit where the crawl stands."""
        self._rows.state = state

    def set_settings(self, settings: CrawlSettings) -> None:
        """Commit other settings."""
        self._rows.settings = settings

    def take(self) -> StoreBatch:
        """Take everything to commit, and begin a new batch."""
        rows, self._rows = self._rows, StoreBatch()
        rows.visits = list(self._visits.values())
        self._visits.clear()
        self._decisions.clear()
        self._links = 0
        return rows
