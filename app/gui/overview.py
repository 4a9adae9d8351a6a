"""The crawl at a glance: answers by class, depths, and what happened most, drawn by us."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QRect, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QLabel, QScrollArea, QSizePolicy, QVBoxLayout, QWidget

from app.gui import theme
from app.gui.models import appearance
from app.gui.words import number
from app.model.messages import Progress
from app.model.outcome import Outcome

_BAR: Final = 5
_DEPTHS: Final = 12
"""Depths that get a column of their own; deeper ones share the last."""
_TOP: Final = 6
_HISTOGRAM_HEIGHT: Final = 84
_NO_ANSWER: Final = 0


@dataclass(frozen=True, slots=True)
class Row:
    """One bar: what it counts, how many, in which colour."""

    label: str
    count: int
    role: theme.Role


class BarList(QWidget):
    """Rows of label, number and a bar, as long as its share of the largest row or of `total`."""

    def __init__(self, empty: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._empty = empty
        self._rows: list[Row] = []
        self._total = 0
        self.setFont(theme.tabular(self.font()))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def rows(self) -> list[Row]:
        """What is shown."""
        return list(self._rows)

    def set_rows(self, rows: list[Row], total: int | None = None) -> None:
        """Show `rows`; a full bar is `total`, or the largest row."""
        total = total or max((row.count for row in rows), default=0)
        if (rows, total) == (self._rows, self._total):
            return
        resized = len(rows) != len(self._rows)
        self._rows, self._total = rows, total
        self.setAccessibleName(", ".join(f"{row.label}: {number(row.count)}" for row in rows))
        if resized:
            self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        """As high as its rows."""
        return QSize(160, max(1, len(self._rows)) * self._row_height())

    def minimumSizeHint(self) -> QSize:
        """All rows are always shown."""
        return self.sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the rows, or say what would be here."""
        del event
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            if not self._rows:
                painter.setPen(theme.colour("muted"))
                painter.drawText(self.rect(), Qt.AlignmentFlag.AlignTop, self._empty)
            for n, row in enumerate(self._rows):
                self._draw(painter, n * self._row_height(), row)

    def _row_height(self) -> int:
        return QFontMetrics(self.font()).height() + _BAR + theme.SPACE_S

    def _draw(self, painter: QPainter, top: int, row: Row) -> None:
        metrics = painter.fontMetrics()
        line = QRect(0, top, self.width(), metrics.height())
        count = number(row.count)
        room = self.width() - metrics.horizontalAdvance(count) - theme.SPACE_S
        painter.setPen(theme.colour("text"))
        painter.drawText(
            line,
            Qt.AlignmentFlag.AlignLeft,
            metrics.elidedText(row.label, Qt.TextElideMode.ElideRight, room),
        )
        painter.drawText(line, Qt.AlignmentFlag.AlignRight, count)
        box = QRectF(0, line.bottom() + 3, self.width(), _BAR)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.colour("track"))
        painter.drawRoundedRect(box, _BAR / 2, _BAR / 2)
        if row.count and self._total:
            box.setWidth(max(float(_BAR), box.width() * min(1.0, row.count / self._total)))
            painter.setBrush(theme.colour(row.role))
            painter.drawRoundedRect(box, _BAR / 2, _BAR / 2)


class Histogram(QWidget):
    """Columns of URLs by clicks from the start page. Always the same height."""

    def __init__(self, empty: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._empty = empty
        self._columns: list[tuple[str, int]] = []
        self.setFont(theme.tabular(self.font()))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def columns(self) -> list[tuple[str, int]]:
        """Labels and counts shown, left to right."""
        return list(self._columns)

    def set_depths(self, depths: Mapping[int, int]) -> None:
        """Show URLs by depth; the last column stands for all deeper ones too."""
        deepest = max(depths, default=-1)
        columns = [(str(depth), depths.get(depth, 0)) for depth in range(min(deepest, _DEPTHS) + 1)]
        if deepest > _DEPTHS:
            rest = sum(count for depth, count in depths.items() if depth >= _DEPTHS)
            columns[-1] = (f"{_DEPTHS}+", rest)
        if columns != self._columns:
            self._columns = columns
            self.setAccessibleName(", ".join(f"{name}: {number(n)}" for name, n in columns))
            self.update()

    def sizeHint(self) -> QSize:
        """Always the same size."""
        return QSize(160, _HISTOGRAM_HEIGHT)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the columns and the depths below them."""
        del event
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            if not self._columns:
                painter.setPen(theme.colour("muted"))
                painter.drawText(self.rect(), Qt.AlignmentFlag.AlignTop, self._empty)
                return
            slot = min(40.0, self.width() / len(self._columns))
            largest = max(count for _, count in self._columns) or 1
            for n, (label, count) in enumerate(self._columns):
                self._draw(
                    painter, QRectF(n * slot, 0, slot, self.height()), label, count / largest
                )

    def _draw(self, painter: QPainter, slot: QRectF, label: str, share: float) -> None:
        metrics = painter.fontMetrics()
        line = metrics.height()
        painter.setPen(theme.colour("muted"))
        painter.drawText(
            QRectF(slot.left(), slot.bottom() - line, slot.width(), line),
            Qt.AlignmentFlag.AlignCenter,
            label,
        )
        room = slot.height() - line - theme.SPACE_XS
        height = max(2.0, room * share) if share else 1.0
        width = min(24.0, slot.width() - 2)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.colour("accent" if share else "border"))
        painter.drawRoundedRect(
            QRectF(slot.center().x() - width / 2, room - height, width, height), 2, 2
        )


class Overview(QScrollArea):
    """Three small charts. Counters come ten times a second, depths when the project changed."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("overview")
        self.setAccessibleName(self.tr("Overview of the crawl"))
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        nothing = self.tr("Nothing yet.")
        self.answers = BarList(nothing)
        self.depths = Histogram(nothing)
        self.outcomes = BarList(nothing)
        page = QWidget()
        page.setObjectName("overview-page")
        page.setAutoFillBackground(True)
        page.setBackgroundRole(self.backgroundRole())
        column = QVBoxLayout(page)
        column.setContentsMargins(theme.SPACE_M, theme.SPACE_S, theme.SPACE_M, theme.SPACE_M)
        column.setSpacing(theme.SPACE_S)
        for title, chart in (
            (self.tr("Answers"), self.answers),
            (self.tr("Clicks from the start page"), self.depths),
            (self.tr("What happened most"), self.outcomes),
        ):
            heading = QLabel(title)
            heading.setProperty("muted", True)
            column.addWidget(heading)
            column.addWidget(chart)
            column.addSpacing(theme.SPACE_XS)
        column.addStretch(1)
        self.setWidget(page)

    def show_progress(self, progress: Progress) -> None:
        """Show new counters."""
        self.answers.set_rows(self._answers(progress), total=progress.fetched)
        self.outcomes.set_rows(_top(progress.outcomes))

    def show_depths(self, depths: Mapping[int, int]) -> None:
        """Show how many URLs there are at each depth."""
        self.depths.set_depths(depths)

    def clear(self) -> None:
        """Forget the crawl that was shown."""
        self.answers.set_rows([])
        self.outcomes.set_rows([])
        self.depths.set_depths({})

    def _answers(self, progress: Progress) -> list[Row]:
        classes = dict.fromkeys((2, 3, 4, 5), 0)
        for status, count in progress.statuses.items():
            if status // 100 in classes:
                classes[status // 100] += count
        names: tuple[tuple[int, str, theme.Role], ...] = (
            (2, self.tr("2xx OK"), "ok"),
            (3, self.tr("3xx Redirect"), "redirect"),
            (4, self.tr("4xx Client error"), "error"),
            (5, self.tr("5xx Server error"), "error"),
        )
        rows = [Row(name, classes[digit], role) for digit, name, role in names]
        unanswered = max(0, progress.fetched - sum(progress.statuses.values()))
        rows.append(Row(self.tr("No answer"), unanswered, "warning"))
        return rows if progress.fetched else []


def _top(outcomes: Mapping[int, int]) -> list[Row]:
    """The outcomes that happened most, waiting ones left out, most first."""
    known = [(Outcome(number), count) for number, count in outcomes.items() if count]
    known.sort(key=lambda entry: (-entry[1], entry[0]))
    return [
        Row(appearance.label(outcome), count, appearance.role(outcome, None))
        for outcome, count in known
        if outcome is not Outcome.PENDING
    ][:_TOP]
