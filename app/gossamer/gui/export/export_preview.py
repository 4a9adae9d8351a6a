"""Previews the first rows of an export."""

import asyncio
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt, Signal
from PySide6.QtWidgets import QHeaderView, QLabel, QStyleOptionViewItem, QVBoxLayout, QWidget

from gossamer.export.export_selection import ExportSelection
from gossamer.export.exporter import Preview
from gossamer.export.row_counter import ExportCancelled
from gossamer.gui.export.export_interfaces import Exporter
from gossamer.gui.look import theme
from gossamer.gui.runtime.window_tasks import WindowTasks
from gossamer.gui.tables.empty_state import EmptyStateLabel
from gossamer.gui.tables.item_roles import ALIGNMENT, DISPLAY, LEFT, RIGHT
from gossamer.gui.tables.table_view import PaddedDelegate, TableView
from gossamer.gui.text import local_formatting as formatting
from gossamer.gui.text.local_formatting import number
from gossamer.gui.text.translated_sentences import spoken
from gossamer.model.errors import KnownError

_NOTHING: Final = Preview((), (), (), 0, is_exact=True)
_ROWS: Final = 20
_WIDEST: Final = 36
_MARGIN: Final = 3


class _PreviewModel(QAbstractTableModel):
    """The chosen columns of a preview."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.preview = _NOTHING
        self._places: list[int] = []

    def set_preview(self, preview: Preview, columns: Sequence[str]) -> None:
        self.beginResetModel()
        self.preview = preview
        self._places = [preview.columns.index(name) for name in columns]
        self.endResetModel()

    def rowCount(self, parent: QModelIndex | QPersistentModelIndex = QModelIndex()) -> int:  # noqa: B008 - Qt's own default
        return 0 if parent.isValid() else len(self.preview.rows)

    def columnCount(self, parent: QModelIndex | QPersistentModelIndex = QModelIndex()) -> int:  # noqa: B008 - Qt's own default
        return 0 if parent.isValid() else len(self._places)

    def data(self, index: QModelIndex | QPersistentModelIndex, role: int = DISPLAY) -> Any:  # noqa: ANN401 - Qt's variant
        cell = self.preview.rows[index.row()][self._places[index.column()]]
        if role == DISPLAY:
            return "" if cell is None else formatting.clean(str(cell))
        if role == ALIGNMENT:
            return LEFT if cell is None or isinstance(cell, str) else RIGHT
        return None

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = DISPLAY
    ) -> str | int | None:
        if orientation is not Qt.Orientation.Horizontal or section >= len(self._places):
            return None
        if role == ALIGNMENT:
            return LEFT
        return self.preview.columns[self._places[section]] if role == DISPLAY else None


class PreviewDelegate(PaddedDelegate):
    """Cuts addresses in the middle, as they differ at their ends, and other texts at the end."""

    def initStyleOption(
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        """As any cell, except for the ellipsis."""
        super().initStyleOption(option, index)
        modes = Qt.TextElideMode
        option.textElideMode = modes.ElideMiddle if "://" in option.text else modes.ElideRight


class ExportPreview(QWidget):
    """Reads the first rows in a thread and shows them; only the newest selection counts.

    `arrived` carries a Preview before it is shown; `show_columns` chooses the columns to show.
    """

    arrived = Signal(object)

    def __init__(
        self, project: Path, exporter: Exporter, tasks: WindowTasks, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._project = project
        self._exporter = exporter
        self._tasks = tasks
        self._over = threading.Event()
        self.model = _PreviewModel(self)
        self.table = TableView()
        self.table.setModel(self.model)
        self.table.setObjectName("export-preview")
        self.table.setAccessibleName(self.tr("Export preview"))
        self.table.setMinimumHeight(1)
        self.table.setItemDelegate(PreviewDelegate(self.table))
        header = self.table.horizontalHeader()
        header.setSectionsMovable(False)
        header.setContextMenuPolicy(Qt.ContextMenuPolicy.NoContextMenu)
        header.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        self._empty = EmptyStateLabel(self.table)
        self.note = QLabel()
        self.note.setProperty("muted", True)
        self.note.setTextFormat(Qt.TextFormat.PlainText)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(theme.SPACE_S)
        column.addWidget(self.table, 1)
        column.addWidget(self.note)

    def read(self, selection: ExportSelection) -> None:
        """Read the first rows of `selection`; an earlier reading is abandoned."""
        self.stop()
        self._empty.show_text(self.tr("Reading…"))
        self._tasks.start("export preview", self._read(selection, self._over))

    def show_document(self, words: str) -> None:
        """Show a sentence instead of rows."""
        self.stop()
        self._empty.show_text(words)
        self.model.set_preview(_NOTHING, ())
        self.note.setText("")

    def show_document_of(self, words: str, ensure: Callable[[Path], None]) -> None:
        """Show a sentence instead of rows, or the error that `ensure` raises."""
        self.show_document(words)
        self._tasks.start("export preview", self._ensured(ensure, self._over))

    def show_columns(self, columns: Sequence[str]) -> None:
        """Show these columns of the rows that were read, in this order."""
        found = self.model.preview
        self.model.set_preview(found, [name for name in columns if name in found.columns])
        for column in range(self.model.columnCount()):
            self.table.set_width(column, self._width(column))
        self.table.fill(anew=True)

    def stop(self) -> None:
        """Abandon the current reading."""
        self._over.set()
        self._over = threading.Event()

    async def _read(self, selection: ExportSelection, over: threading.Event) -> None:
        try:
            found = await asyncio.to_thread(
                self._exporter.preview, self._project, selection, _ROWS, cancelled=over.is_set
            )
        except ExportCancelled:
            return
        except KnownError as e:
            if not over.is_set():
                self.show_document(spoken(e.said))
            return
        except asyncio.CancelledError:
            over.set()
            raise
        if not over.is_set():
            self._take(found)

    async def _ensured(self, ensure: Callable[[Path], None], over: threading.Event) -> None:
        try:
            await asyncio.to_thread(ensure, self._project)
        except KnownError as e:
            if not over.is_set():
                self.show_document(spoken(e.said))

    def _take(self, found: Preview) -> None:
        self._empty.show_text(self.tr("No rows."))
        self.model.set_preview(found, ())
        self.arrived.emit(found)
        self.note.setText(self._amount(found))

    def _amount(self, found: Preview) -> str:
        shown = len(found.rows)
        if shown == found.expected:
            return self.tr("%Ln row(s)", "", shown) if shown else ""
        words = self.tr("First {shown} of about {all} rows")
        if found.is_exact:
            words = self.tr("First {shown} of {all} rows")
        return words.format(shown=number(shown), all=number(found.expected))

    def _width(self, column: int) -> int:
        """The characters of the longest cell or header, within limits."""
        model = self.model
        texts = [str(model.data(model.index(row, column))) for row in range(model.rowCount())]
        longest = max(map(len, (str(model.headerData(column, Qt.Orientation.Horizontal)), *texts)))
        return min(longest + _MARGIN, _WIDEST)
