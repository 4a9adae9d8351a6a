"""The links to the URLs of a view, and on them: copied as rows, or exported."""

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import Final

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtWidgets import QAbstractItemView, QMenu

from gossamer.gui.look.icons import icon
from gossamer.gui.project.reader_port import ProjectRows
from gossamer.gui.project.reader_thread import ProjectReader
from gossamer.gui.tables.row_kind import LINKS
from gossamer.gui.tables.tsv import MAX_COPIED, tsv_of
from gossamer.model.project_queries import Column, LinkEnd, LinkRecord, LinksOf

COPIED: Final = (
    Column.SOURCE,
    Column.TARGET,
    Column.STATUS,
    Column.OUTCOME,
    Column.ANCHOR,
    Column.KIND,
    Column.ACTION,
    Column.REL,
    Column.ELEMENT,
    Column.SOURCE_TITLE,
)
"""The columns that are copied of a link."""
_AT_ONCE: Final = 500


class LinkActions(QObject):
    """A submenu of a view. `export_wanted` has a LinksOf, `said` a sentence.

    `rows` are those selected, `urls` the URLs of rows; that runs on the reader thread. With `only`,
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
        title = self.tr("Inlinks and outlinks") if only is None else self.tr("This whole list")
        self.menu = QMenu(title, view)
        self.menu.setIcon(icon("links"))
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
        view.addAction(self.menu.menuAction())

    def set_possible(self, *, possible: bool) -> None:
        """Whether there are any URLs."""
        self.menu.menuAction().setEnabled(possible)
        for action in (*self.copy.values(), *self.export.values()):
            action.setEnabled(possible)

    def _add(self, text: str, end: LinkEnd, act: Callable[[LinkEnd], None]) -> QAction:
        action = self.menu.addAction(text)
        action.triggered.connect(lambda: act(end))
        return action

    def _chosen(self, rows: ProjectRows, ids: Sequence[int]) -> tuple[int, ...]:
        """The URLs of these rows, each once."""
        chunks = (ids[i : i + _AT_ONCE] for i in range(0, len(ids), _AT_ONCE))
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
            links = (link for url in self._chosen(rows, ids) for link in _links(rows, url, end))
            some = list(islice(links, MAX_COPIED + 1))
            return tsv_of(some[:MAX_COPIED], LINKS, COPIED), len(some)

        self._reader.submit(read, lambda found: self._take(*found), key=self._key)

    def _take(self, text: str, count: int) -> None:
        if not count:
            self.said.emit(self.tr("There are no such links"))
            return
        QGuiApplication.clipboard().setText(text)
        words = self.tr("%Ln row(s) copied", "", count)
        if count > MAX_COPIED:
            words = self.tr("The first %Ln rows copied; export for all", "", MAX_COPIED)
        self.said.emit(words)


def _links(rows: ProjectRows, url_id: int, end: LinkEnd) -> Iterator[LinkRecord]:
    """All links to a URL, or on it."""
    source, position = 0, -1
    while True:
        if end is LinkEnd.INLINKS:
            found = rows.inlinks(url_id, (source, position), _AT_ONCE)
        else:
            found = rows.outlinks(url_id, position, _AT_ONCE)
        if not found:
            return
        yield from found
        source, position = found[-1].source_id, found[-1].position
