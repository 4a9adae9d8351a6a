"""A value over time, as an area under a line."""

from typing import Final

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen

from gossamer.gui.look import theme
from gossamer.gui.overview.charts.chart import Chart
from gossamer.gui.overview.charts.chart_model import Mark

_HEIGHT: Final = 88
_FILL_ALPHA: Final = 0.16


class TimeSeries(Chart):
    """A point for each mark, all equally far apart; the labels of the first and last are drawn."""

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
        line = QPainterPath(points[0])
        for point in points[1:]:
            line.lineTo(point)
        ground = QPainterPath(line)
        ground.lineTo(points[-1].x(), bottom)
        ground.lineTo(points[0].x(), bottom)
        fill = QColor(theme.colour("accent"))
        fill.setAlphaF(_FILL_ALPHA)
        painter.fillPath(ground, fill)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(theme.colour("accent"), 1.5))
        painter.drawPath(line)
        top = max(self.marks(), key=lambda mark: mark.value)
        painter.setPen(theme.colour("muted"))
        painter.drawText(
            QRectF(0, 0, self.viewport().width(), line_height),
            Qt.AlignmentFlag.AlignLeft,
            top.says if len(self.marks()) == 1 else self.tr("highest: {n}").format(n=top.says),
        )
        words = QRectF(0, bottom + 2, self.viewport().width(), line_height)
        painter.drawText(words, Qt.AlignmentFlag.AlignLeft, self.marks()[0].text)
        if len(self.marks()) > 1:
            painter.drawText(words, Qt.AlignmentFlag.AlignRight, self.marks()[-1].text)

    def draw(self, painter: QPainter, row: int, mark: Mark) -> None:
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
        return _HEIGHT - self.metrics().height() - 3.5

    def _height(self) -> int:
        return _HEIGHT
