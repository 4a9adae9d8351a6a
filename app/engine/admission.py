"""What a finished visit changes: new URLs, better ways to known ones, rows to write.

Nothing here waits. Whoever calls has looked up in the project file what memory does not know.
"""

from collections.abc import Iterable
from dataclasses import replace

from app.engine.counters import Counters
from app.engine.frontier import Entry, Frontier
from app.engine.known import KnownUrls, id_of, pack, rank_of, reached_better
from app.engine.policy import (
    RECONSIDERED,
    Policy,
    link_ranks,
    redirect_link,
    redirect_rank,
)
from app.model.outcome import Outcome
from app.model.page import FOLLOWED_KINDS, LinkKind, Visit
from app.model.rows import Batch, Rank, UrlRow, VisitRow
from app.urls.parse import origin


class Admission:
    """Turns visits into rows of the next batch and entries of the frontier."""

    def __init__(
        self, policy: Policy, known: KnownUrls, frontier: Frontier, counters: Counters, last_id: int
    ) -> None:
        """Take the parts that a visit changes, and the highest id given so far."""
        self._policy = policy
        self._known = known
        self._frontier = frontier
        self._counters = counters
        self._last_id = last_id
        self.active: dict[int, Entry] = {}
        """Entries taken from the frontier and not admitted yet, by id."""
        self.batch = Batch()
        """What is to be committed next."""

    @property
    def last_id(self) -> int:
        """The highest id given so far."""
        return self._last_id

    def take_batch(self) -> Batch:
        """The batch so far; a new one begins."""
        batch, self.batch = self.batch, Batch()
        return batch

    def unknown(self, visits: Iterable[Visit]) -> list[str]:
        """The URLs these visits point at that memory does not know: look them up first."""
        if self._known.complete:
            return []
        get = self._known.get
        wanted = {url for visit in visits for url in visit.targets if get(url) is None}
        wanted |= {v.location for v in visits if v.location and get(v.location) is None}
        return list(wanted)

    def found(self, rows: dict[str, UrlRow]) -> None:
        """Take in what the project file knows."""
        for url, row in rows.items():
            self._known.put(url, row.id, row.rank)

    def root(self, url: str) -> None:
        """Admit a root. Does nothing if it is known."""
        if self._known.get(url) is None:
            self._new(url, Rank(0), None, root=True)

    def visited(self, entry: Entry, visit: Visit) -> None:
        """Admit what came of fetching `entry`, for good."""
        outcome = visit.outcome
        links = []
        if visit.targets:
            ranks = link_ranks(entry.rank, visit)
            reached = self._reached
            ids = [
                reached(url, rank, entry.id) for url, rank in zip(visit.targets, ranks, strict=True)
            ]
            links = [(ids[link.target], link) for link in visit.links]
        if outcome is Outcome.REDIRECT and visit.location is not None:
            outcome = self._policy.redirect(visit.location, entry.rank)
            target = self._reached(visit.location, redirect_rank(entry.rank), entry.id)
            links.append((target, redirect_link()))
        self.batch.visits.append(VisitRow(entry.id, visit, outcome, entry.tries, links))
        self._counters.move(Outcome.PENDING, outcome)
        self._counters.answered(visit.status, visit.size_bytes)

    def decided(self, url_id: int, old: Outcome, new: Outcome) -> None:
        """Settle a URL without a visit, or change what was settled."""
        self.batch.decided.append((url_id, new))
        self._counters.move(old, new)

    def improved(self, rows: list[UrlRow]) -> None:
        """Take in better ways to known URLs, as the project file carried them on."""
        if not rows:
            return
        uncommitted = {row.id: number for number, row in enumerate(self.batch.visits)}
        for row in {row.id: row for row in rows}.values():
            if self._known.get(row.url) is not None:
                self._known.put(row.url, row.id, row.rank)
            self._improve_live(row.id, row.rank)
            if row.id in uncommitted:
                self._carry_on(uncommitted[row.id], row.rank)
            self._reconsider(row)

    def _reached(self, url: str, rank: Rank, parent: int) -> int:
        """The id of `url`, which is now (also) reached by `rank` from `parent`."""
        packed = self._known.get(url)
        if packed is None:
            return self._new(url, rank, parent)
        url_id = id_of(packed)
        if reached_better(packed, pack(0, rank)):
            best = best_of(rank, rank_of(packed))
            self._known.put(url, url_id, best)
            self._improve_live(url_id, best)
            self.batch.improved.append((url_id, rank))
        return url_id

    def _new(self, url: str, rank: Rank, parent: int | None, *, root: bool = False) -> int:
        self._last_id = url_id = self._last_id + 1
        refusal = self._policy.refusal(url, rank, root=root)
        outcome = Outcome.PENDING if refusal is None else refusal
        self._known.put(url, url_id, rank)
        self.batch.new.append(UrlRow(url_id, url, rank, outcome, parent))
        self._counters.add(outcome)
        if refusal is None:
            self._frontier.discovered(Entry(url_id, url, rank, parent, origin(url)))
        return url_id

    def _improve_live(self, url_id: int, rank: Rank) -> None:
        entry = self.active.get(url_id) or self._frontier.get(url_id)
        if entry is not None:
            entry.rank = best_of(rank, entry.rank)

    def _carry_on(self, number: int, rank: Rank) -> None:
        """The file could not carry an improvement through a visit that was not committed yet."""
        row = self.batch.visits[number]
        if row.outcome is Outcome.REDIRECT_LIMIT and self._policy.may_hop(rank):
            self.batch.visits[number] = replace(row, outcome=Outcome.REDIRECT)
            self._counters.move(row.outcome, Outcome.REDIRECT)
        for target, link in row.links:
            if link.kind is LinkKind.REDIRECT:
                self.batch.improved.append((target, redirect_rank(rank)))
            elif link.kind in FOLLOWED_KINDS:
                depth = 0 if rank.depth is None else rank.depth + 1
                self.batch.improved.append((target, Rank(depth)))

    def _reconsider(self, row: UrlRow) -> None:
        if row.outcome in RECONSIDERED:
            refusal = self._policy.refusal(row.url, row.rank)
            outcome = Outcome.PENDING if refusal is None else refusal
            if outcome is not row.outcome:
                self.decided(row.id, row.outcome, outcome)
            if refusal is None:
                self._frontier.readmitted(
                    Entry(row.id, row.url, row.rank, row.parent, origin(row.url))
                )
        elif row.outcome is Outcome.REDIRECT_LIMIT and self._policy.may_hop(row.rank):
            # Its target is in scope, and among the improved rows too, with one hop more.
            self.decided(row.id, row.outcome, Outcome.REDIRECT)


def best_of(a: Rank, b: Rank) -> Rank:
    """The better of each part."""
    if a.depth is None or b.depth is None:
        return b if a.depth is None else a
    return Rank(min(a.depth, b.depth), min(a.hops, b.hops))
