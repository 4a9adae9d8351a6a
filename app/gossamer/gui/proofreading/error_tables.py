"""The tables of the proofreading window: the errors of a site, and the pages that have one."""

from collections.abc import Callable
from typing import Any, Final, TypeVar

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from gossamer.gui.tables.empty_state import EmptyStateLabel
from gossamer.gui.tables.list_model import ListModel
from gossamer.gui.tables.row_kind import RowKind
from gossamer.gui.tables.sort_header import SortHeader, SortKey
from gossamer.gui.tables.table_columns import ColumnSpec
from gossamer.gui.tables.table_view import TableView
from gossamer.gui.text import local_formatting as formatting
from gossamer.gui.text.local_formatting import QT_TRANSLATE_NOOP, translator
from gossamer.model.text_errors import ErrorKind, ErrorLocation, ErrorSummary
from gossamer.urls.url_folders import display_url

_tr = translator("Proofreading")
_KINDS: Final = {
    ErrorKind.SPELLING: QT_TRANSLATE_NOOP("Proofreading", "Spelling"),
    ErrorKind.GRAMMAR: QT_TRANSLATE_NOOP("Proofreading", "Grammar"),
}
T = TypeVar("T")


def error_kind_name(kind: ErrorKind) -> str:
    """The name of a kind of error."""
    return _tr(_KINDS[kind])


_ERRORS: Final[RowKind[ErrorSummary]] = RowKind(
    columns=(
        ColumnSpec(
            None,
            QT_TRANSLATE_NOOP("Column", "Error"),
            30,
            lambda each: formatting.clean(each.error.text),
        ),
        ColumnSpec(
            None,
            QT_TRANSLATE_NOOP("Column", "Type"),
            12,
            lambda each: error_kind_name(each.error.kind),
        ),
        ColumnSpec(
            None,
            QT_TRANSLATE_NOOP("Column", "Language"),
            12,
            lambda each: formatting.clean(each.language),
        ),
        ColumnSpec(
            None,
            QT_TRANSLATE_NOOP("Column", "Pages"),
            9,
            lambda each: formatting.number(each.pages),
            numeric=True,
        ),
        ColumnSpec(
            None,
            QT_TRANSLATE_NOOP("Column", "Occurrences"),
            13,
            lambda each: formatting.number(each.occurrences),
            numeric=True,
        ),
    )
)
_PAGES_COLUMN: Final = 3
_ERROR_ORDERS: Final[tuple[Callable[[ErrorSummary], Any], ...]] = (
    lambda each: each.error.text.casefold(),
    lambda each: each.error.kind,
    lambda each: each.language,
    lambda each: each.pages,
    lambda each: each.occurrences,
)
_PLACES: Final[RowKind[ErrorLocation]] = RowKind(
    columns=(
        ColumnSpec(
            "address",
            QT_TRANSLATE_NOOP("Column", "Address"),
            36,
            lambda each: formatting.clean(display_url(each.url)),
            address=True,
        ),
        ColumnSpec(
            None,
            QT_TRANSLATE_NOOP("Column", "Occurrences"),
            13,
            lambda each: formatting.number(each.error.count),
            numeric=True,
        ),
        ColumnSpec(
            None,
            QT_TRANSLATE_NOOP("Column", "Context"),
            50,
            lambda each: formatting.clean(each.error.context),
        ),
    ),
    url_id=lambda each: each.url_id,
    filling=2,
)


class ErrorTable(TableView):
    """The errors of a site, most pages first. `chosen` carries the current one, or None."""

    chosen = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._all: list[ErrorSummary] = []
        self._text = ""
        self._kind: ErrorKind | None = None
        self.rows: ListModel[ErrorSummary] = ListModel(_ERRORS, self)
        self.sort_header = SortHeader(self)
        self.setHorizontalHeader(self.sort_header)
        self.set_up_header()
        self.setModel(self.rows)
        self.set_columns(_ERRORS.columns, _ERRORS.filling)
        order: tuple[SortKey, ...] = ((_PAGES_COLUMN, True),)
        self.sort_header.set_keys(order)
        self.sort_header.sort_changed.connect(self._list)
        self.setSelectionMode(TableView.SelectionMode.SingleSelection)
        self.setAccessibleName(self.tr("Errors"))
        self.note = EmptyStateLabel(self)
        self.selectionModel().currentRowChanged.connect(lambda: self.chosen.emit(self.current))

    @property
    def current(self) -> ErrorSummary | None:
        """The chosen error."""
        return self.rows.record(self.currentIndex().row())

    def show_errors(self, errors: list[ErrorSummary]) -> None:
        """Show these errors if they pass the filter.

        The chosen one stays so; if it is gone, the one in its place is chosen.
        """
        self._all = errors
        self._list()

    def set_filter(self, text: str, kind: ErrorKind | None) -> None:
        """List only the errors of this kind, None for all, that contain this text."""
        self._text, self._kind = text.casefold(), kind
        self._list()

    def _list(self) -> None:
        row, before = self.currentIndex().row(), self.current
        listed = [
            each
            for each in self._all
            if self._text in each.error.text.casefold() and self._kind in {None, each.error.kind}
        ]
        for column, is_descending in reversed(self.sort_header.keys):
            listed.sort(key=_ERROR_ORDERS[column], reverse=is_descending)
        self.rows.show(listed)
        if listed:
            chosen = None if before is None else _identity(before)
            same = (at for at, each in enumerate(listed) if _identity(each) == chosen)
            self.select_only(next(same, min(max(row, 0), len(listed) - 1)))
        else:
            self.chosen.emit(None)


def _identity(summary: ErrorSummary) -> tuple[ErrorKind, str, str]:
    """What distinguishes an error from others, however often it occurs."""
    error = summary.error
    return error.kind, error.text, error.rule


class ErrorLocationTable(TableView):
    """The pages with an error. `page_wanted` carries the id of a double-clicked one."""

    page_wanted = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.rows: ListModel[ErrorLocation] = ListModel(_PLACES, self)
        self.setModel(self.rows)
        self.set_columns(_PLACES.columns, _PLACES.filling)
        self.setSelectionMode(TableView.SelectionMode.SingleSelection)
        self.setAccessibleName(self.tr("Pages with this error"))
        self.activated.connect(self._go)

    def _go(self) -> None:
        url_id = self.rows.url_id(self.currentIndex().row())
        if url_id is not None:
            self.page_wanted.emit(url_id)
