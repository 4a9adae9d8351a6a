"""Opens the SQL console, and has it follow the project shown."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtGui import QTextCursor

from gossamer.gui.actions.action_set import performs
from gossamer.gui.actions.window_actions import WindowAction
from gossamer.gui.crawl.crawl_controller import CrawlController
from gossamer.gui.crawl.session_interfaces import SessionPort
from gossamer.gui.project.reader_interfaces import ProjectRows
from gossamer.gui.runtime.saved_ui_state import UiState
from gossamer.gui.runtime.window_tasks import WindowTasks
from gossamer.gui.shell.window_layout import WindowParts
from gossamer.gui.text.local_formatting import clean

if TYPE_CHECKING:
    from gossamer.gui.sql.sql_window import SqlWindow


class SqlController(QObject):
    """Has at most one console. It keeps what was typed when it is opened again."""

    def __init__(
        self, parts: WindowParts, crawl: CrawlController, tasks: WindowTasks, memory: UiState
    ) -> None:
        super().__init__(parts.window)
        self._parts = parts
        self._crawl = crawl
        self._tasks = tasks
        self._memory = memory
        self._console: SqlWindow | None = None
        self._typed = ""
        crawl.opened.connect(self._turn_to)

    @performs(WindowAction.SQL)
    def show(self) -> None:
        """Open the console, or bring it to the front."""
        if self._crawl.session is None:
            return
        if self._console is None:
            from gossamer.gui.sql.query_interfaces import QueryProcesses  # noqa: PLC0415 - the start does without
            from gossamer.gui.sql.sql_window import SqlWindow  # noqa: PLC0415 - likewise

            console = SqlWindow(QueryProcesses(), self._tasks, self._memory, self._parts.window)
            console.editor.setPlainText(self._typed)
            console.editor.moveCursor(QTextCursor.MoveOperation.End)
            console.finished.connect(self._forget)
            console.url_wanted.connect(self._show_url)
            self._console = console
            self._turn_to(self._crawl.session)
        self._console.show()
        self._console.activateWindow()

    def _turn_to(self, session: SessionPort | None) -> None:
        if self._console is None:
            return
        if session is not None:
            self._console.turn_to(session.path)
        elif self._crawl.is_renewing:
            self._console.turn_to(None)
        else:
            self._console.close()

    def _show_url(self, url: str | int) -> None:
        """Select a URL of a result in the tables, by its address or its id."""

        def show(url_id: int | None) -> None:
            if url_id is None:
                words = self.tr("This crawl does not know {url}.").format(url=clean(str(url)))
                if self._console is not None:
                    self._console.message.show_text("info", words)
                return
            self._parts.workspace.table.select_url(url_id)
            self._parts.window.raise_()
            self._parts.window.activateWindow()

        def find(rows: ProjectRows) -> int | None:
            if isinstance(url, str):
                return rows.lookup(url)
            return url if rows.records([url]) else None

        self._parts.reader.submit(find, show, key="asked url")

    def _forget(self) -> None:
        if self._console is not None:
            self._typed = self._console.editor.toPlainText()
        self._console = None
