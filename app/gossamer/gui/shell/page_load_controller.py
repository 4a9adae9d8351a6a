"""Measures how pages load, at the user's request in tables and in the details."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from msgspec.structs import replace
from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from gossamer.gui.context_menu.url_menu import UrlActions
from gossamer.gui.crawl.crawl_controller import CrawlController
from gossamer.gui.crawl.session_interfaces import PageInspectorPort
from gossamer.gui.details.detail_table import DetailTable
from gossamer.gui.details.detail_views import DetailViews
from gossamer.gui.runtime.window_tasks import WindowTasks
from gossamer.gui.shell.window_layout import WindowParts
from gossamer.gui.tables.table_view import tables_in
from gossamer.gui.text import local_formatting as formatting
from gossamer.gui.text.translated_sentences import spoken
from gossamer.model.errors import KnownError
from gossamer.model.page_load_limits import MAX_PAGES

if TYPE_CHECKING:
    import asyncio

    from gossamer.gui.details.page_load_window import PageLoadWindow


class PageLoadController(QObject):
    """Has at most one window of measurements, of the project shown."""

    def __init__(self, parts: WindowParts, crawl: CrawlController, tasks: WindowTasks) -> None:
        super().__init__(parts.window)
        self._parts = parts
        self._crawl = crawl
        self._tasks = tasks
        self._window: PageLoadWindow | None = None
        self._task: asyncio.Task[None] | None = None
        for tree in (parts.workspace.discovery, parts.workspace.folders):
            tree.when_complete(self._connect)
        parts.workspace.table.tables.each_made(self._connect)
        views = parts.workspace.details.views
        views.each_made(self._connect_tables)
        views.when_made(
            DetailViews.rendered_page,
            lambda page: page.measuring_wanted.connect(lambda url: self.show([url])),
        )
        crawl.opened.connect(self._close)

    def _connect_tables(self, view: QWidget) -> None:
        for table in tables_in(view, DetailTable):
            table.when_complete(self._connect)

    def _connect(self, part: QWidget) -> None:
        for actions in part.findChildren(UrlActions):
            actions.measuring_wanted.connect(self.show)

    def show(self, urls: Sequence[str]) -> None:
        """Open the window for these pages; it asks how often to load them."""
        if self._crawl.session is None or not urls:
            return
        if len(urls) > MAX_PAGES:
            words = self.tr("Too many pages to measure: select at most {n}")
            self._parts.workspace.table.summary.show_message(
                words.format(n=formatting.number(MAX_PAGES))
            )
            return
        self._close()
        from gossamer.gui.details.page_load_window import PageLoadWindow  # noqa: PLC0415 - the start does without

        window = self._window = PageLoadWindow(urls, self._parts.window)
        window.wanted.connect(self._start)
        window.stopped.connect(self._stop)
        window.finished.connect(self._forget_window)
        window.show()
        window.start.setFocus()

    def _start(self, runs: int) -> None:
        window, session = self._window, self._crawl.session
        if window is not None and session is not None:
            work = self._measure(window, session.inspection, runs)
            self._task = self._tasks.start("measure loading", work)

    async def _measure(
        self, window: "PageLoadWindow", inspection: PageInspectorPort, runs: int
    ) -> None:
        """Load each page `runs` times, one run at a time, so that each can be seen and stopped.

        A page that cannot be measured is not requested again.
        """
        try:
            for place, url in enumerate(window.urls):
                report = await inspection.load(url, 1)
                done = 1
                window.show_report(report, place * runs + done)
                while report.runs and done < runs:
                    found = await inspection.load(url, 1)
                    done = done + 1 if found.runs else runs
                    report = replace(found, runs=[*report.runs, *found.runs])
                    window.show_report(report, place * runs + done)
        except KnownError as e:
            window.show_error(spoken(e.said))
        else:
            window.stop()

    def _stop(self) -> None:
        task, self._task = self._task, None
        if task is not None:
            task.cancel()

    def _close(self) -> None:
        if self._window is not None:
            self._window.close()

    def _forget_window(self) -> None:
        self._stop()
        self._window = None
