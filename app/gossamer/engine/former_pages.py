"""Queues, at the end, pages known from elsewhere that nothing led to in this crawl.

In a recrawl, pages of the previous crawl are only checked: they have no visit and no links, and do
not count as pages, so they raise no issue. In a crawl from an archive, its pages are read like any
other.
"""

from collections.abc import Callable, Collection

from gossamer.engine.batch_recorder import Recorder
from gossamer.engine.crawl_memory import CrawlMemory
from gossamer.engine.interfaces import PageList, Store
from gossamer.engine.url_outcomes import UrlOutcomes
from gossamer.model.discovery_rank import JUST_FORMER, Rank
from gossamer.model.outcome import Outcome, UrlState
from gossamer.model.outcome_details import Detail, DetailCode
from gossamer.model.previous_crawl import PreviousPage
from gossamer.model.visit import Visit

_GONE = frozenset({404, 410})


class FormerPages:
    """Queues such pages, some at a time, whenever nothing else is left to fetch."""

    def __init__(  # noqa: PLR0913, PLR0917 - where pages come from, and where they go
        self,
        pages: PageList | None,
        store: Store,
        memory: CrawlMemory,
        decisions: UrlOutcomes,
        recorder: Recorder,
        position: int,
        rows_per_read: int,
        rank: Rank = JUST_FORMER,
    ) -> None:
        """`pages` lists them, if there is a list; it was looked through up to the id `position`.

        They are reached by this `rank`.
        """
        self._pages = pages
        self._rank = rank
        self._store = store
        self._policy = memory.policy
        self._known = memory.known
        self._batch = memory.batch
        self._decisions = decisions
        self._recorder = recorder
        self._position = position
        self._rows_per_read = rows_per_read
        self._is_through = pages is None
        self.busy = False
        self.stopped = False
        """Set when the crawl ends."""

    @property
    def are_archived(self) -> bool:
        """Whether the pages are those of an archive, which are read whatever else was found."""
        return self._rank != JUST_FORMER

    def begin(self) -> bool:
        """Whether `queue` may have something to do; if so, `busy` is set."""
        is_wanted = self.are_archived or self._policy.settings.check_former_pages
        self.busy = not self._is_through and is_wanted
        return self.busy

    async def queue(self, after: Callable[[], None]) -> None:
        """Queue the next pages, if there are any; then call `after`."""
        try:
            queued = 0
            while not (queued or self._is_through or self.stopped):
                queued = await self._queue_some()
        finally:
            self.busy = False
        after()

    async def _queue_some(self) -> int:
        """Queue pages from the next part of the list; returns how many it had."""
        if self._pages is None:
            return 0
        pages = await self._pages.pages(self._position, self._rows_per_read)
        self._is_through = len(pages) < self._rows_per_read
        await self._recorder.commit()  # the file then shows all there is
        async with self._recorder.undisturbed:
            unknown = await self._unknown(pages)
            parents = await self._store.lookup([page.parent for page in unknown])
            for page in unknown:
                parent = parents.get(page.parent)
                self._add(page.url, 1 if parent is None else parent.id)
            if pages:
                self._position = pages[-1].id
                self._batch.set_base_position(self._position)
        await self._recorder.commit()
        return len(unknown)

    async def _unknown(self, pages: Collection[PreviousPage]) -> list[PreviousPage]:
        """Those of `pages` that this crawl would fetch and does not know."""
        wanted = [
            page
            for page in pages
            if self._known.get(page.url) is None and self._is_in_scope(page.url)
        ]
        known = await self._store.lookup([page.url for page in wanted])
        return [page for page in wanted if page.url not in known]

    def _is_in_scope(self, url: str) -> bool:
        is_queued = self._policy.outcome_for(url, self._rank).state is UrlState.QUEUED
        return is_queued and not self._policy.external(url)

    def _add(self, url: str, parent: int) -> None:
        outcome = self._policy.outcome_for(url, self._rank)
        url_id = self._decisions.add(url, self._rank, outcome, parent, None)
        self._known.put(url, url_id, self._rank)


def became_of(visit: Visit) -> tuple[Outcome, Detail | None]:
    """What became of such a page, by the response to its check."""
    if visit.status is None:  # no response, or robots.txt forbids the request
        return Outcome.NO_LONGER_LINKED, visit.detail
    outcome = Outcome.GONE if visit.status in _GONE else Outcome.NO_LONGER_LINKED
    if visit.location is not None:
        return outcome, DetailCode.STATUS_REDIRECT(status=visit.status, url=visit.location)
    return outcome, DetailCode.STATUS(status=visit.status)
