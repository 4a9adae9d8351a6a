"""Shows how many rows the front table has, that a search takes a while, or why it is empty."""

from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QObject, QTimer

from gossamer.gui.filters.filter_bar import FilterBar
from gossamer.gui.project.reader_thread import ProjectReader
from gossamer.gui.tables.empty_state import EmptyStateLabel
from gossamer.gui.tables.query_table import QueryTable
from gossamer.gui.tables.row_count_line import TableSummary
from gossamer.gui.tables.table_tabs import TABS
from gossamer.gui.workspace.row_tables import RowTables
from gossamer.model.index_progress import IndexProgress
from gossamer.model.project_queries import View

_SLOW_SEARCH_MS: Final = 400
"""A search that takes longer is reported."""


class TableStatus(QObject):
    """Updates the summary line below the tables, and the notes over those without rows."""

    def __init__(
        self,
        reader: ProjectReader,
        bar: FilterBar,
        tables: RowTables,
        front: Callable[[], tuple[View, QueryTable]],
        max_links: int,
    ) -> None:
        """`front` returns the view and the front table; there are at most `max_links` links."""
        super().__init__(bar)
        self.summary = TableSummary()
        self._bar = bar
        self._front = front
        self._max_links = max_links
        self._notes: dict[QueryTable, EmptyStateLabel] = {}
        tables.each_made(self._add_note)
        self._counts: dict[View, int] = {}
        self._has_project = False
        self._is_finished = False
        self._indexing: IndexProgress | None = None
        self._slow_search = QTimer(self, singleShot=True, interval=_SLOW_SEARCH_MS)
        self._slow_search.timeout.connect(self.update_count)
        reader.indexing.connect(self._tell_indexing)

    def begin(self, *, has_project: bool) -> None:
        """Another project, or none."""
        self._has_project = has_project
        self.set_counts({})
        self.summary.show_rows(None, None)
        self.summary.show_selection(0, None)
        self.update_note()

    def set_ended(self, *, ended: bool) -> None:
        """Set whether the crawl has ended, so that no more rows will come."""
        if ended != self._is_finished:
            self._is_finished = ended
            self.update_note()

    def set_counts(self, counts: dict[View, int]) -> None:
        """How many rows each view has; empty: unknown."""
        self._counts = counts
        self._bar.set_counts(counts)

    def expect_rows(self) -> None:
        """A query has begun."""
        self._indexing = None
        self._slow_search.start()

    def note_refusal(self) -> None:
        """It has no result."""
        self._slow_search.stop()
        self.summary.show_rows(None, None)

    def update(self) -> None:
        """Rows have arrived."""
        self.update_count()
        self.update_note()

    def update_count(self) -> None:
        """Show how many rows there are, or that they are being searched."""
        view, table = self._front()
        is_loaded = table.rows.loaded
        if self._has_project and not is_loaded and not self._slow_search.isActive():
            self.summary.show_searching(self._indexing)
            return
        shown = table.rows.rowCount() if is_loaded else None
        total = self._counts.get(view)
        cut = view.is_of_links and shown == self._max_links and shown != total
        self.summary.show_rows(shown, total, more=cut)

    def update_note(self) -> None:
        """Show why there are no rows, if there are none."""
        _, table = self._front()
        if not self._has_project:
            words = self.tr("URLs appear here as they are found.")
        elif not table.rows.loaded:
            words = ""
        elif self._bar.is_filtered:
            words = self.tr("No rows match the filter.")
        else:
            words = TABS[self._bar.tab].empty_text(ended=self._is_finished)
        self._notes[table].show_text(words)

    def _add_note(self, table: QueryTable) -> None:
        self._notes[table] = EmptyStateLabel(table)

    def _tell_indexing(self, progress: IndexProgress) -> None:
        """A search waits for its index."""
        self._indexing = progress
        self.update_count()
