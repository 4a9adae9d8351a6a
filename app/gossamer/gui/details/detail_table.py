"""A table in the details: the view of one Listing."""

from typing import Generic, TypeVar

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QWidget

from gossamer.gui.details.detail_list_model import DetailListModel, DetailListSpec
from gossamer.gui.project.reader_thread import ProjectReader
from gossamer.gui.tables.empty_state import EmptyNote
from gossamer.gui.tables.link_actions import LinkActions
from gossamer.gui.tables.table_view import FilledTable
from gossamer.gui.url_menu.url_actions import Chosen, UrlActions

T = TypeVar("T")


class DetailTable(FilledTable, Generic[T]):
    """Rows about a URL. Enter or a double click goes to the URL that a row leads to."""

    url_wanted = Signal(int)
    source_wanted = Signal(str, str)
    """The address of a page, and that of a link on it that should be shown in its source."""

    def __init__(
        self,
        listing: DetailListSpec[T],
        reader: ProjectReader,
        parent: QWidget | None = None,
        *,
        columns: bool = True,
    ) -> None:
        """With `columns`, the person may choose which are shown."""
        super().__init__(parent)
        self.rows: DetailListModel[T] = DetailListModel(listing, reader, self)
        self.setModel(self.rows)
        for i, field in enumerate(listing.fields):
            self.set_width(i, field.width)
            if field.address:
                self.set_address(i)
            if field.filling:
                self.filling = i
        self.note = EmptyNote(self)
        self.activated.connect(self._go)
        self.url_actions = UrlActions(
            self, reader, Chosen(self._targets), possible=lambda: bool(self._targets())
        )
        self.url_actions.url_wanted.connect(self.url_wanted)
        if listing.link is not None:
            self._add_source_action()
        if listing.end is not None:
            LinkActions(self, reader, self._subject, only=listing.end)
        if columns:
            self.add_layout_actions()

    def _add_source_action(self) -> None:
        action = QAction(self.tr("Show in source"), self)
        action.setShortcut(QKeySequence("Ctrl+U"))
        action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        action.triggered.connect(self._show_in_source)
        self.addAction(action)

    def _show_in_source(self) -> None:
        rows = self.selectionModel().selectedRows()
        link = self.rows.row(rows[0].row()) if rows else None
        if link is not None and self.rows.listing.link is not None:
            self.source_wanted.emit(*self.rows.listing.link(link))

    def _subject(self) -> list[int]:
        """The URL that the list is about."""
        return [] if self.rows.url_id is None else [self.rows.url_id]

    def _targets(self) -> list[int]:
        rows = [index.row() for index in self.selectionModel().selectedRows()]
        return [target for target in map(self.rows.target, rows) if target is not None]

    def _go(self, index: QModelIndex) -> None:
        target = self.rows.target(index.row())
        if target is not None:
            self.url_wanted.emit(target)
