"""The line below the table: row count, and totals of the selected rows."""

from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QObject, Qt, QTimer
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QSizePolicy, QWidget

from gossamer.gui.look.theme import SPACE_S, SPACE_XS, tabular
from gossamer.gui.project.reader_thread import ProjectReader
from gossamer.gui.tables.query_table import QueryTable
from gossamer.gui.tables.row_kind import LINKS
from gossamer.gui.text import local_formatting as formatting
from gossamer.model.index_progress import IndexProgress
from gossamer.model.project_queries import Totals


class _Line(QLabel):
    """A line of text that ends with an ellipsis if there is no room for all of it."""

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint as much of the text as there is room for."""
        del event
        room = self.contentsRect()
        text = self.fontMetrics().elidedText(self.text(), Qt.TextElideMode.ElideRight, room.width())
        with QPainter(self) as painter:
            role = self.foregroundRole()
            self.style().drawItemText(
                painter, room, self.alignment(), self.palette(), self.isEnabled(), text, role
            )


class TableSummary(QFrame):
    """The one-line summary of the table; a message replaces it until the selection changes."""

    _has_message = False

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
        """How many of all rows are shown; None: unknown. `more`: there is no room for others."""
        if shown is None:
            text = ""
        elif total is None or total <= shown:
            text = self.tr("%Ln row(s)", "", shown)
        else:
            text = self.tr("{shown} of %Ln row(s)", "", total).format(
                shown=formatting.number(shown)
            )
        if more:
            text = self.tr("{rows}. Filter to see the rest.").format(rows=text)
        if text != self.rows.text():
            self.rows.setText(text)

    def show_searching(self, indexing: IndexProgress | None = None) -> None:
        """Show that a search takes a while, and the progress of the index that it waits for."""
        if indexing is None:
            text = self.tr("Searching…")
        elif indexing.is_remade:
            text = self.tr("The search index was damaged and is being rebuilt: {percent}").format(
                percent=formatting.percent(indexing.percent)
            )
        else:
            text = self.tr("Preparing the search: {percent}").format(
                percent=formatting.percent(indexing.percent)
            )
        self.rows.setText(text)

    def show_selection(self, count: int, totals: Totals | None) -> None:
        """How many rows are selected and, once known, their totals."""
        if self._has_message:
            return
        parts = []
        if count:
            parts.append(self.tr("%Ln selected", "", count))
        if count and totals is not None and totals.timed:
            average = formatting.duration(round(totals.elapsed_ms / totals.timed))
            parts.append(formatting.size(totals.size_bytes))
            parts.append(self.tr("average: {time}").format(time=average))
        self._set_selection_text("  ·  ".join(parts))

    def show_message(self, text: str) -> None:
        """Show a message in place of the selection."""
        self._has_message = True
        self._set_selection_text(text)

    def dismiss_message(self) -> None:
        """Let the next selection replace a message."""
        self._has_message = False

    def _set_selection_text(self, text: str) -> None:
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


_PAUSE_MS: Final = 80
"""A selection has to rest this long before it is totalled."""


class SelectionTotals(QObject):
    """Shows the selection of `view` in `summary`: its count at once, totals when read."""

    def __init__(
        self, reader: ProjectReader, summary: TableSummary, view: Callable[[], QueryTable]
    ) -> None:
        super().__init__(summary)
        self._reader = reader
        self._summary = summary
        self._view = view
        self._summed = 0
        self._rest = QTimer(self, singleShot=True, interval=_PAUSE_MS)
        self._rest.timeout.connect(self._update)

    def update_soon(self, *_change: object) -> None:
        """Update when the selection has not changed for a moment."""
        self._summary.dismiss_message()
        self._rest.start()

    def update_if_changed(self) -> None:
        """Update if rows were removed with their selection, for which Qt emits no signal."""
        if self._view().selected_count() != self._summed:
            self.update_now()

    def update_now(self) -> None:
        """Count the new selection, and read its totals."""
        self._summary.dismiss_message()
        self._update()

    def _update(self) -> None:
        view = self._view()
        count = self._summed = view.selected_count()
        self._summary.show_selection(count, None)
        if count and view.rows.kind is not LINKS:
            ids = view.selected_rows()
            self._reader.submit(
                lambda rows: rows.totals(ids),
                lambda totals: self._show(count, totals),
                key=f"selection {id(self)}",
                background=True,
            )

    def _show(self, count: int, totals: Totals) -> None:
        if count == self._view().selected_count():
            self._summary.show_selection(count, totals)
