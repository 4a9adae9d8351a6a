"""The progress line of a crawl: progress, speed and errors in one row of fixed layout."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Final, NamedTuple

from PySide6.QtCore import QRect, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QSizePolicy,
    QToolButton,
    QWidget,
)

from gossamer.gui.look import theme
from gossamer.gui.text.local_formatting import decimal, number
from gossamer.gui.text.translated_sentences import spoken
from gossamer.gui.widgets.audit_progress import AuditProgressLine
from gossamer.gui.widgets.progress_bar import CrawlProgressBar, set_role
from gossamer.gui.widgets.sparkline import Sparkline
from gossamer.model.crawl_state import CrawlState
from gossamer.model.messages.crawl_messages import Progress
from gossamer.model.number_format import clock
from gossamer.model.outcome_counts import got_nothing
from gossamer.model.project_queries import View

_SAMPLE_S: Final = 1.0
_SLACK: Final = 4
_TARGET: Final = 24
"""A button of this size is easy to click."""
_BAR: Final = 200
_ROOMY: Final = 900
"""At this width, there is room for everything."""
_STATE_ROLES: Final[dict[CrawlState, theme.Role]] = {
    CrawlState.NEW: "muted",
    CrawlState.RUNNING: "accent",
    CrawlState.PAUSING: "warning",
    CrawlState.PAUSED: "warning",
    CrawlState.CANCELLING: "muted",
    CrawlState.CANCELLED: "muted",
    CrawlState.FINISHED: "ok",
    CrawlState.FAILED: "error",
}


_AT_REST: Final = frozenset(CrawlState) - {
    CrawlState.RUNNING,
    CrawlState.PAUSING,
    CrawlState.CANCELLING,
}
"""States in which no counter moves."""


def _came_back_empty(progress: Progress) -> bool:
    return progress.state is CrawlState.FINISHED and got_nothing(progress.outcomes)


def _role(progress: Progress) -> theme.Role:
    return "error" if _came_back_empty(progress) else _STATE_ROLES[progress.state]


@dataclass(frozen=True, slots=True)
class CounterValue:
    """A text, its colour, and its subject; with a `view`, a click on it opens that tab."""

    text: str
    role: theme.Role = "text"
    view: str | None = None
    hint: str = ""


class IssueTotals(NamedTuple):
    """How many issues the project has, and how many of them have a high priority."""

    every: int = 0
    high: int = 0


class Counter(QToolButton):
    """A counter button that opens the rows it counts."""

    def __init__(self, piece: CounterValue, parent: QWidget) -> None:
        super().__init__(parent)
        self.setProperty("counter", True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setToolTip(piece.hint)

    def sizeHint(self) -> QSize:
        """The text with a frame, which shows the keyboard focus; large enough to be clicked."""
        wide = QFontMetrics(self.font()).horizontalAdvance(self.text()) + _SLACK
        return QSize(max(_TARGET, wide), _TARGET)


class CountRow(QWidget):
    """Counters in one row; those that lead to rows of the table are buttons.

    A slot only ever widens, so what follows it does not move. There is no layout: it would lay out
    the window again five times a second.
    """

    view_wanted = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFont(theme.tabular(self.font()))
        self._pieces: list[CounterValue] = []
        self._widths: list[int] = []
        self._cells: list[QLabel | Counter] = []
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        """One line of text, as wide as there is room."""
        return QSize(400, max(_TARGET, QFontMetrics(self.font()).height()))

    def text(self) -> str:
        """All pieces, joined as they appear."""
        return " · ".join(piece.text for piece in self._pieces)

    def button(self, view: str) -> Counter:
        """The button that leads to `view`; LookupError if there is none."""
        for piece, cell in zip(self._pieces, self._cells, strict=True):
            if piece.view == view and isinstance(cell, Counter):
                return cell
        raise LookupError(view)

    def set_pieces(self, pieces: list[CounterValue], *, settled: bool = False) -> None:
        """Show `pieces`; once they are `settled`, no room is kept for wider ones."""
        if pieces == self._pieces:
            return
        if [piece.view for piece in pieces] != [piece.view for piece in self._pieces]:
            self._make_cells(pieces)
        for piece, cell in zip(pieces, self._cells, strict=True):
            if cell.text() != piece.text:
                cell.setText(piece.text)
            set_role(cell, piece.role)
        widths = [cell.sizeHint().width() for cell in self._cells]
        if len(widths) == len(self._widths) and not settled:
            widths = [max(pair) for pair in zip(widths, self._widths, strict=True)]
        self._pieces, moved = pieces, widths != self._widths
        self._widths = widths
        self.setAccessibleName(self.text())
        if moved:
            self._place()

    def clear(self) -> None:
        """Show nothing, and let the slots shrink again: another crawl begins."""
        self._make_cells([])
        self._pieces = []
        self._widths = []
        self.update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Show what there is room for."""
        super().resizeEvent(event)
        self._place()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw a dot between two pieces."""
        del event
        gap = self._gap()
        with QPainter(self) as painter:
            painter.setPen(theme.colour("muted"))
            for cell in self._cells[1:]:
                if not cell.isHidden():
                    dot = QRect(cell.x() - gap, 0, gap, self.height())
                    painter.drawText(dot, Qt.AlignmentFlag.AlignCenter, "·")

    def _make_cells(self, pieces: list[CounterValue]) -> None:
        for cell in self._cells:
            cell.hide()
            cell.deleteLater()
        self._cells = [self._cell(piece) for piece in pieces]
        self._widths = []

    def _cell(self, piece: CounterValue) -> QLabel | Counter:
        if piece.view is None:
            label = QLabel(self)
            label.setTextFormat(Qt.TextFormat.PlainText)  # a reason may be in a server's words
            return label
        button = Counter(piece, self)
        button.clicked.connect(partial(self.view_wanted.emit, piece.view))
        return button

    def _gap(self) -> int:
        return QFontMetrics(self.font()).horizontalAdvance(" · ")

    def _place(self) -> None:
        """Show as many as there is room for: half a number would be another number."""
        x, gap, fits = 0, self._gap(), True
        for cell, width in zip(self._cells, self._widths, strict=True):
            fits = fits and x + width <= self.width()
            cell.setGeometry(x, 0, width, self.height())
            cell.setVisible(fits)
            x += width + gap
        self.update()


class ProgressLine(QFrame):
    """State, bar, counts, the site audit, and the sparkline of the speed."""

    def __init__(
        self, parent: QWidget | None = None, *, clock: Callable[[], float] = time.monotonic
    ) -> None:
        super().__init__(parent)
        self.setObjectName("progress-line")
        self.setProperty("bar", True)
        self._clock = clock
        self._sampled_at = -_SAMPLE_S
        self._word = ""
        self._issues, self._issues_tab = IssueTotals(), ""
        self._shown: tuple[Progress, bool] | None = None
        self.bar = CrawlProgressBar()
        self.counts = CountRow()
        self.sparkline = Sparkline()
        self.audit = AuditProgressLine()
        row = QHBoxLayout(self)
        row.setContentsMargins(theme.SPACE_M, theme.SPACE_XS, theme.SPACE_M, theme.SPACE_XS)
        row.setSpacing(theme.SPACE_M)
        row.addWidget(self.bar)
        row.addWidget(self.counts, 1)
        row.addWidget(self.audit)
        row.addWidget(self.sparkline)
        self._fix_height()

    def showEvent(self, event: QShowEvent) -> None:
        """Make room for the line above, which gets its style sheet before it is shown."""
        super().showEvent(event)
        self._fix_height()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """If there is little room, it is for the counters."""
        super().resizeEvent(event)
        roomy = event.size().width() >= _ROOMY
        self.sparkline.setVisible(roomy)
        self.bar.setFixedWidth(_BAR if roomy else _BAR // 2)

    def _fix_height(self) -> None:
        """Make it as high without the sparkline as with it."""
        self.setFixedHeight(max(self.minimumHeight(), self.sizeHint().height()))

    def clear(self) -> None:
        """Forget the crawl that was shown."""
        self.sparkline.clear()
        self.counts.clear()
        self._shown = None
        self._sampled_at = -_SAMPLE_S

    def show_progress(self, progress: Progress, *, elsewhere: bool = False) -> None:
        """Show new counters; about ten times a second is fine.

        `elsewhere` says that another process crawls the project.
        """
        self._shown = progress, elsewhere
        total = progress.requested
        role = _role(progress)
        finished = progress.state is CrawlState.FINISHED
        self.bar.set_share(1.0 if finished else progress.fetched / total if total else 0.0, role)
        state, *counted = self._pieces(progress, total, role, elsewhere=elsewhere)
        # The word of another state may be much shorter: what follows moves up to it, once.
        settled = progress.state in _AT_REST or state.text != self._word
        self._word = state.text
        self.counts.set_pieces([state, *counted], settled=settled)
        now = self._clock()
        if progress.state is CrawlState.RUNNING and now - self._sampled_at >= _SAMPLE_S:
            self._sampled_at = now
            self.sparkline.add(progress.pages_per_second)

    def show_issues(self, totals: IssueTotals, tab: str) -> None:
        """Show how many issues there are, next to the other counters; a click leads to `tab`."""
        if totals != self._issues:
            self._issues, self._issues_tab = totals, tab
            if self._shown is not None:
                progress, elsewhere = self._shown
                self.show_progress(progress, elsewhere=elsewhere)

    def _pieces(
        self, progress: Progress, total: int, role: theme.Role, *, elsewhere: bool
    ) -> list[CounterValue]:
        redirects, errors = progress.redirects, progress.errors
        if (reason := progress.why_nothing_yet) is not None:
            return [
                CounterValue(self._state_word(progress), role),
                CounterValue(spoken(reason), "muted" if progress.retry is None else "warning"),
                CounterValue(clock(progress.seconds)),
            ]
        speed = self._average(progress) if progress.state in _AT_REST else progress.pages_per_second
        return [
            CounterValue(self.tr("Crawled by another process"), "accent")
            if elsewhere
            else CounterValue(self._state_word(progress), role),
            CounterValue(
                self.tr("{done} of {total}").format(
                    done=number(progress.fetched), total=number(total)
                ),
                view=View.ALL,
            ),
            *self._unchanged_pieces(progress.unchanged),
            CounterValue(self.tr("{speed} pages/s").format(speed=decimal(speed))),
            CounterValue(
                self.tr("%Ln redirect(s)", "", redirects),
                "redirect" if redirects else "muted",
                View.REDIRECTS,
                self.tr("By a 3xx status code, a Refresh header, a meta refresh or a script"),
            ),
            CounterValue(
                self.tr("%Ln error(s)", "", errors),
                "error" if errors else "muted",
                View.ERRORS,
            ),
            *self._issue_pieces(),
            CounterValue(clock(progress.seconds)),
            *self._silence_pieces(progress.silent_after_ms),
        ]

    def _silence_pieces(self, after_ms: int | None) -> list[CounterValue]:
        if after_ms is None:
            return []
        hint = self.tr("After the pause or the cancel, on this machine and on all nodes")
        words = self.tr("last connection closed after %Ln ms", "", after_ms)
        return [CounterValue(words, "muted", None, hint)]

    def _unchanged_pieces(self, unchanged: int) -> list[CounterValue]:
        if not unchanged:
            return []
        hint = self.tr("As in the last crawl: not modified (304), or not due and not requested")
        return [CounterValue(self.tr("%Ln unchanged", "", unchanged), "muted", None, hint)]

    def _issue_pieces(self) -> list[CounterValue]:
        every, high = self._issues
        if not every:
            return []
        hint = self.tr("%Ln of high priority", "", high) if high else ""
        words = self.tr("%Ln issue(s)", "", every)
        return [CounterValue(words, "error" if high else "warning", self._issues_tab, hint)]

    def _state_word(self, progress: Progress) -> str:
        if _came_back_empty(progress):
            return self.tr("No pages found")
        return {
            CrawlState.NEW: self.tr("Ready"),
            CrawlState.RUNNING: self.tr("Crawling"),
            CrawlState.PAUSING: self.tr("Pausing…"),
            CrawlState.PAUSED: self.tr("Paused"),
            CrawlState.CANCELLING: self.tr("Cancelling…"),
            CrawlState.CANCELLED: self.tr("Cancelled"),
            CrawlState.FINISHED: self.tr("Finished"),
            CrawlState.FAILED: self.tr("Stopped"),
        }[progress.state]

    @staticmethod
    def _average(progress: Progress) -> float:
        """Over the whole crawl: what is still worth showing once it rests."""
        return progress.pages / progress.seconds if progress.seconds > 0 else 0.0
