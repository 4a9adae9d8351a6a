"""A few numbers side by side, each under its name."""

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPainterPath

from gossamer.gui.look import theme
from gossamer.gui.overview.charts.chart import Chart, box
from gossamer.gui.overview.charts.chart_model import Mark


class StatLine(Chart):
    """A cell for each mark, equally wide."""

    def area(self, row: int) -> QPainterPath:
        """The whole cell."""
        return box(self._cell(row))

    def draw(self, painter: QPainter, row: int, mark: Mark) -> None:
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
