"""Handles the context menu of URLs in any view: copy, open, show in another view."""

from collections.abc import Callable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QObject, Qt, QUrl, Signal, SignalInstance
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtWidgets import QAbstractItemView

from gossamer.gui.actions.action_declaration import SelectionState
from gossamer.gui.actions.view_actions import (
    ViewAction,
    add_view_action,
    add_view_menu,
    offer_actions,
)
from gossamer.gui.context_menu.redirect_menu import RedirectMenu
from gossamer.gui.project.reader_interfaces import ProjectRows
from gossamer.gui.project.reader_thread import ProjectReader
from gossamer.gui.tables.clipboard import MAX_COPIED
from gossamer.gui.tables.link_actions import LinkActions
from gossamer.model.fields.url_record import UrlRecord
from gossamer.model.page_load_limits import MAX_PAGES

OPENABLE: Final = frozenset({"http", "https"})
"""Schemes that are passed to the browser; anything else a page names may start a program."""

IN_WORKSPACE: Final = frozenset(
    {
        *(ViewAction.SHOW_INLINKS, ViewAction.RENDER_PAGE, ViewAction.MEASURE_LOADING),
        *(ViewAction.SHOW_IN_TREE, ViewAction.SHOW_IN_TABLE),
    }
)
"""The actions that lead to the panels of the workspace."""
_CHUNK: Final = 500


def _urls(rows: ProjectRows, ids: Sequence[int]) -> Sequence[str]:
    return [record.url for record in rows.records(ids)]


@dataclass(frozen=True, slots=True)
class ViewSelection:
    """The selection of a view: its rows, the URL to go to, and the addresses of rows.

    `current` is by default the first row; `addresses` runs on the reader thread and by default
    takes rows for URLs.
    """

    rows: Callable[[], Sequence[int]]
    current: Callable[[], int | None] | None = None
    addresses: Callable[[ProjectRows, Sequence[int]], Sequence[str]] = _urls
    urls: Callable[[ProjectRows, Sequence[int]], Sequence[int]] = lambda _, ids: ids
    """The ids of the URLs of rows; runs on the reader thread too."""
    may_redirect: Callable[[], bool] = lambda: True
    """Whether the URL may be a redirect."""

    def url(self) -> int | None:
        """The URL to go to."""
        return next(iter(self.rows()), None) if self.current is None else self.current()


class UrlActions(QObject):
    """The context menu and the shortcuts of a view whose rows are URLs.

    `possible` says quickly whether there are any, by default whether anything is selected.
    """

    tree_wanted = Signal(int)
    table_wanted = Signal(int)
    inlinks_wanted = Signal(int)
    rendering_wanted = Signal(int)
    """A page is to be rendered now."""
    measuring_wanted = Signal(object)
    """The page loads at these addresses are to be measured: at most one more than allowed."""
    url_wanted = Signal(int)
    """The target of a redirect, however it was followed."""

    def __init__(
        self,
        view: QAbstractItemView,
        reader: ProjectReader,
        selection: ViewSelection,
        *,
        possible: Callable[[], bool] | None = None,
        without: AbstractSet[ViewAction] = frozenset(),
    ) -> None:
        """`without`: actions that are not offered, because they would have no effect here."""
        super().__init__(view)
        self._reader = reader
        self._selection = selection
        self._possible = possible or view.selectionModel().hasSelection
        self._key = f"addresses {id(self)}"
        performed: dict[ViewAction, Callable[[], None]] = {
            ViewAction.COPY_ADDRESS: self._copy,
            ViewAction.OPEN_IN_BROWSER: self._browse,
            ViewAction.SHOW_INLINKS: lambda: self._emit_url(self.inlinks_wanted),
            ViewAction.RENDER_PAGE: lambda: self._emit_url(self.rendering_wanted),
            ViewAction.MEASURE_LOADING: self._measure,
            ViewAction.SHOW_IN_TREE: lambda: self._emit_url(self.tree_wanted),
            ViewAction.SHOW_IN_TABLE: lambda: self._emit_url(self.table_wanted),
        }
        self.redirects = RedirectMenu(reader, selection.url, view)
        self.redirects.url_wanted.connect(self.url_wanted)
        performed[ViewAction.FOLLOW_REDIRECT] = self.redirects.follow
        self.actions = {
            declared: add_view_action(view, declared, perform)
            for declared, perform in performed.items()
            if declared not in without
        }
        add_view_menu(view, ViewAction.REDIRECTS, self.redirects)
        self.actions[ViewAction.REDIRECTS] = self.redirects.menuAction()
        self.links = LinkActions(view, reader, selection.rows, selection.urls)
        self.actions[ViewAction.LINKS] = self.links.menu.menuAction()
        view.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
        view.selectionModel().selectionChanged.connect(self.update_enabled)
        view.model().modelReset.connect(self.update_enabled)  # it ends the selection silently
        self.update_enabled()

    def update_enabled(self) -> None:
        """Enable what can be done with the current selection."""
        has_urls = self._possible()
        state = SelectionState(has_urls, may_redirect=has_urls and self._selection.may_redirect())
        offer_actions(self.actions, state)
        self.links.set_enabled(enabled=has_urls)

    def _copy(self) -> None:
        addresses = self._selected_addresses()
        self._reader.submit(
            lambda rows: "\n".join(addresses(rows)),
            QGuiApplication.clipboard().setText,
            key=self._key,
        )

    def _measure(self) -> None:
        addresses = self._selected_addresses()

        def read(rows: ProjectRows) -> list[str]:
            distinct: dict[str, None] = {}
            for url in addresses(rows):
                distinct[url] = None
                if len(distinct) > MAX_PAGES:
                    break
            return list(distinct)

        self._reader.submit(read, self.measuring_wanted.emit, key=self._key)

    def _selected_addresses(self) -> Callable[[ProjectRows], Iterator[str]]:
        """A function that reads the addresses of the selected rows on the reader thread."""
        ids, addresses = self._selection.rows()[:MAX_COPIED], self._selection.addresses

        def read(rows: ProjectRows) -> Iterator[str]:
            for start in range(0, len(ids), _CHUNK):
                yield from addresses(rows, ids[start : start + _CHUNK])

        return read

    def _browse(self) -> None:
        url_id = self._selection.url()
        if url_id is not None:
            self._reader.submit(lambda rows: rows.records([url_id]), _open, key=self._key)

    def _emit_url(self, signal: SignalInstance) -> None:
        url_id = self._selection.url()
        if url_id is not None:
            signal.emit(url_id)


def _open(records: Sequence[UrlRecord]) -> None:
    for record in records:
        url = QUrl.fromEncoded(record.url.encode())
        if url.isValid() and url.scheme() in OPENABLE:
            QDesktopServices.openUrl(url)
