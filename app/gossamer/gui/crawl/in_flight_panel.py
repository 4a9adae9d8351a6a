"""Lists the URLs being fetched now, with elapsed time and a button to cancel each."""

import time
from collections.abc import Callable, Sequence
from typing import Final

from PySide6.QtCore import (
    QAbstractListModel,
    QEvent,
    QModelIndex,
    QPersistentModelIndex,
    QPoint,
    QRect,
    QSize,
    Qt,
    QTimer,
    Signal,
)
from PySide6.QtGui import QHelpEvent, QIcon, QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QListView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QToolTip,
    QWidget,
)

from gossamer.gui.look import theme
from gossamer.gui.look.icons import icon
from gossamer.gui.text.local_formatting import decimal
from gossamer.model.messages.crawl_messages import InFlight

MAX_ROWS: Final = 200
_TICK_MS: Final = 500
"""How often ages grow without a report."""
STILL_MS: Final = 1000
"""How long nothing moves after a click on a cross: the second of two clicks would hit another's."""
_ROW_HEIGHT: Final = 24
_BUTTON: Final = 16
_LONGEST_TEXT: Final = 300

AnyIndex = QModelIndex | QPersistentModelIndex
_NOWHERE: Final = QModelIndex()


class InFlightModel(QAbstractListModel):
    """At most MAX_ROWS URLs in flight, oldest first. DisplayRole is the URL.

    `flight` returns the whole row. Rows that stay keep their place, and so does a selection.
    """

    def __init__(self) -> None:
        super().__init__()
        self._rows: list[InFlight] = []

    def rowCount(self, parent: AnyIndex = _NOWHERE) -> int:
        """Rows of the flat list."""
        return 0 if parent.isValid() else len(self._rows)

    def data(self, index: AnyIndex, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """The URL, cut for display; the whole URL as tool tip."""
        if not index.isValid() or index.row() >= len(self._rows):
            return None
        url = self._rows[index.row()].url
        if role in {Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole}:
            return url[:_LONGEST_TEXT]
        return None

    def flight(self, row: int) -> InFlight:
        """The URL in row `row`."""
        return self._rows[row]

    def show_rows(self, rows: Sequence[InFlight]) -> None:
        """Change to `rows`: those that left are removed, new ones appended, others not touched."""
        wanted = list(rows[:MAX_ROWS])
        ids = {row.url_id for row in wanted}
        self._drop([n for n, row in enumerate(self._rows) if row.url_id not in ids])
        kept = len(self._rows)
        if [row.url_id for row in self._rows] != [row.url_id for row in wanted[:kept]]:
            self.beginResetModel()
            self._rows = wanted
            self.endResetModel()
            return
        if self._rows != wanted[:kept]:
            self._rows[:] = wanted[:kept]
            self.dataChanged.emit(self.index(0), self.index(kept - 1))
        if len(wanted) > kept:
            self.beginInsertRows(QModelIndex(), kept, len(wanted) - 1)
            self._rows.extend(wanted[kept:])
            self.endInsertRows()

    def _drop(self, gone: list[int]) -> None:
        """Remove rows, one signal per run of neighbours, from the end."""
        while gone:
            last = first = gone.pop()
            while gone and gone[-1] == first - 1:
                first = gone.pop()
            self.beginRemoveRows(QModelIndex(), first, last)
            del self._rows[first : last + 1]
            self.endRemoveRows()


class InFlightDelegate(QStyledItemDelegate):
    """Draws a row: path, seconds, and a cross that is the cancel button."""

    def __init__(self, view: "InFlightList", now: Callable[[], float]) -> None:
        super().__init__(view)
        self._view = view
        self._now = now

    def sizeHint(self, option: QStyleOptionViewItem, index: AnyIndex) -> QSize:
        """All rows are equally high."""
        del option, index
        return QSize(120, _ROW_HEIGHT)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        """Draw one row."""
        flight = self._view.flights.flight(index.row())
        rect = option.rect
        state = option.state
        hovered = index.row() == self._view.hovered_row()
        if state & QStyle.StateFlag.State_Selected:
            painter.fillRect(rect, theme.scheme().highlight)
        elif hovered:
            painter.fillRect(rect, theme.colour("track"))
        button = cancel_button(rect)
        metrics = painter.fontMetrics()
        age = max(0.0, self._now() - flight.since)
        seconds = self.tr("{n} s").format(n=decimal(age))
        tries = self.tr("attempt {n}").format(n=flight.tries) if flight.tries > 1 else ""
        right = f"{tries}  {seconds}" if tries else seconds
        width = metrics.horizontalAdvance(right)
        end = button.left() - theme.SPACE_S
        right_box = QRect(end - width, rect.top(), width, rect.height())
        text_box = rect.adjusted(theme.SPACE_M, 0, 0, 0)
        text_box.setRight(right_box.left() - theme.SPACE_S)
        painter.setPen(theme.colour("text"))
        text = metrics.elidedText(
            path_of(flight.url), Qt.TextElideMode.ElideMiddle, text_box.width()
        )
        painter.drawText(text_box, Qt.AlignmentFlag.AlignVCenter, text)
        painter.setPen(theme.colour("warning" if tries else "muted"))
        painter.drawText(right_box, Qt.AlignmentFlag.AlignVCenter, right)
        over = hovered and button.contains(self._view.pointer())
        icon("close", "error" if over else "muted").paint(
            painter, button, Qt.AlignmentFlag.AlignCenter, QIcon.Mode.Normal
        )


class InFlightList(QListView):
    """The list. `cancel_wanted` carries the id of the URL whose cross was clicked.

    With the keyboard: Delete cancels the selected URL.
    """

    cancel_wanted = Signal(int)

    def __init__(
        self, parent: QWidget | None = None, *, now: Callable[[], float] = time.time
    ) -> None:
        super().__init__(parent)
        self.setObjectName("in-flight")
        self.setAccessibleName(
            self.tr("Requests in flight; press Delete to cancel the selected one")
        )
        self.setFont(theme.tabular(self.font()))
        self.flights = InFlightModel()
        self._pressed: int | None = None
        self._pointer = QPoint(-1, -1)
        self.setModel(self.flights)
        self.setItemDelegate(InFlightDelegate(self, now))
        self.setUniformItemSizes(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setMinimumHeight(_ROW_HEIGHT)
        self.setMouseTracking(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self._tick = QTimer(self, interval=_TICK_MS)
        self._tick.timeout.connect(self.viewport().update)
        self._latest: Sequence[InFlight] = ()
        self._still = QTimer(self, singleShot=True, interval=STILL_MS)
        self._still.timeout.connect(lambda: self.show_rows(self._latest))

    def show_rows(self, rows: Sequence[InFlight]) -> None:
        """Show the URLs in flight; about ten times a second is fine."""
        self._latest = rows
        if rows and self._still.isActive():
            return
        if rows or self._tick.isActive():
            self.flights.show_rows(rows)
            (self._tick.start if rows else self._tick.stop)()
            self.executeDelayedItemsLayout()  # else it is painted now, and once more after that
            self.viewport().update()

    def hovered_row(self) -> int:
        """The row below the pointer, -1 for none."""
        return self.indexAt(self._pointer).row()

    def pointer(self) -> QPoint:
        """Where the pointer is in the viewport; (-1, -1) when it is elsewhere."""
        return self._pointer

    def button_rect(self, row: int) -> QRect:
        """Where the cancel button of row `row` is, in the viewport."""
        return cancel_button(self.visualRect(self.flights.index(row)))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """A press on a cross arms it, and selects nothing."""
        self._pressed = self._url_under_cross(event.position().toPoint())
        if self._pressed is None:
            super().mousePressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Releasing on the armed cross cancels, even if the row has moved meanwhile."""
        pressed, self._pressed = self._pressed, None
        if pressed is None:
            super().mouseReleaseEvent(event)
        elif self._column_of_crosses(event.position().toPoint()):
            self._still.start()
            self.cancel_wanted.emit(pressed)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Track the pointer, for hover."""
        self._pointer = event.position().toPoint()
        self.viewport().update()
        super().mouseMoveEvent(event)

    def leaveEvent(self, event: QEvent) -> None:
        """No hover any more."""
        self._pointer = QPoint(-1, -1)
        self.viewport().update()
        super().leaveEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Delete cancels the selected URL."""
        index = self.currentIndex()
        if event.key() in {Qt.Key.Key_Delete, Qt.Key.Key_Backspace} and index.isValid():
            self.cancel_wanted.emit(self.flights.flight(index.row()).url_id)
        else:
            super().keyPressEvent(event)

    def viewportEvent(self, event: QEvent) -> bool:
        """Tool tips as plain text: an address may look like HTML."""
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            index = self.indexAt(event.pos())
            if index.isValid():
                url = self.flights.flight(index.row()).url[:_LONGEST_TEXT]
                escaped = url.replace("&", "&amp;").replace("<", "&lt;")
                QToolTip.showText(event.globalPos(), f"<p>{escaped}</p>", self)
                return True
        return super().viewportEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the rows, or a note on what would be here."""
        super().paintEvent(event)
        if not self.flights.rowCount():
            with QPainter(self.viewport()) as painter:
                painter.setPen(theme.colour("muted"))
                painter.drawText(
                    self.viewport().rect().adjusted(theme.SPACE_M, theme.SPACE_XS, 0, 0),
                    Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop,
                    self.tr("No requests in flight."),
                )

    def _url_under_cross(self, point: QPoint) -> int | None:
        row = self.indexAt(point).row()
        if row < 0 or not self._column_of_crosses(point):
            return None
        return self.flights.flight(row).url_id

    def _column_of_crosses(self, point: QPoint) -> bool:
        return point.x() >= cancel_button(self.viewport().rect()).left() - theme.SPACE_XS


def cancel_button(row: QRect) -> QRect:
    """The square of the cross in a row."""
    return QRect(
        row.right() - theme.SPACE_S - _BUTTON,
        row.top() + (row.height() - _BUTTON) // 2,
        _BUTTON,
        _BUTTON,
    )


def path_of(url: str) -> str:
    """The URL without scheme and host: what distinguishes the rows of one site."""
    rest = url.partition("://")[2][:_LONGEST_TEXT]
    slash = rest.find("/")
    return rest[slash:] if slash >= 0 else url[:_LONGEST_TEXT]
