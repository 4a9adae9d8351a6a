"""A small tree of texts in columns, made at once: rows can be copied, and sorted by values."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtGui import (
    QAction,
    QGuiApplication,
    QKeySequence,
    QPainter,
    QPalette,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QHeaderView,
    QStyleOptionViewItem,
    QTreeWidget,
    QTreeWidgetItem,
    QTreeWidgetItemIterator,
    QWidget,
)

from gossamer.gui.look.icons import icon
from gossamer.gui.tables.clipboard import tsv_cell
from gossamer.gui.tables.empty_state import EmptyStateLabel
from gossamer.gui.tables.table_view import PADDING, PaddedDelegate

SORT_VALUE: Final = int(Qt.ItemDataRole.UserRole) + 10
"""The sort key of a cell, if it is not its text."""


class ValueTree(QTreeWidget):
    """Columns share the width by `shares`, except for the last one, which takes the rest.

    No column is narrower than its heading, a column in `least` not than that many characters
    either. Without rows it says `empty`.
    """

    least: Mapping[int, int] = MappingProxyType({})

    def __init__(
        self,
        name: str,
        columns: Sequence[str],
        shares: Sequence[float],
        empty: str = "",
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._shares = shares
        self.setColumnCount(len(columns))
        self.setHeaderLabels(list(columns))
        self.setAccessibleName(name)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setUniformRowHeights(True)
        self.setItemDelegate(PaddedDelegate(self))
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setAlternatingRowColors(True)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        header = self.header()
        header.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        header.setStretchLastSection(True)
        copy = QAction(icon("copy"), self.tr("Copy"), self)
        copy.setShortcut(QKeySequence.StandardKey.Copy)
        copy.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        copy.triggered.connect(self._copy)
        self.addAction(copy)
        self.note = EmptyStateLabel(self)
        self.note.show_text(empty)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)

    def share_out(self, shares: Sequence[float]) -> None:
        """Give columns other shares of the width."""
        if shares != self._shares:
            self._shares = shares
            self._share_out(self.viewport().width())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Share out the width again."""
        super().resizeEvent(event)
        self._share_out(event.size().width())

    def _share_out(self, width: int) -> None:
        header, character = self.header(), self.fontMetrics().averageCharWidth()
        leasts = [
            max(
                self.least.get(section, 0) * character + 2 * PADDING,
                header.sectionSizeHint(section),
            )
            for section in range(len(self._shares))
        ]
        spare = [
            max(int(share * width) - least, 0)
            for share, least in zip(self._shares, leasts, strict=True)
        ]
        last = header.count() - 1
        rest = header.sectionSizeHint(last)
        left = width - sum(leasts) - rest
        part = min(max(left, 0) / max(sum(spare), 1), 1.0)
        for section, (least, more) in enumerate(zip(leasts, spare, strict=True)):
            header.resizeSection(section, least + int(part * more))
        header.resizeSection(last, rest)  # stretched where there is more, but not narrower

    def drawRow(
        self,
        painter: QPainter,
        options: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        """Draw the selection also between the cells, and in every second row."""
        own = QStyleOptionViewItem(options)
        if self.selectionModel().isSelected(index):
            palette = own.palette
            palette.setBrush(QPalette.ColorRole.AlternateBase, palette.highlight())
            own.palette = palette
            painter.fillRect(own.rect, palette.highlight())
        super().drawRow(painter, own, index)

    def _copy(self) -> None:
        """Copy the selected rows from top to bottom, for a spreadsheet."""
        lines, columns = [], range(self.columnCount())
        each = QTreeWidgetItemIterator(self, QTreeWidgetItemIterator.IteratorFlag.Selected)
        while row := each.value():
            lines.append("\t".join(tsv_cell(row.text(column)) for column in columns).rstrip())
            each += 1
        QGuiApplication.clipboard().setText("\n".join(lines))


class ValueRow(QTreeWidgetItem):
    """A row that is sorted by the values of its cells."""

    def __lt__(self, other: QTreeWidgetItem) -> bool:
        """Compare by the values in the column that the tree is sorted by."""
        tree = self.treeWidget()
        column = 0 if tree is None else tree.sortColumn()
        own, others = self.data(column, SORT_VALUE), other.data(column, SORT_VALUE)
        if own is None or others is None:
            return self.text(column).casefold() < other.text(column).casefold()
        return bool(own < others)
