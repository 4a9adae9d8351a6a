"""What can be done with a URL in any view: copy, open, show elsewhere."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QEvent, QObject, Qt, QUrl, Signal
from PySide6.QtGui import QAction, QDesktopServices, QGuiApplication, QKeySequence
from PySide6.QtWidgets import QAbstractItemView

from gossamer.gui.look.icons import icon
from gossamer.gui.project.reader_port import ProjectRows
from gossamer.gui.project.reader_thread import ProjectReader
from gossamer.gui.tables.clipboard import MAX_COPIED, LinkActions
from gossamer.gui.url_menu.redirect_menu import RedirectMenu
from gossamer.model.url_record import UrlRecord

OPENABLE: Final = frozenset({"http", "https"})
"""Schemes that are handed to the browser; anything else a page names may start a program."""

_CHUNK: Final = 500


def _urls(rows: ProjectRows, ids: Sequence[int]) -> Sequence[str]:
    return [record.url for record in rows.records(ids)]


def separator(view: QAbstractItemView) -> QAction:
    """A line in the context menu of a view."""
    line = QAction(view)
    line.setSeparator(True)
    return line


@dataclass(frozen=True, slots=True)
class Chosen:
    """The selection of a view: its rows, the URL to go to, and the addresses of rows.

    `current` is the first row if it is not given; `addresses` runs on the reader thread and takes
    rows for URLs if it is not given.
    """

    rows: Callable[[], Sequence[int]]
    current: Callable[[], int | None] | None = None
    addresses: Callable[[ProjectRows, Sequence[int]], Sequence[str]] = _urls
    urls: Callable[[ProjectRows, Sequence[int]], Sequence[int]] = lambda _, ids: ids
    """The ids of the URLs of rows; runs on the reader thread too."""
    leads_on: Callable[[], bool] = lambda: True
    """Whether the URL may be a redirect."""

    def url(self) -> int | None:
        """The URL to go to."""
        return next(iter(self.rows()), None) if self.current is None else self.current()


class UrlActions(QObject):
    """The context menu and the shortcuts of a view whose rows are URLs.

    `possible` tells quickly whether there are any, by default whether anything is selected.
    """

    tree_wanted = Signal(int)
    table_wanted = Signal(int)
    inlinks_wanted = Signal(int)
    url_wanted = Signal(int)
    """Where a redirect was followed to, whichever way."""

    def __init__(
        self,
        view: QAbstractItemView,
        reader: ProjectReader,
        chosen: Chosen,
        *,
        possible: Callable[[], bool] | None = None,
        tree: bool = True,
        table: bool = True,
    ) -> None:
        super().__init__(view)
        self._reader = reader
        self._chosen = chosen
        self._possible = possible or view.selectionModel().hasSelection
        self._key = f"addresses {id(self)}"
        copy = self._action(
            "copy", self.tr("Copy address"), self._copy, QKeySequence.StandardKey.Copy
        )
        self.browse = self._action(
            "external", self.tr("Open in browser"), self._browse, "Ctrl+Return"
        )
        self.actions = [copy, self.browse]
        if tree:
            action = self._action("tree", self.tr("Show in tree"), self._show_in_tree, "Ctrl+T")
            self.actions.append(action)
        if table:
            action = self._action(
                "table", self.tr("Show in table"), self._show_in_table, "Ctrl+Shift+T"
            )
            self.actions.append(action)
        self.actions.append(
            self._action("links", self.tr("Show what links here"), self._show_inlinks, "Ctrl+I")
        )
        self.redirects = RedirectMenu(reader, chosen.url, view)
        self.redirects.url_wanted.connect(self.url_wanted)
        self._follow = self._action(
            "redirect", self.tr("Follow the redirect"), self.redirects.follow, "Ctrl+J"
        )
        self.actions.append(self._follow)
        view.addActions([copy, self.browse, separator(view), *self.actions[2:]])
        view.addAction(self.redirects.menuAction())
        self.links = LinkActions(view, reader, chosen.rows, chosen.urls)
        view.installEventFilter(self)
        view.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
        view.selectionModel().selectionChanged.connect(self.renew)
        self.renew()

    def renew(self) -> None:
        """Enable what can be done with the present selection."""
        possible = self._possible()
        for action in (*self.actions, self.redirects.menuAction()):
            action.setEnabled(possible)
        self.links.set_possible(possible=possible)
        self._follow.setEnabled(possible and self._chosen.leads_on())

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Icons have the colours of the palette."""
        if event.type() == QEvent.Type.PaletteChange:
            for action in self.actions:
                action.setIcon(icon(action.objectName()))
        return super().eventFilter(watched, event)

    def _action(
        self,
        name: str,
        text: str,
        slot: Callable[[], None],
        shortcut: QKeySequence.StandardKey | str,
    ) -> QAction:
        action = QAction(icon(name), text, self)
        action.setObjectName(name)
        action.setShortcut(QKeySequence(shortcut))
        action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        action.triggered.connect(slot)
        return action

    def _copy(self) -> None:
        ids = self._chosen.rows()[:MAX_COPIED]
        addresses = self._chosen.addresses

        def read(rows: ProjectRows) -> str:
            chunks = (ids[i : i + _CHUNK] for i in range(0, len(ids), _CHUNK))
            return "\n".join(url for chunk in chunks for url in addresses(rows, chunk))

        self._reader.submit(read, QGuiApplication.clipboard().setText, key=self._key)

    def _browse(self) -> None:
        url_id = self._chosen.url()
        if url_id is not None:
            self._reader.submit(lambda rows: rows.records([url_id]), _open, key=self._key)

    def _show_in_tree(self) -> None:
        self._tell(self.tree_wanted.emit)

    def _show_in_table(self) -> None:
        self._tell(self.table_wanted.emit)

    def _show_inlinks(self) -> None:
        self._tell(self.inlinks_wanted.emit)

    def _tell(self, emit: Callable[[int], None]) -> None:
        url_id = self._chosen.url()
        if url_id is not None:
            emit(url_id)


def _open(records: Sequence[UrlRecord]) -> None:
    for record in records:
        url = QUrl.fromEncoded(record.url.encode())
        if url.isValid() and url.scheme() in OPENABLE:
            QDesktopServices.openUrl(url)
