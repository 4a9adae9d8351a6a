"""Handles the context menu of URLs in any view: copy, open, show in another view."""

from collections.abc import Callable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QObject, Qt, QTimer, QUrl, Signal, SignalInstance
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtWidgets import QAbstractItemView, QMenu, QWidget

from gossamer.gui.actions.action_declaration import SelectionState
from gossamer.gui.actions.context_menu_actions import (
    ViewAction,
    add_view_action,
    add_view_menu,
    offer_actions,
)
from gossamer.gui.look.icons import icon
from gossamer.gui.look.outcome_style import icon_name, redirect_label
from gossamer.gui.project.reader_interfaces import ProjectRows
from gossamer.gui.project.reader_thread import ProjectReader
from gossamer.gui.tables.clipboard import MAX_COPIED, LinkActions
from gossamer.gui.text import local_formatting as formatting
from gossamer.gui.widgets.sticky_menu import refilling
from gossamer.model.fields.url_record import UrlRecord
from gossamer.model.page_load_limits import MAX_PAGES
from gossamer.model.project_queries import TreeNode
from gossamer.model.redirect_types import RedirectKind
from gossamer.urls.url_folders import display_url

_MOST: Final = 20
_LONGEST: Final = 80


@dataclass(frozen=True, slots=True)
class UrlRedirects:
    """The redirects of a URL. `sources` redirect to its target, or to it if it leads nowhere.

    `kind` and `status` say how it leads on.
    """

    target: TreeNode | None
    kind: RedirectKind | None
    status: int | None
    sources: tuple[TreeNode, ...]


def read_edges(rows: ProjectRows, url_id: int) -> UrlRedirects:
    """The redirects at a URL."""
    record = next(iter(rows.records([url_id])), None)
    redirect = record.redirect if record else None
    target_id = rows.lookup(redirect) if redirect else None
    target = next(iter(rows.nodes([target_id])), None) if target_id else None
    sources = rows.redirect_sources(target_id or url_id, _MOST + 1)
    return UrlRedirects(
        target,
        record.redirect_kind if record else None,
        record.status if record else None,
        tuple(each for each in sources if each.id != url_id)[:_MOST],
    )


class RedirectMenu(QMenu):
    """A menu of redirects, read when it opens. `url_wanted` has the URL chosen."""

    url_wanted = Signal(int)

    def __init__(
        self, reader: ProjectReader, current: Callable[[], int | None], parent: QWidget
    ) -> None:
        super().__init__(parent)
        self._reader = reader
        self._current = current
        self._key = f"redirects {id(self)}"
        self._forget()
        self.aboutToShow.connect(self._ask)
        # Not at once: the selected entry is triggered after the menu is gone.
        self.aboutToHide.connect(lambda: QTimer.singleShot(0, self, self._forget))

    def follow(self) -> None:
        """Go to where the current URL leads."""
        self._read(self._follow)

    def show_edges(self, edges: UrlRedirects) -> None:
        """Offer the target and the other sources."""
        with refilling(self):
            if edges.target is not None:
                words = redirect_label(edges.kind or RedirectKind.HTTP, edges.status)
                status = f"{edges.status} " if edges.status else ""
                self._say(self.tr("{redirect} redirects to").format(redirect=f"{status}{words}"))
                self._offer(edges.target)
            if edges.sources:
                also = self.tr("Also redirecting there")
                self._say(also if edges.target else self.tr("Redirects to this URL"))
                for source in edges.sources:
                    self._offer(source)
            if edges.target is None and not edges.sources:
                self._say(self.tr("This URL does not redirect, and no URL redirects to it."))

    def _follow(self, edges: UrlRedirects) -> None:
        if edges.target is not None:
            self.url_wanted.emit(edges.target.id)

    def _ask(self) -> None:
        self._read(self.show_edges)

    def _read(self, done: Callable[[UrlRedirects], None]) -> None:
        url_id = self._current()
        if url_id is not None:
            self._reader.submit(lambda rows: read_edges(rows, url_id), done, key=self._key)

    def _forget(self) -> None:
        if not self.isVisible():
            with refilling(self):
                self._say(self.tr("Reading…"))

    def _say(self, text: str) -> None:
        self.addAction(text).setEnabled(False)

    def _offer(self, node: TreeNode) -> None:
        text = formatting.clean(display_url(node.url), _LONGEST).replace("&", "&&")
        status = "" if node.status is None else f"\t{node.status}"
        action = self.addAction(icon(icon_name(node.outcome, node.status)), f"{text}{status}")
        action.triggered.connect(lambda: self.url_wanted.emit(node.id))


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
