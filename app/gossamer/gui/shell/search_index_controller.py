"""Has a process index the texts of the project shown, if a search would take long to do it."""

import asyncio
import logging
from pathlib import Path
from typing import Final

from PySide6.QtCore import QObject

from gossamer.gui.crawl.crawl_controller import CrawlController
from gossamer.gui.runtime.window_tasks import WindowTasks
from gossamer.gui.shell.window_layout import WindowParts
from gossamer.gui.text.local_formatting import percent
from gossamer.gui.widgets.message_bar import MessageButton
from gossamer.model.errors import KnownError
from gossamer.model.index_progress import Indexing, IndexProgress
from gossamer.model.messages.process_messages import ProcessStep

_MESSAGE: Final = "search-index"
_log = logging.getLogger(__name__)


class SearchIndexController(QObject):
    """Tables stay fast meanwhile. It ends when no search waits any more, or the user cancels."""

    def __init__(self, parts: WindowParts, crawl: CrawlController, tasks: WindowTasks) -> None:
        super().__init__(parts.window)
        self._parts = parts
        self._crawl = crawl
        self._tasks = tasks
        self._task: asyncio.Task[None] | None = None
        self._shown = ""
        parts.reader.leave_indexing()
        parts.reader.index_wanted.connect(self._begin)
        parts.reader.index_unwanted.connect(self._end)

    def _begin(self) -> None:
        session = self._crawl.session
        if session is not None:
            self._shown = ""
            self._task = self._tasks.start(_MESSAGE, self._run(session.path))

    async def _run(self, project: Path) -> None:
        from gossamer.session.index_process import index_project  # noqa: PLC0415 - the start does without

        task = asyncio.current_task()

        def show(step: ProcessStep) -> None:
            if self._task is task:
                self._tell_progress(IndexProgress(step.done, step.total), project)

        try:
            await index_project(project, show)
        except KnownError as e:  # the search tries it itself, and reports why that fails
            _log.warning("search index", extra={"reason": str(e)})
        if self._task is task:
            self._task = None
            self._end()
            self._parts.reader.read_postponed(Indexing.ITSELF)

    def _tell_progress(self, progress: IndexProgress, project: Path) -> None:
        words = self.tr("Preparing the search in {name}: {percent}").format(
            name=project.name, percent=percent(progress.percent)
        )
        if words == self._shown:
            return
        self._shown = words
        self._parts.reader.indexing.emit(progress)
        cancel = MessageButton(self.tr("Cancel"), self._cancel)
        self._parts.messages.tell(_MESSAGE, "info", words, cancel, stays=True)

    def _cancel(self) -> None:
        """What was indexed stays."""
        self._end()
        self._parts.reader.read_postponed(Indexing.REFUSED)

    def _end(self) -> None:
        task, self._task = self._task, None
        self._parts.messages.withdraw(_MESSAGE)
        if task is not None:
            task.cancel()
