"""Columns side by side: a histogram."""

from typing import Final

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPainterPath

from gossamer.gui.look import theme
from gossamer.gui.overview.charts.chart import Chart, box
from gossamer.gui.overview.charts.chart_model import Mark

_HEIGHT: Final = 104
_WIDEST_SLOT: Final = 44.0
_WIDEST: Final = 28.0


class ColumnChart(Chart):
    """A column for each mark, its label below it. Always the same height."""

    def area(self, row: int) -> QPainterPath:
        """The whole height above the label, and the label."""
        slot = self._slot()
        return box(QRectF(row * slot, 0, slot, self.viewport().height()))

    def draw(self, painter: QPainter, row: int, mark: Mark) -> None:
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
        return _HEIGHT
