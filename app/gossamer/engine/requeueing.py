"""What a commit or a new setting changes about URLs that were decided before.

What is done about a URL follows from its best rank. The project file carries better ranks on to
what a URL leads to, and tells of them after each commit; what was refused or only checked by an
older rank is decided anew here.
"""

from collections.abc import Iterable

from msgspec.structs import replace

from gossamer.engine.cookie_redirects import CookieRedirects
from gossamer.engine.counters import Counters
from gossamer.engine.crawl_policy import Policy, is_unread
from gossamer.engine.known_urls.recent_urls import SeenUrls
from gossamer.engine.pending_batch import PendingBatch
from gossamer.engine.url_decisions import UrlDecisions
from gossamer.engine.url_tracker import UrlTracker
from gossamer.model.outcome import Outcome, UrlState
from gossamer.model.rank import Rank
from gossamer.model.store_batch import LoopChange, StoreBatch, UrlRow, VisitRow


class Reconsideration:
    """Decides anew about known URLs, each once its better rank is committed."""

    def __init__(  # noqa: PLR0913, PLR0917 - each knows something of a known URL
        self,
        policy: Policy,
        known: SeenUrls,
        batch: PendingBatch,
        tracker: UrlTracker,
        decisions: UrlDecisions,
        redirects: CookieRedirects,
        counters: Counters,
    ) -> None:
        """Take the parts that know of URLs."""
        self._policy = policy
        self._known = known
        self._batch = batch
        self._tracker = tracker
        self._decisions = decisions
        self._redirects = redirects
        self._counters = counters
        self._granted: set[int] = set()
        """URLs that may be over a budget, and are to be queued nevertheless."""
        self._after_commit: list[UrlRow] = []
        """URLs to decide about when the batch that holds their visit is committed."""

    @property
    def outcomes(self) -> frozenset[Outcome]:
        """Outcomes that are looked at again when a project is resumed."""
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
        """Look again at what was refused, with a rank that may say otherwise by now."""
        # Over a budget and reached by a way that counts: granted, but not decided any more.
        self._granted.update(row.id for row in rows if row.rank.level == 0)
        self._improved(rows)

    def committed(self, batch: StoreBatch, improved: list[UrlRow]) -> None:
        """Take in what the project file found out when `batch` was committed.

        `improved` are the known URLs whose rank became better by it.
        """
        for status, raw_bytes in batch.replaced:
            self._counters.take_back(status, raw_bytes)
        self._loops_changed(batch.relooped)
        visited, self._after_commit = self._after_commit, []
        newer = {row.id for row in improved}
        for row in visited:
            if row.id not in newer:
                self._reconsider(row)
        self._improved(improved)

    def _loops_changed(self, rows: Iterable[LoopChange]) -> None:
        for row in rows:
            if self._tracker.is_on_file(row.id):  # otherwise it was settled anew meanwhile
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
        """The file could not carry an improvement through a visit that was not committed yet."""
        if visit.outcome is Outcome.CHECKED or is_unread(row.rank, visit.outcome):
            self._after_commit.append(replace(row, outcome=visit.outcome))
        if visit.outcome is Outcome.REDIRECT_LIMIT and self._policy.may_hop(row.rank):
            self._decisions.amend(visit, Outcome.REDIRECT)
            self._redirects.counts_as(row.url, Outcome.REDIRECT)
        self._batch.owe(row.id)

    def _reconsider(self, row: UrlRow) -> None:
        """A committed URL has a better rank: what was decided by the old one may not hold."""
        outcome = row.outcome
        is_granted = outcome is Outcome.OVER_BUDGET and row.id in self._granted
        self._granted.discard(row.id)
        decided = self._batch.decision(row.id)
        if decided is not None:  # since that commit, but by an older rank maybe
            if is_unread(row.rank, decided):
                self._after_commit.append(replace(row, outcome=decided))
            return
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
