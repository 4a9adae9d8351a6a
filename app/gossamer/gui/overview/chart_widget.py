"""Base class of all charts: marks that mouse, keyboard and screen readers can reach."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from PySide6.QtCore import (
    QAbstractListModel,
    QEvent,
    QModelIndex,
    QPersistentModelIndex,
    QPoint,
    QRect,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import (
    QFocusEvent,
    QFontMetrics,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QPalette,
    QPen,
    QRegion,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QAbstractItemView, QFrame, QSizePolicy, QWidget

from gossamer.gui.look import theme
from gossamer.gui.look.theme import Role
from gossamer.gui.text import local_formatting as formatting
from gossamer.gui.text.translated_sentences import labelled
from gossamer.model.project_queries import Filter, Order, View

AnyIndex = QModelIndex | QPersistentModelIndex
_ROOT: Final = QModelIndex()


@dataclass(frozen=True, slots=True)
class RowsTarget:
    """The rows of the table that a click on an element shows."""

    view: View
    filter_: Filter = field(default_factory=Filter)
    order: Order | None = None


@dataclass(frozen=True, slots=True)
class ChartMark:
    """One element: its name, its size for the eye, and its value in words.

    `value_text` is the exact value with its unit; `text` a shorter one to draw, if that differs.
    A click shows `target`: rows of the table, or a URL by id; nothing if it is None. `hint` is
    another line of the tooltip.
    """

    label: str
    value: float
    value_text: str
    role: Role = "accent"
    target: RowsTarget | int | None = None
    text: str = ""
    hint: str = ""

    @property
    def drawn(self) -> str:
        """The value as it is drawn."""
        return self.text or self.value_text


class ChartMarksModel(QAbstractListModel):
    """Marks in order. DisplayRole is "label: value"."""

    def __init__(self) -> None:
        super().__init__()
        self.marks: Sequence[ChartMark] = ()

    def show(self, marks: Sequence[ChartMark]) -> bool:
        """Change to `marks`, without touching equal ones; returns whether anything changed."""
        old = self.marks
        if list(marks) == list(old):
            return False
        if len(marks) > len(old):
            self.beginInsertRows(QModelIndex(), len(old), len(marks) - 1)
            self.marks = marks
            self.endInsertRows()
        elif len(marks) < len(old):
            self.beginRemoveRows(QModelIndex(), len(marks), len(old) - 1)
            self.marks = marks
            self.endRemoveRows()
        self.marks = marks
        kept = min(len(old), len(marks))
        changed = [row for row in range(kept) if marks[row] != old[row]]
        if changed:
            self.dataChanged.emit(self.index(changed[0]), self.index(changed[-1]))
        return True

    def rowCount(self, parent: AnyIndex = _ROOT) -> int:
        """Marks of the flat list."""
        return 0 if parent.isValid() else len(self.marks)

    def data(self, index: AnyIndex, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """The mark in words."""
        if not index.isValid() or index.row() >= len(self.marks):
            return None
        mark = self.marks[index.row()]
        if role in {Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole}:
            return formatting.clean(labelled(mark.label, mark.value_text))
        if role == Qt.ItemDataRole.ToolTipRole:
            return formatting.tooltip(labelled(mark.label, mark.value_text), mark.hint or None)
        return None


NOWHERE: Final = -1
_WRAPPED: Final = Qt.AlignmentFlag.AlignTop.value | Qt.TextFlag.TextWordWrap.value
_HIGHEST: Final = 1_000
_STEPS: Final = {
    Qt.Key.Key_Up: -1,
    Qt.Key.Key_Left: -1,
    Qt.Key.Key_Down: 1,
    Qt.Key.Key_Right: 1,
}


class Chart(QAbstractItemView):
    """Paints marks; each has its own area for hovering and clicking.

    A chart is an item view, so that keyboard and screen readers find a list in it. Subclasses say
    where a mark is (`area`), how it is drawn (`draw`) and how high the chart is (`_height`).
    """

    chosen = Signal(object)
    """The target of a mark that was clicked, or on which Enter was pressed."""

    def __init__(self, name: str, empty: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.model_ = ChartMarksModel()
        self._empty = empty
        self._hovered = NOWHERE
        self._pressed = NOWHERE
        self._height_hint = NOWHERE
        self._has_shown = False
        self.setModel(self.model_)
        self.setAccessibleName(name)
        self.setAccessibleDescription(empty)
        self.setFont(theme.tabular(self.font()))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setTabKeyNavigation(False)
        self.setMouseTracking(True)
        self.viewport().setBackgroundRole(QPalette.ColorRole.Window)

    # ------------------------------------------------------------ what it shows

    def marks(self) -> Sequence[ChartMark]:
        """What is shown."""
        return self.model_.marks

    def show_marks(self, marks: Sequence[ChartMark]) -> None:
        """Show these marks."""
        if not self.model_.show(marks):
            return
        self._has_shown = self._has_shown or bool(marks)
        self._changed()
        self.viewport().update()
        self._update_height()

    def clear(self) -> None:
        """Show no marks, with the initial height."""
        self._has_shown = False
        self.show_marks(())
        self._update_height()

    def activate(self, row: int) -> None:
        """Do what a click on a mark does."""
        if 0 <= row < len(self.marks()) and self.marks()[row].target is not None:
            self.chosen.emit(self.marks()[row].target)

    # ------------------------------------------------------------ for subclasses

    def area(self, row: int) -> QPainterPath:
        """The area of a mark, for the mouse and the keyboard's frame."""
        raise NotImplementedError

    def draw(self, painter: QPainter, row: int, mark: ChartMark) -> None:
        """Draw a mark."""
        raise NotImplementedError

    def draw_ground(self, painter: QPainter) -> None:
        """Draw the background of the marks."""

    def _height(self) -> int:
        raise NotImplementedError

    def _changed(self) -> None:
        """The marks have changed."""

    def _update_height(self) -> None:
        """Notify the layout if the chart has become higher or lower."""
        height = self.sizeHint().height()
        if height != self._height_hint:
            self._height_hint = height
            self.updateGeometry()

    def _placeholder_height(self) -> int:
        if not self._empty:
            return 0
        room = QRect(0, 0, self.viewport().width(), _HIGHEST)
        words = self.metrics().boundingRect(room, _WRAPPED, self._empty)
        return words.height() + theme.SPACE_S

    def metrics(self) -> QFontMetrics:
        """The metrics of the font in which texts are drawn."""
        return QFontMetrics(self.font())

    # ------------------------------------------------------------ Qt: geometry

    def sizeHint(self) -> QSize:
        """As high as its marks need; until there are any, as its placeholder."""
        return QSize(160, self._height() if self._has_shown else self._placeholder_height())

    def minimumSizeHint(self) -> QSize:
        """All marks are always shown."""
        return self.sizeHint()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Adapt the height: in another width words may wrap into more or fewer lines."""
        super().resizeEvent(event)
        self._update_height()

    def visualRect(self, index: AnyIndex) -> QRect:
        """The box around a mark."""
        if not index.isValid() or index.row() >= len(self.marks()):
            return QRect()
        return self.area(index.row()).boundingRect().toAlignedRect()

    def indexAt(self, point: QPoint) -> QModelIndex:
        """The mark at a point of the viewport."""
        at = point.toPointF()
        for row in range(len(self.marks())):
            if self.area(row).contains(at):
                return self.model_.index(row)
        return QModelIndex()

    def scrollTo(
        self,
        index: AnyIndex,
        hint: QAbstractItemView.ScrollHint = QAbstractItemView.ScrollHint.EnsureVisible,
    ) -> None:
        """All marks are always visible."""
        del index, hint

    def horizontalOffset(self) -> int:
        """Charts do not scroll."""
        return 0

    def verticalOffset(self) -> int:
        """Charts do not scroll."""
        return 0

    def isIndexHidden(self, index: AnyIndex) -> bool:
        """No mark is hidden."""
        del index
        return False

    def setSelection(self, rect: QRect, command: object) -> None:
        """Nothing is ever selected."""

    def visualRegionForSelection(self, selection: object) -> QRegion:
        """Nothing is ever selected."""
        del selection
        return QRegion()

    def moveCursor(
        self, cursor_action: QAbstractItemView.CursorAction, modifiers: Qt.KeyboardModifier
    ) -> QModelIndex:
        """Home and End; the arrows are handled in `keyPressEvent`."""
        del modifiers
        last = len(self.marks()) - 1
        if cursor_action is QAbstractItemView.CursorAction.MoveHome:
            return self.model_.index(0)
        if cursor_action is QAbstractItemView.CursorAction.MoveEnd:
            return self.model_.index(last)
        return self.currentIndex()

    # ------------------------------------------------------------ Qt: the user

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Arrows go from mark to mark, Enter does what a click does."""
        if event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            self.activate(self.currentIndex().row())
            return
        step = _STEPS.get(Qt.Key(event.key()))
        if step is None:
            super().keyPressEvent(event)
            return
        row = self.currentIndex().row() + step
        if 0 <= row < len(self.marks()):
            self.setCurrentIndex(self.model_.index(row))
            self.viewport().update()

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Select the first mark when the chart gets the keyboard focus."""
        super().focusInEvent(event)
        if not self.currentIndex().isValid() and self.marks():
            self.setCurrentIndex(self.model_.index(0))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Show what can be clicked."""
        self._hover(self.indexAt(event.position().toPoint()).row())

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """A click begins."""
        self._pressed = self.indexAt(event.position().toPoint()).row()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """A click ends where it began, or does not count."""
        row = self.indexAt(event.position().toPoint()).row()
        if event.button() is Qt.MouseButton.LeftButton and row == self._pressed != NOWHERE:
            self.setCurrentIndex(self.model_.index(row))
            self.activate(row)
        self._pressed = NOWHERE

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """The same as a click."""
        self.mousePressEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Let the wheel scroll the panel around the chart."""
        event.ignore()

    def viewportEvent(self, event: QEvent) -> bool:
        """Forget the mouse when it leaves."""
        if event.type() is QEvent.Type.Leave:
            self._hover(NOWHERE)
        return bool(super().viewportEvent(event))

    def _hover(self, row: int) -> None:
        if row == self._hovered:
            return
        self._hovered = row
        usable = row != NOWHERE and self.marks()[row].target is not None
        pointer = Qt.CursorShape.PointingHandCursor if usable else Qt.CursorShape.ArrowCursor
        self.viewport().setCursor(pointer)
        self.viewport().update()

    # ------------------------------------------------------------ Qt: painting

    def is_hovered(self, row: int) -> bool:
        """Whether the mouse is over a mark."""
        return row == self._hovered

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the marks, or the placeholder if there are none."""
        del event
        with QPainter(self.viewport()) as painter:
            painter.setFont(self.font())
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            if not self.marks():
                painter.setPen(theme.colour("muted"))
                painter.drawText(self.viewport().rect(), _WRAPPED, self._empty)
                return
            self.draw_ground(painter)
            for row, mark in enumerate(self.marks()):
                self.draw(painter, row, mark)
            if self.hasFocus() and self.currentIndex().isValid():
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.setPen(QPen(theme.colour("accent"), 1.5))
                painter.drawPath(self.area(self.currentIndex().row()))


def box(rect: QRectF, radius: float = 3) -> QPainterPath:
    """A rounded rectangle, half a pixel within `rect`, so that a frame around it is visible."""
    path = QPainterPath()
    path.addRoundedRect(rect.adjusted(0.75, 0.75, -0.75, -0.75), radius, radius)
    return path
