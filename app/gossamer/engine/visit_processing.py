"""Processes finished visits: new URLs, better ranks, rows to write."""

import asyncio
from collections.abc import Callable, Iterable
from functools import partial

from msgspec.structs import replace

from gossamer.engine.batch_recorder import Recorder
from gossamer.engine.cookie_redirects import with_cookie_detail
from gossamer.engine.crawl_memory import CrawlMemory
from gossamer.engine.follow_policy import REDIRECT_LINK, is_no_sitemap, may_count
from gossamer.engine.interfaces import Store
from gossamer.engine.link_handover import LinkHandover
from gossamer.engine.over_budget_urls import OverBudgetUrls
from gossamer.engine.seen_urls import id_of, improves, rank_of, tied
from gossamer.engine.site_check_requests import SiteChecks
from gossamer.engine.sitemap_dates import SitemapDates
from gossamer.engine.target_ranks import ids_not_reached_better, positions_of_zeros, target_ranks
from gossamer.engine.traps.budget_keys import budget_detail
from gossamer.engine.traps.repeated_content import LinkSource, phrases_hash
from gossamer.engine.url_outcomes import Reconsideration, UrlOutcomes
from gossamer.engine.url_tracker import FrontierEntry, UrlStage
from gossamer.model.discovery_rank import JUST_RECORDED, READ_OTHERWISE, SITEMAP, Rank, SitemapRole
from gossamer.model.messages.shard_messages import LinkBatch
from gossamer.model.outcome import Outcome, UrlState
from gossamer.model.settings.folder_priority import QueuePriority
from gossamer.model.shards import HandedAs, HandedLink
from gossamer.model.store_batch import LinkRows, UrlRow, VisitRow
from gossamer.model.visit import NO_LINKS, Visit
from gossamer.urls.url_parsing import origin, parse_root


class Admission:
    """Turns visits into rows of the pending batch and entries of the frontier."""

    def __init__(
        self,
        memory: CrawlMemory,
        decisions: UrlOutcomes,
        reconsideration: Reconsideration,
        site_checks: SiteChecks,
    ) -> None:
        """`decisions` gives URLs outcomes; `site_checks` requests what is no URL of the crawl."""
        self._site_checks = site_checks
        self._policy = memory.policy
        self._traps = memory.traps
        self._batch = memory.batch
        self._known = memory.known
        self._redirects = memory.redirects
        self._elsewhere = LinkHandover(memory)
        self._decisions = decisions
        self._reconsideration = reconsideration

    def root(self, url: str) -> None:
        """Admit a root. Does nothing if it is known."""
        if self._known.get(url) is None:
            rank = Rank(0)
            self._new(url, rank, self._policy.outcome_for(url, rank, root=True), None)

    def sitemap(self, url: str, row: UrlRow | None = None) -> None:
        """Admit a sitemap that the user or robots.txt names; `row` is that on file."""
        self._policy.named_sitemaps.add(url)
        packed = self._known.get(url)
        if packed is None:
            self._new(url, SITEMAP, self._policy.outcome_for(url, SITEMAP, root=True), None)
        elif improves(packed, SITEMAP):
            if rank_of(packed).level > 0:
                self._reconsideration.grant(id_of(packed))
            self._reached_by(url, packed, SITEMAP)
        else:
            self._reconsideration.named(url, packed, row)

    def handed_over(self, link: HandedLink) -> None:
        """Admit a URL of this shard that a page of another links to and has judged."""
        url, rank = link.url, link.rank
        if link.act:
            self._policy.risky.note_words(url, link.act)
        packed = self._known.get(url)
        if packed is None and not link.referrer:
            self.sitemap(url)
        elif packed is not None and link.handed_as is HandedAs.PROPAGATED:
            self._batch.propagate(id_of(packed), rank)
            self._note_refused(url, rank)
        else:
            page = self._referrer(link.referrer) if packed is None else 0
            source = self._elsewhere.source(link, page)
            self._reached(url, rank, source)
            self._note_refused(url, rank)
        if link.act and (packed := self._known.get(url)) is not None:
            self._batch.add_risky(id_of(packed), link.act)

    def _note_refused(self, url: str, rank: Rank) -> None:
        """Note how deep `url` is by a link of another shard, if a budget has left it out."""
        packed = self._known.get(url)
        if packed is not None and rank.level == 0 and rank_of(packed).level > 0:
            self._batch.note_refused(id_of(packed), rank.depth)

    def _referrer(self, url: str) -> int:
        """The id of a page of another shard, as the parent of what is found on it."""
        packed = self._known.get(url)
        if packed is not None:
            return id_of(packed)
        return self._new(url, JUST_RECORDED, Outcome.OTHER_SHARD, None)

    def admit(self, entry: FrontierEntry, visit: Visit) -> None:
        """Admit the final visit of `entry`."""
        if self._was_asked_otherwise(entry, visit):
            return
        if entry.outcome is Outcome.PENDING_SITEMAP and self._is_no_sitemap(entry, visit):
            return
        if entry.redirected_to:
            visit = with_cookie_detail(entry, visit)
        turned = None
        if visit.location is not None:
            redirect = self._policy.redirect(visit.location, entry.rank)
            turned = self._redirects.to_repeat(entry, visit, redirect)
        if turned is not None and turned.entry is entry:
            self._decisions.ask_at_once(entry, self._redirects.entry_to_repeat(turned))
            return
        outcome = visit.outcome
        source = self._traps.visited(entry.url, entry.rank.depth, visit, entry.id, entry.parent)
        links = self._linked(entry, visit, source) if visit.targets else LinkRows()
        if visit.location is not None:
            outcome, target = self._redirected(entry, visit.location, source)
            links = LinkRows.of([*links, (target, *REDIRECT_LINK)])
        self._traps.finish(source)
        self._site_checks.page_visited(entry, visit)
        # The texts of targets would fill memory until the batch is committed.
        visit = replace(
            visit,
            targets=[],
            links=NO_LINKS,
            says_new=source.is_new,
            phrases_hash=phrases_hash(visit),
        )
        self._decisions.visit(entry, VisitRow(entry.id, visit, outcome, entry.tries, links))
        if turned is not None and not self._decisions.is_in_memory(turned.entry.id):
            self._decisions.ask_again(turned, self._redirects.entry_to_repeat(turned))

    def _was_asked_otherwise(self, entry: FrontierEntry, visit: Visit) -> bool:
        """Queue an entry again if it was requested otherwise than is wanted by now."""
        if not (entry.rank.as_sitemap or visit.outcome is Outcome.CHECKED):
            return False
        wanted = self._policy.better_outcome(entry)
        if wanted is None or visit.outcome not in READ_OTHERWISE:
            return False
        self._decisions.queue_again(entry, wanted)
        return True

    def _is_no_sitemap(self, entry: FrontierEntry, visit: Visit) -> bool:
        """Whether a sitemap was looked for in vain; if one was read, that is noted."""
        if is_no_sitemap(entry.url, entry.rank, visit):
            self._decisions.settle(entry, Outcome.NO_SITEMAP)
            return True
        if visit.outcome in READ_OTHERWISE:
            self._decisions.note_rank(entry.id, replace(entry.rank, listed=SitemapRole.READ))
        return False

    def _redirected(
        self, entry: FrontierEntry, location: str, source: LinkSource
    ) -> tuple[Outcome, int]:
        rank = entry.rank.redirected()
        if entry.external:  # it is only checked, and so is what it leads to, where that is too deep
            rank = replace(rank, as_file=True)
        outcome = self._policy.redirect(location, entry.rank)
        return outcome, self._reached(location, rank, source, held=entry.holds_links)

    def _linked(self, entry: FrontierEntry, visit: Visit, source: LinkSource) -> LinkRows:
        actions = self._policy.actions(visit)
        targets, ranks = visit.targets, target_ranks(entry.rank, visit, actions)
        known = self._known.packed(targets)
        outcomes = {} if all(known) else self._policy.outcomes_for_new(targets, ranks, known)
        if outcomes:
            new = list(outcomes.values()).count(Outcome.PENDING)
            depths = ranks.depths(len(targets)) if new > 1 else []
            owned = self._elsewhere.owned(targets, known) if new > 1 else []
            near = tied(owned, depths, entry.id, entry.rank.depth) if new > 1 else 0
            self._traps.note_targets(source, new, near)
        # Nearly every link of a site leads where others led before with no worse rank.
        ids = ids_not_reached_better(known, ranks)
        for place in positions_of_zeros(ids):
            url, rank = targets[place], ranks.to(place).rank
            outcome = outcomes.get(url)
            ids[place] = self._reached(url, rank, source, outcome, held=entry.holds_links)
        if self._policy.risky:
            self._keep_risky(dict(zip(targets, ids, strict=True)))
        return LinkRows(list(map(ids.__getitem__, visit.links.targets)), actions, visit.links)

    def _keep_risky(self, ids: dict[str, int]) -> None:
        """Store which links look like they sign out or delete."""
        for url, words in self._policy.risky.take_new().items():
            if url in ids:
                self._batch.add_risky(ids[url], words)

    def _reached(
        self,
        url: str,
        rank: Rank,
        source: LinkSource,
        outcome: Outcome | None = None,
        *,
        held: bool = False,
    ) -> int:
        """The id of `url`, now reached from `source` too; if it is new, it gets `outcome`."""
        packed = self._known.get(url)
        if packed is None:
            outcome = self._policy.outcome_for(url, rank) if outcome is None else outcome
            return self._found(url, rank, source, outcome, held=held)
        url_id = id_of(packed)
        if not improves(packed, rank):
            return url_id
        is_elsewhere = self._policy.is_others(url, rank)
        if rank_of(packed).level > 0 and rank.level == 0:
            if is_elsewhere and self._elsewhere.is_counted(url, rank, source):
                self._elsewhere.hand_over(url_id, rank, source)
                return url_id
            if not rank.listed and self._traps.exhausted(url, source):
                return url_id
            self._reconsideration.grant(url_id)
        self._reached_by(url, packed, rank)
        if is_elsewhere:
            self._elsewhere.judge(url_id, source)
        return url_id

    def _found(
        self, url: str, rank: Rank, source: LinkSource, outcome: Outcome, *, held: bool
    ) -> int:
        """The id of an unknown URL, found on `source`."""
        if self._elsewhere.is_elsewhere(url, outcome):
            return self._found_elsewhere(url, rank, source, outcome)
        over = self._budget_refusing(url, rank, outcome, source)
        outcome = Outcome.OVER_BUDGET if over else outcome
        return self._new(url, rank, outcome, source.id, over, held=held)

    def _found_elsewhere(self, url: str, rank: Rank, source: LinkSource, outcome: Outcome) -> int:
        """The id of an unknown URL of another shard.

        While only links lead to it that the other may refuse, no rank is noted here: so any other
        way is a better one, and is handed over as well.
        """
        is_counted = self._elsewhere.is_counted(url, rank, source)
        noted = JUST_RECORDED if is_counted else rank
        url_id = self._new(url, noted, Outcome.OTHER_SHARD, source.id)
        counts = may_count(rank, outcome)
        self._elsewhere.found(url_id, rank, source, is_counted=is_counted, may_count=counts)
        return url_id

    def _reached_by(self, url: str, packed: int, rank: Rank) -> None:
        """Note that a known URL was reached with a better rank than before."""
        before = rank_of(packed)
        url_id, best = id_of(packed), before.merged(rank)
        if before == JUST_RECORDED and rank.level == 0:
            self._policy.risky.show(url)
        self._known.put(url, url_id, best)
        self._decisions.improve(url_id, best, rank)

    def _budget_refusing(self, url: str, rank: Rank, outcome: Outcome, source: LinkSource) -> str:
        """The budget that keeps an unknown URL from being queued; "" if none does."""
        return (may_count(rank, outcome) and self._traps.refusal(url, source)) or ""

    def _new(
        self,
        url: str,
        rank: Rank,
        outcome: Outcome,
        parent: int | None,
        over: str = "",
        *,
        held: bool = False,
    ) -> int:
        outcome = self._policy.outcome_here(url, outcome)
        if outcome.state is UrlState.QUEUED and (held or self._is_held(url)):
            outcome = Outcome.HELD
        if outcome is Outcome.OVER_BUDGET:
            rank = JUST_RECORDED  # so that any way from outside its pattern is a better one
        detail = budget_detail(over) if over else self._policy.detail(url, outcome)
        url_id = self._decisions.add(url, rank, outcome, parent, detail)
        self._known.put(url, url_id, rank)
        return url_id

    def _is_held(self, url: str) -> bool:
        return self._policy.priority(url) is QueuePriority.HELD


class ResultQueue:
    """Processes roots, sitemaps and finished visits in order of arrival."""

    def __init__(
        self,
        store: Store,
        memory: CrawlMemory,
        admission: Admission,
        recorder: Recorder,
        left_out: OverBudgetUrls,
        dates: SitemapDates | None = None,
    ) -> None:
        """`admission` admits; a recrawl has `dates` of sitemaps."""
        self._dates = dates
        self._store = store
        self._policy = memory.policy
        self._tracker = memory.tracker
        self._known = memory.known
        self._shard_links = memory.shard_links
        self._admission = admission
        self._recorder = recorder
        self._left_out = left_out
        self._visits: list[tuple[FrontierEntry, Visit]] = []
        self._sitemaps: list[str] = []
        self._due = asyncio.Event()

    def __len__(self) -> int:
        """The number of items that wait to be admitted."""
        return len(self._visits) + len(self._sitemaps) + len(self._shard_links)

    def put(self, entry: FrontierEntry, visit: Visit) -> None:
        """Add a visit that is final."""
        self._tracker.move(entry, UrlStage.FETCHED)
        self._visits.append((entry, visit))
        self._due.set()

    def put_sitemaps(self, urls: Iterable[str]) -> None:
        """Add sitemaps that a robots.txt names."""
        self._sitemaps += urls
        self._due.set()

    def put_links(self, batch: LinkBatch) -> None:
        """Add links that another shard hands over."""
        self._shard_links.put(batch)
        self._due.set()

    def wake(self) -> None:
        """Wake `run`, so that it checks whether it is done."""
        self._due.set()

    async def seed(self) -> None:
        """Admit the roots; in a resumed project, reconsider what was decided."""
        settings = self._policy.settings
        is_elsewhere = self._policy.is_elsewhere
        parsed = partial(parse_root, hash_routes=settings.crawls_hash_routes)
        roots = [url for url in map(parsed, settings.roots) if not is_elsewhere(url)]
        sitemaps = [url for url in map(parse_root, settings.sitemaps) if not is_elsewhere(url)]
        if settings.use_sitemaps and not settings.obey_robots:
            sitemaps += dict.fromkeys(f"{origin(root)}/sitemap.xml" for root in roots)
        on_file: dict[str, UrlRow] = {}
        if not self._known.complete:
            on_file = await self._store.lookup([*roots, *sitemaps])
            self._known.found(on_file)
            await self._left_out.restore()
            await self._recorder.reconsider()
            await self._left_out.reopen()
            if self._dates is not None:
                await self._dates.recover(self._store)
        for root in roots:
            self._admission.root(root)
        for sitemap in sitemaps:
            self._admission.sitemap(sitemap, on_file.get(sitemap))
        await self._recorder.commit()

    async def run(self, done: Callable[[], bool], after: Callable[[], None]) -> None:
        """Admit what arrives until `done` says so; `after` is called each time."""
        while not done():
            await self._due.wait()
            self._due.clear()
            await self.admit_all()
            after()

    async def admit_all(self) -> None:
        """Admit everything that has arrived."""
        while len(self):
            visits, self._visits = self._visits, []
            sitemaps, self._sitemaps = self._sitemaps, []
            modified: list[str] = []
            if self._dates is not None:
                modified = await self._dates.modified_in([visit for _, visit in visits])
            named = [*sitemaps, *self._shard_links.to_look_up()]
            unknown = self._known.unknown([visit for _, visit in visits], named)
            on_file = await self._store.lookup(unknown) if unknown else {}
            self._known.found(on_file)
            for sitemap in sitemaps:
                self._admission.sitemap(sitemap, on_file.get(sitemap))
            for link in self._shard_links.take():
                self._admission.handed_over(link)
            for entry, visit in visits:
                self._admission.admit(entry, visit)
            if self._dates is not None and modified:
                self._dates.note(modified)
            # Here and nowhere else: between a look-up and its use nothing may be forgotten.
            self._known.trim(self._recorder.committed_id)
            self._recorder.commit_soon()
