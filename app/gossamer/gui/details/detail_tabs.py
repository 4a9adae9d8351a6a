"""The tabs of the details: those in sight, the list in front, and what is remembered of them."""

import base64
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

import msgspec
from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QTabBar, QTabWidget, QToolButton, QWidget

from gossamer.gui.details.detail_table import DetailTable
from gossamer.gui.details.hreflang_view import HreflangView
from gossamer.gui.look.icons import icon
from gossamer.gui.text import local_formatting as formatting
from gossamer.gui.widgets.help_context import explain
from gossamer.gui.widgets.sticky_menu import StickyMenu
from gossamer.gui.widgets.tabs_in_view import is_in_view

STATE_VERSION: Final = 6


class _Saved(msgspec.Struct):
    """The layout of the details as settings keep it: tabs by key, headers of lists in base64."""

    version: int
    tab: str
    hidden: list[str]
    headers: dict[str, str]


@dataclass(frozen=True, slots=True)
class DetailTab:
    """A tab of the details. `key` stands for it in settings.

    A `list` is read while the tab is in front; without rows it says `unselected`, or `nothing`
    when there is a URL.
    """

    key: str
    name: str
    widget: QWidget
    list: DetailTable[Any] | HreflangView | None = None
    unselected: str = ""
    nothing: str = ""

    @property
    def page(self) -> str:
        """The page of the help about it."""
        return f"window/details-{self.key}"


def list_tab(
    key: str, name: str, view: DetailTable[Any] | HreflangView, unselected: str, nothing: str
) -> DetailTab:
    """A tab with a list and nothing else."""
    return DetailTab(key, name, view, view, unselected, nothing)


class DetailTabs(QTabWidget):
    """Shows the `declared` tabs that the person wants to see, and reads the list in front.

    `menu_button` offers them all; `tab_chosen` says that one was chosen there.
    """

    tab_chosen = Signal()

    def __init__(self, declared: Sequence[DetailTab], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.declared = declared
        self._lists = {tab.key: tab.list for tab in declared if tab.list is not None}
        self.setDocumentMode(True)
        self.tabBar().setAccessibleName(self.tr("Details"))
        for tab in declared:
            self.addTab(tab.widget, tab.name)
            explain(tab.widget, tab.page)
            if tab.list is not None:
                tab.list.setAccessibleName(tab.name)
        self.menu_button = QToolButton()
        self.menu_button.setIcon(icon("more"))
        self.menu_button.setProperty("quiet", True)
        self.menu_button.setToolTip(self.tr("More tabs: choose which are in sight"))
        self.menu_button.setAccessibleName(self.tr("More tabs"))
        self.menu_button.clicked.connect(self._open_menu)
        self.currentChanged.connect(self._explain)
        self._explain()

    def _explain(self) -> None:
        """Have F1 on the tabs themselves open the page about the one in front."""
        explain(self.tabBar(), self.declared[max(self.currentIndex(), 0)].page)

    def show_count(self, widget: QWidget, count: int | None, others: int = 0) -> None:
        """Say in a tab how many rows it has, and how many `others`; None for nothing."""
        at = self.indexOf(widget)
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
        """Read the list in front, if it is still about another URL."""
        view = self.declared[self.currentIndex()].list
        if view is not None:
            about = view.about if isinstance(view, HreflangView) else view.rows.about
            if about != url_id:
                _show_url(view, url_id)

    def refresh_list(self) -> None:
        """Read the list in front again."""
        view = self.declared[self.currentIndex()].list
        if view is not None:
            (view if isinstance(view, HreflangView) else view.rows).refresh()

    def clear_lists(self) -> None:
        """Show no URL."""
        for view in self._lists.values():
            _show_url(view, None)

    def update_placeholders(self, *, has_url: bool) -> None:
        """Say in each list why it is empty."""
        for tab in self.declared:
            if tab.list is not None:
                tab.list.note.show_text(tab.nothing if has_url else tab.unselected)

    def save_state(self) -> bytes:
        """The tab in front, those out of sight, and the columns of the lists."""
        headers = {
            key: base64.b64encode(view.save_columns()).decode()
            for key, view in self._lists.items()
            if isinstance(view, DetailTable)
        }
        hidden = [tab.key for i, tab in enumerate(self.declared) if not self.isTabVisible(i)]
        front = self.declared[self.currentIndex()].key
        return msgspec.json.encode(_Saved(STATE_VERSION, front, hidden, headers))

    def restore_state(self, state: bytes) -> None:
        """Restore a layout from `save_state`; an invalid one is ignored."""
        try:
            saved = msgspec.json.decode(state, type=_Saved)
            headers = {key: base64.b64decode(text) for key, text in saved.headers.items()}
        except ValueError:
            return
        if saved.version != STATE_VERSION:
            return
        for key, header in headers.items():
            view = self._lists.get(key)
            if isinstance(view, DetailTable):
                view.restore_columns(header)
                view.fill(anew=True)
        for i, tab in enumerate(self.declared):
            self.setTabVisible(i, tab.key not in saved.hidden or tab.key == saved.tab)
            if tab.key == saved.tab:
                self.setCurrentIndex(i)

    def fill_tabs_menu(self, menu: QMenu) -> None:
        """Offer the tabs to show or hide."""
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
        """Have a tab in front, or out of sight; one remains.

        Who chooses a tab that is scrolled out of view looks for it: it comes to the front instead.
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
    """Inside, texts of tabs may change: Qt scrolls to the tab in front then, which is undone."""
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


def _show_url(view: DetailTable[Any] | HreflangView, url_id: int | None) -> None:
    (view if isinstance(view, HreflangView) else view.rows).show_url(url_id)
