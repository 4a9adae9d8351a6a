"""What a person does to some URLs while the crawl runs: take them out, or ask again."""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import replace

from msgspec import structs

from app.engine.admission import Admission
from app.engine.frontier import Frontier
from app.engine.policy import Policy
from app.engine.ports import Store
from app.engine.recorder import Recorder
from app.model.messages import Act, Action, Selection
from app.model.outcome import Outcome, UrlState
from app.model.page import Visit
from app.model.rows import UrlRow
from app.model.settings import CrawlSettings
from app.urls.patterns import folder_pattern

_PART = 10_000
"""URLs that are dealt with between two commits."""
_ASKED = frozenset({UrlState.DONE, UrlState.FAILED})


class Deeds:
    """Carries out acts on selections of URLs, wherever these are: in flight, in memory, on file."""

    def __init__(  # noqa: PLR0913, PLR0917 - each knows of some URLs, or what is to become of them
        self,
        settings: CrawlSettings,
        store: Store,
        admission: Admission,
        frontier: Frontier,
        recorder: Recorder,
        policy: Policy,
        tasks: Mapping[int, asyncio.Task[Visit | None]],
    ) -> None:
        """Take the settings as stored, the parts that know where a URL is, and tasks by id."""
        self._settings = settings
        self._busy = 0
        self._store = store
        self._admission = admission
        self._frontier = frontier
        self._recorder = recorder
        self._policy = policy
        self._tasks = tasks

    @property
    def busy(self) -> bool:
        """Whether an act is being carried out."""
        return self._busy > 0

    async def act(self, act: Act) -> None:
        """Carry out `act`."""
        self._busy += 1
        try:
            await self._act(act)
        finally:
            self._busy -= 1

    async def _act(self, act: Act) -> None:
        match act.action:
            case Action.CANCEL:
                await self._each(act.selection, self._take_out)
            case Action.RECRAWL:
                await self._each(act.selection, self._ask_again)
            case Action.EXCLUDE if act.selection.folder:
                await self._add_exclude(folder_pattern(act.selection.folder))
                await self._each(Selection(folder=act.selection.folder), self._exclude)

    async def _add_exclude(self, pattern: str) -> None:
        exclude = self._settings.exclude
        if pattern not in exclude:
            self._settings = structs.replace(self._settings, exclude=(*exclude, pattern))
            self._policy.exclude(pattern)
            await self._store.change_settings(self._settings)

    async def _each(self, selection: Selection, deed: Callable[[UrlRow], None]) -> None:
        """Do `deed` to each URL of the selection, a bounded number between two commits."""
        await self._recorder.commit()
        last_id, after = self._admission.last_id, 0
        while after < last_id:
            async with self._recorder.undisturbed:
                # What a look into the file shows holds but for what memory knows.
                rows = await self._store.selected(selection, after, _PART)
                for row in rows:
                    deed(row)
            after = rows[-1].id if len(rows) == _PART else last_id
            await self._recorder.commit()

    def _take_out(self, row: UrlRow) -> None:
        self._withdraw(row, Outcome.CANCELLED)

    def _exclude(self, row: UrlRow) -> None:
        self._withdraw(row, Outcome.EXCLUDED)

    def _withdraw(self, row: UrlRow, outcome: Outcome) -> None:
        task = self._tasks.get(row.id)
        if task is not None:
            self._admission.active[row.id].withdrawn = outcome
            task.cancel()
            return
        entry = self._frontier.withdraw(row.id)
        if entry is None:
            if row.outcome.state is not UrlState.QUEUED or self._admission.has_taken(row.id):
                return
            entry = self._admission.entry(row)
        self._admission.settle(entry, outcome)
        self._recorder.soon()

    def _ask_again(self, row: UrlRow) -> None:
        if row.outcome.state is UrlState.QUEUED or self._admission.has_taken(row.id):
            return
        fate = self._policy.fate(row.url, row.rank, root=row.parent is None)
        if fate.state is not UrlState.QUEUED and row.outcome.state in _ASKED:
            fate = Outcome.PENDING_CHECK
        if fate.state is UrlState.QUEUED:
            self._admission.decided(row.id, row.outcome, fate)
            self._frontier.readmitted(self._admission.entry(replace(row, outcome=fate)))
            self._recorder.soon()
