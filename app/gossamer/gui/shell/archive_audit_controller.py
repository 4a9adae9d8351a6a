"""Audits the project shown again from its archive, with progress, until that is cancelled."""

import asyncio
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Final

from PySide6.QtCore import QObject

from gossamer.gui.actions.action_set import performs
from gossamer.gui.actions.window_actions import WindowAction
from gossamer.gui.crawl.crawl_controller import CrawlController
from gossamer.gui.runtime.window_tasks import WindowTasks
from gossamer.gui.shell.project_reopening import shown_again
from gossamer.gui.shell.window_layout import WindowParts
from gossamer.gui.text.local_formatting import number
from gossamer.gui.text.translated_sentences import spoken
from gossamer.gui.widgets.message_bar import MessageButton
from gossamer.model.messages.process_messages import ProcessStep
from gossamer.model.translatable import Translatable

_MESSAGE: Final = "audit-again"


class ArchiveAuditController(QObject):
    """The project stays visible while it is read, and is reopened when it was replaced."""

    def __init__(self, parts: WindowParts, crawl: CrawlController, tasks: WindowTasks) -> None:
        super().__init__(parts.window)
        self._parts = parts
        self._crawl = crawl
        self._tasks = tasks
        self._task: asyncio.Task[None] | None = None
        self._shown = ""

    @performs(WindowAction.AUDIT_AGAIN)
    def begin(self) -> None:
        """Read the archive of the project shown again, unless one is being read."""
        session = self._crawl.session
        if session is None:
            return
        if self._task is not None:
            self._parts.refuse(
                self.tr("A project is being audited again already. Wait for it, or cancel that.")
            )
            return
        self._shown = ""
        self._task = self._tasks.start(_MESSAGE, self._run(session.path))
        if self._task is not None:
            self._task.add_done_callback(self._end)
            self._tell_progress(self.tr("Reading the archive of {name}…"), session.path)

    def _end(self, _task: asyncio.Task[None]) -> None:
        self._task = None

    async def _run(self, project: Path) -> None:
        from gossamer.session import audit_again  # noqa: PLC0415 - the start does without

        stack = AsyncExitStack()

        async def let_go() -> None:
            if self._is_shown(project):
                await stack.enter_async_context(shown_again(self._crawl, project))
                await self._crawl.put_aside(renews=True)

        def show(step: ProcessStep) -> None:
            percent = number(min(100, step.done * 100 // max(step.total, 1)))
            stage = spoken(Translatable(step.stage))
            self._tell_progress(
                self.tr("Auditing {name} again: {stage}, {percent} %"),
                project,
                stage=stage,
                percent=percent,
            )

        try:
            async with stack:
                done = await audit_again.audit_again(project, on_step=show, let_go=let_go)
        finally:
            self._parts.messages.withdraw(_MESSAGE)
        words = self.tr("{name} was audited again from its archive.").format(name=project.name)
        if done.kept_facts:
            kept = self.tr(
                "Pages and files that the archive does not have, or has damaged, or that could "
                "not be rendered from it, have the facts of the crawl: {count}."
            ).format(count=number(done.kept_facts))
            words = f"{words} {kept}"
        self._parts.messages.tell(_MESSAGE, "finished", words)

    def _tell_progress(self, words: str, project: Path, **values: str) -> None:
        told = words.format(name=project.name, **values)
        if told == self._shown or self._task is None:
            return
        self._shown = told
        cancel = MessageButton(self.tr("Cancel"), self._cancel)
        self._parts.messages.tell(_MESSAGE, "info", told, cancel, stays=True)

    def _cancel(self) -> None:
        if self._task is not None:
            self._task.cancel()

    def _is_shown(self, project: Path) -> bool:
        session = self._crawl.session
        return session is not None and session.path == project
