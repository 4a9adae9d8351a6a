"""The table of pages that differ: what has changed of each, before and after."""

from collections.abc import Callable
from typing import Any, Final

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from gossamer.gui.comparison.change_texts import CHANGE_STYLES, change_name, shown_change
from gossamer.gui.comparison.comparison_interfaces import ComparisonRows
from gossamer.gui.comparison.comparison_query import (
    ADDRESS,
    AFTER,
    BEFORE,
    CHANGE,
    ComparisonQuery,
)
from gossamer.gui.comparison.comparison_table import ComparisonTable
from gossamer.gui.look.icons import icon
from gossamer.gui.look.theme import colour
from gossamer.gui.project.reader_thread import BackgroundReader
from gossamer.gui.tables.item_roles import DECORATION, DISPLAY, FOREGROUND
from gossamer.gui.tables.query_table_model import QueryModel
from gossamer.gui.tables.row_kind import QueryRowKind
from gossamer.gui.tables.table_columns import ColumnSpec
from gossamer.gui.tables.table_model import AnyIndex
from gossamer.gui.text import local_formatting as formatting
from gossamer.gui.text.local_formatting import QT_TRANSLATE_NOOP
from gossamer.model.comparison_results import ComparedPage, ComparisonFilter
from gossamer.urls.url_folders import display_url

FIELD: Final = "field"
_COLUMNS: Final = (ADDRESS, CHANGE, FIELD, BEFORE, AFTER)
_CHANGE_COLUMN: Final = _COLUMNS.index(CHANGE)
_OF_FIELD: Final = frozenset({BEFORE, AFTER})
"""Columns that can be sorted by if every row shows the same field."""


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

    is_address = filter_.has_moved or filter_.field in {"redirect", "canonical"}
    field, after = QT_TRANSLATE_NOOP("Column", "Field"), QT_TRANSLATE_NOOP("Column", "After")
    if filter_.has_moved:
        field = QT_TRANSLATE_NOOP("Column", "Reason")
        after = QT_TRANSLATE_NOOP("Column", "Probably moved to")
    columns = (
        _spec(
            ADDRESS,
            QT_TRANSLATE_NOOP("Column", "Address"),
            46 if filter_.has_moved else 34,
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
        _spec(FIELD, field, 22, lambda page: told(page)[0], is_address=False),
        _spec(
            BEFORE,
            QT_TRANSLATE_NOOP("Column", "Before"),
            30,
            lambda page: told(page)[1],
            is_address=is_address,
        ),
        _spec(
            AFTER,
            after,
            46 if filter_.has_moved else 30,
            lambda page: told(page)[2],
            is_address=is_address,
        ),
    )
    # Of a page that has moved, the address is the one before.
    shown = tuple(x for x in columns if x.column != BEFORE or not filter_.has_moved)
    return QueryRowKind[ComparedPage](
        columns=shown,
        filling=len(shown) - 1,
        read=lambda rows, ids: rows.pages(ids),
        address=lambda page: page.url,
    )


class ChangesModel(QueryModel):
    """Pages that differ; the change has its sign and its colour."""

    def __init__(self, reader: BackgroundReader[ComparisonRows], filter_: ComparisonFilter) -> None:
        query = ComparisonQuery(filter_)
        super().__init__(reader, None, changes_kind(filter_), query=query)

    def data(self, index: AnyIndex, role: int = DISPLAY) -> Any:  # noqa: ANN401 - a Qt variant
        """A cell."""
        if role in {DECORATION, FOREGROUND} and index.column() == _CHANGE_COLUMN:
            page = self.record(index.row())
            if page is None:
                return None
            sign, role_of = CHANGE_STYLES[page.change]
            return icon(sign) if role == DECORATION else colour(role_of)
        return super().data(index, role)


class ChangesTable(ComparisonTable):
    """Shows a ChangesModel. `page_chosen` carries the ComparedPage of the current row, or None."""

    page_chosen = Signal(object)

    def __init__(
        self,
        reader: BackgroundReader[ComparisonRows],
        filter_: ComparisonFilter,
        parent: QWidget | None = None,
    ) -> None:
        self._filter = filter_
        self._chosen: ComparedPage | None = None
        model = ChangesModel(reader, filter_)
        super().__init__(reader, model, self.tr("Pages that differ"), parent)
        self.selectionModel().currentRowChanged.connect(lambda *_: self._choose())
        self.rows.dataChanged.connect(lambda *_: self._choose())
        self.rows.updated.connect(self._choose_first)

    @property
    def filter_(self) -> ComparisonFilter:
        """Which pages are shown."""
        return self._filter

    def show_pages(self, filter_: ComparisonFilter) -> None:
        """Show the pages that pass a filter."""
        self._filter = filter_
        header = self.sort_header
        self.rows.use_kind(changes_kind(filter_))
        unsortable = {FIELD} if filter_.field else {FIELD, *_OF_FIELD}
        columns = enumerate(self.rows.kind.columns)
        header.unsortable = frozenset(i for i, each in columns if each.column in unsortable)
        header.set_keys([key for key in header.keys if key[0] not in header.unsortable])
        self.ask()

    def ask(self) -> None:
        """Ask for the pages that are wanted."""
        self.rows.ask(ComparisonQuery(self._filter, self.order()))

    def _choose_first(self) -> None:
        """Tell of a row as soon as there is one."""
        if self.rows.rowCount() and not self.selectionModel().hasSelection():
            self.select_only(max(self.currentIndex().row(), 0))
        self._choose()

    def _choose(self) -> None:
        page = self.rows.record(self.currentIndex().row())
        if page != self._chosen:
            self._chosen = page
            self.page_chosen.emit(page)
