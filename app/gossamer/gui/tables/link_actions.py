"""The submenu of a view that copies and exports the links to URLs, or on them."""

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import Final

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtWidgets import QAbstractItemView, QMenu

from gossamer.gui.actions.view_actions import ViewAction, add_view_menu
from gossamer.gui.project.reader_interfaces import ProjectRows
from gossamer.gui.project.reader_thread import ProjectReader
from gossamer.gui.tables.clipboard import CHUNK, MAX_COPIED, copied_message, tsv
from gossamer.gui.tables.row_kind import LINKS
from gossamer.model.fields.link_record import LinkRecord
from gossamer.model.project_queries import LinkEnd, LinksOf

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
        chunks = (ids[i : i + CHUNK] for i in range(0, len(ids), CHUNK))
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
    rows: ProjectRows, url_id: int, end: LinkEnd, page: int = CHUNK
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
