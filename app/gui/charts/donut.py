"""A ring in sectors, with its legend beside it, or below where there is no room beside."""

from math import sqrt
from typing import Final

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPainterPath, QResizeEvent

from app.gui import theme
from app.gui.charts.chart import Chart, box
from app.gui.charts.marks import Mark

_RING: Final = 104.0
_SMALLEST_RING: Final = 84.0
_GAP: Final = 6
_EDGE: Final = 4
_NUMBER: Final = "000"
"""Room that a number has, so that the legend stays where it is while numbers grow."""
_HOLE: Final = 0.72
_DOT: Final = 9
_FULL: Final = 360.0
_SMALLEST: Final = 3.0
"""Degrees of a sector that is there at all: it has to be seen, and hit."""


class Donut(Chart):
    """A sector and a line of the legend for each mark; either can be clicked.

    `middle` and `below` are two short texts in the ring.
    """

    middle = ""
    below = ""

    def say(self, middle: str, below: str) -> None:
        """Write this into the ring."""
        if (middle, below) != (self.middle, self.below):
            self.middle, self.below = middle, below
            self.viewport().update()

    def sectors(self) -> list[tuple[float, float]]:
        """Where each mark begins and how far it goes, in degrees clockwise from the top.

        What is there at all is given _SMALLEST degrees; the others make room for that.
        """
        total = sum(mark.value for mark in self.marks())
        if not total:
            return [(0.0, 0.0)] * len(self.marks())
        spans = [
            max(_SMALLEST, _FULL * mark.value / total) if mark.value else 0.0
            for mark in self.marks()
        ]
        excess = sum(spans) - _FULL
        spans[spans.index(max(spans))] -= excess
        return [(sum(spans[:i]), span) for i, span in enumerate(spans)]

    def area(self, row: int) -> QPainterPath:
        """The line of the legend, and the sector."""
        path = box(self.line_of(row))
        path.addPath(self._sector(row))
        return path

    def draw_ground(self, painter: QPainter) -> None:
        """Draw the ring where nothing is in it, and what stands in it."""
        ring = self._ring()
        if not any(mark.value for mark in self.marks()):
            painter.setPen(Qt.PenStyle.NoPen)
            painter.fillPath(_ring_path(ring, 0, _FULL), theme.colour("track"))
        metrics = painter.fontMetrics()
        line = metrics.height()
        # The lower line stands where the hole is narrower than at its middle.
        room = 2 * sqrt(max((ring.width() * _HOLE / 2) ** 2 - line**2, 0))
        has_room = metrics.horizontalAdvance(self.below) < room
        above = line if self.below and has_room else line / 2
        upper = QRectF(ring.left(), ring.center().y() - above, ring.width(), line)
        font = painter.font()
        bold = painter.font()
        bold.setBold(True)
        painter.setFont(bold)
        painter.setPen(theme.colour("text"))
        painter.drawText(upper, Qt.AlignmentFlag.AlignCenter, self.middle)
        painter.setFont(font)
        painter.setPen(theme.colour("muted"))
        if has_room:
            painter.drawText(upper.translated(0, line), Qt.AlignmentFlag.AlignCenter, self.below)

    def draw(self, painter: QPainter, row: int, mark: Mark) -> None:
        """Draw a sector and its line in the legend."""
        line = self.line_of(row)
        if self.is_hovered(row):
            painter.fillPath(box(line), theme.colour("track"))
        painter.setPen(Qt.PenStyle.NoPen)
        sector = self._sector(row)
        painter.fillPath(sector, theme.colour(mark.role))
        # A gap tells neighbours of one colour apart.
        painter.strokePath(sector, self.palette().window().color())
        painter.setBrush(theme.colour(mark.role if mark.value else "border"))
        dot = QRectF(line.left() + _EDGE, line.center().y() - _DOT / 2, _DOT, _DOT)
        painter.drawRoundedRect(dot, 2, 2)
        words = line.adjusted(_EDGE + _DOT + _GAP, 0, -_EDGE, 0)
        metrics = painter.fontMetrics()
        room = int(words.width()) - metrics.horizontalAdvance(mark.drawn) - _GAP
        painter.setPen(theme.colour("text" if mark.value else "muted"))
        middle = Qt.AlignmentFlag.AlignVCenter
        label = metrics.elidedText(mark.label, Qt.TextElideMode.ElideRight, room)
        painter.drawText(words, middle | Qt.AlignmentFlag.AlignLeft, label)
        painter.drawText(words, middle | Qt.AlignmentFlag.AlignRight, mark.drawn)

    def _ring(self) -> QRectF:
        room = self.viewport().rect()
        if self._is_narrow():
            side = min(_RING, room.width() - 2)
            return QRectF((room.width() - side) / 2, 1, side, side)
        side = min(_RING, self._beside_legend())
        return QRectF(1, (room.height() - side) / 2, side, side)

    def _is_narrow(self) -> bool:
        """Whether the legend does not leave enough room for the ring beside it."""
        return self._beside_legend() < _SMALLEST_RING

    def _beside_legend(self) -> float:
        """The room that the legend leaves."""
        metrics = self.metrics()
        least = metrics.horizontalAdvance(_NUMBER)
        words = [
            metrics.horizontalAdvance(mark.label)
            + max(metrics.horizontalAdvance(mark.drawn), least)
            for mark in self.marks()
        ]
        legend = max(words, default=0) + 2 * (_EDGE + _GAP) + _DOT
        return self.viewport().width() - legend - theme.SPACE_S

    def _sector(self, row: int) -> QPainterPath:
        return _ring_path(self._ring(), *self.sectors()[row])

    def line_of(self, row: int) -> QRectF:
        """The line of the legend that a mark has."""
        ring, height, width = self._ring(), self._row_height(), self.viewport().width()
        if self._is_narrow():
            return QRectF(0, ring.bottom() + theme.SPACE_S + row * height, width, height)
        left = ring.right() + theme.SPACE_S
        top = (self.viewport().height() - height * len(self.marks())) / 2 + row * height
        return QRectF(left, top, width - left, height)

    def _row_height(self) -> int:
        return self.metrics().height() + 5

    def _height(self) -> int:
        legend = max(5, len(self.marks())) * self._row_height()
        if self.marks() and self._is_narrow():
            return int(_RING) + 2 + theme.SPACE_S + legend
        return max(int(_RING) + 2, legend)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Put the legend where there is room for it."""
        super().resizeEvent(event)
        self.updateGeometry()


def _ring_path(ring: QRectF, start: float, span: float) -> QPainterPath:
    """The sector of a ring; clockwise from the top, in degrees."""
    path = QPainterPath()
    if span <= 0:
        return path
    inset = ring.width() * (1 - _HOLE) / 2
    hole = ring.adjusted(inset, inset, -inset, -inset)
    if span >= _FULL:
        path.addEllipse(ring)
        path.addEllipse(hole)
        return path
    begin = 90.0 - start
    path.arcMoveTo(ring, begin)
    path.arcTo(ring, begin, -span)
    inner = QPainterPath()
    inner.arcMoveTo(hole, begin - span)
    path.lineTo(QPointF(inner.currentPosition()))
    path.arcTo(hole, begin - span, span)
    path.closeSubpath()
    return path
