"""The tree view of URLs and folders: names, with their numbers at the right edge."""

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QSize, Qt, Signal
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTreeView,
)

from gossamer.gui.look.theme import tabular
from gossamer.gui.tables.table_view import PADDING, PaddedDelegate, elide_address
from gossamer.gui.trees.lazy_tree import LazyTreeModel

Index = QModelIndex | QPersistentModelIndex
_INDENT: Final = 16
_NUMBERS: Final = (1, 2)
"""The columns of errors and of counts."""
_SIGN: Final = 14
_MARGIN: Final = 3
"""The margin that Fusion leaves around an icon and a text."""


class NameDelegate(QStyledItemDelegate):
    """Paints a name across adjacent empty cells, up to the first painted number."""

    def initStyleOption(self, option: QStyleOptionViewItem, index: Index) -> None:
        """As any cell, except for the width, and where the name is cut."""
        super().initStyleOption(option, index)
        view = self.parent()
        if not isinstance(view, QTreeView):
            return
        option.rect.setRight(_end_of_name(view, option, index))
        margin = view.style().pixelMetric(QStyle.PixelMetric.PM_FocusFrameHMargin) + 1
        sign = option.decorationSize.width() + 2 * margin
        option.text = elide_address(
            option.text, option.fontMetrics, option.rect.width() - sign - 2 * margin
        )


def _end_of_name(view: QTreeView, option: QStyleOptionViewItem, index: Index) -> int:
    """The last pixel of a row before its first number, or of the row if it has none."""
    end = view.columnViewportPosition(2) + view.columnWidth(2)
    for column, sign in ((2, 0), (1, _SIGN + PADDING)):
        if text := index.sibling(index.row(), column).data():
            end -= option.fontMetrics.horizontalAdvance(text) + sign + 3 * PADDING
    return end


class _NumberDelegate(PaddedDelegate):
    """A number; without one, nothing is painted over the name, which may extend there.

    The errors are next to the count, whatever room that leaves, with their icon. The count has no
    more room than it needs: the background of its cell would cover the errors of a selected row.
    """

    def initStyleOption(self, option: QStyleOptionViewItem, index: Index) -> None:
        """As any cell, except for the position of the icon."""
        super().initStyleOption(option, index)
        view = self.parent()
        if not isinstance(view, QTreeView):
            return
        width_of = option.fontMetrics.horizontalAdvance
        if index.column() != 1:
            option.rect.setLeft(option.rect.right() - width_of(option.text) - 2 * _MARGIN)
            return
        option.decorationSize = QSize(_SIGN, _SIGN)
        count = index.sibling(index.row(), 2).data() or ""
        right = view.columnViewportPosition(2) + view.columnWidth(2) - PADDING
        if count:
            right -= width_of(count) + 3 * PADDING
        option.rect.setRight(right)
        option.rect.setLeft(right - width_of(option.text) - _SIGN - 4 * _MARGIN)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """The cell, unless it is empty."""
        if index.data():
            super().paint(painter, option, index)


class RowTree(QTreeView):
    """A tree view that highlights the whole selected row, including cell padding.

    Typed text is passed to `typed`: not only names that begin with it are to be found.
    """

    typed = Signal(str)

    def __init__(self, model: LazyTreeModel) -> None:
        super().__init__()
        self.setModel(model)
        self.setUniformRowHeights(True)
        self.setIndentation(_INDENT)
        self.setHeaderHidden(True)
        self.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerItem)
        self.setExpandsOnDoubleClick(True)
        self.setFont(tabular(self.font()))
        self.setItemDelegateForColumn(0, NameDelegate(self))
        for column in _NUMBERS:
            self.setItemDelegateForColumn(column, _NumberDelegate(self))
        header = self.header()
        header.setStretchLastSection(False)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        for column in _NUMBERS:
            header.setSectionResizeMode(column, QHeaderView.ResizeMode.Fixed)
        self.fit_numbers([])

    def fit_numbers(self, shown: Sequence[QModelIndex]) -> None:
        """Fit the number columns to the visible numbers: the rest is for names."""
        width_of = self.fontMetrics().horizontalAdvance
        for column in _NUMBERS:
            cells = [index.siblingAtColumn(column) for index in shown]
            # Measuring a cell takes twenty times as long as measuring its text.
            widest = max(cells, key=lambda cell: width_of(cell.data() or ""), default=QModelIndex())
            # A cell rounds the width of its text up.
            width = max(self.sizeHintForIndex(widest).width(), 0) + 2 * PADDING + 2
            if width != self.columnWidth(column):
                self.header().resizeSection(column, width)

    def keyboardSearch(self, search: str) -> None:
        """Pass on the typed text."""
        if search.strip():
            self.typed.emit(search)

    def drawRow(
        self,
        painter: QPainter,
        options: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        """Draw the mark, then the row."""
        if self.selectionModel().isSelected(index):
            painter.fillRect(options.rect, options.palette.highlight())
        super().drawRow(painter, options, index)
