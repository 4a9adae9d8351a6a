"""The table of pages that differ: what has changed of each, before and after."""

from collections.abc import Callable
from typing import Any, Final

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from gossamer.gui.actions.view_actions import ViewAction, add_view_action
from gossamer.gui.comparison.change_texts import CHANGE_STYLES, change_name, shown_change
from gossamer.gui.comparison.comparison_interfaces import ComparisonRows
from gossamer.gui.comparison.comparison_query import (
    ADDRESS,
    AFTER,
    BEFORE,
    CHANGE,
    ComparisonQuery,
)
from gossamer.gui.look.icons import icon
from gossamer.gui.look.theme import colour
from gossamer.gui.project.reader_interface import Ids
from gossamer.gui.project.reader_thread import BackgroundReader
from gossamer.gui.tables.clipboard import copied_message, records_of, tsv
from gossamer.gui.tables.empty_state import EmptyNote
from gossamer.gui.tables.item_roles import DECORATION, DISPLAY, FOREGROUND
from gossamer.gui.tables.query_table_model import QueryModel
from gossamer.gui.tables.row_kind import QueryRowKind
from gossamer.gui.tables.sort_header import SortHeader
from gossamer.gui.tables.table_columns import ColumnSpec
from gossamer.gui.tables.table_model import AnyIndex
from gossamer.gui.tables.table_view import TableView
from gossamer.gui.text import local_formatting as formatting
from gossamer.gui.text.local_formatting import QT_TRANSLATE_NOOP
from gossamer.model.comparison_results import ComparedPage, ComparisonFilter
from gossamer.model.project_queries import Order
from gossamer.urls.url_folders import display_url

FIELD: Final = "field"
_COLUMNS: Final = (ADDRESS, CHANGE, FIELD, BEFORE, AFTER)
_CHANGE_COLUMN: Final = _COLUMNS.index(CHANGE)
_OF_FIELD: Final = frozenset({_COLUMNS.index(BEFORE), _COLUMNS.index(AFTER)})
"""Columns that can be sorted by where one field is told of every row."""
_UNSORTABLE: Final = frozenset({_COLUMNS.index(FIELD)})
_SETTLE_MS: Final = 20


def _spec(
    column: str, title: str, width: int, text: Callable[[ComparedPage], str], *, is_address: bool
) -> ColumnSpec:
    plain = (lambda page: page.url) if column == ADDRESS else None
    return ColumnSpec(column, title, width, text, address=is_address, plain=plain)


def changes_kind(filter_: ComparisonFilter) -> QueryRowKind[ComparedPage]:
    """The rows of pages, each with the difference that this filter is about."""

    def told(page: ComparedPage) -> tuple[str, str, str]:
        change = shown_change(page, filter_)
        return change.named, change.before, change.after

    is_address = filter_.field in {"redirect", "canonical"}
    return QueryRowKind[ComparedPage](
        columns=(
            _spec(
                ADDRESS,
                QT_TRANSLATE_NOOP("Column", "Address"),
                46,
                lambda page: formatting.clean(display_url(page.url)),
                is_address=True,
            ),
            _spec(
                CHANGE,
                QT_TRANSLATE_NOOP("Column", "Change"),
                12,
                lambda page: change_name(page.change),
                is_address=False,
            ),
            _spec(
                FIELD,
                QT_TRANSLATE_NOOP("Column", "Field"),
                26,
                lambda page: told(page)[0],
                is_address=False,
            ),
            _spec(
                BEFORE,
                QT_TRANSLATE_NOOP("Column", "Before"),
                30,
                lambda page: told(page)[1],
                is_address=is_address,
            ),
            _spec(
                AFTER,
                QT_TRANSLATE_NOOP("Column", "After"),
                30,
                lambda page: told(page)[2],
                is_address=is_address,
            ),
        ),
        read=lambda rows, ids: rows.pages(ids),
        address=lambda page: page.url,
    )


class ChangesModel(QueryModel):
    """Pages that differ; the change has its sign and its colour."""

    def __init__(
        self, reader: BackgroundReader[ComparisonRows], parent: QObject | None = None
    ) -> None:
        query = ComparisonQuery()
        super().__init__(reader, parent, changes_kind(query.filter_), query=query)

    def data(self, index: AnyIndex, role: int = DISPLAY) -> Any:  # noqa: ANN401 - a Qt variant
        """A cell."""
        if role in {DECORATION, FOREGROUND} and index.column() == _CHANGE_COLUMN:
            page = self.record(index.row())
            if page is None:
                return None
            sign, role_of = CHANGE_STYLES[page.change]
            return icon(sign) if role == DECORATION else colour(role_of)
        return super().data(index, role)


class ChangesTable(TableView):
    """Shows a ChangesModel.

    `page_chosen` carries the ComparedPage of the current row, or None; `said` a message.
    """

    page_chosen = Signal(object)
    said = Signal(str)

    def __init__(
        self, reader: BackgroundReader[ComparisonRows], parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._reader = reader
        self._filter = ComparisonFilter()
        self._chosen: ComparedPage | None = None
        self.rows = ChangesModel(reader, self)
        self.sort_header = SortHeader(self)
        self.setHorizontalHeader(self.sort_header)
        self.set_up_header()
        self.setModel(self.rows)
        self.set_columns(self.rows.kind.columns, self.rows.kind.filling)
        self.setAccessibleName(self.tr("Pages that differ"))
        self.note = EmptyNote(self)
        self._settle = QTimer(self, singleShot=True, interval=_SETTLE_MS)
        self._settle.timeout.connect(self._report_visible_rows)
        for signal in (
            self.verticalScrollBar().valueChanged,
            self.verticalScrollBar().rangeChanged,
        ):
            signal.connect(lambda *_: self._settle.start())
        self.sort_header.sort_changed.connect(self._ask)
        self.selectionModel().currentRowChanged.connect(lambda *_: self._choose())
        self.rows.dataChanged.connect(lambda *_: self._choose())
        self.rows.updated.connect(self._choose_first)
        self.copy = add_view_action(self, ViewAction.COPY_ADDRESS, self._copy_address)
        add_view_action(self, ViewAction.COPY_ROWS, self._copy_rows)
        self.add_layout_actions()

    @property
    def filter_(self) -> ComparisonFilter:
        """Which pages are shown."""
        return self._filter

    def show_pages(self, filter_: ComparisonFilter) -> None:
        """Show the pages that pass a filter."""
        self._filter = filter_
        header = self.sort_header
        self.rows.use_kind(changes_kind(filter_))
        header.unsortable = _UNSORTABLE if filter_.field else _UNSORTABLE | _OF_FIELD
        header.set_keys([key for key in header.keys if key[0] not in header.unsortable])
        self._ask()

    def _ask(self) -> None:
        keys = self.sort_header.keys[:1]
        orders = [Order(_COLUMNS[column], down) for column, down in keys]
        self.rows.ask(ComparisonQuery(self._filter, orders[0] if orders else Order()))

    def _report_visible_rows(self) -> None:
        first = max(self.rowAt(0), 0)
        last = self.rowAt(self.viewport().height() - 1)
        self.rows.set_window(first, last if last >= 0 else self.rows.rowCount() - 1)

    def _choose_first(self) -> None:
        """Tell of a row as soon as there is one."""
        self._settle.start()
        if self.rows.rowCount() and not self.selectionModel().hasSelection():
            self.select_only(max(self.currentIndex().row(), 0))
        self._choose()

    def _choose(self) -> None:
        page = self.rows.record(self.currentIndex().row())
        if page != self._chosen:
            self._chosen = page
            self.page_chosen.emit(page)

    def _selected(self) -> Ids:
        ids = self.rows.row_ids(0, -1)
        for row in sorted(index.row() for index in self.selectionModel().selectedRows()):
            ids += self.rows.row_ids(row, row)
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
        columns = [_COLUMNS[i] for i in places if not header.isSectionHidden(i)]

        def set_clipboard(text: str) -> None:
            QGuiApplication.clipboard().setText(text)
            self.said.emit(copied_message(len(ids)))

        self._reader.submit(
            lambda rows: tsv(records_of(rows, kind, ids), kind, columns),  # type: ignore[arg-type] # likewise
            set_clipboard,
            key=f"copied changes {id(self)}",
        )
