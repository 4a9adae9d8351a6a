"""A line chart of figures over all crawls of a site."""

from collections.abc import Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Final

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPainterPath, QPen, QPolygonF

from gossamer.gui.look import theme
from gossamer.gui.overview.chart_widget import Chart, ChartMark
from gossamer.gui.text.translated_sentences import labelled, listed, sentences
from gossamer.gui.widgets.sparkline import draw_filled_line

_HEIGHT: Final = 132
_DOTTED: Final = 60
"""Up to so many crawls, each has a dot."""
_DOT: Final = 2.5
_CHOSEN_DOT: Final = 4.0
_FLAG: Final = 4.5
_GAP: Final = 10
_MARGIN: Final = 6


@dataclass(frozen=True, slots=True)
class TrendLine:
    """One figure over all crawls: its name, its colour, a value and its words for each crawl.

    None is drawn as a gap.
    """

    name: str
    role: theme.Role
    values: Sequence[float | None]
    texts: Sequence[str]


class TrendChart(Chart):
    """One or more lines over the crawls; labels points where there is room, tells all on hover.

    `chosen` carries the place of the crawl that was clicked.
    """

    def __init__(self, name: str, empty: str) -> None:
        super().__init__(name, empty)
        self._lines: Sequence[TrendLine] = ()
        self._notes: Sequence[str] = ()
        self._current = -1
        self._largest = 1.0

    def show_lines(
        self,
        lines: Sequence[TrendLine],
        days: Sequence[str],
        notes: Sequence[str] = (),
        remarks: Sequence[str] = (),
    ) -> None:
        """Show these lines; `days` says when each crawl was, `notes` what was noted about it.

        `remarks` are what else a tooltip tells of it.
        """
        self._lines = lines
        nothing = [""] * len(days)
        self._notes = notes or nothing
        hints = map(sentences, zip(self._notes, remarks or nothing, strict=True))
        pairs = zip(days, hints, strict=True)
        self.show_marks([self._mark(place, *each) for place, each in enumerate(pairs)])
        self._largest = max((mark.value for mark in self.marks()), default=0.0) or 1.0
        self.viewport().update()

    def mark_crawl(self, place: int) -> None:
        """Mark the crawl at a place, -1 for none."""
        self._current = place
        self.viewport().update()

    def area(self, row: int) -> QPainterPath:
        """The whole height around a point."""
        left, right = self._x(row - 0.5), self._x(row + 0.5)
        path = QPainterPath()
        path.addRect(QRectF(left, 0, right - left, self.viewport().height()))
        return path

    def draw_ground(self, painter: QPainter) -> None:
        """Draw axis, legend, lines and labels."""
        self._draw_axis(painter)
        self._draw_legend(painter)
        for line in self._lines:
            self._draw_line(painter, line)
        if len(self._lines) == 1:
            self._label_points(painter, self._lines[0])

    def draw(self, painter: QPainter, row: int, mark: ChartMark) -> None:
        """Draw the points of the crawl that is marked, or under the mouse or the keyboard.

        A triangle on the axis marks a crawl with a note.
        """
        del mark
        if self._notes[row]:
            self._draw_note(painter, row)
        focused = self.hasFocus() and row == self.currentIndex().row()
        if not (focused or self.is_hovered(row) or row == self._current):
            return
        x = self._x(row)
        painter.setPen(QPen(theme.colour("outline"), 1, Qt.PenStyle.DotLine))
        painter.drawLine(QPointF(x, self._top()), QPointF(x, self._bottom()))
        painter.setPen(Qt.PenStyle.NoPen)
        for line in self._lines:
            if (value := line.values[row]) is not None:
                painter.setBrush(theme.colour(line.role))
                painter.drawEllipse(QPointF(x, self._y(value)), _CHOSEN_DOT, _CHOSEN_DOT)

    def _draw_note(self, painter: QPainter, row: int) -> None:
        x, bottom = self._x(row), self._bottom()
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.colour("redirect"))
        corners = ((x - _FLAG, bottom), (x + _FLAG, bottom), (x, bottom - 1.6 * _FLAG))
        painter.drawPolygon(QPolygonF([QPointF(*corner) for corner in corners]))

    def _mark(self, place: int, day: str, note: str) -> ChartMark:
        several = len(self._lines) > 1
        told = [
            labelled(line.name, line.texts[place]) if several else line.texts[place]
            for line in self._lines
        ]
        most = max((line.values[place] or 0.0 for line in self._lines), default=0.0)
        return ChartMark(day, most, listed(told), target=place, hint=note)

    def _draw_axis(self, painter: QPainter) -> None:
        painter.setPen(QPen(theme.colour("border"), 1))
        bottom, width = self._bottom(), self.viewport().width()
        painter.drawLine(QPointF(0, bottom), QPointF(width, bottom))
        painter.setPen(theme.colour("muted"))
        metrics, end = painter.fontMetrics(), -float(_GAP)
        last = len(self.marks()) - 1
        for row in (0, last, *range(1, last)):
            text = self.marks()[row].label
            room = metrics.horizontalAdvance(text)
            left = min(max(0.0, self._x(row) - room / 2), width - room)
            if row == last:
                limit = left - _GAP if last else float(width)
            elif row and (left < end + _GAP or left + room > limit):
                continue
            painter.drawText(QPointF(left, bottom + metrics.ascent() + 3), text)
            if row != last or not last:
                end = left + room

    def _draw_legend(self, painter: QPainter) -> None:
        """The last values; with their names and colours, where there are several lines."""
        metrics, x = painter.fontMetrics(), 0.0
        if len(self._lines) == 1:
            painter.setPen(theme.colour("muted"))
            text = self.tr("latest: {n}").format(n=self._lines[0].texts[-1])
            painter.drawText(QPointF(0, metrics.ascent()), text)
            return
        for line in self._lines:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.colour(line.role))
            painter.drawEllipse(QPointF(x + 4, metrics.height() / 2), 4, 4)
            x += _GAP + 2
            text = labelled(line.name, line.texts[-1]) if line.texts[-1] else line.name
            painter.setPen(theme.colour("text"))
            painter.drawText(QPointF(x, metrics.ascent()), text)
            x += metrics.horizontalAdvance(text) + 2 * _GAP

    def _draw_line(self, painter: QPainter, line: TrendLine) -> None:
        for part in self._parts(line):
            if len(self._lines) == 1 and len(part) > 1:
                draw_filled_line(painter, part, self._bottom(), line.role)
            else:
                path = QPainterPath(part[0])
                for point in part[1:]:
                    path.lineTo(point)
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.setPen(QPen(theme.colour(line.role), 1.5))
                painter.drawPath(path)
            if len(self.marks()) <= _DOTTED or len(part) == 1:
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(theme.colour(line.role))
                for point in part:
                    painter.drawEllipse(point, _DOT, _DOT)

    def _label_points(self, painter: QPainter, line: TrendLine) -> None:
        """Write the values of the points, as far as they have room; of many, the highest."""
        metrics, end = painter.fontMetrics(), -1.0
        painter.setPen(theme.colour("text"))
        known = [(row, value) for row, value in enumerate(line.values) if value is not None]
        if len(known) > _DOTTED:
            known = [max(known, key=itemgetter(1))]
        for row, value in known:
            room = metrics.horizontalAdvance(line.texts[row])
            left = min(max(0.0, self._x(row) - room / 2), self.viewport().width() - room)
            if left > end:
                painter.drawText(QPointF(left, self._y(value) - _MARGIN), line.texts[row])
                end = left + room + _GAP

    def _parts(self, line: TrendLine) -> list[list[QPointF]]:
        """The points between the gaps."""
        parts: list[list[QPointF]] = [[]]
        for row, value in enumerate(line.values):
            if value is not None:
                parts[-1].append(QPointF(self._x(row), self._y(value)))
            elif parts[-1]:
                parts.append([])
        return [part for part in parts if part]

    def _x(self, row: float) -> float:
        step = self.viewport().width() / max(1, len(self.marks()))
        return (row + 0.5) * step

    def _y(self, value: float) -> float:
        bottom = self._bottom()
        return bottom - (bottom - self._top()) * value / self._largest

    def _top(self) -> float:
        """Below the legend, and the label of the highest point."""
        return 2.0 * self.metrics().height() + _MARGIN

    def _bottom(self) -> float:
        return self.viewport().height() - self.metrics().height() - _MARGIN

    def _height(self) -> int:
        return _HEIGHT + self.metrics().height()
