"""The table of URLs with its tabs and its filter."""

import base64
from typing import Final

import msgspec
from PySide6.QtCore import QModelIndex
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.gui.models.reader_thread import ProjectReader
from app.gui.models.table_query import Query
from app.gui.models.url_table import UrlTableModel
from app.gui.panels.empty_note import EmptyNote
from app.gui.panels.project_panel import ProjectPanel
from app.gui.panels.table_bar import TableBar
from app.gui.panels.url_actions import UrlActions
from app.gui.panels.url_table_view import UrlTableView
from app.model.outcome import Outcome
from app.model.views import VIEW_OUTCOMES, Filter, View

STATE_VERSION: Final = 1


class _Saved(msgspec.Struct):
    """The layout of the table as settings keep it: the header of each view in base64."""

    version: int
    view: View
    headers: dict[View, str]


class TablePanel(ProjectPanel):
    """URLs by view (all, pages, files, …), filtered by text and folder."""

    def __init__(self, reader: ProjectReader, parent: QWidget | None = None) -> None:
        super().__init__(reader, parent)
        self.model = UrlTableModel(reader, self)
        self.bar = TableBar()
        self.view = UrlTableView(self.model)
        self.view.setAccessibleName(self.tr("Addresses"))
        self._shown_view = self.bar.view
        self._current: int | None = None
        self._sought: int | None = None
        self._parts = 0
        self._note = EmptyNote(self.view)
        self.url_actions = UrlActions(self.view, reader, self.view.selected_ids, table=False)
        self.url_actions.tree_wanted.connect(self.tree_wanted)
        self.view.add_layout_actions()
        self._shortcut = QShortcut(QKeySequence(QKeySequence.StandardKey.Find), self)
        self._shortcut.activated.connect(self.bar.focus_field)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.bar)
        layout.addWidget(self.view, 1)
        self.bar.changed.connect(self._ask)
        self.model.updated.connect(self._arrived)
        self.model.ended.connect(self._part_over)
        self.view.selectionModel().currentRowChanged.connect(self._tell)
        self.view.activated.connect(self._activate)
        self._say()

    # ------------------------------------------------------------ for others

    def select_url(self, url_id: int) -> None:
        """Select a URL; if the present tab or filter hides it, show all URLs."""
        self._sought = url_id
        if self.model.loaded:
            self._find()

    def set_folder(self, folder_id: int | None, name: str = "") -> None:
        """Show only URLs in this folder and below; `name` says which that is."""
        self.bar.set_folder(folder_id, name)

    def set_view(self, view: View) -> None:
        """Turn to a tab."""
        self.bar.set_view(view)

    def focus_filter(self) -> None:
        """Put the cursor into the filter field."""
        self.bar.focus_field()

    def save_state(self) -> bytes:
        """The tab, and for each tab its columns, widths and order."""
        self.view.keep_columns(self._shown_view)
        headers = {
            view: base64.b64encode(state).decode() for view, state in self.view.layouts().items()
        }
        return msgspec.json.encode(_Saved(STATE_VERSION, self._shown_view, headers))

    def restore_state(self, state: bytes) -> None:
        """Take up a layout from `save_state`; one that cannot be used is ignored."""
        try:
            saved = msgspec.json.decode(state, type=_Saved)
            headers = {view: base64.b64decode(text) for view, text in saved.headers.items()}
        except ValueError:
            return
        if saved.version != STATE_VERSION:
            return
        self.view.set_layouts(headers)
        self.view.use_columns(self._shown_view)
        self.set_view(saved.view)

    # --------------------------------------------------------------- reading

    def _start(self) -> None:
        self._current = self._sought = None
        self._parts = 0
        self.model.clear()
        self.bar.show_all()
        self.bar.set_counts({})
        self._say()
        if self._project is not None:
            self.refresh()

    def _read(self) -> None:
        self._parts = 2
        self.model.refresh()
        self._reader.submit(
            lambda rows: rows.outcome_counts(),
            self._count,
            key=f"table counts {id(self)}",
            lost=self._part_over,
            background=True,
        )

    def _part_over(self) -> None:
        """A refresh is over when rows and counts are."""
        self._parts -= 1
        if self._parts == 0:
            self._pace.finished()

    def _count(self, counts: dict[Outcome, int]) -> None:
        self.bar.set_counts(
            {view: sum(counts.get(o, 0) for o in VIEW_OUTCOMES[view]) for view in View}
        )
        self._part_over()

    def _ask(self) -> None:
        """Show what tab, filter and header say now."""
        view = self.bar.view
        if view is not self._shown_view:
            self.view.keep_columns(self._shown_view)
            self._shown_view = view
            self.view.use_columns(view)
            self.view.scrollToTop()
        query = Query(view, self.bar.filter_, self.view.order())
        if self._project is not None and (query != self.model.query or not self.model.loaded):
            self.model.ask(query)

    def _arrived(self) -> None:
        self.bar.set_shown(self.model.rowCount())
        self._say()
        if self._sought is not None and self.model.loaded:
            self._find()

    def _find(self) -> None:
        """Select the sought URL, or turn to where it can be found."""
        if self._sought is None:
            return
        row = self.model.row_of(self._sought)
        if row >= 0:
            # Not news: whoever asked for it knows.
            self._current, self._sought = self._sought, None
            self.view.show_row(row)
        elif self.bar.view is View.ALL and self.bar.filter_ == Filter():
            self._sought = None
        else:
            self.bar.set_view(View.ALL)
            self.bar.show_all()

    def _tell(self, current: QModelIndex) -> None:
        url_id = self.model.url_id(current.row()) if current.isValid() else None
        if url_id is not None and url_id != self._current:
            self._current = url_id
            self.url_selected.emit(url_id)

    def _activate(self, index: QModelIndex) -> None:
        url_id = self.model.url_id(index.row())
        if url_id is not None:
            self.url_activated.emit(url_id)

    def _say(self) -> None:
        """What the table says while it is empty."""
        if self._project is None:
            words = self.tr("Every address of the website appears here as it is found.")
        elif not self.model.loaded:
            words = ""
        elif self.bar.filter_ != Filter():
            words = self.tr("Nothing here matches the filter.")
        else:
            words = {
                View.ALL: self.tr("No address yet."),
                View.PAGES: self.tr("Pages appear here once they have been fetched."),
                View.FILES: self.tr("No images, style sheets or other files so far."),
                View.REDIRECTS: self.tr("No redirects so far."),
                View.ERRORS: self.tr("No errors so far."),
                View.SKIPPED: self.tr("Nothing was skipped so far."),
            }[self.bar.view]
        self._note.say(words)
