"""Carries out one run of a schedule, and records its steps."""

import asyncio
import time
from collections.abc import Callable, Coroutine
from contextlib import ExitStack, closing
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple, Protocol

from msgspec.structs import replace

from gossamer.audit.rule_catalogue import RULES
from gossamer.model.comparison_filters import VIEW
from gossamer.model.crawl_state import CrawlState
from gossamer.model.errors import BusyError, FailedCrawlError, KnownError, ProjectError
from gossamer.model.project_queries import View
from gossamer.model.translatable import Translatable, said
from gossamer.notifying.conditions import EndKind
from gossamer.notifying.crawl_notification import CrawlEnd, Told, tell_about, tell_of_no_crawl
from gossamer.scheduling.local_time import local_time
from gossamer.scheduling.pruning import prune_projects
from gossamer.scheduling.run_decision import (
    BeginCrawl,
    NotDue,
    ResumeCrawl,
    decide,
    interrupted_run,
    previous_project_of,
    previous_projects_of,
)
from gossamer.scheduling.run_history import (
    UNFINISHED,
    MadeProject,
    PageChanges,
    RunHistory,
    RunOutcome,
    RunRecords,
    ScheduledRun,
)
from gossamer.scheduling.schedule import Schedule
from gossamer.session.audit_process import audit_project
from gossamer.session.comparison_process import compare_projects, comparison_folder
from gossamer.session.crawl_failure import crawl_failure
from gossamer.session.crawl_session import CrawlSession
from gossamer.session.default_paths import free_project_path
from gossamer.session.known_projects import glance
from gossamer.session.recrawl import start_recrawl
from gossamer.session.series import record_snapshot
from gossamer.session.session_factory import SessionFactory
from gossamer.session.settings_file import settings_of
from gossamer.store import project as project_file
from gossamer.store.comparing.comparison_reader import ComparisonReader

EXIT_INTERRUPTED: Final = 130
EXIT_INCOMPLETE: Final = 8
"""The crawl is there, but a step that follows it failed."""
_RESUMABLE: Final = frozenset({CrawlState.NEW, CrawlState.PAUSED, CrawlState.FINISHED})
"""A cancelled crawl is not: somebody ended it on purpose."""


class CrawlEnding(NamedTuple):
    """How the crawl of a run ended: it finished, unless something is set."""

    is_interrupted: bool = False
    failure: Translatable | None = None
    exit_code: int = 0

    @property
    def is_paused(self) -> bool:
        """Whether it paused by itself: it cannot go on without the user."""
        return self.failure is not None and self.exit_code == EXIT_INTERRUPTED


class Foreground(Protocol):
    """The shell in which a run takes place. It receives interrupts."""

    async def crawl(self, session: CrawlSession) -> CrawlEnding:
        """Crawl to the end or an interrupt, then close the session."""

    async def complete(self, step: Coroutine[None, None, None]) -> bool:
        """Carry a step out; False, and the step cancelled, at an interrupt."""

    def tell(self, sentence: Translatable) -> None:
        """Report to the user and the log."""


class RunEnding(NamedTuple):
    """The outcome of a run and its exit code; or the sentence why there was none."""

    exit_code: int
    run: ScheduledRun | None = None
    not_due: Translatable | None = None
    is_interrupted: bool = False
    """Whether the user ended it, in whatever step: that of a crawl that pauses by itself is not.
    """


async def run_schedule(
    schedule: Schedule,
    shell: Foreground,
    records: RunRecords,
    *,
    only_if_due: bool = False,
    clock: Callable[[], float] = time.time,
) -> RunEnding:
    """Run a schedule now, or only if it is due; the result is in its history.

    BusyError if it runs already, or if its last project is being crawled. Other errors are
    reported, and are a failure of the run.
    """
    with closing(records.lock(schedule.name)):
        known = records.read(schedule.name).with_killed_as_interrupted()
        history = _without_lost_project(known).without_gone()
        now_s = clock()
        now = local_time(now_s)
        last = interrupted_run(history, now)
        decision = decide(
            schedule,
            history,
            now,
            can_resume=last is not None and _can_resume(last),
            only_if_due=only_if_due,
        )
        if isinstance(decision, NotDue):
            return RunEnding(0, not_due=decision.said)
        _ensure_free(schedule, history, decision)
        return await _Run(schedule, shell, records, history, clock).perform(decision, now_s)


def _without_lost_project(history: RunHistory) -> RunHistory:
    """The history, in which an interrupted run whose project is not there has none.

    The run was killed before it could make that, or somebody has deleted it: its crawl is still
    due.
    """
    last = history.runs[-1] if history.runs else None
    if last is None or last.outcome not in UNFINISHED or last.project is None:
        return history
    is_there = Path(last.project).is_file()
    return history if is_there else history.with_run(replace(last, project=None))


def _can_resume(run: ScheduledRun) -> bool:
    if run.project is None:
        return False
    info = glance(Path(run.project))
    return info.trouble is None and (info.held_by is not None or info.state in _RESUMABLE)


def _ensure_free(
    schedule: Schedule, history: RunHistory, decision: BeginCrawl | ResumeCrawl
) -> None:
    """Raise BusyError if the project that the run would begin with is being crawled."""
    project = (
        decision.project
        if isinstance(decision, ResumeCrawl)
        else previous_project_of(schedule, history)
    )
    if project is None or (holder := glance(project).held_by) is None:
        return
    raise BusyError(
        "The schedule {name} cannot run now: {path} is being crawled ({holder}); wait until that "
        "has ended.",
        name=schedule.name,
        path=project,
        holder=holder.said,
    )


class _Run:
    """One run, from its first line in the history to its last."""

    def __init__(
        self,
        schedule: Schedule,
        shell: Foreground,
        records: RunRecords,
        history: RunHistory,
        clock: Callable[[], float],
    ) -> None:
        self._schedule = schedule
        self._shell = shell
        self._records = records
        self._history = history
        self._clock = clock
        self._previous: Path | None = None
        self._run = ScheduledRun(0.0, 0.0)

    async def perform(self, decision: BeginCrawl | ResumeCrawl, now_s: float) -> RunEnding:
        """Carry out all steps; whatever happens, the history says how it ended."""
        resumed = decision if isinstance(decision, ResumeCrawl) else None
        self._keep(ScheduledRun(now_s, now_s if resumed is None else resumed.begun_s))
        try:
            self._previous = self._readable_previous(resumed and resumed.project)
            session = self._session(decision, now_s)
            ending = await self._crawl(session)
            if ending.is_interrupted:
                return self._ended(RunOutcome.INTERRUPTED, EXIT_INTERRUPTED)
            if ending.failure is not None:
                kind = EndKind.PAUSED if ending.is_paused else EndKind.FAILED
                return await self._failed(ending.failure, ending.exit_code, kind)
            if not await self._after_crawl(session.path):
                return self._ended(RunOutcome.INTERRUPTED, EXIT_INTERRUPTED)
        except KnownError as e:
            return await self._failed(e.said, e.exit_code)
        except (asyncio.CancelledError, KeyboardInterrupt):
            self._ended(RunOutcome.INTERRUPTED, EXIT_INTERRUPTED)
            raise
        except BaseException:
            self._ended(RunOutcome.FAILED, 1)
            raise
        if self._run.failures:
            return self._ended(RunOutcome.INCOMPLETE, EXIT_INCOMPLETE)
        return self._ended(RunOutcome.FINISHED, 0)

    def _readable_previous(self, project: Path | None) -> Path | None:
        """The best project to crawl again, by `project` or by a new one, that can be read.

        Those that cannot are failures of the run: they must not keep a schedule from crawling.
        ProjectError if there is none, and neither `project` nor settings to crawl with.
        """
        found: Path | None = None
        unreadable: list[ProjectError] = []
        for path in previous_projects_of(self._schedule, self._history, project):
            try:
                project_file.check(path)
            except ProjectError as e:
                unreadable.append(e)
            else:
                found = path
                break
        has_settings = project is not None or self._schedule.settings is not None
        if found is None and unreadable and not has_settings:
            raise self._moved_away() or unreadable[0]
        for error in unreadable:
            self._fail(error.said)
        return found

    def _moved_away(self) -> ProjectError | None:
        """What to do if the project that the schedule was added with is not where it was."""
        series, project = self._schedule.project_series, Path(self._schedule.project or "")
        if not series or project.exists():
            return None
        return ProjectError(
            "The project {path} is not there any more; if it was moved, say where it is: {command}",
            path=project,
            command=f"gossamer series relink {series[:8]} FOLDER",
        )

    async def _failed(
        self, why: Translatable, exit_code: int, kind: EndKind = EndKind.FAILED
    ) -> RunEnding:
        """Notify that there is no new crawl of the site: by its project, else by the last.

        If there is neither, the notification names the schedule.
        """
        self._fail(why)
        own = None if self._run.project is None else Path(self._run.project)
        if own is not None and own.is_file():
            telling = partial(tell_about, CrawlEnd(own, kind, why))
        elif self._previous is not None and self._previous.is_file():
            run = f"{self._schedule.name} {self._run.started_s}"
            telling = partial(tell_about, CrawlEnd(self._previous, kind, why, run=run))
        else:
            telling = partial(tell_of_no_crawl, self._schedule.name, why)
        is_told = await self._shell.complete(self._tell_by(telling))
        return self._ended(RunOutcome.FAILED, exit_code)._replace(is_interrupted=not is_told)

    def _session(self, decision: BeginCrawl | ResumeCrawl, now_s: float) -> CrawlSession:
        """The session of the crawl; its project is in the history from now on."""
        factory = SessionFactory()
        if isinstance(decision, ResumeCrawl):
            path = decision.project
            self._keep(replace(self._run, project=str(path)))
            session = factory.open(path)
            self._shell.tell(said("Resuming the crawl of {path}.", path=path))
        else:
            folder = Path(self._schedule.folder)
            path = free_project_path(folder, self._schedule.name, local_time(now_s))
            # First its name is remembered, then it is made: a kill in between leaves no orphan.
            self._keep(replace(self._run, project=str(path)))
            session = self._new_session(factory, path)
            self._shell.tell(said("Crawling into {path}.", path=path))
        if all(made.path != str(path) for made in self._history.projects):
            made = MadeProject(str(path), glance(path).created_at)
            self._history = self._history.with_project(made)
            self._keep(self._run)
        return session

    def _new_session(self, factory: SessionFactory, path: Path) -> CrawlSession:
        if self._previous is not None:
            return start_recrawl(self._previous, path, self._changes, sessions=factory)
        settings = settings_of(self._schedule.settings or "")[0]
        return factory.create(replace(settings, **self._changes), path)

    @property
    def _changes(self) -> dict[str, bool]:
        """Settings that hold whatever the crawl before had."""
        wanted = self._schedule.use_sitemaps
        return {} if wanted is None else {"use_sitemaps": wanted}

    async def _crawl(self, session: CrawlSession) -> CrawlEnding:
        """Crawl to the end, unless an earlier run has; FailedCrawlError if that shows no site."""
        ending = CrawlEnding()
        if session.state is CrawlState.FINISHED and not session.progress.queued:
            await session.close()
        else:
            await session.recall_secrets()
            ending = await self._shell.crawl(session)
        if ending == CrawlEnding():
            failure = await asyncio.to_thread(crawl_failure, session.path)
            if failure is not None:
                raise FailedCrawlError(failure)
        return ending

    async def _after_crawl(self, project: Path) -> bool:
        """Everything after a crawl. A failing step does not prevent the others.

        False if it was interrupted.
        """
        self._history = self._history.with_complete(str(project))
        self._keep(self._run)
        steps: tuple[Callable[[Path], Coroutine[None, None, None]], ...] = (
            audit_project,
            _record,
            self._tell,  # before the crawl that this one is compared with may be removed
            self._thin,
        )
        for step in steps:
            try:
                if not await self._shell.complete(step(project)):
                    return False
            except KnownError as e:
                self._fail(e.said)
        return True

    async def _tell(self, project: Path) -> None:
        """Count what has changed since the crawl before, if there is one, and notify."""
        end = CrawlEnd(project, EndKind.FINISHED, before=self._previous)
        with ExitStack() as held:
            if self._previous is not None:
                try:
                    result = held.enter_context(comparison_folder()) / "result.comparison"
                    await self._compare(self._previous, project, result)
                    end = replace(end, comparison=result)
                except KnownError as e:
                    self._fail(e.said)
            await self._tell_by(partial(tell_about, end))

    async def _compare(self, base: Path, project: Path, result: Path) -> None:
        await compare_projects(base, project, result)
        with ComparisonReader(result) as reader:
            summary = reader.summary()
            lost = sum(
                each.removed for each in reader.filters((VIEW,)) if each.value == View.PAGES.value
            )
            issues = sum(
                each.gained
                for number, each in reader.issues().items()
                if number in RULES and RULES[number].priority is not None
            )
        changes = PageChanges(summary.new, summary.missing, summary.changed, lost, issues)
        self._keep(replace(self._run, changes=changes, base=str(base)))
        self._shell.tell(said("Since {path}: {changes}.", path=base, changes=changes.said))

    async def _tell_by(self, telling: Callable[[], Coroutine[None, None, Told]]) -> None:
        """Notify by the user's rules.

        An undelivered notification is a failure of the run, and is tried again later.
        """
        for sentence in (await telling()).sentences():
            self._fail(sentence)

    async def _thin(self, _: Path) -> None:
        pruned = await asyncio.to_thread(prune_projects, self._schedule, self._history.projects)
        for path in pruned.removed:
            self._shell.tell(said("Removed {path}, as the retention rule says.", path=path))
        for left in pruned.left:
            self._shell.tell(said("Not removed: {reason}", reason=left.reason))
        removed = tuple(map(str, pruned.removed))
        self._history = self._history.without_projects(removed)
        self._keep(replace(self._run, removed=removed))

    def _fail(self, sentence: Translatable) -> None:
        self._shell.tell(sentence)
        self._run = replace(self._run, failures=(*self._run.failures, sentence))

    def _ended(self, outcome: RunOutcome, exit_code: int) -> RunEnding:
        self._keep(replace(self._run, outcome=outcome, ended_s=self._clock()))
        return RunEnding(exit_code, self._run, is_interrupted=outcome is RunOutcome.INTERRUPTED)

    def _keep(self, run: ScheduledRun) -> None:
        self._run = run
        self._history = self._history.with_run(run)
        self._records.write(self._schedule.name, self._history)


async def _record(project: Path) -> None:
    await asyncio.to_thread(record_snapshot, project)
