"""Answers on their way into the crawl: what memory does not know is looked up, then admitted."""

import asyncio
from collections.abc import Callable

from gossamer.engine.admission import Admission
from gossamer.engine.batch_recorder import Recorder
from gossamer.engine.crawl_policy import Policy
from gossamer.engine.interfaces import Rules, Store
from gossamer.engine.known_urls.recent_urls import SeenUrls
from gossamer.engine.over_budget import OverBudgetUrls
from gossamer.engine.pending_batch import PendingBatch
from gossamer.engine.queue.frontier import Frontier
from gossamer.engine.url_stages import UrlStage
from gossamer.engine.url_tracker import FrontierEntry, UrlTracker
from gossamer.model.store_batch import RobotsRow
from gossamer.model.visit import Visit
from gossamer.urls.url_parsing import host_of, join, origin, parse_root


class ResultQueue:
    """Admits roots, sitemaps and finished visits, in the order they come."""

    def __init__(  # noqa: PLR0913, PLR0917 - what admission needs, each once
        self,
        store: Store,
        admission: Admission,
        batch: PendingBatch,
        tracker: UrlTracker,
        frontier: Frontier,
        known: SeenUrls,
        policy: Policy,
        recorder: Recorder,
        left_out: OverBudgetUrls,
    ) -> None:
        """Take what admission needs around it."""
        self._store = store
        self._policy = policy
        self._frontier = frontier
        self._sites = frozenset(origin(parse_root(root)) for root in policy.settings.roots)
        self._admission = admission
        self._batch = batch
        self._tracker = tracker
        self._known = known
        self._recorder = recorder
        self._left_out = left_out
        self._visits: list[tuple[FrontierEntry, Visit]] = []
        self._sitemaps: list[str] = []
        self._due = asyncio.Event()

    def __len__(self) -> int:
        """How much waits to be admitted."""
        return len(self._visits) + len(self._sitemaps)

    def put(self, entry: FrontierEntry, visit: Visit) -> None:
        """Add a visit that is final."""
        self._tracker.move(entry, UrlStage.ANSWERED)
        self._visits.append((entry, visit))
        self._due.set()

    def put_rules(self, site: str, rules: Rules, row: RobotsRow) -> None:
        """Add the robots.txt of an origin: its delay, and the sitemaps of a site we crawl."""
        now = asyncio.get_running_loop().time()
        self._frontier.set_delay(host_of(f"{site}/"), rules.crawl_delay_s or 0.0, now)
        self._batch.add_robots(row)
        self._recorder.commit_soon()
        if self._policy.settings.use_sitemaps and site in self._sites:
            named = [url for url in (join(f"{site}/", text) for text in rules.sitemaps) if url]
            self._sitemaps += named or [f"{site}/sitemap.xml"]
            self._due.set()

    def wake(self) -> None:
        """Have `run` look whether it is done."""
        self._due.set()

    async def seed(self) -> None:
        """Admit the roots, and look again at what was refused when the project is resumed."""
        settings = self._policy.settings
        roots = [parse_root(root) for root in settings.roots]
        sitemaps = [parse_root(url) for url in settings.sitemaps]
        if settings.use_sitemaps and not settings.obey_robots:
            sitemaps += dict.fromkeys(f"{origin(root)}/sitemap.xml" for root in roots)
        if not self._known.complete:
            self._known.found(await self._store.lookup([*roots, *sitemaps]))
            await self._left_out.restore()
            await self._recorder.reconsider()
            await self._left_out.reopen()
        for root in roots:
            self._admission.root(root)
        for sitemap in sitemaps:
            self._admission.sitemap(sitemap)
        await self._recorder.commit()

    async def run(self, done: Callable[[], bool], after: Callable[[], None]) -> None:
        """Admit what comes until `done` says so; `after` is called each time."""
        while not done():
            await self._due.wait()
            self._due.clear()
            await self.admit_all()
            after()

    async def admit_all(self) -> None:
        """Admit all that has come."""
        while self._visits or self._sitemaps:
            visits, self._visits = self._visits, []
            sitemaps, self._sitemaps = self._sitemaps, []
            unknown = self._known.unknown([visit for _, visit in visits], sitemaps)
            if unknown:
                self._known.found(await self._store.lookup(unknown))
            for sitemap in sitemaps:
                self._admission.sitemap(sitemap)
            for entry, visit in visits:
                self._admission.admit(entry, visit)
            # Here and nowhere else: between a look-up and its use nothing may be forgotten.
            self._known.trim(self._recorder.committed_id)
            self._recorder.commit_soon()
