"""The progress line: how far, how fast, what went wrong, in one row that never jumps."""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QEvent, QPoint, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QMouseEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QSizePolicy, QWidget

from gossamer.gui.look import theme
from gossamer.gui.text.formatting import decimal, number
from gossamer.gui.text.sentences import spoken
from gossamer.gui.widgets.sparkline import Sparkline
from gossamer.model.counts import got_nothing
from gossamer.model.messages import Progress
from gossamer.model.number_format import clock
from gossamer.model.project_queries import View
from gossamer.model.state import CrawlState

_SAMPLE_S: Final = 1.0
_DOT: Final = 8
_SLACK: Final = 2
_BAR: Final = 200
_ROOMY: Final = 900
"""As wide as this, there is room for everything."""
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


class Bar(QWidget):
    """A slim progress bar, drawn rather than a QProgressBar: no animation, no relayout."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._share = 0.0
        self._role: theme.Role = "accent"
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(self.tr("Progress of the crawl"))

    def sizeHint(self) -> QSize:
        """The usual size."""
        return QSize(_BAR, _DOT)

    def share(self) -> float:
        """The part that is filled, 0 to 1."""
        return self._share

    def role(self) -> theme.Role:
        """The colour of that part."""
        return self._role

    def set_share(self, share: float, role: theme.Role) -> None:
        """Fill `share` (0 to 1) of the bar in the colour of `role`."""
        if (share, role) != (self._share, self._role):
            self._share, self._role = share, role
            self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the track and the filled part."""
        del event
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            box = QRectF(self.rect())
            painter.setBrush(theme.colour("track"))
            painter.drawRoundedRect(box, _DOT / 2, _DOT / 2)
            if self._share > 0:
                box.setWidth(max(float(_DOT), box.width() * min(1.0, self._share)))
                painter.setBrush(theme.colour(self._role))
                painter.drawRoundedRect(box, _DOT / 2, _DOT / 2)


@dataclass(frozen=True, slots=True)
class Piece:
    """A text, its colour, what it counts; with a `view`, a click on it asks for those rows."""

    text: str
    role: theme.Role = "text"
    view: View | None = None
    hint: str = ""


class CountRow(QWidget):
    """Pieces of text in one row. A place only ever widens, so what follows it stands still."""

    view_wanted = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFont(theme.tabular(self.font()))
        self._pieces: list[Piece] = []
        self._widths: list[int] = []
        self._under: View | None = None
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        """One line of text, as wide as there is room."""
        return QSize(400, QFontMetrics(self.font()).height() + theme.SPACE_XS)

    def text(self) -> str:
        """All pieces, joined as they are seen."""
        return " · ".join(piece.text for piece in self._pieces)

    def place_of(self, view: View) -> QRect:
        """Where the piece is that leads to `view`; empty if there is none."""
        return next((rect for rect, piece in self._places() if piece.view is view), QRect())

    def set_pieces(self, pieces: list[Piece], *, settled: bool = False) -> None:
        """Show `pieces`; once they are `settled`, no room is kept for wider ones."""
        if pieces == self._pieces:
            return
        self._pieces = pieces
        metrics = QFontMetrics(self.font())
        widths = [metrics.horizontalAdvance(piece.text) + _SLACK for piece in pieces]
        if len(widths) == len(self._widths) and not settled:
            widths = [max(pair) for pair in zip(widths, self._widths, strict=True)]
        self._widths = widths
        self.setAccessibleName(self.text())
        self.update()

    def clear(self) -> None:
        """Show nothing, and let the places shrink again: another crawl begins."""
        self._pieces = []
        self._widths = []
        self.update()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Tell by the pointer and a line what can be clicked."""
        point = event.position().toPoint()
        self._point_at(self._view_at(point))
        self.setToolTip(next((x.hint for rect, x in self._places() if rect.contains(point)), ""))

    def leaveEvent(self, event: QEvent) -> None:
        """Nothing is pointed at."""
        super().leaveEvent(event)
        self._point_at(None)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Ask for the rows that were clicked."""
        view = self._view_at(event.position().toPoint())
        if view is not None and event.button() is Qt.MouseButton.LeftButton:
            self.view_wanted.emit(view)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the pieces with a dot between them."""
        del event
        with QPainter(self) as painter:
            plain, underlined = painter.font(), painter.font()
            underlined.setUnderline(True)
            gap = self._gap()
            for n, (rect, piece) in enumerate(self._places()):
                if n:
                    painter.setPen(theme.colour("muted"))
                    dot = QRect(rect.left() - gap, 0, gap, rect.height())
                    painter.drawText(dot, Qt.AlignmentFlag.AlignCenter, "·")
                pointed_at = piece.view is not None and piece.view is self._under
                if pointed_at:
                    painter.setFont(underlined)
                painter.setPen(theme.colour(piece.role))
                sides = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
                painter.drawText(rect, sides, piece.text)
                if pointed_at:
                    painter.setFont(plain)

    def _gap(self) -> int:
        return QFontMetrics(self.font()).horizontalAdvance(" · ")

    def _places(self) -> Iterator[tuple[QRect, Piece]]:
        """What there is room for: half a number would be another number."""
        x, gap = 0, self._gap()
        for piece, width in zip(self._pieces, self._widths, strict=True):
            if x + width > self.width():
                return
            yield QRect(x, 0, width, self.height()), piece
            x += width + gap

    def _view_at(self, point: QPoint) -> View | None:
        """What a click there asks for."""
        return next((piece.view for rect, piece in self._places() if rect.contains(point)), None)

    def _point_at(self, view: View | None) -> None:
        if view is not self._under:
            self._under = view
            hand = Qt.CursorShape.PointingHandCursor
            self.setCursor(hand if view else Qt.CursorShape.ArrowCursor)
            self.update()


class ProgressLine(QFrame):
    """State, bar, counts and the sparkline of the speed."""

    def __init__(
        self, parent: QWidget | None = None, *, clock: Callable[[], float] = time.monotonic
    ) -> None:
        super().__init__(parent)
        self.setObjectName("progress-line")
        self.setProperty("bar", True)
        self._clock = clock
        self._sampled_at = -_SAMPLE_S
        self._word = ""
        self.bar = Bar()
        self.counts = CountRow()
        self.sparkline = Sparkline()
        row = QHBoxLayout(self)
        row.setContentsMargins(theme.SPACE_M, theme.SPACE_XS, theme.SPACE_M, theme.SPACE_XS)
        row.setSpacing(theme.SPACE_M)
        row.addWidget(self.bar)
        row.addWidget(self.counts, 1)
        row.addWidget(self.sparkline)
        self.setFixedHeight(self.sizeHint().height())  # with the sparkline and without it

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Where there is little room it is for what is counted."""
        super().resizeEvent(event)
        roomy = event.size().width() >= _ROOMY
        self.sparkline.setVisible(roomy)
        self.bar.setFixedWidth(_BAR if roomy else _BAR // 2)

    def clear(self) -> None:
        """Forget the crawl that was shown."""
        self.sparkline.clear()
        self.counts.clear()
        self._sampled_at = -_SAMPLE_S

    def show_progress(self, progress: Progress, *, elsewhere: bool = False) -> None:
        """Show new counters; about ten times a second is fine.

        `elsewhere` tells that somebody else crawls the project.
        """
        total = progress.requested
        role = _role(progress)
        finished = progress.state is CrawlState.FINISHED
        self.bar.set_share(1.0 if finished else progress.fetched / total if total else 0.0, role)
        state, *counted = self._pieces(progress, total, role, elsewhere=elsewhere)
        # The word of another state may be shorter by far: what follows moves up to it, once.
        settled = progress.state in _AT_REST or state.text != self._word
        self._word = state.text
        self.counts.set_pieces([state, *counted], settled=settled)
        now = self._clock()
        if progress.state is CrawlState.RUNNING and now - self._sampled_at >= _SAMPLE_S:
            self._sampled_at = now
            self.sparkline.add(progress.pages_per_second)

    def _pieces(
        self, progress: Progress, total: int, role: theme.Role, *, elsewhere: bool
    ) -> list[Piece]:
        redirects, errors = progress.redirects, progress.errors
        if progress.retry is not None:
            return [
                Piece(self._state_word(progress), role),
                Piece(spoken(progress.retry.said), "warning"),
                Piece(clock(progress.seconds)),
            ]
        speed = self._average(progress) if progress.state in _AT_REST else progress.pages_per_second
        return [
            Piece(self.tr("Crawled elsewhere"), "accent")
            if elsewhere
            else Piece(self._state_word(progress), role),
            Piece(
                self.tr("{done} of {total}").format(
                    done=number(progress.fetched), total=number(total)
                ),
                view=View.ALL,
            ),
            Piece(self.tr("{speed} pages/s").format(speed=decimal(speed))),
            Piece(
                self.tr("%Ln redirect(s)", "", redirects),
                "redirect" if redirects else "muted",
                View.REDIRECTS,
                self.tr("By a 3xx status, a Refresh header or a page (meta refresh)"),
            ),
            Piece(
                self.tr("%Ln error(s)", "", errors),
                "error" if errors else "muted",
                View.ERRORS,
            ),
            Piece(clock(progress.seconds)),
        ]

    def _state_word(self, progress: Progress) -> str:
        if _came_back_empty(progress):
            return self.tr("Nothing found")
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
        """Over the whole crawl: what remains to be said once it rests."""
        return progress.pages / progress.seconds if progress.seconds > 0 else 0.0
