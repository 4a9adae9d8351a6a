"""A project file in memory: the engine's Store, written for clarity. One contract test runs on
this one and on the real one.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Collection, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from functools import lru_cache

from msgspec.structs import replace

from gossamer.model.crawl_state import CrawlState
from gossamer.model.discovery_rank import READ_OTHERWISE, RECORDED, Rank, SitemapRole
from gossamer.model.errors import ProjectError
from gossamer.model.link_kinds import LinkAction, LinkKind
from gossamer.model.messages.crawl_messages import UrlSelection
from gossamer.model.outcome import ERROR_OUTCOMES, Outcome, UrlState
from gossamer.model.outcome_details import Detail
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.site_checks import SiteCheck, SiteCheckRow
from gossamer.model.store_batch import (
    LoopChange,
    ProjectSummary,
    RobotsRow,
    StoreBatch,
    UrlRow,
    VisitRow,
)
from gossamer.urls.url_parsing import host_of

_QUEUED = frozenset(outcome for outcome in Outcome if outcome.state is UrlState.QUEUED)
_FROM_SITEMAPS = frozenset({LinkKind.SITEMAP, LinkKind.SITEMAP_INDEX})

_host_of = lru_cache(100_000)(host_of)


class MemoryStore:
    """Rows in dictionaries. `fail_at` makes the commit with that number (from 1) fail."""

    def __init__(self, settings: CrawlSettings) -> None:
        self.settings = settings
        self.urls: dict[int, UrlRow] = {}
        self._ids: dict[str, int] = {}
        self.visits: dict[int, VisitRow] = {}
        self._onward: dict[int, int] = {}
        """Where the redirects of visits lead."""
        self.robots: dict[str, RobotsRow] = {}
        self.site_checks: dict[tuple[str, SiteCheck], SiteCheckRow] = {}
        self.risky: dict[int, str] = {}
        self.spent: dict[str, int] = {}
        self.owed: set[tuple[int, int]] = set()
        self.state = CrawlState.NEW
        self.seconds = 0.0
        self.base_position = 0
        self.commits = 0
        self.fail_at: int | None = None
        self.gate: asyncio.Event | None = None
        """While it is not set, commits wait: a slow disk."""
        self.delay_s: Callable[[], float] = lambda: 0.0
        """How long each call waits before it looks or writes, and again before it answers."""
        self._turn: asyncio.Lock | None = None

    async def summary(self) -> ProjectSummary:
        statuses: dict[int, int] = {}
        outcomes: dict[Outcome, int] = {}
        for row in self.urls.values():
            outcomes[row.outcome] = outcomes.get(row.outcome, 0) + 1
        for visit in self.visits.values():
            if visit.visit.status is not None:
                statuses[visit.visit.status] = statuses.get(visit.visit.status, 0) + 1
        return ProjectSummary(
            settings=self.settings,
            state=self.state,
            seconds=self.seconds,
            last_id=max(self.urls, default=0),
            received_bytes=sum(v.visit.received_bytes for v in self.visits.values()),
            statuses=statuses,
            outcomes=outcomes,
            unchanged=sum(v.visit.counted.is_unchanged for v in self.visits.values()),
            base_position=self.base_position,
            site_checks=tuple(
                SiteCheckRow(row.origin, row.kind, row.url, row.outcome)
                for _, row in sorted(self.site_checks.items())
            ),
            risky={self.urls[url_id].url: words for url_id, words in sorted(self.risky.items())},
        )

    async def commit(self, batch: StoreBatch) -> list[UrlRow]:
        async with self._call():
            if self.gate is not None:
                await self.gate.wait()
            return self._commit(batch)

    async def lookup(self, urls: Sequence[str]) -> dict[str, UrlRow]:
        async with self._call():
            return {url: self.urls[self._ids[url]] for url in urls if url in self._ids}

    async def budgets(self, limit: int) -> dict[str, int]:
        async with self._call():
            return dict(sorted(self.spent.items(), key=lambda kept: -kept[1])[:limit])

    async def selected(self, selection: UrlSelection, after: int, limit: int) -> list[UrlRow]:
        async with self._call():
            chosen = (row for row in self.urls.values() if self._is_in(row, selection))
            return self._page(chosen, after, limit)

    def _is_in(self, row: UrlRow, selection: UrlSelection) -> bool:
        above: UrlRow | None = row
        while above is not None and above.id != selection.below:
            above = self.urls.get(above.parent or 0)
        return (
            (not selection.ids or row.id in selection.ids)
            and row.url.startswith(selection.folder)
            and (selection.below is None or above is not None)
            and (not selection.failed or row.outcome in ERROR_OUTCOMES)
            and (not selection.queued or row.outcome.state is UrlState.QUEUED)
        )

    async def by_id(self, ids: Sequence[int]) -> list[UrlRow]:
        async with self._call():
            return [self.urls[url_id] for url_id in sorted(set(ids)) if url_id in self.urls]

    async def queued(self, host: str, after: int, limit: int) -> list[UrlRow]:
        async with self._call():
            rows = (row for row in self._queued() if _host_of(row.url) == host)
            return self._page(rows, after, limit)

    async def queued_hosts(self, after: str, limit: int) -> list[UrlRow]:
        async with self._call():
            by_host: dict[str, UrlRow] = {}
            for row in sorted(self._queued(), key=lambda row: row.id):
                by_host.setdefault(_host_of(row.url), row)
            return [by_host[host] for host in sorted(by_host) if host > after][:limit]

    async def listed_dates(self, after: int, limit: int) -> list[tuple[int, str, str]]:
        async with self._call():
            dates: dict[int, list[str]] = {}
            for visit in self.visits.values():
                for target, _, link in visit.links:
                    if link.kind is LinkKind.SITEMAP and link.text:
                        dates.setdefault(target, []).append(link.text)
            rows = (row for row in self._queued() if row.id in dates)
            return [
                (row.id, row.url, " ".join(dates[row.id])) for row in self._page(rows, after, limit)
            ]

    async def refused(self, outcomes: Collection[Outcome], after: int, limit: int) -> list[UrlRow]:
        async with self._call():
            rows = (row for row in self.urls.values() if _is_refused(row, outcomes))
            return self._page(rows, after, limit)

    async def left_out(self, before: int, limit: int) -> list[UrlRow]:
        async with self._call():
            rows = (row for row in self.urls.values() if row.outcome is Outcome.OVER_BUDGET)
            return sorted((r for r in rows if r.id < before), key=lambda r: -r.id)[:limit]

    def by_url(self) -> dict[str, UrlRow]:
        """The rows by URL."""
        return {row.url: row for row in self.urls.values()}

    @asynccontextmanager
    async def _call(self) -> AsyncIterator[None]:
        """One call at a time, as on the one thread of the real store."""
        self._turn = self._turn or asyncio.Lock()
        async with self._turn:
            await asyncio.sleep(self.delay_s())
            yield
            await asyncio.sleep(self.delay_s())

    def _commit(self, batch: StoreBatch) -> list[UrlRow]:
        self.commits += 1
        if self.commits == self.fail_at:
            raise ProjectError("The disk is full; make room and resume.")
        for new in batch.new:
            self.add(new)
        for url_id, outcome, detail in batch.decided:
            self._decide(url_id, outcome, detail)
        for visit in batch.visits:
            before = self.visits.get(visit.id)
            if before is not None:
                batch.replaced.append(before.visit.counted)
            self.visits[visit.id] = visit
            self._note_redirect(visit)
            self._decide(visit.id, visit.outcome)
        if batch.visits:
            batch.loop_changes = self._reloop()
        improved = self._relax(batch)
        self.spent |= batch.budgets
        self.robots |= {row.origin: row for row in batch.robots}
        self.site_checks |= {(row.origin, row.kind): row for row in batch.site_checks}
        self.risky = dict(batch.risky) | self.risky
        self.state = batch.state or self.state
        self.seconds = self.seconds if batch.seconds is None else batch.seconds
        self.base_position = max(self.base_position, batch.base_position or 0)
        self.settings = batch.settings or self.settings
        return improved

    def add(self, row: UrlRow) -> None:
        """Put a URL in that is not there yet."""
        assert row.id not in self.urls, f"id {row.id} was given twice"
        assert row.url not in self._ids, f"{row.url} twice"
        self.urls[row.id] = row
        self._ids[row.url] = row.id

    def _note_redirect(self, visit: VisitRow) -> None:
        self._onward.pop(visit.id, None)
        for target, _, link in visit.links:
            if link.kind is LinkKind.REDIRECT:
                self._onward[visit.id] = target

    def _reloop(self) -> list[LoopChange]:
        """Tell redirects that never end from the others."""
        changed = []
        for row in [self.urls[url_id] for url_id in self._onward]:
            new = self._looked_at(row, loops=_never_ends(row.id, self._onward))
            if row.outcome.is_redirect and new is not row.outcome:
                changed.append(LoopChange(row.id, row.url, row.outcome, new))
                self._decide(row.id, new)
        return changed

    def _looked_at(self, row: UrlRow, *, loops: bool) -> Outcome:
        if loops:
            return Outcome.REDIRECT_LOOP
        if row.outcome is not Outcome.REDIRECT_LOOP:
            return row.outcome
        may_hop = row.rank.hops < self.settings.max_redirects
        return Outcome.REDIRECT if may_hop else Outcome.REDIRECT_LIMIT

    def _queued(self) -> Iterable[UrlRow]:
        return (row for row in self.urls.values() if row.outcome in _QUEUED)

    def _decide(self, url_id: int, outcome: Outcome, detail: Detail | None = None) -> None:
        self.urls[url_id] = replace(self.urls[url_id], outcome=outcome, detail=detail)

    @staticmethod
    def _page(rows: Iterable[UrlRow], after: int, limit: int) -> list[UrlRow]:
        return sorted((r for r in rows if r.id > after), key=lambda r: r.id)[:limit]

    def _relax(self, batch: StoreBatch) -> list[UrlRow]:
        changed: set[int] = set()
        for url_id, rank in batch.improved:
            self._improve(url_id, rank, changed)
        self.owed |= {(self.urls[url_id].rank.depth, url_id) for url_id in batch.owed}
        reach = batch.reach
        while self.owed and reach > 0:
            reach -= self._carry_on(*min(self.owed), changed)
        batch.owing = bool(self.owed)
        return [self.urls[url_id] for url_id in sorted(changed)]

    def _improve(self, url_id: int, rank: Rank, changed: set[int]) -> None:
        row = self.urls[url_id]
        best = row.rank.merged(rank)
        if best != row.rank:
            self.urls[url_id] = replace(row, rank=best)
            if best.redirected() != row.rank.redirected():
                self.owed.add((best.depth, url_id))
            changed.add(url_id)

    def _carry_on(self, depth: int, url_id: int, changed: set[int]) -> int:
        """Carry the rank of one URL on; the cost of that."""
        self.owed.remove((depth, url_id))
        rank = self.urls[url_id].rank
        visit = self.visits.get(url_id)
        if visit is None or depth != rank.depth:
            return 1
        for target, action, link in visit.links:
            row = self.urls[target]
            if row.outcome is Outcome.OVER_BUDGET and row.rank.level:
                continue  # only a link seen by the engine lifts a budget
            if link.kind is LinkKind.REDIRECT:
                self._improve(target, rank.redirected(), changed)
            elif action is LinkAction.FOLLOW and link.kind not in _FROM_SITEMAPS:
                self._improve(target, rank.clicked(), changed)
        return 1 + len(visit.links)


def _never_ends(url_id: int, onward: Mapping[int, int]) -> bool:
    seen = set()
    while url_id in onward and url_id not in seen:
        seen.add(url_id)
        url_id = onward[url_id]
    return url_id in seen


def _is_refused(row: UrlRow, outcomes: Collection[Outcome]) -> bool:
    if row.rank.listed == SitemapRole.SITEMAP and row.outcome in READ_OTHERWISE:
        return True
    return row.outcome in outcomes and (row.rank.depth < RECORDED or row.rank.as_file)
