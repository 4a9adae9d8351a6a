"""What a person decides while the crawl runs: acts on some URLs, and other settings."""

import asyncio

from msgspec.structs import replace

from gossamer.engine.batch_recorder import Recorder
from gossamer.engine.bulk_actions import BulkActions
from gossamer.engine.crawl_policy import Policy
from gossamer.engine.interfaces import Fetcher
from gossamer.engine.over_budget import OverBudgetUrls
from gossamer.engine.pending_batch import PendingBatch
from gossamer.engine.priority_buffer import PriorityBuffer
from gossamer.engine.queue.frontier import Frontier
from gossamer.engine.queue.host_queues import HostRate
from gossamer.model.messages.crawl_messages import Act, Action, Change, UrlSelection
from gossamer.model.outcome import Outcome
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.urls.folder_settings import settings_after

_OF_FOLDERS = frozenset({Action.EXCLUDE, Action.INCLUDE})


class UserCommands:
    """Carries them out one after the other; settings go to the file with the next commit."""

    def __init__(  # noqa: PLR0913, PLR0917 - each decides by settings, or knows of some URLs
        self,
        batch: PendingBatch,
        frontier: Frontier,
        policy: Policy,
        recorder: Recorder,
        priorities: PriorityBuffer,
        left_out: OverBudgetUrls,
        fetcher: Fetcher,
        bulk: BulkActions,
    ) -> None:
        """Take the parts that a decision of the user concerns."""
        self._batch = batch
        self._frontier = frontier
        self._policy = policy
        self._recorder = recorder
        self._priorities = priorities
        self._left_out = left_out
        self._fetcher = fetcher
        self._bulk = bulk
        self._turn = asyncio.Lock()
        self._waiting = 0

    @property
    def busy(self) -> bool:
        """Whether one is being carried out."""
        return self._waiting > 0 or self._left_out.busy

    def stop(self) -> None:
        """Leave undone what is not done: the crawl ends."""
        self._bulk.stopped = self._left_out.stopped = True

    async def act(self, act: Act | Change) -> None:
        """Carry it out. Returns when what it decides is committed."""
        self._waiting += 1
        try:
            async with self._turn:
                await (self._change(act) if isinstance(act, Change) else self._act(act))
        finally:
            self._waiting -= 1

    async def _act(self, act: Act) -> None:
        action, selection = act.action, act.selection
        if action in _OF_FOLDERS and not selection.folder:
            return
        self._go_on_by(settings_after(self._policy.settings, act))
        await self._bulk.do(selection, action)
        if action is Action.FIRST:
            self._priorities.prefer(selection)
            self._recorder.commit_now()

    async def _change(self, change: Change) -> None:
        before = self._policy.settings
        # Folders that were acted on are known here first.
        exclude = dict.fromkeys((*before.exclude, *change.settings.exclude))
        settings = replace(change.settings, turns=before.turns, exclude=tuple(exclude))
        self._go_on_by(settings)
        self._frontier.set_pace(HostRate.of(settings))
        self._fetcher.set_timeout(settings.timeout_s)
        await self._recorder.commit()
        if settings.exclude != before.exclude:
            await self._bulk.do(UrlSelection(), Action.EXCLUDE)
        if settings.max_depth != before.max_depth:
            await self._recorder.reconsider(frozenset({Outcome.TOO_DEEP, Outcome.CHECKED}))
        await self._left_out.change(settings.max_similar)

    def _go_on_by(self, settings: CrawlSettings) -> None:
        if settings != self._policy.settings:
            self._policy.change(settings)
            self._batch.set_settings(settings)
