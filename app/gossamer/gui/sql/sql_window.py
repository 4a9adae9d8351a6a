"""The window of the SQL console: an editor, and below it the rows of the result."""

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QDialog,
    QFileDialog,
    QHBoxLayout,
    QLabel,
    QMenu,
    QPlainTextEdit,
    QPushButton,
    QSplitter,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from gossamer.export.formats import TABLE_SUFFIXES
from gossamer.gui.export.format_names import name_filters
from gossamer.gui.look import theme
from gossamer.gui.runtime.saved_ui_state import UiState
from gossamer.gui.runtime.window_tasks import WindowTasks
from gossamer.gui.sql.limit_fields import LimitFields
from gossamer.gui.sql.query_interfaces import QueryPort, QueryResultPage
from gossamer.gui.sql.recent_queries import RecentQueries
from gossamer.gui.sql.result_rows import ResultRows, sorted_positions
from gossamer.gui.sql.result_table import ResultTable
from gossamer.gui.sql.sql_editor import SqlEditor
from gossamer.gui.tables.clipboard import MAX_COPIED, copied_message
from gossamer.gui.tables.empty_state import EmptyStateLabel
from gossamer.gui.text import local_formatting as formatting
from gossamer.gui.text.translated_sentences import spoken
from gossamer.gui.widgets.help_context import explain
from gossamer.gui.widgets.message_bar import InlineMessage
from gossamer.gui.widgets.window_geometry import place
from gossamer.model.errors import KnownError
from gossamer.model.translatable import Translatable
from gossamer.sql_console.query_plan import PlanStep
from gossamer.sql_console.query_templates import TEMPLATES

NAME: Final = "sql-console"
_SIZE: Final = (1080, 760)
_HEIGHTS: Final = (240, 420)
_KEYS: Final = ("Ctrl+Return", "Ctrl+Enter")


class SqlWindow(QDialog):
    """Queries its current project; deletes itself when closed.

    At most one query runs, as one of `tasks`; it is cancelled with the window. `url_wanted` has an
    address in the result that is to be shown in the tables.
    """

    url_wanted = Signal(object)

    def __init__(
        self, port: QueryPort, tasks: WindowTasks, memory: UiState, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent, Qt.WindowType.Window)  # not kept above its parent
        self.setObjectName(NAME)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("SQL console"))
        place(self, _SIZE)
        explain(self, "window/sql")
        self._port = port
        self._tasks = tasks
        self._memory = memory
        self._project: Path | None = None
        self._task: asyncio.Task[None] | None = None
        self._beside: set[asyncio.Task[None]] = set()
        """Tasks in addition to a query: sorting rows, reading columns."""
        self.editor = SqlEditor()
        self._queries = RecentQueries(port, tasks, memory, self.editor.put, self)
        self.limits = LimitFields(memory)
        self.templates = QPushButton(self.tr("&Templates"))
        self.recent = QPushButton(self.tr("R&ecent queries"))
        self.run = QPushButton(self.tr("&Run"))
        self.cancel = QPushButton(self.tr("&Cancel"))
        self.why = QPushButton(self.tr("&Why is it slow?"))
        self.export = QPushButton(self.tr("E&xport…"))
        self.message = InlineMessage()
        self.table = ResultTable()
        self._empty = EmptyStateLabel(self.table)
        self.plan = QPlainTextEdit()
        self.tabs = QTabWidget()
        self.status = QLabel()
        self._lay_out()
        self._connect()
        self._show_state()

    def turn_to(self, project: Path | None) -> None:
        """Query this project from now on; drop the result of another. None while it is replaced."""
        if project == self._project:
            return
        self.stop()
        self._project = project
        self._show_state()
        if project is None:
            return
        self.editor.forget_columns()
        title = self.tr("SQL console: {project}")
        self.setWindowTitle(title.format(project=formatting.clean(project.stem)))
        self.message.hide()
        self._empty.show_text(self.tr("Rows appear here. Start with a template, or type a query."))
        self._show_rows((), ResultRows([]))
        self._begin_beside("kept queries", self._queries.read(project))
        self.plan.clear()
        self.status.setText(self.tr("Ctrl+Enter runs the query. It only reads."))

    def ask(self) -> None:
        """Run the query of the editor, unless one runs."""
        self._begin("query", self._ask)

    def ask_why(self) -> None:
        """Show how SQLite would find the result."""
        self._begin("query", self._explain)

    def save(self, path: Path) -> None:
        """Write all rows of the result to a file."""
        self._begin("export", partial(self._export, path))  # named as what is being saved

    def stop(self) -> None:
        """End the running query, if there is one."""
        task, self._task = self._task, None
        if task is not None:
            task.cancel()
            self.status.setText(self.tr("Cancelled"))
            self._show_state()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Escape ends the running query, or closes the window."""
        if event.key() == Qt.Key.Key_Escape and self._task is not None:
            self.stop()
        else:
            super().keyPressEvent(event)

    def done(self, result: int) -> None:
        """End what runs; Escape gives a dialog no event of being closed."""
        self.stop()
        self._queries.keep_draft(self.editor.toPlainText())
        for task in self._beside:
            task.cancel()
        super().done(result)

    # ------------------------------------------------------------ queries

    def _begin(self, name: str, work: Callable[[Path, str], Coroutine[Any, Any, None]]) -> None:
        if self._task is not None or self._project is None:
            return
        sql = self.editor.query()
        self.message.hide()
        self.status.setText(self.tr("Running…"))
        self._task = self._tasks.start(name, self._run(partial(work, self._project, sql)))
        self._show_state()

    async def _run(self, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
        failed: Translatable | None = None
        try:
            await work()
        except KnownError as e:
            failed = e.said
        if not self._is_wanted():
            return
        self._task = None
        if failed is not None:
            self.status.clear()
            self.message.show_text("error", spoken(failed))
        self._show_state()

    def _is_wanted(self) -> bool:
        """Whether the querying task was not stopped; after that, the window may be gone."""
        return self._task is asyncio.current_task()

    async def _ask(self, project: Path, sql: str) -> None:
        most = self.limits.most_rows()
        result = await self._port.ask(project, sql, self.limits.limits(), most)
        if self._is_wanted():
            self._queries.keep(project, sql)
            self.tabs.setCurrentWidget(self.table)
            self._empty.show_text(self.tr("No rows."))
            self._show_rows(result.columns, result.rows)
            self.status.setText(self._result_words(result))

    async def _explain(self, project: Path, sql: str) -> None:
        steps = await self._port.plan(project, sql, self.limits.limits())
        if self._is_wanted():
            self.plan.setPlainText("\n".join(plan_lines(steps)))
            self.tabs.setCurrentWidget(self.plan)
            self.status.clear()

    async def _export(self, path: Path, project: Path, sql: str) -> None:
        rows = await self._port.export(project, sql, path, self.limits.limits())
        if self._is_wanted():
            self._queries.keep(project, sql)
            words = self.tr("%Ln row(s) saved to {path}", "", rows)
            self.status.setText(words.format(path=formatting.clean(str(path))))

    def _result_words(self, result: QueryResultPage) -> str:
        time = formatting.duration(round(result.seconds * 1000))
        if result.has_more:
            most = len(result.rows)
            words = self.tr("The first %Ln rows, in {time}; export for all.", "", most)
        else:
            words = self.tr("%Ln row(s) in {time}", "", len(result.rows))
        told = [words.format(time=time)]
        if not result.is_current:
            told.append(self.tr("the audit has not seen all of this crawl, so issues are missing"))
        return " · ".join(told)

    # ------------------------------------------------------------ besides a query

    def is_learning(self) -> bool:
        """Whether something runs in addition to a query."""
        return bool(self._beside)

    def _begin_beside(self, name: str, work: Coroutine[Any, Any, None]) -> None:
        """Start something that ends with this window."""
        task = self._tasks.start(name, work)
        if task is not None:
            self._beside.add(task)
            task.add_done_callback(self._beside.discard)

    def _sort(self, column: int, descending: bool) -> None:  # noqa: FBT001 - a signal's argument
        """Sort the rows that are shown, without running the query again."""
        self._begin_beside("sort rows", self._sorted(column, descending=descending))

    async def _sorted(self, column: int, *, descending: bool) -> None:
        result = self.table.result
        rows, order = result.rows, None
        if column >= 0:
            order = await sorted_positions(rows, column, descending=descending)
        header = self.table.horizontalHeader()
        if rows is result.rows and header.sortIndicatorSection() == column:
            result.arrange(order)

    def _copy(self) -> None:
        self._begin_beside("copy rows", self._copied())

    async def _copied(self) -> None:
        positions, count = self.table.selected_positions(MAX_COPIED)
        if positions:
            QGuiApplication.clipboard().setText(await self.table.text_of(positions))
            self.status.setText(copied_message(count))

    def _show_rows(self, columns: Sequence[str], rows: ResultRows) -> None:
        """Show a result, and drop the one before."""
        former = self.table.result.rows
        self.table.show_result(columns, rows)
        self._begin_beside("forget rows", former.forget())

    def _ask_columns(self, view: str) -> None:
        """Read the columns of a view that only the project knows, for completion."""
        if self._project is not None:
            self._begin_beside("query columns", self._learn(self._project, view))

    async def _learn(self, project: Path, view: str) -> None:
        with suppress(KnownError):  # a query of the view reports it
            columns = await self._port.columns(project, view)
            if project == self._project:
                self.editor.learn(view, columns)

    def _show_state(self) -> None:
        is_running = self._task is not None
        for button in (self.run, self.why, self.export):
            button.setEnabled(not is_running and self._project is not None)
        self.cancel.setEnabled(is_running)

    def _leave_editor(self) -> None:
        if self._task is not None:
            self.stop()
        else:
            self.tabs.currentWidget().setFocus(Qt.FocusReason.OtherFocusReason)

    # ------------------------------------------------------------ menus

    def _ask_where_to_save(self) -> None:
        dialog = QFileDialog(self, self.tr("Export result"))
        dialog.setNameFilters(name_filters(TABLE_SUFFIXES))
        dialog.setObjectName("export-result")
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setDefaultSuffix("csv")
        dialog.filterSelected.connect(
            lambda kind: dialog.setDefaultSuffix(kind.rpartition("*.")[2].rstrip(")"))
        )
        if self._memory.export_folder():
            dialog.setDirectory(self._memory.export_folder())
        dialog.fileSelected.connect(lambda path: self.save(Path(path)))
        dialog.open()

    # ------------------------------------------------------------ parts

    def _connect(self) -> None:
        self.run.clicked.connect(self.ask)
        self.cancel.clicked.connect(self.stop)
        self.why.clicked.connect(self.ask_why)
        self.export.clicked.connect(self._ask_where_to_save)
        self.editor.columns_wanted.connect(self._ask_columns)
        self.editor.escaped.connect(self._leave_editor)
        self.table.order_wanted.connect(self._sort)
        self.table.copy_wanted.connect(self._copy)
        self.table.url_wanted.connect(self.url_wanted)
        for keys in _KEYS:
            QShortcut(QKeySequence(keys), self).activated.connect(self.ask)
        templates = QMenu(self)
        for each in TEMPLATES.values():
            text = spoken(Translatable(each.question)).replace("&", "&&")
            templates.addAction(text, partial(self.editor.put, each.sql))
        self.templates.setMenu(templates)
        self.recent.setMenu(self._queries)

    def _lay_out(self) -> None:
        self.run.setProperty("primary", True)
        self.run.setToolTip(self.tr("Run what is selected, or the whole query (Ctrl+Enter)"))
        self.why.setToolTip(
            self.tr("How SQLite runs the query, which steps take long, and what makes it faster")
        )
        self.plan.setPlaceholderText(
            self.tr(
                "“Why is it slow?” shows here how SQLite runs the query, and what makes it faster."
            )
        )
        self.plan.setReadOnly(True)
        self.plan.setTabChangesFocus(True)
        self.plan.setAccessibleName(self.tr("Query plan"))
        bar = QHBoxLayout()
        bar.setSpacing(theme.SPACE_S)
        for button in (self.run, self.cancel, self.why, self.templates, self.recent, self.export):
            button.setAutoDefault(False)
            bar.addWidget(button)
        bar.insertStretch(bar.count() - 1, 1)
        upper = QWidget()
        column = QVBoxLayout(upper)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(theme.SPACE_S)
        for widget in (self.editor, self.message):
            column.addWidget(widget)
        column.addLayout(bar)
        self.tabs.setDocumentMode(True)
        self.tabs.tabBar().setAccessibleName(self.tr("Result"))
        self.tabs.addTab(self.table, self.tr("Rows"))
        self.tabs.addTab(self.plan, self.tr("Query plan"))
        split = QSplitter(Qt.Orientation.Vertical)
        split.addWidget(upper)
        split.addWidget(self.tabs)
        split.setChildrenCollapsible(False)
        split.setStretchFactor(1, 1)
        split.setSizes(_HEIGHTS)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(theme.SPACE_M, theme.SPACE_M, theme.SPACE_M, theme.SPACE_S)
        whole.addWidget(split, 1)
        whole.addWidget(self.limits)
        self._lay_out_status()
        self.editor.setFocus()

    def _lay_out_status(self) -> None:
        """The outcome of the query is shown next to its limits."""
        self.status.setTextFormat(Qt.TextFormat.PlainText)
        self.status.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.status.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.limits.put_beside(self.status)


def plan_lines(steps: Sequence[PlanStep]) -> list[str]:
    """The steps in the language of the window; below each what helps."""
    lines = []
    for step in steps:
        space = "    " * step.depth
        lines.append(f"{space}{spoken(step.text)}")
        if step.advice is not None:
            lines.append(f"{space}    → {spoken(step.advice)}")
    return lines
