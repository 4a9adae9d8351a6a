"""A tree over the project file that grows while a crawl runs."""

from typing import Final

from PySide6.QtCore import QItemSelection, QModelIndex, QPersistentModelIndex, QPoint, Qt, QTimer
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QStyleOptionViewItem,
    QTreeView,
    QVBoxLayout,
    QWidget,
)

from app.gui.models.lazy_tree import LazyTreeModel
from app.gui.models.reader_thread import ProjectReader
from app.gui.models.tree_source import TreeSource
from app.gui.panels.empty_note import EmptyNote
from app.gui.panels.project_panel import ProjectPanel
from app.gui.panels.table_view import PADDING, PaddedDelegate
from app.gui.panels.url_actions import Chosen, UrlActions
from app.gui.theme import tabular

_INDENT: Final = 16
_SETTLE_MS: Final = 60
_COUNT_CHARS: Final = 7
_MOST_SHOWN: Final = 500
"""Rows asked about at once; more never fit on a screen."""


class RowTree(QTreeView):
    """A tree that marks the whole selected row, under the padding of its cells too."""

    def drawRow(
        self,
        painter: QPainter,
        options: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        """The mark, then the row."""
        if self.selectionModel().isSelected(index):
            painter.fillRect(options.rect, options.palette.highlight())
        super().drawRow(painter, options, index)


class TreePanel(ProjectPanel):
    """A tree of URLs. Only what is in sight is kept fresh, so its cost does not grow."""

    def __init__(
        self, source: TreeSource, reader: ProjectReader, parent: QWidget | None = None
    ) -> None:
        super().__init__(reader, parent)
        self.model = LazyTreeModel(source, reader, self)
        self.view = _tree_view(self.model)
        self._note = EmptyNote(self.view)
        self.url_actions = UrlActions(
            self.view,
            reader,
            Chosen(self._selected),
            possible=lambda: bool(self._selected()),
            tree=False,
        )
        self.url_actions.table_wanted.connect(self.table_wanted)
        self.url_actions.inlinks_wanted.connect(self.inlinks_wanted)
        self._current: int | None = None
        self._quiet = False
        self._moved = False
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.view)
        self.setFocusProxy(self.view)
        self._settle = QTimer(self)
        self._settle.setSingleShot(True)
        self._settle.setInterval(_SETTLE_MS)
        self._settle.timeout.connect(self._look)
        self.view.verticalScrollBar().valueChanged.connect(self._move)
        self.view.expanded.connect(self._move)
        self.view.selectionModel().selectionChanged.connect(self._tell)
        self.view.activated.connect(self._activate)
        self.model.updated.connect(self._settled)
        self.model.ended.connect(self._over)
        self.model.revealed.connect(self._show)

    def select_url(self, url_id: int) -> None:
        """Open the way down to a URL and select it."""
        if self._project is not None:
            self.model.reveal(url_id)

    def _start(self) -> None:
        self._current = None
        self.model.set_active(active=self._project is not None)
        if self._project is not None:
            self.model.read_more(QModelIndex())

    def _read(self) -> None:
        shown, opened = self._in_sight()
        self.model.refresh(shown, opened)

    def _settled(self) -> None:
        """Rows have arrived. Their end may be in sight, and a selected URL may have moved."""
        if self._current is not None and not self.view.selectionModel().hasSelection():
            self._quietly_select(self._index_of(self._current))
        self._settle.start()

    def _index_of(self, url_id: int) -> QModelIndex:
        return self.model.index_of(url_id)

    def _move(self) -> None:
        """Other rows are in sight. What is known of them may be old."""
        self._moved = True
        self._settle.start()

    def _over(self) -> None:
        self._pace.finished()
        if self.model.behind:
            self.refresh()

    def _look(self) -> None:
        """Read on where the end of what was read is in sight; refresh what came into sight."""
        if self._moved:
            self._moved = False
            self.refresh()
        shown, _ = self._in_sight()
        for index in shown:
            parent = index.parent()
            if index.row() == self.model.rowCount(parent) - 1:
                self.model.read_more(parent)
            if self.view.isExpanded(index) and not self.model.rowCount(index):
                self.model.read_more(index)

    def _in_sight(self) -> tuple[list[QModelIndex], list[QModelIndex]]:
        """The rows in sight, and the open nodes among them and above them."""
        shown: list[QModelIndex] = []
        opened = {}
        bottom = self.view.viewport().height()
        index = self.view.indexAt(QPoint(0, 0))
        above = index.parent()
        while above.isValid():
            opened[above.internalId()] = above
            above = above.parent()
        while index.isValid() and len(shown) < _MOST_SHOWN:
            if self.view.visualRect(index).top() > bottom:
                break
            shown.append(index)
            if self.view.isExpanded(index):
                opened[index.internalId()] = index
            index = self.view.indexBelow(index)
        return shown, list(opened.values())

    def _selected(self) -> list[int]:
        url_id = self.model.url_id(self._selected_index())
        return [] if url_id is None else [url_id]

    def _selected_index(self) -> QModelIndex:
        """The selected row. The current one lags behind while a selection is told."""
        rows = self.view.selectionModel().selectedRows()
        return rows[0] if rows else QModelIndex()

    def _tell(self, selected: QItemSelection) -> None:
        indexes = selected.indexes()
        if not indexes or self._quiet:
            return
        self._current = self.model.url_id(indexes[0])
        if self._current is not None:
            self.url_selected.emit(self._current)

    def _activate(self, index: QModelIndex) -> None:
        url_id = self.model.url_id(index)
        if url_id is not None:
            self.url_activated.emit(url_id)

    def _show(self, index: QModelIndex) -> None:
        self._current = self.model.url_id(index)
        self._quietly_select(index)
        self.view.scrollTo(index, QAbstractItemView.ScrollHint.EnsureVisible)

    def _quietly_select(self, index: QModelIndex) -> None:
        if index.isValid():
            self._quiet = True
            self.view.setCurrentIndex(index)
            self._quiet = False


def _tree_view(model: LazyTreeModel) -> QTreeView:
    view = RowTree()
    view.setModel(model)
    view.setUniformRowHeights(True)
    view.setIndentation(_INDENT)
    view.setHeaderHidden(True)
    view.setTextElideMode(Qt.TextElideMode.ElideMiddle)
    view.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
    view.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerItem)
    view.setExpandsOnDoubleClick(True)
    view.setFont(tabular(view.font()))
    view.setItemDelegateForColumn(1, PaddedDelegate(view))
    header = view.header()
    header.setStretchLastSection(False)
    header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
    header.setSectionResizeMode(1, QHeaderView.ResizeMode.Fixed)
    header.resizeSection(1, view.fontMetrics().averageCharWidth() * _COUNT_CHARS + 2 * PADDING)
    return view
