"""Rows of label, value and a bar."""

from typing import Final

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPainterPath
from PySide6.QtWidgets import QWidget

from gossamer.gui.look import theme
from gossamer.gui.overview.charts.chart import Chart, box
from gossamer.gui.overview.charts.chart_model import Mark

_BAR: Final = 5
_EDGE: Final = 4


class BarList(Chart):
    """A row for each mark; its bar is as long as its share of the largest.

    The list keeps the height of the most rows it has had, and never less than `rows`, so that
    what is below stays in its place.
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
        """Show no mark, in as little room as at first."""
        self._most = self._least
        super().clear()
        self._tell_height()

    def area(self, row: int) -> QPainterPath:
        """The whole row."""
        height = self._row_height()
        return box(QRectF(0, row * height, self.viewport().width(), height))

    def draw(self, painter: QPainter, row: int, mark: Mark) -> None:
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
