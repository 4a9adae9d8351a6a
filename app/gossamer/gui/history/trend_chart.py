"""A line chart of figures over all crawls of a site, with notes on its axis of days."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from math import ceil, floor
from typing import Final

from PySide6.QtCore import QEvent, QModelIndex, QPoint, QPointF, QRect, QRectF, Qt, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QFont,
    QFontMetrics,
    QHelpEvent,
    QMouseEvent,
    QPainter,
    QPainterPath,
    QPen,
    QPolygonF,
)
from PySide6.QtWidgets import QSizePolicy, QToolTip

from gossamer.gui.history.chart_dates import day_at, place_of_day
from gossamer.gui.history.chart_tooltips import crawl_text, notes_text
from gossamer.gui.history.trend_lines import TrendLine
from gossamer.gui.history.value_axis import axis_values
from gossamer.gui.look import theme
from gossamer.gui.overview.chart_widget import NOWHERE, Chart, ChartMark
from gossamer.gui.text.translated_sentences import labelled, listed, sentences
from gossamer.gui.widgets.sparkline import draw_filled_line

_HEIGHT: Final = 138
_DOTTED: Final = 60
"""Up to so many crawls, each has a dot."""
_DOT: Final = 2.5
_CHOSEN_DOT: Final = 4.5
_FLAG: Final = 5.0
_BAND: Final = 12
"""Between the axis and the days, where flags are."""
_GAP: Final = 10
_MARGIN: Final = 6


@dataclass(frozen=True, slots=True)
class ChartedCrawl:
    """A crawl as shown in a chart: its time, its notes, what a click does."""

    begun: float
    day: str
    """For the axis."""
    moment: str
    notes: Sequence[str] = ()
    remark: str = ""
    """What is missing in its figures."""
    hint: str = ""
    """What a click does."""


@dataclass(frozen=True, slots=True)
class ChartNote:
    """What was noted about a day, or about the crawl of that day."""

    day: date
    title: str
    texts: tuple[str, ...]
    ids: tuple[int, ...]


class TrendChart(Chart):
    """One or more lines over the crawls, their latest values, and flags for notes.

    `chosen` carries the place of the crawl that was clicked, `notes_chosen` the ids of the notes of
    a flag, `day_chosen` the day on the axis; `menu_wanted` place, day and where the menu opens.
    """

    notes_chosen = Signal(object)
    day_chosen = Signal(object)
    menu_wanted = Signal(int, object, QPoint)

    def __init__(self, name: str, empty: str) -> None:
        super().__init__(name, empty)
        self._lines: Sequence[TrendLine] = ()
        self._crawls: Sequence[ChartedCrawl] = ()
        self._notes: Sequence[tuple[float, ChartNote]] = ()
        self._axis: Sequence[int] = (0, 1)
        self._gutter = 0.0
        self._current = NOWHERE
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)

    def show_lines(
        self,
        lines: Sequence[TrendLine],
        crawls: Sequence[ChartedCrawl],
        notes: Sequence[ChartNote] = (),
    ) -> None:
        """Show these lines over these crawls, and flags for these notes."""
        self._lines, self._crawls = lines, crawls
        begun = [each.begun for each in crawls]
        self._notes = [(place_of_day(each.day, begun), each) for each in notes if begun]
        values = [value for line in lines for value in line.values if value is not None]
        self._axis = axis_values(max(values, default=0))
        widths = map(self.metrics().horizontalAdvance, map(self._words, self._axis))
        self._gutter = float(max(widths)) + _MARGIN
        self.show_marks([self._mark(place, each) for place, each in enumerate(crawls)])
        self.viewport().update()

    def mark_crawl(self, place: int) -> None:
        """Mark the crawl at a place, -1 for none."""
        self._current = place
        self.viewport().update()

    # ------------------------------------------------------------ where things are

    def area(self, row: int) -> QPainterPath:
        """The height around a point, down to the axis: below it are the days."""
        left, right = self._x(row - 0.5), self._x(row + 0.5)
        path = QPainterPath()
        path.addRect(QRectF(left, 0, right - left, self._bottom()))
        return path

    def indexAt(self, point: QPoint) -> QModelIndex:
        """The crawl at a point of the viewport. There may be thousands, under a moving mouse."""
        row = floor(self._place(point.x()) + 0.5)
        is_there = 0 <= row < len(self._crawls) and 0 <= point.y() < self._bottom()
        return self.model_.index(row) if is_there else QModelIndex()

    def day_under(self, point: QPointF) -> date | None:
        """The day at a point of the axis; None elsewhere."""
        if not self._crawls or point.y() < self._bottom():
            return None
        return day_at(self._place(point.x()), [each.begun for each in self._crawls])

    def note_under(self, point: QPointF) -> ChartNote | None:
        """The notes whose flag is at a point; None elsewhere."""
        if point.y() < self._bottom():
            return None
        for place, note in self._notes:
            if abs(self._x(place) - point.x()) <= 1.5 * _FLAG:
                return note
        return None

    def _x(self, row: float) -> float:
        step = (self.viewport().width() - self._gutter) / max(1, len(self._crawls))
        return self._gutter + (row + 0.5) * step

    def _place(self, x: float) -> float:
        step = (self.viewport().width() - self._gutter) / max(1, len(self._crawls))
        return (x - self._gutter) / step - 0.5

    def _y(self, value: float) -> float:
        bottom = self._bottom()
        return bottom - (bottom - self._top()) * value / self._axis[-1]

    def _top(self) -> float:
        """Below the latest values, with room for half a label of the axis."""
        return 1.8 * self.metrics().height() + _MARGIN

    def _bottom(self) -> float:
        return float(self.viewport().height() - self.metrics().height() - _BAND)

    def _height(self) -> int:
        return _HEIGHT + self.metrics().height()

    # ------------------------------------------------------------ painting

    def draw_ground(self, painter: QPainter) -> None:
        """Draw axes, latest values, flags and lines."""
        self._draw_values(painter)
        self._draw_days(painter)
        self._draw_latest(painter)
        for place, _ in self._notes:
            self._draw_flag(painter, self._x(place))
        for line in self._lines:
            self._draw_line(painter, line)

    def draw(self, painter: QPainter, row: int, mark: ChartMark) -> None:
        """Draw the points of the crawl that is marked, or under the mouse or the keyboard."""
        del mark
        focused = self.hasFocus() and row == self.currentIndex().row()
        if not (focused or self.is_hovered(row) or row == self._current):
            return
        x = self._x(row)
        painter.setPen(QPen(theme.colour("outline"), 1))
        painter.drawLine(QPointF(x, self._top()), QPointF(x, self._bottom()))
        painter.setPen(QPen(theme.scheme().window, 1.5))
        for line in self._lines:
            if (value := line.values[row]) is not None:
                painter.setBrush(theme.colour(line.role))
                painter.drawEllipse(QPointF(x, self._y(value)), _CHOSEN_DOT, _CHOSEN_DOT)

    def _draw_values(self, painter: QPainter) -> None:
        metrics, width = painter.fontMetrics(), self.viewport().width()
        for value in self._axis:
            y = self._y(value)
            painter.setPen(QPen(theme.colour("border"), 1))
            painter.drawLine(QPointF(self._gutter, y), QPointF(width, y))
            text = self._words(value)
            left = self._gutter - _MARGIN - metrics.horizontalAdvance(text)
            painter.setPen(theme.colour("muted"))
            painter.drawText(QPointF(left, y + metrics.ascent() / 2 - 1), text)

    def _draw_days(self, painter: QPainter) -> None:
        """The last day, and every so many before it as have room."""
        painter.setPen(theme.colour("muted"))
        metrics, width = painter.fontMetrics(), self.viewport().width()
        base = self._bottom() + _BAND + metrics.ascent()
        widest = max(metrics.horizontalAdvance(each.day) for each in self._crawls)
        step = max(1, ceil((widest + 2 * _GAP) / (self._x(1) - self._x(0))))
        end = float(width)
        for row in range(len(self._crawls) - 1, -1, -step):
            text = self._crawls[row].day
            room = metrics.horizontalAdvance(text)
            left = max(0.0, min(self._x(row) - room / 2, width - room))
            if left + room <= end:
                painter.drawText(QPointF(left, base), text)
                end = left - _GAP

    def _draw_latest(self, painter: QPainter) -> None:
        """The last values with their changes; with names and colours, if there are several.

        What has no room is left out: since when that is, then the changes.
        """
        bold = QFont(self.font())
        bold.setBold(True)
        base, width = float(painter.fontMetrics().ascent()), self.viewport().width()
        for extent in (2, 1, 0):
            pieces = self._latest(extent)
            if self._width_of(pieces, bold) <= width:
                break
        x = 0.0
        for text, role, is_bold in pieces:
            painter.setFont(bold if is_bold else self.font())
            painter.setPen(theme.colour(role))
            painter.drawText(QPointF(x, base), text)
            x += painter.fontMetrics().horizontalAdvance(text)
        painter.setFont(self.font())

    def _latest(self, extent: int) -> list[tuple[str, theme.Role, bool]]:
        """Texts with their colours, and whether they are bold.

        With an `extent` of 1 they show the changes, with 2 also since when.
        """
        last = len(self._crawls) - 1
        pieces: list[tuple[str, theme.Role, bool]] = []
        for line in self._lines:
            if len(self._lines) > 1:
                pieces += [("● ", line.role, False), (f"{line.name} ", "muted", False)]
            pieces.append((f"{line.text(last)} ", "text", True))
            change = line.change(last) if extent else None
            if change is not None:
                pieces.append((f"{change[0]} ", change[1], False))
            pieces.append(("   ", "text", False))
        if extent > 1 and last and any(line.change(last) for line in self._lines):
            before = self._crawls[self._place_before(last)]
            since = self.tr("since {time}").format(time=before.moment)
            pieces[-1] = (since, "muted", False)
        return pieces

    def _place_before(self, place: int) -> int:
        """The crawl before one that has values: with it, changes are compared."""
        has_values = (
            each
            for each in range(place - 1, -1, -1)
            if any(line.values[each] is not None for line in self._lines)
        )
        return next(has_values, place - 1)

    def _width_of(self, pieces: Sequence[tuple[str, theme.Role, bool]], bold: QFont) -> int:
        thin, wide = self.metrics(), QFontMetrics(bold)
        return sum(
            (wide if is_bold else thin).horizontalAdvance(text) for text, _, is_bold in pieces
        )

    def _draw_flag(self, painter: QPainter, x: float) -> None:
        """A line at the day of a note, and a triangle below the axis."""
        bottom = self._bottom()
        painter.setPen(QPen(theme.colour("redirect"), 1, Qt.PenStyle.DotLine))
        painter.drawLine(QPointF(x, self._top()), QPointF(x, bottom))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.colour("redirect"))
        corners = (
            (x - _FLAG, bottom + 1.6 * _FLAG),
            (x + _FLAG, bottom + 1.6 * _FLAG),
            (x, bottom),
        )
        painter.drawPolygon(QPolygonF([QPointF(*corner) for corner in corners]))

    def _draw_line(self, painter: QPainter, line: TrendLine) -> None:
        for part in self._parts(line):
            points = [point for _, point in part]
            if len(self._lines) == 1 and len(part) > 1:
                draw_filled_line(painter, points, self._bottom(), line.role)
            else:
                path = QPainterPath(points[0])
                for point in points[1:]:
                    path.lineTo(point)
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.setPen(QPen(theme.colour(line.role), 1.5))
                painter.drawPath(path)
            if len(self._crawls) <= _DOTTED or len(part) == 1:
                self._draw_dots(painter, line, part)

    def _draw_dots(
        self, painter: QPainter, line: TrendLine, part: Sequence[tuple[int, QPointF]]
    ) -> None:
        """A dot for each crawl; a hollow one where something is missing in its figures."""
        colour, hollow = theme.colour(line.role), theme.scheme().window
        painter.setPen(QPen(colour, 1))
        for row, point in part:
            painter.setBrush(hollow if self._crawls[row].remark else colour)
            painter.drawEllipse(point, _DOT, _DOT)

    def _parts(self, line: TrendLine) -> list[list[tuple[int, QPointF]]]:
        """The points between the gaps, with the places of their crawls."""
        parts: list[list[tuple[int, QPointF]]] = [[]]
        for row, value in enumerate(line.values):
            if value is not None:
                parts[-1].append((row, QPointF(self._x(row), self._y(value))))
            elif parts[-1]:
                parts.append([])
        return [part for part in parts if part]

    # ------------------------------------------------------------ what it tells

    def _words(self, value: int) -> str:
        return self._lines[0].words(value) if self._lines else ""

    def _mark(self, place: int, crawl: ChartedCrawl) -> ChartMark:
        several = len(self._lines) > 1
        told = [
            labelled(line.name, line.text(place)) if several else line.text(place)
            for line in self._lines
        ]
        hint = sentences([*crawl.notes, crawl.remark])
        return ChartMark(crawl.day, 0.0, listed(told), target=place, hint=hint)

    def hover_text(self, point: QPointF) -> tuple[str, QRect]:
        """The description of what is at a point, as rich text, and the area in which it holds."""
        around = QRectF(point.x() - _FLAG, self._bottom(), 2 * _FLAG, 4 * _FLAG).toAlignedRect()
        if (note := self.note_under(point)) is not None:
            return notes_text(note.title, note.texts, self.tr("Click to see or change it.")), around
        if self.day_under(point) is not None:
            return notes_text("", (), self.tr("Click to note something about this day.")), around
        row = self.indexAt(point.toPoint()).row()
        if row == NOWHERE:
            return "", QRect()
        crawl = self._crawls[row]
        hints = [crawl.remark, crawl.hint]
        text = crawl_text(crawl.moment, self._lines, row, crawl.notes, hints)
        return text, self.area(row).boundingRect().toAlignedRect()

    # ------------------------------------------------------------ Qt: the user

    def viewportEvent(self, event: QEvent) -> bool:
        """Tell at once what is under the mouse, and not once more after a while."""
        if isinstance(event, QHelpEvent) and event.type() is QEvent.Type.ToolTip:
            return True
        return bool(super().viewportEvent(event))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Tell of the crawl, the day or the note under the mouse."""
        super().mouseMoveEvent(event)
        point = event.position()
        if self.day_under(point) is not None:
            self.viewport().setCursor(Qt.CursorShape.PointingHandCursor)
        text, where = self.hover_text(point)
        QToolTip.showText(event.globalPosition().toPoint(), text, self.viewport(), where)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """A click on a flag leads to its notes, one on the axis to a new note."""
        day, note = self.day_under(event.position()), self.note_under(event.position())
        if event.button() is not Qt.MouseButton.LeftButton or day is None:
            super().mouseReleaseEvent(event)
        elif note is not None:
            self.notes_chosen.emit(note.ids)
        else:
            self.day_chosen.emit(day)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Ask for the menu of a crawl and a day; with the keyboard, of the chosen crawl."""
        point = event.pos().toPointF()
        row = self.indexAt(event.pos()).row()
        if event.reason() is QContextMenuEvent.Reason.Keyboard:
            row = self.currentIndex().row()
        day = self.day_under(point)
        if day is None and row != NOWHERE:
            day = day_at(row, [each.begun for each in self._crawls])
        if day is not None:
            self.menu_wanted.emit(row, day, event.globalPos())
