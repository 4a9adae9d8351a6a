"""The tabs of the details: which are shown, the list in the current one, and their saved state."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import msgspec
from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QTabBar, QTabWidget, QToolButton, QWidget

from gossamer.gui.details.detail_views import DetailViews, OnDemand
from gossamer.gui.look.icons import icon
from gossamer.gui.text import local_formatting as formatting
from gossamer.gui.widgets.help_context import explain
from gossamer.gui.widgets.stacked_column import column_of
from gossamer.gui.widgets.sticky_menu import StickyMenu
from gossamer.gui.widgets.tabs_in_view import is_in_view

if TYPE_CHECKING:
    from gossamer.gui.details.detail_table import DetailTable
    from gossamer.gui.details.hreflang_view import HreflangView

    RowList = DetailTable[Any] | HreflangView

STATE_VERSION: Final = 6


class _Saved(msgspec.Struct):
    """The layout of the details as it is saved: tabs by key, headers of lists in Base64."""

    version: int
    tab: str
    hidden: list[str]
    headers: dict[str, bytes]


@dataclass(frozen=True, slots=True)
class DetailTab:
    """A tab of the details. `key` identifies it in saved layouts.

    `list_in` returns the list in its view, which is read while the tab is current. An empty list
    shows `unselected`, or `nothing` if a URL is selected.
    """

    key: str
    name: str
    view: OnDemand[Any]
    list_in: "Callable[[Any], RowList] | None" = None
    unselected: str = ""
    nothing: str = ""

    @property
    def page(self) -> str:
        """The help page about the tab."""
        return f"window/details-{self.key}"


class DetailTabs(QTabWidget):
    """Shows the `declared` tabs that the user wants, and reads the list of the current one.

    The view of a tab is made when the tab is first current, or when it is needed elsewhere.
    `menu_button` lists all tabs; `tab_chosen` is emitted when one is chosen there.
    """

    tab_chosen = Signal()

    def __init__(
        self, declared: Sequence[DetailTab], views: DetailViews, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.declared = declared
        self._views = views
        self._lists: dict[str, RowList] = {}
        """The lists that are made."""
        self._headers: dict[str, bytes] = {}
        """The saved columns of the other lists."""
        self._has_url = False
        self.setDocumentMode(True)
        self.tabBar().setAccessibleName(self.tr("Details"))
        for tab in declared:
            page = QWidget()
            self.addTab(page, tab.name)
            explain(page, tab.page)
            views.when_made(tab.view, partial(self._fill_page, tab, page))
        self.menu_button = QToolButton()
        self.menu_button.setIcon(icon("more"))
        self.menu_button.setProperty("quiet", True)
        self.menu_button.setToolTip(self.tr("More tabs: choose which are in sight"))
        self.menu_button.setAccessibleName(self.tr("More tabs"))
        self.menu_button.clicked.connect(self._open_menu)
        self.currentChanged.connect(self._turn_to_front)
        self._turn_to_front()

    def _turn_to_front(self) -> None:
        """Make the view of the current tab, and have F1 on the tab bar open its help page."""
        front = self.declared[max(self.currentIndex(), 0)]
        self._views.view(front.view)
        explain(self.tabBar(), front.page)

    def _fill_page(self, tab: DetailTab, page: QWidget, view: QWidget) -> None:
        column_of(view, filling=view, inside=page)
        page.setFocusProxy(view)
        if page.isVisible():
            view.show()  # now: the layout would do so in the next turn of the loop
        if tab.list_in is None:
            return
        rows = self._lists[tab.key] = tab.list_in(view)
        rows.setAccessibleName(tab.name)
        self._show_note(tab, rows)
        header = self._headers.pop(tab.key, None)
        if header is not None:
            _arrange_columns(rows, header)

    def bring_to_front(self, view: OnDemand[Any]) -> None:
        """Make the tab with this view the current one."""
        self.setCurrentIndex(self.index_of(view))

    def index_of(self, view: OnDemand[Any]) -> int:
        """The index of the tab with this view."""
        return next(i for i, tab in enumerate(self.declared) if tab.view is view)

    @property
    def front(self) -> QWidget:
        """The view of the current tab."""
        front: QWidget = self._views.view(self.declared[self.currentIndex()].view)
        return front

    def show_count(self, view: OnDemand[Any], count: int | None, others: int = 0) -> None:
        """Show in a tab the number of its rows, and of `others`; no number if it is None."""
        at = self.index_of(view)
        name, hint = self.declared[at].name, ""
        if count is not None:
            more = f" (+{formatting.number(others)})" if others else ""
            name = formatting.with_count(name, formatting.number(count) + more)
        if others:
            hint = self.tr("%Ln other reference(s) included", "", others)
        if name != self.tabText(at):
            with scroll_kept(self.tabBar()):
                self.setTabText(at, name)
        self.setTabToolTip(at, hint)

    def load_list(self, url_id: int | None) -> None:
        """Read the list of the current tab, unless it shows this URL already."""
        rows = self._list_in_front
        if rows is not None and rows.about != url_id:
            rows.show_url(url_id)

    def refresh_list(self) -> None:
        """Read the list of the current tab again."""
        rows = self._list_in_front
        if rows is not None:
            rows.refresh()

    @property
    def _list_in_front(self) -> "RowList | None":
        return self._lists.get(self.declared[self.currentIndex()].key)

    def clear_lists(self) -> None:
        """Empty all lists."""
        for rows in self._lists.values():
            rows.show_url(None)

    def update_placeholders(self, *, has_url: bool) -> None:
        """Show in each empty list why it is empty."""
        self._has_url = has_url
        for tab in self.declared:
            rows = self._lists.get(tab.key)
            if rows is not None:
                self._show_note(tab, rows)

    def _show_note(self, tab: DetailTab, rows: "RowList") -> None:
        rows.note.show_text(tab.nothing if self._has_url else tab.unselected)

    def save_state(self) -> bytes:
        """The current tab, the hidden tabs, and the columns of the lists."""
        arranged = {key: rows.save_columns() for key, rows in self._lists.items()}
        headers = {key: state for key, state in (self._headers | arranged).items() if state}
        hidden = [tab.key for i, tab in enumerate(self.declared) if not self.isTabVisible(i)]
        front = self.declared[self.currentIndex()].key
        return msgspec.json.encode(_Saved(STATE_VERSION, front, hidden, headers))

    def restore_state(self, state: bytes) -> None:
        """Restore a layout from `save_state`; an invalid one is ignored."""
        try:
            saved = msgspec.json.decode(state, type=_Saved)
        except ValueError:
            return
        if saved.version != STATE_VERSION:
            return
        headers = saved.headers
        self._headers = {key: state for key, state in headers.items() if key not in self._lists}
        for key, rows in self._lists.items():
            if key in headers:
                _arrange_columns(rows, headers[key])
        for i, tab in enumerate(self.declared):
            self.setTabVisible(i, tab.key not in saved.hidden or tab.key == saved.tab)
            if tab.key == saved.tab:
                self.setCurrentIndex(i)

    def fill_tabs_menu(self, menu: QMenu) -> None:
        """Fill the menu with the tabs to show or hide."""
        for i, tab in enumerate(self.declared):
            action = QAction(tab.name, menu)
            action.setCheckable(True)
            action.setChecked(self.isTabVisible(i))
            action.toggled.connect(partial(self._choose_tab, i, action))
            menu.addAction(action)

    def _open_menu(self) -> None:
        menu = StickyMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.fill_tabs_menu(menu)
        size = menu.sizeHint()
        corner = self.menu_button.mapToGlobal(self.menu_button.rect().topRight())
        menu.popup(corner - QPoint(size.width(), size.height()))

    def _choose_tab(self, index: int, entry: QAction, shown: bool) -> None:  # noqa: FBT001 - a signal's argument
        """Make a tab the current one, or hide it; one tab remains.

        A visible tab that is scrolled out of view becomes current instead of being hidden: the
        user was looking for it.
        """
        in_sight = sum(map(self.isTabVisible, range(self.count())))
        if shown:
            self.setTabVisible(index, True)
            self.setCurrentIndex(index)
            self.tab_chosen.emit()
        elif in_sight > 1 and is_in_view(self.tabBar(), index):
            self.setTabVisible(index, False)
        else:
            entry.setChecked(True)


@contextmanager
def scroll_kept(bar: QTabBar) -> Iterator[None]:
    """Inside, texts of tabs may change. Qt then scrolls to the current tab; this undoes it."""
    before = bar.tabRect(0).left()
    yield
    forward = bar.findChild(QToolButton, "ScrollRightButton")
    if forward is None:
        return
    for _ in range(bar.count()):
        left = bar.tabRect(0).left()
        if left <= before or not forward.isEnabled():
            return
        forward.click()


def _arrange_columns(rows: "RowList", header: bytes) -> None:
    rows.restore_columns(header)
    rows.fill(anew=True)
