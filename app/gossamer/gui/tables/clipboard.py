"""Copies rows and links as tab-separated text, and exports the links of selected URLs."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, Final

from PySide6.QtCore import QCoreApplication, QObject, Signal
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtWidgets import QAbstractItemView, QMenu

from gossamer.gui.actions.view_actions import ViewAction, add_view_action, add_view_menu
from gossamer.gui.project.reader_interfaces import Ids, ProjectRows
from gossamer.gui.project.reader_thread import ProjectReader
from gossamer.gui.tables.query_table import QueryTable
from gossamer.gui.tables.row_kind import LINKS, QueryRowKind, RowKind
from gossamer.model.fields.link_record import LinkRecord
from gossamer.model.project_queries import Column, LinkEnd, LinksOf

MAX_COPIED: Final = 50_000
"""Rows: some 10 MB of text. Use an export for more than that."""

_CHUNK: Final = 500
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
    for start in range(0, min(len(ids), most), _CHUNK):
        yield from kind.read(rows, ids[start : min(start + _CHUNK, most)])


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


COPIED: Final = (
    "source",
    "target",
    "status",
    "outcome",
    "anchor",
    "alt_text",
    "kind",
    "action",
    "rel",
    "element",
    "source_title",
)
"""The columns of a link that are copied."""


class LinkActions(QObject):
    """A submenu of a view. `export_wanted` has a LinksOf, `said` a sentence.

    `rows` are those selected, `urls` returns the URLs of rows, on the reader thread. With `only`,
    the view is itself a list of the links to the one URL in `rows`, or on it.
    """

    export_wanted = Signal(object)
    said = Signal(str)

    def __init__(
        self,
        view: QAbstractItemView,
        reader: ProjectReader,
        rows: Callable[[], Sequence[int]],
        urls: Callable[[ProjectRows, Sequence[int]], Sequence[int]] = lambda _, ids: ids,
        only: LinkEnd | None = None,
    ) -> None:
        super().__init__(view)
        self._reader = reader
        self._rows = rows
        self._urls = urls
        self._key = f"links {id(self)}"
        self.menu = QMenu(view)
        copying = {
            LinkEnd.INLINKS: self.tr("Copy inlinks for a spreadsheet"),
            LinkEnd.OUTLINKS: self.tr("Copy outlinks for a spreadsheet"),
        }
        exporting = {
            LinkEnd.INLINKS: self.tr("Export inlinks…"),
            LinkEnd.OUTLINKS: self.tr("Export outlinks…"),
        }
        ends = list(LinkEnd) if only is None else [only]
        self.copy = {end: self._add(copying[end], end, self._copy) for end in ends}
        self.menu.addSeparator()
        self.export = {end: self._add(exporting[end], end, self._export) for end in ends}
        add_view_menu(view, ViewAction.LINKS if only is None else ViewAction.WHOLE_LIST, self.menu)

    def set_enabled(self, *, enabled: bool) -> None:
        """Whether there are any URLs."""
        for action in self.menu.actions():
            action.setEnabled(enabled)

    def _add(self, text: str, end: LinkEnd, act: Callable[[LinkEnd], None]) -> QAction:
        action = self.menu.addAction(text)
        action.triggered.connect(lambda: act(end))
        return action

    def _chosen(self, rows: ProjectRows, ids: Sequence[int]) -> tuple[int, ...]:
        """The URLs of these rows, each once."""
        chunks = (ids[i : i + _CHUNK] for i in range(0, len(ids), _CHUNK))
        return tuple(dict.fromkeys(url for chunk in chunks for url in self._urls(rows, chunk)))

    def _export(self, end: LinkEnd) -> None:
        ids = self._rows()
        self._reader.submit(
            lambda rows: LinksOf(end, self._chosen(rows, ids)),
            self.export_wanted.emit,
            key=self._key,
        )

    def _copy(self, end: LinkEnd) -> None:
        ids = self._rows()

        def read(rows: ProjectRows) -> tuple[str, int]:
            links = (link for url in self._chosen(rows, ids) for link in links_of(rows, url, end))
            some = list(islice(links, MAX_COPIED + 1))
            return tsv(some[:MAX_COPIED], LINKS, COPIED), len(some)

        self._reader.submit(read, lambda found: self._set_clipboard(*found), key=self._key)

    def _set_clipboard(self, text: str, count: int) -> None:
        if not count:
            self.said.emit(self.tr("No such links"))
            return
        QGuiApplication.clipboard().setText(text)
        self.said.emit(copied_message(count))


def links_of(
    rows: ProjectRows, url_id: int, end: LinkEnd, page: int = _CHUNK
) -> Iterator[LinkRecord]:
    """All links to a URL, or on it; `page` are read at once, on the reader thread."""
    source, position = 0, -1
    while True:
        if end is LinkEnd.INLINKS:
            found = rows.inlinks(url_id, (source, position), page)
        else:
            found = rows.outlinks(url_id, position, page)
        if not found:
            return
        yield from found
        source, position = found[-1].source_id, found[-1].position
