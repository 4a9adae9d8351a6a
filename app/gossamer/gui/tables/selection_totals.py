"""What the selected rows of a table amount to."""

from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QObject, QTimer

from gossamer.gui.project.reader_thread import ProjectReader
from gossamer.gui.tables.query_table import QueryTable
from gossamer.gui.tables.row_kind import LINKS
from gossamer.gui.tables.table_summary import TableSummary
from gossamer.model.project_queries import Totals

_PAUSE_MS: Final = 80
"""A selection has to rest this long before it is summed up."""


class SelectionTotals(QObject):
    """Tells `summary` of the selection in `view`: at once how many, the rest as it is known."""

    def __init__(
        self, reader: ProjectReader, summary: TableSummary, view: Callable[[], QueryTable]
    ) -> None:
        super().__init__(summary)
        self._reader = reader
        self._summary = summary
        self._view = view
        self._summed = 0
        self._rest = QTimer(self, singleShot=True, interval=_PAUSE_MS)
        self._rest.timeout.connect(self.sum_up)

    def soon(self, *_change: object) -> None:
        """The selection changes, perhaps once more."""
        self._rest.start()

    def look(self) -> None:
        """Rows that are gone take their selection with them, and nothing tells of it."""
        if self._view().selected_count() != self._summed:
            self.sum_up()

    def sum_up(self) -> None:
        """Say it now."""
        view = self._view()
        count = self._summed = view.selected_count()
        self._summary.show_selection(count, None)
        if count and view.rows.subject is not LINKS:
            ids = view.selected_rows()
            self._reader.submit(
                lambda rows: rows.totals(ids),
                lambda totals: self._show(count, totals),
                key=f"selection {id(self)}",
                background=True,
            )

    def _show(self, count: int, totals: Totals) -> None:
        if count == self._view().selected_count():
            self._summary.show_selection(count, totals)
