"""The view of a list about one URL, and what can be done with its rows."""

from dataclasses import dataclass
from typing import Generic, TypeVar

from PySide6.QtCore import QModelIndex, Signal
from PySide6.QtWidgets import QWidget

from gossamer.gui.actions.context_menu import add_view_action
from gossamer.gui.actions.view_actions import ViewAction
from gossamer.gui.project.reader_thread import ProjectReader
from gossamer.gui.tables.clipboard import LinkActions
from gossamer.gui.tables.empty_state import EmptyNote
from gossamer.gui.tables.paged_model import PagedModel, ReadPage
from gossamer.gui.tables.row_kind import RowKind
from gossamer.gui.tables.table_view import TableView
from gossamer.gui.url_menu.url_actions import Chosen, UrlActions
from gossamer.model.link_record import LinkRecord
from gossamer.model.project_queries import LinkEnd

T = TypeVar("T")


@dataclass(frozen=True, kw_only=True)
class DetailList(Generic[T]):
    """A list about one URL: its rows, and how they are read; `end` where they are links."""

    kind: RowKind[T]
    read: ReadPage[T]
    end: LinkEnd | None = None
    """From which end the links are looked at."""


class DetailTable(TableView, Generic[T]):
    """Rows about a URL. Enter or a double click goes to the URL that a row leads to."""

    url_wanted = Signal(int)
    source_wanted = Signal(str, str)
    """The address of a page, and that of a link on it that should be shown in its source."""

    def __init__(
        self,
        shown: DetailList[T],
        reader: ProjectReader,
        parent: QWidget | None = None,
        *,
        columns: bool = True,
    ) -> None:
        """With `columns`, the person may choose which are shown."""
        super().__init__(parent)
        self.rows: PagedModel[T] = PagedModel(shown.kind, shown.read, reader, self)
        self.setModel(self.rows)
        self.set_columns(shown.kind.columns, shown.kind.filling)
        self.note = EmptyNote(self)
        self.activated.connect(self._go)
        self.url_actions = UrlActions(
            self, reader, Chosen(self._selected_urls), possible=lambda: bool(self._selected_urls())
        )
        self.url_actions.url_wanted.connect(self.url_wanted)
        if shown.end is not None:
            add_view_action(self, ViewAction.SHOW_IN_SOURCE, self._show_in_source)
            LinkActions(self, reader, self._about, only=shown.end)
        if columns:
            self.add_layout_actions()

    def _show_in_source(self) -> None:
        rows = self.selectionModel().selectedRows()
        link = self.rows.record(rows[0].row()) if rows else None
        if isinstance(link, LinkRecord):
            self.source_wanted.emit(link.source_url, link.target_url)

    def _about(self) -> list[int]:
        """The URL that the list is about."""
        return [] if self.rows.about is None else [self.rows.about]

    def _selected_urls(self) -> list[int]:
        urls = (self.rows.url_id(index.row()) for index in self.selectionModel().selectedRows())
        return [url_id for url_id in urls if url_id is not None]

    def _go(self, index: QModelIndex) -> None:
        url_id = self.rows.url_id(index.row())
        if url_id is not None:
            self.url_wanted.emit(url_id)
