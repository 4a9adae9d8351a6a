"""A sparkline of the last minute's crawl speed."""

from collections import deque
from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QPointF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from gossamer.gui.look import theme

SAMPLES: Final = 60
_SIZE: Final = QSize(144, 24)
_FILL_ALPHA: Final = 0.16
_LINE: Final = 2
"""The minimum of values for a line."""


def draw_filled_line(
    painter: QPainter, points: Sequence[QPointF], bottom: float, role: theme.Role = "accent"
) -> None:
    """Draw a line through `points`, and fill the area between it and `bottom`."""
    line = QPainterPath(points[0])
    for point in points[1:]:
        line.lineTo(point)
    area = QPainterPath(line)
    area.lineTo(points[-1].x(), bottom)
    area.lineTo(points[0].x(), bottom)
    fill = QColor(theme.colour(role))
    fill.setAlphaF(_FILL_ALPHA)
    painter.fillPath(area, fill)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(theme.colour(role), 1.5))
    painter.drawPath(line)


class Sparkline(QWidget):
    """The last SAMPLES values, newest at the right edge, scaled to the largest."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.values: deque[float] = deque(maxlen=SAMPLES)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(self.tr("Speed over the last minute"))

    def sizeHint(self) -> QSize:
        """Always the same size."""
        return _SIZE

    def add(self, value: float) -> None:
        """Append a value; negative ones count as 0."""
        self.values.append(max(0.0, value))
        self.update()

    def clear(self) -> None:
        """Forget all values."""
        self.values.clear()
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw a base line, the line and the area below it; nothing while there are no values."""
        del event
        if len(self.values) < _LINE:
            return
        with QPainter(self) as painter:
            bottom = self.height() - 1.5
            painter.setPen(QPen(theme.colour("border"), 1))
            painter.drawLine(QPointF(0, bottom), QPointF(self.width(), bottom))
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            draw_filled_line(painter, self._points(bottom), bottom)

    def _points(self, bottom: float) -> list[QPointF]:
        step = (self.width() - 2) / (SAMPLES - 1)
        top = max(self.values) or 1.0
        left = self.width() - 1 - step * (len(self.values) - 1)
        return [
            QPointF(left + step * n, bottom - (bottom - 2) * value / top)
            for n, value in enumerate(self.values)
        ]
