"""What can be done with a URL in any view: copy, open, show elsewhere."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QObject, Qt, QUrl, Signal, SignalInstance
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtWidgets import QAbstractItemView

from gossamer.gui.actions.action_spec import SelectionState
from gossamer.gui.actions.context_menu import add_view_action, add_view_menu, offer_actions
from gossamer.gui.actions.view_actions import ViewAction
from gossamer.gui.project.reader_interface import ProjectRows
from gossamer.gui.project.reader_thread import ProjectReader
from gossamer.gui.tables.clipboard import MAX_COPIED, LinkActions
from gossamer.gui.url_menu.redirect_menu import RedirectMenu
from gossamer.model.fields.url_record import UrlRecord

OPENABLE: Final = frozenset({"http", "https"})
"""Schemes that are handed to the browser; anything else a page names may start a program."""

_CHUNK: Final = 500


def _urls(rows: ProjectRows, ids: Sequence[int]) -> Sequence[str]:
    return [record.url for record in rows.records(ids)]


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
        performed: dict[ViewAction, Callable[[], None]] = {
            ViewAction.COPY_ADDRESS: self._copy,
            ViewAction.OPEN_IN_BROWSER: self._browse,
            ViewAction.SHOW_INLINKS: lambda: self._emit_url(self.inlinks_wanted),
        }
        if tree:
            performed[ViewAction.SHOW_IN_TREE] = lambda: self._emit_url(self.tree_wanted)
        if table:
            performed[ViewAction.SHOW_IN_TABLE] = lambda: self._emit_url(self.table_wanted)
        self.redirects = RedirectMenu(reader, chosen.url, view)
        self.redirects.url_wanted.connect(self.url_wanted)
        performed[ViewAction.FOLLOW_REDIRECT] = self.redirects.follow
        self.actions = {
            declared: add_view_action(view, declared, perform)
            for declared, perform in performed.items()
        }
        add_view_menu(view, ViewAction.REDIRECTS, self.redirects)
        self.actions[ViewAction.REDIRECTS] = self.redirects.menuAction()
        self.links = LinkActions(view, reader, chosen.rows, chosen.urls)
        self.actions[ViewAction.LINKS] = self.links.menu.menuAction()
        view.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
        view.selectionModel().selectionChanged.connect(self.update_enabled)
        self.update_enabled()

    def update_enabled(self) -> None:
        """Enable what can be done with the present selection."""
        has_urls = self._possible()
        state = SelectionState(has_urls, may_redirect=has_urls and self._chosen.leads_on())
        offer_actions(self.actions, state)
        self.links.set_enabled(enabled=has_urls)

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

    def _emit_url(self, signal: SignalInstance) -> None:
        url_id = self._chosen.url()
        if url_id is not None:
            signal.emit(url_id)


def _open(records: Sequence[UrlRecord]) -> None:
    for record in records:
        url = QUrl.fromEncoded(record.url.encode())
        if url.isValid() and url.scheme() in OPENABLE:
            QDesktopServices.openUrl(url)
