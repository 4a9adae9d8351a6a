"""Bar, column and time series charts, and lines of plain figures."""

from typing import Final

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPainterPath, QPen
from PySide6.QtWidgets import QWidget

from gossamer.gui.look import theme
from gossamer.gui.overview.chart_widget import Chart, ChartMark, box
from gossamer.gui.widgets.sparkline import draw_filled_line

_BAR: Final = 5
_EDGE: Final = 4


class BarList(Chart):
    """A bar chart with one row per mark; bars are relative to the largest.

    The list keeps the height of the most rows it has had, and never less than `rows`, so that the
    content below does not move.
    """

    def __init__(
        self,
        name: str,
        empty: str,
        *,
        rows: int = 1,
        elide: Qt.TextElideMode = Qt.TextElideMode.ElideRight,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(name, empty, parent)
        self._least = rows
        self._most = rows
        self._elide = elide
        self._largest = 0.0

    def clear(self) -> None:
        """Show no marks, with the initial height."""
        self._most = self._least
        super().clear()
        self._update_height()

    def area(self, row: int) -> QPainterPath:
        """The whole row."""
        height = self._row_height()
        return box(QRectF(0, row * height, self.viewport().width(), height))

    def draw(self, painter: QPainter, row: int, mark: ChartMark) -> None:
        """Draw label and value, and the bar below them."""
        metrics = painter.fontMetrics()
        if self.is_hovered(row) and mark.target is not None:
            painter.fillPath(self.area(row), theme.colour("track"))
        top = row * self._row_height() + 2
        line = QRectF(_EDGE, top, self.viewport().width() - 2 * _EDGE, metrics.height())
        value = mark.drawn
        room = int(line.width()) - metrics.horizontalAdvance(value) - theme.SPACE_S
        painter.setPen(theme.colour("text"))
        label = metrics.elidedText(mark.label, self._elide, room)
        painter.drawText(line, Qt.AlignmentFlag.AlignLeft, label)
        painter.drawText(line, Qt.AlignmentFlag.AlignRight, value)
        bar = QRectF(_EDGE, line.bottom() + 2, line.width(), _BAR)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.colour("border" if self.is_hovered(row) else "track"))
        painter.drawRoundedRect(bar, _BAR / 2, _BAR / 2)
        if mark.value > 0 and self._largest:
            bar.setWidth(max(float(_BAR), bar.width() * mark.value / self._largest))
            painter.setBrush(theme.colour(mark.role))
            painter.drawRoundedRect(bar, _BAR / 2, _BAR / 2)

    def _changed(self) -> None:
        self._largest = max((mark.value for mark in self.marks()), default=0.0)
        self._most = max(self._most, len(self.marks()))

    def _height(self) -> int:
        return self._most * self._row_height()

    def _row_height(self) -> int:
        return self.metrics().height() + _BAR + 2 + theme.SPACE_XS + 3


_COLUMNS_HEIGHT: Final = 104
_WIDEST_SLOT: Final = 44.0
_WIDEST: Final = 28.0


class ColumnChart(Chart):
    """A column chart of fixed height, with one labelled column per mark."""

    def area(self, row: int) -> QPainterPath:
        """The whole height above the label, and the label."""
        slot = self._slot()
        return box(QRectF(row * slot, 0, slot, self.viewport().height()))

    def draw(self, painter: QPainter, row: int, mark: ChartMark) -> None:
        """Draw label and column."""
        if self.is_hovered(row) and mark.target is not None:
            painter.fillPath(self.area(row), theme.colour("track"))
        line = painter.fontMetrics().height()
        slot = QRectF(row * self._slot(), 0, self._slot(), self.viewport().height())
        painter.setPen(theme.colour("muted"))
        painter.drawText(
            QRectF(slot.left(), slot.bottom() - line - 1, slot.width(), line),
            Qt.AlignmentFlag.AlignCenter,
            mark.label if not mark.text else mark.text,
        )
        largest = max(each.value for each in self.marks()) or 1.0
        share = mark.value / largest
        room = slot.height() - line - theme.SPACE_S
        height = max(2.0, room * share) if share else 1.0
        width = min(_WIDEST, slot.width() - 4)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.colour(mark.role if share else "border"))
        column = QRectF(slot.center().x() - width / 2, room - height + 3, width, height)
        painter.drawRoundedRect(column, 2, 2)

    def _slot(self) -> float:
        return min(_WIDEST_SLOT, self.viewport().width() / max(1, len(self.marks())))

    def _height(self) -> int:
        return _COLUMNS_HEIGHT


class StatLine(Chart):
    """A row of equally wide cells, one per mark."""

    def area(self, row: int) -> QPainterPath:
        """The whole cell."""
        return box(self._cell(row))

    def draw(self, painter: QPainter, row: int, mark: ChartMark) -> None:
        """Draw the name, and the value below it."""
        cell = self._cell(row)
        if self.is_hovered(row) and mark.target is not None:
            painter.fillPath(box(cell), theme.colour("track"))
        line = painter.fontMetrics().height()
        words = QRectF(cell.left() + 4, cell.top() + 3, cell.width() - 8, line)
        painter.setPen(theme.colour("muted"))
        painter.drawText(words, Qt.AlignmentFlag.AlignLeft, mark.label)
        painter.setPen(theme.colour("text"))
        painter.drawText(words.translated(0, line), Qt.AlignmentFlag.AlignLeft, mark.drawn)

    def _cell(self, row: int) -> QRectF:
        width = self.viewport().width() / max(1, len(self.marks()))
        return QRectF(row * width, 0, width, self._height())

    def _height(self) -> int:
        return 2 * self.metrics().height() + 6


_LINE_HEIGHT: Final = 88


class TimeSeries(Chart):
    """A line chart with equally spaced points; labels the first and the last."""

    def area(self, row: int) -> QPainterPath:
        """The whole height around a point."""
        width = self.viewport().width() / max(1, len(self.marks()))
        path = QPainterPath()
        path.addRect(QRectF(row * width, 0, width, self.viewport().height()))
        return path

    def draw_ground(self, painter: QPainter) -> None:
        """Draw line, area, the largest value and the labels."""
        line_height = painter.fontMetrics().height()
        bottom = self._bottom()
        painter.setPen(QPen(theme.colour("border"), 1))
        painter.drawLine(QPointF(0, bottom), QPointF(self.viewport().width(), bottom))
        points = self._points()
        if len(points) == 1:  # the same all the time
            points = [QPointF(x, points[0].y()) for x in (0, self.viewport().width())]
        draw_filled_line(painter, points, bottom)
        top = max(self.marks(), key=lambda mark: mark.value)
        painter.setPen(theme.colour("muted"))
        painter.drawText(
            QRectF(0, 0, self.viewport().width(), line_height),
            Qt.AlignmentFlag.AlignLeft,
            top.value_text
            if len(self.marks()) == 1
            else self.tr("peak: {n}").format(n=top.value_text),
        )
        words = QRectF(0, bottom + 2, self.viewport().width(), line_height)
        painter.drawText(words, Qt.AlignmentFlag.AlignLeft, self.marks()[0].text)
        if len(self.marks()) > 1:
            painter.drawText(words, Qt.AlignmentFlag.AlignRight, self.marks()[-1].text)

    def draw(self, painter: QPainter, row: int, mark: ChartMark) -> None:
        """Draw the point under the mouse or the keyboard."""
        del mark
        if self.is_hovered(row) or (self.hasFocus() and row == self.currentIndex().row()):
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.colour("accent"))
            painter.drawEllipse(self._points()[row], 3.5, 3.5)

    def _points(self) -> list[QPointF]:
        values = [mark.value for mark in self.marks()]
        largest = max(values) or 1.0
        step = self.viewport().width() / len(values)
        bottom = self._bottom()
        room = bottom - self.metrics().height() - 3
        return [
            QPointF((row + 0.5) * step, bottom - room * value / largest)
            for row, value in enumerate(values)
        ]

    def _bottom(self) -> float:
        return _LINE_HEIGHT - self.metrics().height() - 3.5

    def _height(self) -> int:
        return _LINE_HEIGHT
