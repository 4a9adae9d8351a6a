"""Copies rows as tab-separated text."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

from PySide6.QtCore import QCoreApplication, QObject, Signal
from PySide6.QtGui import QGuiApplication

from gossamer.gui.actions.view_actions import ViewAction, add_view_action
from gossamer.gui.project.reader_interfaces import Ids, ProjectRows
from gossamer.gui.project.reader_thread import ProjectReader
from gossamer.gui.tables.query_table import QueryTable
from gossamer.gui.tables.row_kind import QueryRowKind, RowKind
from gossamer.model.project_queries import Column

MAX_COPIED: Final = 50_000
"""Rows: some 10 MB of text. Use an export for more than that."""

CHUNK: Final = 500
"""Rows that are read at once."""
_FORMULA_STARTS: Final = tuple("=+-@")
_BREAKS: Final = str.maketrans("\t\r\n", "   ")


def tsv(records: Iterable[object], kind: RowKind[Any], columns: Sequence[Column]) -> str:
    """A line of column names and a line for each record.

    Text that spreadsheets would take for a formula gets a leading apostrophe, as in exports.
    """
    specs = [kind.columns[kind.index(column)] for column in columns]
    lines = ["\t".join(spec.header for spec in specs)]
    lines += (
        "\t".join(tsv_cell(spec.value(record), safe=spec.numeric) for spec in specs)
        for record in records
    )
    return "\n".join(lines) + "\n"


def records_of(
    rows: ProjectRows, kind: QueryRowKind[Any], ids: Ids, most: int = MAX_COPIED
) -> Iterator[object]:
    """The records with the first of these ids, at most `most`; on the reader thread."""
    for start in range(0, min(len(ids), most), CHUNK):
        yield from kind.read(rows, ids[start : min(start + CHUNK, most)])


def tsv_cell(text: str, *, safe: bool = False) -> str:
    """A cell of a line for a spreadsheet; one that is not `safe` is never taken for a formula."""
    text = text.translate(_BREAKS)
    return f"'{text}" if not safe and text.startswith(_FORMULA_STARTS) else text


def copied_message(count: int) -> str:
    """The message after copying this many rows, or as many as are allowed."""
    if count > MAX_COPIED:
        return QCoreApplication.translate(
            "Clipboard", "The first %Ln rows copied; export for all", "", MAX_COPIED
        )
    return QCoreApplication.translate("Clipboard", "%Ln row(s) copied", "", count)


class RowActions(QObject):
    """Copies the selected rows with the visible columns. `done` carries a message."""

    done = Signal(str)

    def __init__(self, view: QueryTable, reader: ProjectReader) -> None:
        super().__init__(view)
        self._view = view
        self._reader = reader
        self.copy = add_view_action(view, ViewAction.COPY_ROWS, self._copy)
        view.selectionModel().selectionChanged.connect(self._enable)
        self._enable()

    def _enable(self) -> None:
        self.copy.setEnabled(self._view.selectionModel().hasSelection())

    def _copy(self) -> None:
        ids, columns = self._view.selected_rows(), self._view.shown_columns()
        kind = self._view.rows.kind

        def set_clipboard(text: str) -> None:
            QGuiApplication.clipboard().setText(text)
            self.done.emit(copied_message(len(ids)))

        self._reader.submit(
            lambda rows: tsv(records_of(rows, kind, ids), kind, columns),
            set_clipboard,
            key=f"copied rows {id(self)}",
        )
