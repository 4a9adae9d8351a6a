"""A donut chart with its legend at its side, or below where space is tight."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Final

from PySide6.QtCore import QEvent, QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPainterPath, QResizeEvent

from gossamer.gui.look import theme
from gossamer.gui.overview.chart_widget import Chart, ChartMark, box

_RING: Final = 104.0
_SMALLEST_RING: Final = 84.0
_GAP: Final = 6
_EDGE: Final = 4
_NUMBER: Final = "000"
"""The room of a number, so that the legend stays where it is while numbers grow."""
_HOLE: Final = 0.72
_DOT: Final = 9
_FULL: Final = 360.0
_SMALLEST: Final = 3.0
"""The minimum degrees of a sector: it must be visible, and clickable."""


@dataclass(frozen=True, slots=True)
class _Layout:
    """The positions: the ring, the line of the legend of each mark, and its sector.

    `is_narrow` if the legend does not leave enough room for the ring at its side.
    """

    marks: Sequence[ChartMark]
    is_narrow: bool
    ring: QRectF
    lines: tuple[QRectF, ...]
    sectors: tuple[tuple[float, float], ...]


class DonutChart(Chart):
    """A donut chart with a sector and a clickable legend line for each mark.

    `middle` and `below` are two short texts in the ring.
    """

    middle = ""
    below = ""
    _last_layout: _Layout | None = None

    def set_center(self, middle: str, below: str) -> None:
        """Write this into the ring."""
        if (middle, below) != (self.middle, self.below):
            self.middle, self.below = middle, below
            self.viewport().update()

    def sectors(self) -> Sequence[tuple[float, float]]:
        """The start and extent of each mark, in degrees clockwise from the top.

        A sector that exists has at least _SMALLEST degrees; the others make room for that.
        """
        return self._layout().sectors

    def area(self, row: int) -> QPainterPath:
        """The line of the legend, and the sector."""
        path = box(self.line_of(row))
        path.addPath(self._sector(row))
        return path

    def draw_ground(self, painter: QPainter) -> None:
        """Draw an empty ring if nothing is counted, and the texts in its centre."""
        ring = self._layout().ring
        if not any(mark.value for mark in self.marks()):
            painter.setPen(Qt.PenStyle.NoPen)
            painter.fillPath(_ring_path(ring, 0, _FULL), theme.colour("track"))
        metrics = painter.fontMetrics()
        line = metrics.height()
        # The lower line is where the hole is narrower than at its middle.
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

    def draw(self, painter: QPainter, row: int, mark: ChartMark) -> None:
        """Draw a sector and its line in the legend."""
        line = self.line_of(row)
        if self.is_hovered(row):
            painter.fillPath(box(line), theme.colour("track"))
        painter.setPen(Qt.PenStyle.NoPen)
        if mark.value:
            sector = self._sector(row)
            painter.fillPath(sector, theme.colour(mark.role))
            # A gap separates neighbours of the same colour.
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

    def line_of(self, row: int) -> QRectF:
        """The line of the legend for a mark."""
        return self._layout().lines[row]

    def _sector(self, row: int) -> QPainterPath:
        layout = self._layout()
        return _ring_path(layout.ring, *layout.sectors[row])

    def _layout(self) -> _Layout:
        """Computed once per change: painting needs it for every mark."""
        if self._last_layout is None or self._last_layout.marks is not self.marks():
            self._last_layout = self._lay_out()
        return self._last_layout

    def _lay_out(self) -> _Layout:
        marks, room, height = self.marks(), self.viewport().rect(), self._row_height()
        beside = self._beside_legend()
        is_narrow = beside < _SMALLEST_RING
        side = min(_RING, room.width() - 2 if is_narrow else beside)
        if is_narrow:
            ring = QRectF((room.width() - side) / 2, 1, side, side)
            left, top = 0.0, ring.bottom() + theme.SPACE_S
        else:
            ring = QRectF(1, (room.height() - side) / 2, side, side)
            left, top = ring.right() + theme.SPACE_S, (room.height() - height * len(marks)) / 2
        lines = (
            QRectF(left, top + row * height, room.width() - left, height)
            for row in range(len(marks))
        )
        return _Layout(marks, is_narrow, ring, tuple(lines), _sectors(marks))

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

    def _row_height(self) -> int:
        return self.metrics().height() + 5

    def _height(self) -> int:
        legend = max(5, len(self.marks())) * self._row_height()
        if self.marks() and self._layout().is_narrow:
            return int(_RING) + 2 + theme.SPACE_S + legend
        return max(int(_RING) + 2, legend)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Put the legend where there is room for it."""
        self._last_layout = None
        super().resizeEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        """Letters may have another size."""
        super().changeEvent(event)
        self._last_layout = None


def _sectors(marks: Sequence[ChartMark]) -> tuple[tuple[float, float], ...]:
    """See `DonutChart.sectors`."""
    total = sum(mark.value for mark in marks)
    if not total:
        return ((0.0, 0.0),) * len(marks)
    spans = [max(_SMALLEST, _FULL * mark.value / total) if mark.value else 0.0 for mark in marks]
    spans[spans.index(max(spans))] -= sum(spans) - _FULL
    return tuple((sum(spans[:i]), span) for i, span in enumerate(spans))


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
