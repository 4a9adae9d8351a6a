"""A table of rows of a comparison file, which can be sorted and copied."""

from PySide6.QtCore import QTimer, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from gossamer.gui.actions.view_actions import ViewAction, add_view_action
from gossamer.gui.comparison.comparison_interfaces import ComparisonRows
from gossamer.gui.project.reader_interfaces import Ids
from gossamer.gui.project.reader_thread import BackgroundReader
from gossamer.gui.tables.clipboard import copied_message, records_of, tsv
from gossamer.gui.tables.empty_state import EmptyStateLabel
from gossamer.gui.tables.query_table_model import QueryModel
from gossamer.gui.tables.sort_header import SortHeader
from gossamer.gui.tables.table_view import TableView
from gossamer.model.project_queries import Order

_SETTLE_MS = 20


class ComparisonTable(TableView):
    """Shows a QueryModel that reads a comparison. Subclasses ask it for rows in `ask`.

    `said` carries a message.
    """

    said = Signal(str)

    def __init__(
        self,
        reader: BackgroundReader[ComparisonRows],
        rows: QueryModel,
        name: str,
        parent: QWidget | None = None,
    ) -> None:
        """Take the model, which becomes a child, and the name for screen readers."""
        super().__init__(parent)
        self._reader = reader
        rows.setParent(self)
        self.rows = rows
        self.sort_header = SortHeader(self)
        self.setHorizontalHeader(self.sort_header)
        self.set_up_header()
        self.setModel(rows)
        self.set_columns(rows.kind.columns, rows.kind.filling)
        self.setAccessibleName(name)
        self.note = EmptyStateLabel(self)
        self.settle = QTimer(self, singleShot=True, interval=_SETTLE_MS)
        self.settle.timeout.connect(self._report_visible_rows)
        for signal in (
            self.verticalScrollBar().valueChanged,
            self.verticalScrollBar().rangeChanged,
        ):
            signal.connect(lambda *_: self.settle.start())
        self.sort_header.sort_changed.connect(self.ask)
        rows.updated.connect(self.settle.start)
        self.copy = add_view_action(self, ViewAction.COPY_ADDRESS, self._copy_address)
        add_view_action(self, ViewAction.COPY_ROWS, self._copy_rows)
        self.add_layout_actions()

    def ask(self) -> None:
        """Ask the model for the rows that are wanted, in the order that `order` says."""
        raise NotImplementedError

    def order(self) -> Order:
        """By which column rows are to be sorted."""
        columns = self.rows.kind.columns
        keys = self.sort_header.keys[:1]
        return next((Order(columns[place].column, down) for place, down in keys), Order())

    def _report_visible_rows(self) -> None:
        first = max(self.rowAt(0), 0)
        last = self.rowAt(self.viewport().height() - 1)
        self.rows.set_window(first, last if last >= 0 else self.rows.rowCount() - 1)

    def _selected(self) -> Ids:
        ids = self.rows.row_ids(0, -1)
        for part in self.selected_parts():
            ids += self.rows.row_ids(part.top(), part.bottom())
        return ids

    def _copy_address(self) -> None:
        ids, kind = self._selected(), self.rows.kind
        self._reader.submit(
            lambda rows: "\n".join(kind.addresses(rows, ids)),  # type: ignore[arg-type] # what the kind reads
            QGuiApplication.clipboard().setText,
            key=f"copied addresses {id(self)}",
        )

    def _copy_rows(self) -> None:
        ids, kind = self._selected(), self.rows.kind
        header = self.sort_header
        places = [header.logicalIndex(place) for place in range(header.count())]
        columns = [kind.columns[i].column for i in places if not header.isSectionHidden(i)]

        def set_clipboard(text: str) -> None:
            QGuiApplication.clipboard().setText(text)
            self.said.emit(copied_message(len(ids)))

        self._reader.submit(
            lambda rows: tsv(records_of(rows, kind, ids), kind, columns),  # type: ignore[arg-type] # likewise
            set_clipboard,
            key=f"copied rows {id(self)}",
        )
