"""Runs the site audit when a crawl ends or pauses, when thresholds change, and on request."""

import asyncio
from collections.abc import Callable, Collection
from dataclasses import replace
from typing import Final

from PySide6.QtCore import QObject, Signal
from shiboken6 import isValid

from gossamer.gui.actions.action_set import performs
from gossamer.gui.actions.window_actions import WindowAction
from gossamer.gui.crawl.crawl_controller import CrawlController
from gossamer.gui.crawl.session_interfaces import SessionPort
from gossamer.gui.runtime.saved_ui_state import UiState
from gossamer.gui.runtime.window_tasks import WindowTasks
from gossamer.gui.shell.issues_notice import IssuesNotice
from gossamer.gui.shell.window_layout import WindowParts
from gossamer.gui.text.translated_sentences import spoken
from gossamer.model.crawl_state import CrawlState
from gossamer.model.errors import KnownError
from gossamer.model.messages.crawl_messages import Progress
from gossamer.model.messages.process_messages import ProcessStep
from gossamer.model.settings.crawl_settings import THRESHOLDS

_MESSAGE: Final = "audit"
_AUTOMATIC: Final = "audit"
_THRESHOLDS: Final = frozenset(THRESHOLDS)
_AT_WORK: Final = frozenset({CrawlState.RUNNING, CrawlState.PAUSING, CrawlState.CANCELLING})
_AT_REST: Final = frozenset({CrawlState.PAUSED, CrawlState.FINISHED, CrawlState.CANCELLED})


class AuditController(QObject):
    """Has at most one audit run, of the project shown. `finished` reports new results."""

    finished = Signal()
    stepped = Signal(object)
    """With a ProcessStep: its progress."""

    def __init__(
        self, parts: WindowParts, crawl: CrawlController, tasks: WindowTasks, memory: UiState
    ) -> None:
        super().__init__(parts.window)
        self._parts = parts
        self._crawl = crawl
        self._tasks = tasks
        self._memory = memory
        self._task: asyncio.Task[None] | None = None
        self._state = crawl.state
        self._stage = ""
        self._is_ending = False
        """Whether the run was cancelled, and is about to end."""
        self._is_wanted_again = False
        self._is_after_crawl = False
        """Whether the run follows a crawl that has just come to rest."""
        self._notice = IssuesNotice(parts)
        self._use_settings(crawl.session)  # a window in another language has its crawl already
        crawl.opened.connect(self._turn_to)
        crawl.progressed.connect(self._follow)
        crawl.changed.connect(self._apply_settings)
        parts.workspace.table.issues_area.when_made(
            lambda issues: issues.audit_wanted.connect(self.run)
        )
        parts.progress_line.audit.cancelled.connect(self.cancel)
        automatic = memory.shows(_AUTOMATIC, usually=True)
        parts.actions[WindowAction.AUDIT_AFTER_CRAWL].setChecked(automatic)

    @property
    def is_running(self) -> bool:
        """Whether an audit runs."""
        return self._task is not None

    @performs(WindowAction.RUN_AUDIT)
    def run(self) -> None:
        """Bring the results up to date."""
        session = self._crawl.session
        if self._is_ending:
            self._is_wanted_again = True
        elif session is not None and self._task is None:
            self._parts.messages.withdraw(_MESSAGE)
            self._task = self._tasks.start("audit", self._run(session))
            if self._task is not None:
                # A task that is cancelled before its first step ends without one.
                self._task.add_done_callback(lambda _: self._end())
                self._show_running(running=True)

    async def complete(self, on_step: Callable[[ProcessStep], None]) -> None:
        """Bring the results up to date, and wait for the end, whatever the outcome.

        A run that is already in progress will do.
        """
        self.run()
        if self._task is None:
            return
        self.stepped.connect(on_step)
        try:
            await asyncio.wait({self._task})
        finally:
            self.stepped.disconnect(on_step)

    @performs(WindowAction.CANCEL_AUDIT)
    def cancel(self) -> None:
        """End the audit; what it has decided so far stays."""
        self._is_wanted_again = False
        if self._task is not None and not self._is_ending:
            self._is_ending = True
            self._task.cancel()

    @performs(WindowAction.AUDIT_AFTER_CRAWL)
    def run_after_crawls(self, wanted: bool) -> None:  # noqa: FBT001 - a signal's argument
        """Whether to run when a crawl ends or pauses."""
        self._memory.remember_shown(_AUTOMATIC, wanted)

    def _turn_to(self, session: SessionPort | None) -> None:
        """Another project is shown, or none."""
        self.cancel()
        self._notice.withdraw()
        self._state = CrawlState.NEW if session is None else session.state
        self._use_settings(session)

    def _use_settings(self, session: SessionPort | None) -> None:
        if session is not None:
            self._parts.workspace.table.issue_counts.use_settings(session.settings)

    def _follow(self, progress: Progress) -> None:
        before, self._state = self._state, progress.state
        if progress.state is CrawlState.RUNNING and before is not CrawlState.RUNNING:
            self.cancel()  # its findings are out of date by then
            self._notice.withdraw()
        elif before in _AT_WORK and progress.state in _AT_REST and self._is_automatic:
            self._is_after_crawl = True
            self.run()

    def _apply_settings(self, names: Collection[str]) -> None:
        session = self._crawl.session
        if session is None:
            return
        self._use_settings(session)
        if _THRESHOLDS.isdisjoint(names):
            return
        if session.state not in _AT_WORK:
            self.run()

    @property
    def _is_automatic(self) -> bool:
        return self._parts.actions[WindowAction.AUDIT_AFTER_CRAWL].isChecked()

    async def _run(self, session: SessionPort) -> None:
        try:
            await session.audit(self._show_step)
        except KnownError as e:
            self._parts.messages.tell(_MESSAGE, "error", spoken(e.said))

    def _end(self) -> None:
        if not isValid(self):
            return
        self._task = None
        self._is_ending = False
        self._show_running(running=False)
        self._parts.workspace.table.issue_counts.refresh(at_once=True)
        self.finished.emit()
        was_after_crawl, self._is_after_crawl = self._is_after_crawl, False
        if was_after_crawl and self._state in _AT_REST:
            self._notice.check()
        if self._is_wanted_again:
            self._is_wanted_again = False
            self.run()

    def _show_step(self, step: ProcessStep) -> None:
        self.stepped.emit(step)
        self._parts.progress_line.audit.show_step(step)
        if step.stage != self._stage:
            self._stage = step.stage
            self._parts.workspace.table.issue_counts.refresh()

    def _show_running(self, *, running: bool) -> None:
        parts = self._parts
        self._stage = ""
        parts.progress_line.audit.set_running(running=running)
        parts.workspace.table.issues_area.set_auditing(running=running)
        parts.actions.offer(replace(parts.actions.state, is_auditing=running))
