"""The common table view: one line per row, and URLs shortened by their common origin."""

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Final, TypeVar

from PySide6.QtCore import (
    QAbstractItemModel,
    QItemSelectionModel,
    QItemSelectionRange,
    QModelIndex,
    QPersistentModelIndex,
    QPoint,
    QSize,
    Qt,
)
from PySide6.QtGui import QAction, QFocusEvent, QFontMetrics, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QMenu,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from gossamer.gui.actions.view_actions import ViewAction, add_view_action
from gossamer.gui.look.theme import tabular
from gossamer.gui.tables.column_picker import offer_columns
from gossamer.gui.tables.sort_header import SortHeader
from gossamer.gui.tables.table_columns import ColumnSpec
from gossamer.gui.widgets.help_context import open_page, page_about_field
from gossamer.gui.widgets.sticky_menu import StickyMenu

V = TypeVar("V", bound="TableView")

_WORDS_FIRST: Final = re.compile(r"(?!https?:)([^/\s→][^/→]*) ((?:https?:/)?/\S*)")
_ORIGIN: Final = re.compile(r"https?://([^/\s]+)")
_MIN_CHARACTERS: Final = 6
"""The minimum of average characters of words and of a path before the host is cut as well."""


def without_origin(address: str, home: str) -> str:
    """`address` without the origin `home`, which the window shows once for all rows."""
    if home and address.startswith(f"{home}/"):
        return address[len(home) :]
    return address


def elide_address(text: str, metrics: QFontMetrics, width: int) -> str:
    """`text` in at most `width` pixels: the end of a path, after its host if it has one.

    The scheme gives way if there is no room for all three, and words before an address ("Invalid
    certificate https://a.example/") give way to it. Any other text is cut in the middle.
    """
    if metrics.horizontalAdvance(text) <= width:
        return text
    if both := _WORDS_FIRST.fullmatch(text):
        words, address = both.groups()
        room = width - metrics.horizontalAdvance(f" {address}")
        least = metrics.averageCharWidth() * _MIN_CHARACTERS
        words = metrics.elidedText(words, Qt.TextElideMode.ElideRight, max(room, least))
        room = width - metrics.horizontalAdvance(f"{words} ")
        return f"{words} {elide_address(address, metrics, room)}"
    if site := _ORIGIN.fullmatch(text):
        # The host says more than the scheme.
        return metrics.elidedText(site[1], Qt.TextElideMode.ElideLeft, width)
    if text.startswith("/"):
        return metrics.elidedText(text, Qt.TextElideMode.ElideLeft, width)
    scheme, found, rest = text.partition("://")
    host, slash, path = rest.partition("/")
    if found and slash:
        for head in (f"{scheme}://{host}/", f"{host}/"):
            left = width - metrics.horizontalAdvance(head)
            if left >= _MIN_CHARACTERS * metrics.averageCharWidth():
                return head + metrics.elidedText(path, Qt.TextElideMode.ElideLeft, left)
    return metrics.elidedText(text, Qt.TextElideMode.ElideMiddle, width)


PADDING: Final = 5
"""Horizontal space around the text of a cell, beyond that of the style: as much as headers have."""

ROW_PADDING: Final = 9
_CELL_PADDING: Final = 4 * PADDING
_MEASURED_ROWS: Final = 30
_MIN_SECTION: Final = 48
_BY_KEY: Final = frozenset(
    {
        Qt.FocusReason.TabFocusReason,
        Qt.FocusReason.BacktabFocusReason,
        Qt.FocusReason.ShortcutFocusReason,
    }
)
_ENDS: Final = frozenset(
    {QAbstractItemView.CursorAction.MoveHome, QAbstractItemView.CursorAction.MoveEnd}
)


class PaddedDelegate(QStyledItemDelegate):
    """Paints cells with horizontal padding."""

    def initStyleOption(
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        """Leave room around the text; the view has painted the row's background already."""
        super().initStyleOption(option, index)
        option.rect = option.rect.adjusted(PADDING, 0, -PADDING, 0)

    def sizeHint(
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> QSize:
        """Room above and below too. Only called for one row: all are equally high."""
        hint = super().sizeHint(option, index)
        return QSize(hint.width(), option.fontMetrics.height() + ROW_PADDING)


class AddressDelegate(PaddedDelegate):
    """Paints URLs without the site's own origin, and elides long ones where it matters least."""

    def initStyleOption(
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        """As any cell, except for the origin and the ellipsis."""
        super().initStyleOption(option, index)
        view = self.parent()
        if isinstance(view, TableView):
            margin = view.style().pixelMetric(QStyle.PixelMetric.PM_FocusFrameHMargin) + 1
            text = without_origin(option.text, view.home)
            option.text = elide_address(text, option.fontMetrics, option.rect.width() - 2 * margin)


class TableView(QTableView):
    """A table view for many rows: selects whole rows, never wraps, never measures contents.

    Widths are in characters. The column `filling` takes the width that the others leave.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.filling = 0
        self.home = ""
        """The origin of the site, which the window shows once and addresses leave out."""
        self._filled = 0
        self._is_arranged = True
        self._shown: Sequence[ColumnSpec] = ()
        self.setItemDelegate(PaddedDelegate(self))
        self._address_delegate = AddressDelegate(self)
        self.setFont(tabular(self.font()))
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setWordWrap(False)
        self.setShowGrid(False)
        self.setAlternatingRowColors(True)
        self.setCornerButtonEnabled(False)
        # Fusion frames the square between two scroll bars; an empty widget covers it.
        self.setCornerWidget(QWidget(self))
        # Tab leaves the table, as in a list; the arrows move in it.
        self.setTabKeyNavigation(False)
        rows = self.verticalHeader()
        rows.hide()
        rows.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        rows.setMinimumSectionSize(1)
        rows.setDefaultSectionSize(self.fontMetrics().height() + ROW_PADDING)
        self.set_up_header()

    def set_up_header(self) -> None:
        """Set up the horizontal header; again if another one has replaced it."""
        header = self.horizontalHeader()
        header.setHighlightSections(False)
        header.setMinimumSectionSize(_MIN_SECTION)
        header.setSectionsMovable(True)
        header.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        header.customContextMenuRequested.connect(self._offer_columns)

    def setModel(self, model: QAbstractItemModel | None) -> None:
        """Show a model. Its headers ignore the selection.

        A header that follows it checks for each column whether all of its rows are selected: 1.5 s
        with 100,000 rows selected, at each repaint.
        """
        super().setModel(model)
        if model is not None:
            for header in (self.horizontalHeader(), self.verticalHeader()):
                header.setSelectionModel(QItemSelectionModel(model, header))

    def set_columns(self, columns: Sequence[ColumnSpec], filling: int = 0) -> None:
        """Set the widths of the columns, and elide addresses as addresses."""
        for i, spec in enumerate(columns):
            self.setColumnWidth(i, self.usual_width(i, spec.width))
        self.take_columns(columns, filling)

    def take_columns(self, columns: Sequence[ColumnSpec], filling: int) -> None:
        """The same, except for the widths."""
        self.filling, self._shown = filling, columns
        for i, spec in enumerate(columns):
            delegate = self._address_delegate if spec.address else None
            self.setItemDelegateForColumn(i, delegate)  # type: ignore[arg-type] # None is no other

    def help_page(self) -> str:
        """The page about the column of the current cell; "" for the first one, where one begins."""
        column = self.currentIndex().column()
        is_first = self.horizontalHeader().visualIndex(column) < 1
        return "" if is_first else self._page_about(column)

    def _page_about(self, column: int) -> str:
        """The page about a column; "" if it shows no declared field, or there is none."""
        field = self._shown[column].field if 0 <= column < len(self._shown) else None
        return "" if field is None else page_about_field(field)

    def set_width(self, column: int, characters: int) -> None:
        """Make a column wide enough for this many average characters."""
        self.setColumnWidth(column, self.width_of(characters))

    def width_of(self, characters: int) -> int:
        """The width of a column with room for this many average characters."""
        return self.fontMetrics().averageCharWidth() * characters + _CELL_PADDING

    def usual_width(self, column: int, characters: int) -> int:
        """The same, or more if the name of a sorted column needs it; the filling one grows."""
        header, width = self.horizontalHeader(), self.width_of(characters)
        if column == self.filling or not isinstance(header, SortHeader):
            return width
        return max(width, header.needed(column))

    def fit_columns(self, most: int) -> None:
        """Make the columns as wide as the contents of the first rows, up to a limit of digits."""
        header = self.horizontalHeader()
        header.setResizeContentsPrecision(_MEASURED_ROWS)
        widest = self.fontMetrics().horizontalAdvance("0") * most
        for column in range(header.count()):
            wanted = header.sectionSizeHint(column)
            if column != self.filling:
                wanted = max(wanted, self.sizeHintForColumn(column))
            self.setColumnWidth(column, min(wanted + _CELL_PADDING // 2, widest))
        self.fill(anew=True)

    def fill(self, *, anew: bool = False) -> None:
        """Widen the filling column to the width of the view; `anew`: the widths were just set.

        It gives up to a quarter of its own if that makes all columns visible.
        """
        if anew:
            self._filled = 0
        header = self.horizontalHeader()
        own = self.columnWidth(self.filling) - self._filled
        left = self.viewport().width() - (header.length() - self._filled)
        self._filled = left if left >= -own // 4 else 0
        if not self.isColumnHidden(self.filling):
            self.setColumnWidth(self.filling, own + self._filled)

    def save_columns(self) -> bytes:
        """The columns for `restore_columns`, without what fills the present width."""
        header = self.horizontalHeader()
        width = header.sectionSize(self.filling)
        blocked = header.blockSignals(True)
        header.resizeSection(self.filling, width - self._filled)
        state = bytes(header.saveState().data())
        header.resizeSection(self.filling, width)
        header.blockSignals(blocked)
        return state

    def restore_columns(self, state: bytes) -> bool:
        """Restore columns from `save_columns`; False if they are invalid. Call `fill` then."""
        restored = self.horizontalHeader().restoreState(state)
        self.viewport().update()  # Qt repaints the header alone: rows may be those that are shown
        return restored

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Select the current row when the keyboard focus arrives, to show where arrows start."""
        super().focusInEvent(event)
        by_key = event.reason() in _BY_KEY
        if by_key and self.currentIndex().isValid() and not self.selectionModel().hasSelection():
            self.select_only(self.currentIndex().row())

    def select_only(self, row: int) -> None:
        """Select this row and no other, and go there.

        `selectRow` would heed Control and Shift, which a user who pressed a shortcut still holds.
        """
        index = self.model().index(row, max(self.currentIndex().column(), 0))
        flags = QItemSelectionModel.SelectionFlag
        self.selectionModel().setCurrentIndex(index, flags.ClearAndSelect | flags.Rows)

    def selected_parts(self) -> list[QItemSelectionRange]:
        """The selected rows as ranges, from top to bottom: a million selected together are one."""
        selection = self.selectionModel().selection()
        parts = [selection.at(i) for i in range(selection.count())]
        return sorted(parts, key=lambda part: part.top())

    def moveCursor(
        self, action: QAbstractItemView.CursorAction, modifiers: Qt.KeyboardModifier
    ) -> QModelIndex:
        """Home and End move to the first and the last row: rows are selected as a whole."""
        rows = self.model().rowCount()
        if action in _ENDS and rows:
            row = 0 if action is QAbstractItemView.CursorAction.MoveHome else rows - 1
            return self.model().index(row, max(self.currentIndex().column(), 0))
        return super().moveCursor(action, modifiers)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the width filled, and the current row in sight where it was so."""
        super().resizeEvent(event)
        if self._is_arranged:
            self.fill()
        current = self.currentIndex()
        row = self.visualRect(current)
        was_in_sight = row.top() >= 0 and row.bottom() < event.oldSize().height()
        if current.isValid() and was_in_sight and row.bottom() >= self.viewport().height():
            across = self.horizontalScrollBar().value()
            self.scrollTo(current)
            self.horizontalScrollBar().setValue(across)

    @contextmanager
    def arranging(self) -> Iterator[None]:
        """Change the set of columns, ending with `fill(anew=True)`.

        A scroll bar that appears or disappears meanwhile must not fill the width: what was filled
        before would be taken from the new width of a column.
        """
        was_arranged, self._is_arranged = self._is_arranged, False
        try:
            yield
        finally:
            self._is_arranged = was_arranged

    def add_layout_actions(self) -> None:
        """Offer what the header offers to the mouse in the context menu, and so on the keyboard."""
        add_view_action(self, ViewAction.COLUMNS, self._offer_columns_at_corner)

    def fill_columns_menu(self, menu: QMenu) -> None:
        """Offer the columns to show or hide; the first one is always shown."""
        offer_columns(menu, self.horizontalHeader(), self._show_column)

    def choose_columns(self, at: QPoint) -> None:
        """Open the menu of all columns at a position on the screen."""
        menu = StickyMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.fill_columns_menu(menu)
        menu.popup(at)

    def _offer_columns_at_corner(self) -> None:
        self._offer_columns(QPoint(0, 0))

    def _offer_columns(self, at: QPoint) -> QMenu:
        menu = self.header_menu(at)
        menu.popup(self.horizontalHeader().mapToGlobal(at))
        return menu

    def header_menu(self, at: QPoint) -> QMenu:
        """The menu of the header at this position: the page about the column, and all columns."""
        header = self.horizontalHeader()
        menu = StickyMenu(header)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.fill_columns_menu(menu)
        column = header.logicalIndexAt(at)
        if page := self._page_about(column):
            name = header.model().headerData(column, Qt.Orientation.Horizontal)
            about = QAction(self.tr("About the column {name}").format(name=name), menu)
            about.triggered.connect(lambda: open_page(self, page))
            first = menu.actions()[0]
            menu.insertAction(first, about)
            menu.insertSeparator(first)
        return menu

    def _show_column(self, column: int, shown: bool) -> None:  # noqa: FBT001 - a signal's argument
        self.setColumnHidden(column, not shown)
        self.fill()


def tables_in(part: QWidget, kind: type[V]) -> list[V]:
    """The tables of a kind in a part of the window, or that part itself."""
    own = [part] if isinstance(part, kind) else []
    return [*own, *part.findChildren(kind)]
