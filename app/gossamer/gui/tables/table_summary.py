"""Below the table: how many rows it has, and what the selected ones amount to."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QSizePolicy, QWidget

from gossamer.gui.look.theme import SPACE_S, SPACE_XS, tabular
from gossamer.gui.text import formatting
from gossamer.model.project_queries import Totals


class _Line(QLabel):
    """A line of text that ends with an ellipsis where there is no room for all of it."""

    def paintEvent(self, event: QPaintEvent) -> None:
        """The text, as far as there is room."""
        del event
        room = self.contentsRect()
        text = self.fontMetrics().elidedText(self.text(), Qt.TextElideMode.ElideRight, room.width())
        with QPainter(self) as painter:
            role = self.foregroundRole()
            self.style().drawItemText(
                painter, room, self.alignment(), self.palette(), self.isEnabled(), text, role
            )


class TableSummary(QFrame):
    """One line, always as high. What was done (`say`) stands in it until the selection changes."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.rows = self._label(Qt.AlignmentFlag.AlignLeft)
        self.selection = self._label(Qt.AlignmentFlag.AlignRight)
        line = QHBoxLayout(self)
        line.setContentsMargins(SPACE_S, SPACE_XS, SPACE_S, SPACE_XS)
        line.addWidget(self.rows, 2)
        line.addWidget(self.selection, 3)
        self.show_rows(None, None)

    def show_rows(self, shown: int | None, total: int | None, *, more: bool = False) -> None:
        """How many of all rows are shown; None: not known. `more`: there is no room for others."""
        if shown is None:
            text = ""
        elif total is None or total <= shown:
            text = self.tr("%Ln row(s)", "", shown)
        else:
            text = self.tr("%1 of %Ln row(s)", "", total).replace("%1", formatting.number(shown))
        if more:
            text = self.tr("{rows}. There are more: filter to see them.").format(rows=text)
        if text != self.rows.text():
            self.rows.setText(text)

    def show_search(self) -> None:
        """Rows are being looked for, and it takes a while."""
        self.rows.setText(self.tr("Searching…"))

    def show_selection(self, count: int, totals: Totals | None) -> None:
        """How many rows are selected and, when that is known, what they amount to."""
        parts = []
        if count:
            parts.append(self.tr("%Ln selected", "", count))
        if count and totals is not None and totals.timed:
            average = formatting.duration(round(totals.elapsed_ms / totals.timed))
            parts.append(formatting.size(totals.size_bytes))
            parts.append(self.tr("%1 on average").replace("%1", average))
        self.say("  ·  ".join(parts))

    def say(self, text: str) -> None:
        """Say this in place of the selection."""
        if text != self.selection.text():
            self.selection.setText(text)

    def _label(self, side: Qt.AlignmentFlag) -> QLabel:
        label = _Line()
        label.setTextFormat(Qt.TextFormat.PlainText)
        label.setFont(tabular(label.font()))
        label.setProperty("muted", True)
        label.setAlignment(side | Qt.AlignmentFlag.AlignVCenter)
        # A long text must not widen the window.
        label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        return label
