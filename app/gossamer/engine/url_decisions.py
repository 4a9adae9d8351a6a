"""Decisions about URLs that need no visit: queued, held, settled. Each is counted and committed."""

from msgspec.structs import replace

from gossamer.engine.cookie_redirects import CookieRedirect
from gossamer.engine.counters import Counters
from gossamer.engine.crawl_policy import Policy
from gossamer.engine.pending_batch import PendingBatch
from gossamer.engine.queue.frontier import Frontier
from gossamer.engine.traps.trap_budgets import TrapBudgets
from gossamer.engine.url_stages import UrlStage
from gossamer.engine.url_tracker import FrontierEntry, UrlTracker
from gossamer.model.outcome import Outcome, UrlState
from gossamer.model.outcome_details import Detail
from gossamer.model.rank import Rank
from gossamer.model.settings.folder_priority import QueuePriority
from gossamer.model.store_batch import UrlRow, VisitRow
from gossamer.urls.url_parsing import host_of


class UrlDecisions:
    """Writes decisions into the next batch, and keeps counters and frontier in step with them."""

    def __init__(
        self,
        policy: Policy,
        traps: TrapBudgets,
        batch: PendingBatch,
        tracker: UrlTracker,
        frontier: Frontier,
        counters: Counters,
    ) -> None:
        """Take the parts that a decision concerns."""
        self._policy = policy
        self._traps = traps
        self._batch = batch
        self._tracker = tracker
        self._frontier = frontier
        self._counters = counters

    def entry(self, row: UrlRow) -> FrontierEntry:
        """A new entry for a queued URL, in no queue yet."""
        return self._entry(replace(row, outcome=self._policy.queued_as(row)))

    def _entry(self, row: UrlRow) -> FrontierEntry:
        url, outcome = row.url, row.outcome
        entry = FrontierEntry(row.id, url, row.rank, row.parent, host_of(url), outcome)
        entry.external = outcome is Outcome.PENDING_CHECK and self._policy.external(url)
        entry.first = self._policy.priority(url) is QueuePriority.FIRST
        entry.lane = self._traps.lane(row.parent)
        return entry

    def add(
        self, url: str, rank: Rank, outcome: Outcome, parent: int | None, detail: Detail | None
    ) -> int:
        """Add a URL seen for the first time, to the queue if `outcome` says so; its id."""
        row = UrlRow(self._batch.last_id + 1, url, rank, outcome, parent, detail)
        self._batch.add_url(row)
        self._counters.add(outcome)
        if outcome.state is UrlState.QUEUED:
            self._frontier.add_new(self._entry(row))
        return row.id

    def decide(self, url_id: int, old: Outcome, new: Outcome, detail: Detail | None = None) -> None:
        """Give a known URL another outcome without a visit."""
        self._tracker.decide(url_id, new, detail)
        self._counters.move(old, new)

    def refuse(self, row: UrlRow, outcome: Outcome) -> None:
        """Give a known URL that is not in memory an outcome that says why it is not fetched."""
        self.decide(row.id, row.outcome, outcome, self._policy.detail(row.url, outcome))

    def queue(self, row: UrlRow, outcome: Outcome, *, held: bool = False) -> None:
        """Queue a known URL anew; or hold it, if that is decided about it or its folder."""
        if held or self._policy.priority(row.url) is QueuePriority.HELD:
            self.decide(row.id, row.outcome, Outcome.HELD)
        else:
            self.queue_at_once(row, outcome)

    def queue_at_once(self, row: UrlRow, outcome: Outcome) -> None:
        """Queue a known URL anew, whatever is decided about its folder."""
        self.decide(row.id, row.outcome, outcome)
        self._frontier.add_known(self.entry(replace(row, outcome=outcome)))

    def queue_again(self, entry: FrontierEntry, outcome: Outcome) -> None:
        """Queue a URL whose answer does not count; or hold it, if what is found on it is held."""
        row = UrlRow(entry.id, entry.url, entry.rank, entry.outcome, entry.parent)
        self._tracker.move(entry, UrlStage.DECIDED)
        self.queue(row, outcome, held=entry.holds_links)

    def settle(self, entry: FrontierEntry, outcome: Outcome, detail: Detail | None = None) -> None:
        """Give a URL that was taken from the queue its outcome without a visit."""
        if detail is None:
            detail = self._policy.detail(entry.url, outcome)
        self._tracker.move(entry, UrlStage.DECIDED)
        self.decide(entry.id, entry.outcome, outcome, detail)

    def withdraw(self, entry: FrontierEntry, outcome: Outcome) -> None:
        """Take an entry out of the queue and settle it."""
        self._frontier.withdraw(entry)
        entry.withdrawn = outcome
        self.decide(entry.id, entry.outcome, outcome, self._policy.detail(entry.url, outcome))

    def visit(self, entry: FrontierEntry, row: VisitRow) -> None:
        """Take in the final visit of a URL in memory."""
        self._batch.add_visit(row)
        self._tracker.move(entry, UrlStage.VISITED)
        self._counters.move(entry.outcome, row.outcome)
        self._counters.answered(row.visit.status, row.visit.raw_bytes)

    def amend(self, row: VisitRow, outcome: Outcome) -> None:
        """Give a visit that is not committed yet another outcome."""
        self._batch.add_visit(replace(row, outcome=outcome))
        self._counters.move(row.outcome, outcome)

    def ask_at_once(self, entry: FrontierEntry, again: FrontierEntry) -> None:
        """Queue `again` in the place of `entry`, whose answer does not count."""
        self._tracker.move(entry, UrlStage.ON_FILE)
        self._frontier.add_known(again)

    def ask_again(self, turned: CookieRedirect, again: FrontierEntry) -> None:
        """Queue `again`, for a URL not in memory whose answer does not count after all."""
        if self._batch.remove_visit(again.id):  # otherwise the file says when it is replaced
            self._counters.take_back(turned.status, turned.raw_bytes)
        self.decide(again.id, turned.outcome, again.outcome)
        self._frontier.add_known(again)

    def improve(self, url_id: int, best: Rank, rank: Rank) -> None:
        """A known URL was reached by `rank`, which makes its rank `best`."""
        self.improve_entry(url_id, best)
        self._batch.improve(url_id, rank)

    def note_rank(self, url_id: int, rank: Rank) -> None:
        """Commit that a known URL has this rank, by which nothing is decided anew."""
        self._batch.improve(url_id, rank)

    def is_in_memory(self, url_id: int) -> bool:
        """Whether a URL is queued, in flight or answered."""
        return self._tracker.entry(url_id) is not None

    def improve_entry(self, url_id: int, rank: Rank) -> None:
        """Have an entry in memory wait for what its better rank asks for."""
        entry = self._tracker.entry(url_id)
        if entry is None:
            return
        entry.rank = entry.rank.merged(rank)
        if entry.is_queued and (outcome := self._policy.better_outcome(entry)) is not None:
            self.decide(url_id, entry.outcome, outcome)
            entry.outcome = outcome
