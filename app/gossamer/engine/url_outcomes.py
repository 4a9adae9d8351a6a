"""Sets the state of URLs without a visit: queued, held, skipped, requeued.

What is done about a URL follows from its best rank and the settings. The project file propagates
better ranks to what a URL leads to, and reports them after each commit; what was refused or only
checked by an older rank is decided again here.
"""

from collections.abc import Iterable

from msgspec.structs import replace

from gossamer.engine.cookie_redirects import CookieRedirect
from gossamer.engine.crawl_memory import CrawlMemory
from gossamer.engine.follow_policy import is_unread
from gossamer.engine.seen_urls import id_of, rank_of
from gossamer.engine.url_tracker import FrontierEntry, UrlStage
from gossamer.model.discovery_rank import Rank
from gossamer.model.outcome import Outcome, UrlState
from gossamer.model.outcome_details import Detail
from gossamer.model.settings.folder_priority import QueuePriority
from gossamer.model.store_batch import LoopChange, StoreBatch, UrlRow, VisitRow
from gossamer.urls.url_parsing import host_of


class UrlOutcomes:
    """Adds decisions to the pending batch, and keeps counters and frontier consistent with it."""

    def __init__(self, memory: CrawlMemory) -> None:
        """`memory` is what the crawl knows of URLs."""
        self._policy = memory.policy
        self._traps = memory.traps
        self._batch = memory.batch
        self._tracker = memory.tracker
        self._frontier = memory.frontier
        self._counters = memory.counters

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
        """Queue a known URL again; or hold it, if that is decided about it or its folder."""
        if held or self._policy.priority(row.url) is QueuePriority.HELD:
            self.decide(row.id, row.outcome, Outcome.HELD)
        else:
            self.queue_at_once(row, outcome)

    def queue_at_once(self, row: UrlRow, outcome: Outcome, *, asked_again: bool = False) -> None:
        """Queue a known URL again, whatever is decided about its folder."""
        self.decide(row.id, row.outcome, outcome)
        entry = self.entry(replace(row, outcome=outcome))
        entry.asked_again = asked_again
        self._frontier.add_known(entry)

    def queue_again(self, entry: FrontierEntry, outcome: Outcome) -> None:
        """Queue a URL whose response does not count; or hold it, if what is found on it is held."""
        row = UrlRow(entry.id, entry.url, entry.rank, entry.outcome, entry.parent)
        self._tracker.move(entry, UrlStage.DECIDED)
        self.queue(row, outcome, held=entry.holds_links)

    def settle(self, entry: FrontierEntry, outcome: Outcome, detail: Detail | None = None) -> None:
        """Give a URL taken from the queue its outcome without a visit."""
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
        """Record the final visit of a URL in memory."""
        self._batch.add_visit(row)
        self._tracker.move(entry, UrlStage.VISITED)
        self._counters.move(entry.outcome, row.outcome)
        self._counters.count_response(row.visit.counted)

    def amend(self, row: VisitRow, outcome: Outcome) -> None:
        """Give a visit that is not committed yet another outcome."""
        self._batch.add_visit(replace(row, outcome=outcome))
        self._counters.move(row.outcome, outcome)

    def ask_at_once(self, entry: FrontierEntry, again: FrontierEntry) -> None:
        """Queue `again` instead of `entry`, whose response does not count."""
        self._tracker.move(entry, UrlStage.ON_FILE)
        self._frontier.add_known(again)

    def ask_again(self, turned: CookieRedirect, again: FrontierEntry) -> None:
        """Queue `again`, for a URL not in memory whose response does not count after all."""
        if self._batch.remove_visit(again.id):  # otherwise the file says when it is replaced
            self._counters.take_back(turned.response)
        self.decide(again.id, turned.outcome, again.outcome)
        self._frontier.add_known(again)

    def improve(self, url_id: int, best: Rank, rank: Rank) -> None:
        """Note that a known URL was reached with `rank`, which makes its rank `best`."""
        self.improve_entry(url_id, best)
        self._batch.improve(url_id, rank)

    def note_rank(self, url_id: int, rank: Rank) -> None:
        """Commit the rank of a known URL without deciding anything again."""
        self._batch.improve(url_id, rank)

    def is_in_memory(self, url_id: int) -> bool:
        """Whether a URL is queued, in flight or fetched."""
        return self._tracker.entry(url_id) is not None

    def improve_entry(self, url_id: int, rank: Rank) -> None:
        """Adapt an entry in memory to its better rank."""
        entry = self._tracker.entry(url_id)
        if entry is None:
            return
        entry.rank = entry.rank.merged(rank)
        if entry.is_queued and (outcome := self._policy.better_outcome(entry)) is not None:
            self.decide(url_id, entry.outcome, outcome)
            entry.outcome = outcome


class Reconsideration:
    """Decides again about known URLs, once their better rank is committed."""

    def __init__(self, memory: CrawlMemory, decisions: UrlOutcomes) -> None:
        """`decisions` gives URLs other outcomes."""
        self._policy = memory.policy
        self._known = memory.known
        self._batch = memory.batch
        self._tracker = memory.tracker
        self._redirects = memory.redirects
        self._counters = memory.counters
        self._decisions = decisions
        self._granted: set[int] = set()
        """URLs that may be over a budget, and are to be queued nevertheless."""
        self._after_commit: list[UrlRow] = []
        """URLs to decide about when the batch that holds them or their visit is committed."""

    @property
    def outcomes(self) -> frozenset[Outcome]:
        """Outcomes that are reconsidered when a project is resumed."""
        others = {Outcome.REDIRECT_LIMIT, Outcome.OVER_BUDGET, Outcome.NO_SITEMAP}
        return self._policy.reconsidered | others

    @property
    def has_left_out(self) -> bool:
        """Whether a budget left anything out."""
        return bool(self._counters.outcomes.get(Outcome.OVER_BUDGET))

    def grant(self, url_id: int) -> None:
        """Have a URL queued in spite of a budget, when the better way to it is committed."""
        self._granted.add(url_id)

    def queue_left_out(self, row: UrlRow, rank: Rank) -> None:
        """Queue what a budget had left out, as if a better way to it was found."""
        self.grant(row.id)
        if self._known.get(row.url) is not None:
            self._known.put(row.url, row.id, row.rank.merged(rank))
        self._batch.improve(row.id, rank)

    def resume(self, rows: list[UrlRow]) -> None:
        """Reconsider refused URLs, whose rank may be better by now."""
        # Over a budget and reached by a way that counts: granted, but no longer decided.
        self._granted.update(row.id for row in rows if row.rank.level == 0)
        self._improved(rows)

    def named(self, url: str, packed: int, row: UrlRow | None) -> None:
        """Reconsider a known sitemap that is named now, or whose decision a crash has lost.

        Without its `row` on file, it has the outcome that follows from its rank if nobody names it.
        """
        if row is None:
            rank = rank_of(packed)
            row = UrlRow(id_of(packed), url, rank, self._policy.outcome_for(url, rank))
        if not (self._policy.is_refused_unnamed(row) or row.outcome is Outcome.CHECKED):
            return
        if self._batch.is_new(row.id):
            self._after_commit.append(row)
        else:
            self._reconsider(row)

    def committed(self, batch: StoreBatch, improved: list[UrlRow]) -> None:
        """Take in what the commit of `batch` changed.

        `improved` are the known URLs whose rank became better by it.
        """
        for response in batch.replaced:
            self._counters.take_back(response)
        self._loops_changed(batch.loop_changes)
        visited, self._after_commit = self._after_commit, []
        newer = {row.id for row in improved}
        for row in visited:
            if row.id not in newer:
                self._reconsider(row)
        self._improved(improved)

    def _loops_changed(self, rows: Iterable[LoopChange]) -> None:
        for row in rows:
            if self._tracker.is_on_file(row.id):  # otherwise it was settled again meanwhile
                self._counters.move(row.old, row.new)
                self._redirects.counts_as(row.url, row.new)

    def _improved(self, rows: list[UrlRow]) -> None:
        for row in {row.id: row for row in rows}.values():
            if self._known.get(row.url) is not None:
                self._known.put(row.url, row.id, row.rank)
            self._decisions.improve_entry(row.id, row.rank)
            visit = self._batch.visit_of(row.id)
            if visit is not None:
                self._carry_on(visit, row)
            else:
                self._reconsider(row)

    def _carry_on(self, visit: VisitRow, row: UrlRow) -> None:
        """Propagate an improvement through a visit that was not committed yet."""
        if visit.outcome is Outcome.CHECKED or is_unread(row.rank, visit.outcome):
            self._after_commit.append(replace(row, outcome=visit.outcome))
        if visit.outcome is Outcome.REDIRECT_LIMIT and self._policy.may_hop(row.rank):
            self._decisions.amend(visit, Outcome.REDIRECT)
            self._redirects.counts_as(row.url, Outcome.REDIRECT)
        self._batch.owe(row.id)

    def _reconsider(self, row: UrlRow) -> None:
        """Decide again about a committed URL with a better rank."""
        outcome = row.outcome
        is_granted = outcome is Outcome.OVER_BUDGET and row.id in self._granted
        self._granted.discard(row.id)
        decided = self._batch.decision(row.id)
        if decided is not None:  # since that commit, but by an older rank maybe
            if is_unread(row.rank, decided):
                self._after_commit.append(replace(row, outcome=decided))
            return
        is_granted |= outcome is Outcome.ENDS_SESSION and self._policy.risky.is_shown(row.url)
        is_granted |= self._policy.is_refused_unnamed(row)
        if outcome in self._policy.reconsidered or is_granted or is_unread(row.rank, outcome):
            new = self._policy.outcome_of(row)
            # What is in memory is decided about when its visit is admitted.
            if new is not outcome and self._tracker.entry(row.id) is None:
                self._change(row, new)
        elif outcome is Outcome.REDIRECT_LIMIT and self._policy.may_hop(row.rank):
            # Its target is in scope, and among the improved rows too, with one hop more.
            self._decisions.decide(row.id, outcome, Outcome.REDIRECT)
            self._redirects.counts_as(row.url, Outcome.REDIRECT)

    def _change(self, row: UrlRow, new: Outcome) -> None:
        if self._policy.stands(row.outcome, new):
            return
        if new.state is UrlState.QUEUED:
            self._decisions.queue(row, new)
        else:
            self._decisions.refuse(row, new)
