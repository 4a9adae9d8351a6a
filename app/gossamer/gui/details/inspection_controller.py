"""Fetches single pages and tests selectors through the session for the source view."""

from collections.abc import Coroutine
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject

from gossamer.gui.crawl.crawl_controller import CrawlController
from gossamer.gui.crawl.session_interfaces import PageInspectorPort
from gossamer.gui.details.source_view import SourceView
from gossamer.gui.runtime.window_tasks import WindowTasks
from gossamer.gui.text.translated_sentences import spoken
from gossamer.model.errors import KnownError

if TYPE_CHECKING:
    import asyncio


class InspectionController(QObject):
    """Handles one request at a time: a newer one replaces it, and stop cancels it."""

    def __init__(self, crawl: CrawlController, tasks: WindowTasks, view: SourceView) -> None:
        super().__init__(view)
        self._crawl = crawl
        self._tasks = tasks
        self._view = view
        self._task: asyncio.Task[None] | None = None
        view.wanted.connect(self._fetch)
        view.rule_requested.connect(self._try)
        view.stopped.connect(self._stop)

    def _fetch(self, url: str, target: str, again: bool) -> None:  # noqa: FBT001 - a slot
        session = self._crawl.session
        if session is not None:
            self._start("fetch source", self._fetched(session.inspection, url, target, again=again))

    def _try(self, selector: str) -> None:
        session = self._crawl.session
        if session is not None:
            self._start("try rule", self._tried(session.inspection, selector))

    def _start(self, name: str, work: Coroutine[Any, Any, None]) -> None:
        self._stop()
        self._task = self._tasks.start(name, work)

    def _stop(self) -> None:
        task, self._task = self._task, None
        if task is not None:
            task.cancel()

    async def _fetched(
        self, inspection: PageInspectorPort, url: str, target: str, *, again: bool
    ) -> None:
        try:
            source = await inspection.source(url, target, again=again)
        except KnownError as e:
            self._view.show_error(spoken(e.said))
        else:
            self._view.show_source(source)

    async def _tried(self, inspection: PageInspectorPort, selector: str) -> None:
        try:
            result = await inspection.test_rule(selector)
        except KnownError as e:
            self._view.rules.show_error(spoken(e.said))
        else:
            self._view.show_rule(result)
