"""What a finished visit changes: new URLs, better ways to known ones, rows to write.

Nothing here waits. Whoever calls has looked up in the project file what memory does not know.
"""

from collections.abc import Iterable

from msgspec.structs import replace

from gossamer.engine.cookie_redirects import CookieRedirect, CookieRedirects, explained
from gossamer.engine.counters import Counters
from gossamer.engine.frontier import Frontier
from gossamer.engine.host_queues import FrontierEntry
from gossamer.engine.link_sources import LinkSource
from gossamer.engine.policy import (
    REDIRECT_LINK,
    LinkPath,
    Policy,
    is_no_sitemap,
    is_unread,
    link_ways,
)
from gossamer.engine.seen_urls import RANK_BITS, SeenUrls, id_of, rank_of, reached_better, tied
from gossamer.engine.trap_budgets import TrapBudgets
from gossamer.model.folder_priority import QueuePriority
from gossamer.model.outcome import Outcome, UrlState
from gossamer.model.page import NO_LINKS, Visit
from gossamer.model.store_batch import (
    JUST_RECORDED,
    READ_OTHERWISE,
    SITEMAP,
    SITEMAP_READ,
    LinkRows,
    LoopChange,
    Rank,
    StoreBatch,
    UrlRow,
    VisitRow,
)
from gossamer.urls.parse import host_of


class Admission:
    """Turns visits into rows of the next batch and entries of the frontier."""

    def __init__(
        self,
        policy: Policy,
        traps: TrapBudgets,
        known: SeenUrls,
        frontier: Frontier,
        counters: Counters,
        last_id: int,
    ) -> None:
        """Take the parts that a visit changes, and the highest id given so far."""
        self._policy = policy
        self._traps = traps
        self._known = known
        self._frontier = frontier
        self._counters = counters
        self._last_id = last_id
        self._lifted: set[int] = set()
        """URLs that may be over a budget, reached from outside their pattern meanwhile."""
        self._to_settle: list[UrlRow] = []
        """URLs to reconsider when the batch that holds their check is committed."""
        self._walls = CookieRedirects()
        self.active: dict[int, FrontierEntry] = {}
        """Entries taken from the frontier and not admitted yet, by id."""
        self.batch = StoreBatch()
        """What is to be committed next."""
        self.weight = 0
        """The links in it."""
        self._decided: dict[int, Outcome] = {}
        """What the batch decides, by the URL's id."""
        self._visited: dict[int, int] = {}
        """Where in the batch the visits stand, by the URL's id."""

    @property
    def last_id(self) -> int:
        """The highest id given so far."""
        return self._last_id

    @property
    def reconsidered(self) -> frozenset[Outcome]:
        """Outcomes that are looked at again when a project is resumed."""
        others = {Outcome.REDIRECT_LIMIT, Outcome.OVER_BUDGET, Outcome.NO_SITEMAP}
        return self._policy.reconsidered | others

    def resumed(self, rows: list[UrlRow]) -> None:
        """Look again at what was refused, with a rank that may say otherwise by now."""
        # Over a budget and reached by a way that counts: lifted, but not decided any more.
        self._lifted.update(row.id for row in rows if row.rank.level == 0)
        self._reached_better(rows)

    def take_batch(self) -> StoreBatch:
        """The batch so far; a new one begins."""
        batch, self.batch = self.batch, StoreBatch()
        batch.budgets = self._traps.changed()
        self._decided.clear()
        self._visited.clear()
        self.weight = 0
        return batch

    def has_taken(self, url_id: int) -> bool:
        """Whether a URL is no longer in the queue, though the project file says so."""
        return url_id in self.active or url_id in self._decided or url_id in self._visited

    def entry(self, row: UrlRow) -> FrontierEntry:
        """The frontier's entry for a queued URL."""
        return self._entry(replace(row, outcome=self._policy.queued_as(row)))

    def _entry(self, row: UrlRow) -> FrontierEntry:
        url, outcome = row.url, row.outcome
        entry = FrontierEntry(row.id, url, row.rank, row.parent, host_of(url), outcome)
        entry.external = outcome is Outcome.PENDING_CHECK and self._policy.external(url)
        entry.first = self._policy.turn(url) is QueuePriority.FIRST
        entry.lane = self._traps.lane(row.parent)
        return entry

    def root(self, url: str) -> None:
        """Admit a root. Does nothing if it is known."""
        if self._known.get(url) is None:
            rank = Rank(0)
            self._new(url, rank, self._policy.fate(url, rank, root=True), None)

    def sitemap(self, url: str) -> None:
        """Admit a sitemap that the person or robots.txt names."""
        packed = self._known.get(url)
        if packed is None:
            self._new(url, SITEMAP, Outcome.PENDING_SITEMAP, None)
        elif reached_better(packed, SITEMAP):
            if rank_of(packed).level > 0:
                self._lifted.add(id_of(packed))
            self._reached_by(url, packed, SITEMAP)

    def visited(self, entry: FrontierEntry, visit: Visit) -> None:
        """Admit what came of fetching `entry`, for good."""
        if self._asked_otherwise(entry, visit) or self._is_no_sitemap(entry, visit):
            return
        visit = explained(entry, visit)
        wall = self._wall(entry, visit)
        if wall is not None and wall.entry is entry:
            self._frontier.readmitted(self._walls.asked_again(wall))
            return
        outcome = visit.outcome
        source = self._traps.arrived(entry.url, entry.rank.depth, visit, entry.id, entry.parent)
        links = self._linked(entry, visit, source) if visit.targets else LinkRows()
        if visit.location is not None:
            outcome, target = self._redirected(entry, visit.location, source)
            links = LinkRows.of([*links, (target, *REDIRECT_LINK)])
        self._traps.left(source)
        self._visited[entry.id] = len(self.batch.visits)
        # The texts of targets would fill memory until the batch is committed.
        visit = replace(visit, targets=[], links=NO_LINKS)
        self.batch.visits.append(VisitRow(entry.id, visit, outcome, entry.tries, links))
        self.weight += len(links)
        self._counters.move(entry.outcome, outcome)
        self._counters.answered(visit.status, visit.raw_bytes)
        if wall is not None:
            self._ask_again(wall)

    def _asked_otherwise(self, entry: FrontierEntry, visit: Visit) -> bool:
        """Whether it was asked in another way than is known to be wanted by now, and is again."""
        if not (entry.rank.as_sitemap or visit.outcome is Outcome.CHECKED):
            return False
        fate = self._policy.other_fate(entry)
        if fate is None or visit.outcome not in READ_OTHERWISE:
            return False
        row = UrlRow(entry.id, entry.url, entry.rank, entry.outcome, entry.parent)
        self.queued(row, fate, held=entry.holds)
        return True

    def _is_no_sitemap(self, entry: FrontierEntry, visit: Visit) -> bool:
        """Whether a sitemap was looked for in vain; that one was read is noted."""
        if entry.outcome is not Outcome.PENDING_SITEMAP:
            return False
        if is_no_sitemap(entry.url, entry.rank, visit):
            self.decided(entry.id, entry.outcome, Outcome.NO_SITEMAP)
            return True
        if visit.outcome in READ_OTHERWISE:
            self.batch.improved.append((entry.id, replace(entry.rank, listed=SITEMAP_READ)))
        return False

    def _wall(self, entry: FrontierEntry, visit: Visit) -> CookieRedirect | None:
        """The redirect that this one opens a way through, if it is one and does."""
        if visit.location is None:
            return None
        return self._walls.opened(entry, visit, self._policy.redirect(visit.location, entry.rank))

    def _ask_again(self, wall: CookieRedirect) -> None:
        """Ask a URL again that was a redirect to a place from where a redirect leads back."""
        entry = wall.entry
        if entry.id in self.active or self._frontier.get(entry.id) is not None:
            return
        if entry.id in self._visited:  # otherwise the file says when the answer is replaced
            del self.batch.visits[self._visited[entry.id]]
            self._visited = {row.id: number for number, row in enumerate(self.batch.visits)}
            self._counters.taken_back(wall.status, wall.raw_bytes)
        self.decided(entry.id, wall.outcome, entry.outcome)
        self._frontier.readmitted(self._walls.asked_again(wall))

    def queued(self, row: UrlRow, outcome: Outcome, *, held: bool = False) -> None:
        """Queue a known URL anew; or hold it back, if that is decided about its folder."""
        if held or self._policy.turn(row.url) is QueuePriority.HELD:
            self.decided(row.id, row.outcome, Outcome.HELD)
            return
        self.decided(row.id, row.outcome, outcome)
        self._frontier.readmitted(self.entry(replace(row, outcome=outcome)))

    def decided(self, url_id: int, old: Outcome, new: Outcome, detail: str = "") -> None:
        """Settle a URL without a visit, or change what was settled."""
        self._decided[url_id] = new
        self.batch.decided.append((url_id, new, detail))
        self._counters.move(old, new)

    def replaced(self, answers: Iterable[tuple[int | None, int]]) -> None:
        """Later answers of the same URLs took the place of these in the project file."""
        for status, raw_bytes in answers:
            self._counters.taken_back(status, raw_bytes)

    def relooped(self, rows: Iterable[LoopChange]) -> None:
        """Take in which redirects turned out to be loops, as the project file found them."""
        for row in rows:
            if not self.has_taken(row.id):  # otherwise it was settled anew meanwhile
                self._counters.move(row.old, row.new)
                self._walls.counts_as(row.url, row.new)

    def settle(self, entry: FrontierEntry, outcome: Outcome) -> None:
        """Settle a queued URL without a visit, with what there is to say about it."""
        self.decided(entry.id, entry.outcome, outcome, self._policy.detail(entry.url, outcome))

    def improved(self, rows: list[UrlRow]) -> None:
        """Take in better ways to known URLs, as the project file carried them on."""
        settled, self._to_settle = self._to_settle, []
        newer = {row.id for row in rows}
        for row in settled:
            if row.id not in newer:
                self._reconsider(row)
        self._reached_better(rows)

    @property
    def has_left_out(self) -> bool:
        """Whether a budget left anything out."""
        return bool(self._counters.outcomes.get(Outcome.OVER_BUDGET))

    def lift(self, row: UrlRow, rank: Rank) -> None:
        """Queue what a budget had left out, as if a better way to it was found."""
        self._lifted.add(row.id)
        if self._known.get(row.url) is not None:
            self._known.put(row.url, row.id, row.rank.merged(rank))
        self.batch.improved.append((row.id, rank))

    def _reached_better(self, rows: list[UrlRow]) -> None:
        for row in {row.id: row for row in rows}.values():
            if self._known.get(row.url) is not None:
                self._known.put(row.url, row.id, row.rank)
            self._improve_live(row.id, row.rank)
            if row.id in self._visited:
                self._carry_on(self._visited[row.id], row)
            else:
                self._reconsider(row)

    # ---------------------------------------------------------------- links and redirects

    def _redirected(
        self, entry: FrontierEntry, location: str, source: LinkSource
    ) -> tuple[Outcome, int]:
        rank = entry.rank.redirected()
        if entry.external:  # it is only checked, and so is what it leads to, where that is too deep
            rank = replace(rank, as_file=True)
        outcome = self._policy.redirect(location, entry.rank)
        return outcome, self._reached(location, LinkPath.of(rank), entry, source)

    def _linked(self, entry: FrontierEntry, visit: Visit, source: LinkSource) -> LinkRows:
        actions = self._policy.actions(visit)
        ways = link_ways(entry.rank, visit, actions)
        recent, older = self._known.recent, self._known.older
        # Nearly every link of a site leads to where others have led before, no worse.
        known = [recent(url) or older(url) or 0 for url in visit.targets]
        fates = {} if all(known) else self._policy.fates(visit.targets, ways, known)
        if fates:
            new = sum(fate is Outcome.PENDING for fate in fates.values())
            depths = [way.depth for way in ways] if new > 1 else []
            near = tied(known, depths, entry.id, entry.rank.depth) if new > 1 else 0
            self._traps.leads(source, new, near)
        ids = [
            packed >> RANK_BITS
            if packed and packed & way.betters <= way.depth
            else self._reached(url, way, entry, source, fates.get(url))
            for url, way, packed in zip(visit.targets, ways, known, strict=True)
        ]
        return LinkRows([ids[target] for target in visit.links.targets], actions, visit.links)

    def _reached(
        self,
        url: str,
        way: LinkPath,
        entry: FrontierEntry,
        source: LinkSource,
        fate: Outcome | None = None,
    ) -> int:
        """The id of `url`, now reached by `way` too; `fate` is what becomes of it if it is new."""
        packed = self._known.get(url)
        rank = way.rank
        if packed is None:
            fate = self._policy.fate(url, rank) if fate is None else fate
            over = self._budget_refusing(url, way, fate, source)
            return self._new(url, rank, Outcome.OVER_BUDGET if over else fate, entry, over)
        url_id = id_of(packed)
        if not reached_better(packed, rank):
            return url_id
        if rank_of(packed).level > 0 and rank.level == 0:
            if not rank.listed and self._traps.exhausted(url, source):
                return url_id
            self._lifted.add(url_id)
        self._reached_by(url, packed, rank)
        return url_id

    def _reached_by(self, url: str, packed: int, rank: Rank) -> None:
        """A known URL is reached by a better way than all before."""
        url_id, best = id_of(packed), rank_of(packed).merged(rank)
        self._known.put(url, url_id, best)
        self._improve_live(url_id, best)
        self.batch.improved.append((url_id, rank))

    def _budget_refusing(self, url: str, way: LinkPath, fate: Outcome, source: LinkSource) -> str:
        """The budget that keeps a URL nobody knew from being queued; "" if none does."""
        is_page = fate is Outcome.PENDING and not way.rank.listed  # sitemaps have an end
        is_counted = (is_page and not way.rank.hops) or fate is Outcome.PENDING_SITEMAP
        return (is_counted and self._traps.refusal(url, source)) or ""

    def _new(
        self, url: str, rank: Rank, fate: Outcome, source: FrontierEntry | None, detail: str = ""
    ) -> int:
        self._last_id = url_id = self._last_id + 1
        if fate.state is UrlState.QUEUED and self._is_held(url, source):
            fate = Outcome.HELD
        if fate is Outcome.OVER_BUDGET:
            rank = JUST_RECORDED  # so that any way from outside its pattern is a better one
        parent = None if source is None else source.id
        row = UrlRow(url_id, url, rank, fate, parent, detail or self._policy.detail(url, fate))
        self._known.put(url, url_id, rank)
        self.batch.new.append(row)
        self._counters.add(fate)
        if fate.state is UrlState.QUEUED:
            self._frontier.discovered(self._entry(row))
        return url_id

    def _is_held(self, url: str, source: FrontierEntry | None) -> bool:
        return (source is not None and source.holds) or self._policy.turn(url) is QueuePriority.HELD

    def _improve_live(self, url_id: int, rank: Rank) -> None:
        waiting = self._frontier.get(url_id)
        entry = waiting or self.active.get(url_id)
        if entry is None:
            return
        entry.rank = entry.rank.merged(rank)
        if waiting and (fate := self._policy.other_fate(waiting)) is not None:
            self.decided(url_id, waiting.outcome, fate)
            waiting.outcome = fate

    def _carry_on(self, number: int, url_row: UrlRow) -> None:
        """The file could not carry an improvement through a visit that was not committed yet."""
        row = self.batch.visits[number]
        if row.outcome is Outcome.CHECKED or is_unread(url_row.rank, row.outcome):
            self._to_settle.append(replace(url_row, outcome=row.outcome))
        if row.outcome is Outcome.REDIRECT_LIMIT and self._policy.may_hop(url_row.rank):
            self.batch.visits[number] = replace(row, outcome=Outcome.REDIRECT)
            self._counters.move(row.outcome, Outcome.REDIRECT)
            self._walls.counts_as(url_row.url, Outcome.REDIRECT)
        self.batch.owed.append(url_row.id)

    def _reconsider(self, row: UrlRow) -> None:
        """A committed URL has a better rank: what was decided by the old one may not hold."""
        outcome = row.outcome
        lifted = outcome is Outcome.OVER_BUDGET and row.id in self._lifted
        self._lifted.discard(row.id)
        if row.id in self._decided:  # since the commit that tells of it, but by an older rank maybe
            decided = self._decided[row.id]
            if is_unread(row.rank, decided):
                self._to_settle.append(replace(row, outcome=decided))
            return
        if outcome in self._policy.reconsidered or lifted or is_unread(row.rank, outcome):
            fate = self._policy.fate_of(row)
            if fate is not outcome and self._frontier.get(row.id) is None:
                self._change(row, fate)
        elif outcome is Outcome.REDIRECT_LIMIT and self._policy.may_hop(row.rank):
            # Its target is in scope, and among the improved rows too, with one hop more.
            self.decided(row.id, outcome, Outcome.REDIRECT)
            self._walls.counts_as(row.url, Outcome.REDIRECT)

    def _change(self, row: UrlRow, fate: Outcome) -> None:
        if self._policy.stands(row.outcome, fate):
            return
        if row.id in self.active:
            return  # `visited` sees to it
        if fate.state is UrlState.QUEUED:
            self.queued(row, fate)
        else:
            self.decided(row.id, row.outcome, fate, self._policy.detail(row.url, fate))
