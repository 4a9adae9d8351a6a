"""The tabs of the table: the visible ones in a row, the others in a menu."""

from collections.abc import Collection, Iterable, Sequence
from functools import partial
from typing import Final

from PySide6.QtCore import QEvent, QPoint, QSize, Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QTabBar, QToolButton, QWidget

from gossamer.gui.look.icons import icon
from gossamer.gui.look.theme import SPACE_XS
from gossamer.gui.tables.table_tabs import FIRST_GROUP, ISSUES, TABS, USUAL_TABS, TabKey
from gossamer.gui.widgets.sticky_menu import StickyMenu
from gossamer.gui.widgets.tabs_in_view import is_in_view

_MOST_SIZES: Final = 500


class _Tabs(QTabBar):
    """Remembers the size of a tab with some text: when one changes, Qt asks for those of all."""

    def __init__(self) -> None:
        super().__init__()
        self._sizes: dict[str, QSize] = {}

    def tabSizeHint(self, index: int) -> QSize:
        """As in any tab bar."""
        text = self.tabText(index)
        size = self._sizes.get(text)
        if size is None:
            if len(self._sizes) > _MOST_SIZES:  # counts make ever new texts
                self._sizes.clear()
            size = self._sizes[text] = super().tabSizeHint(index)
        return size

    def changeEvent(self, event: QEvent) -> None:
        """Forget the sizes in another font or style."""
        self._sizes.clear()
        super().changeEvent(event)


class TabRow(QWidget):
    """Chooses a tab. `changed` says that it may be another one.

    A menu sets which tabs are visible; they can be dragged. Switching to a tab makes it visible.
    """

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.tabs = self._make_tabs()
        self.menu_button = QToolButton()
        self.menu_button.setIcon(icon("more"))
        self.menu_button.setProperty("quiet", True)
        self.menu_button.setToolTip(self.tr("More tabs: choose which are in sight"))
        self.menu_button.setAccessibleName(self.tr("More tabs"))
        self.menu_button.clicked.connect(self._open_menu)
        self.tabs.currentChanged.connect(lambda _: self.changed.emit())
        row = QHBoxLayout(self)
        row.setContentsMargins(0, SPACE_XS, SPACE_XS, 0)
        row.setSpacing(SPACE_XS)
        row.addWidget(self.tabs, 1)
        row.addWidget(self.menu_button)

    @property
    def tab(self) -> TabKey:
        """The front tab."""
        return self._key(self.tabs.currentIndex())

    def positions(self) -> dict[TabKey, int]:
        """The position of each tab, visible or not."""
        return {self._key(i): i for i in range(self.tabs.count())}

    def index(self, tab: TabKey) -> int:
        """The position of a tab, visible or not."""
        return self.positions()[tab]

    def turn_to(self, tab: TabKey) -> None:
        """Bring a tab to the front, and make it visible."""
        index = self.index(tab)
        self.tabs.setTabVisible(index, True)
        self.tabs.setCurrentIndex(index)

    def reveal(self, tabs: Iterable[TabKey]) -> None:
        """Make tabs visible, after that of the issues, none of them in front."""
        for tab in reversed([*tabs]):
            index = self.index(tab)
            if not self.tabs.isTabVisible(index):
                after = self.index(ISSUES)
                self.tabs.moveTab(index, after + (index > after))
                self.tabs.setTabVisible(self.index(tab), True)

    def in_sight(self) -> list[TabKey]:
        """The tabs in the row, from left to right."""
        shown = filter(self.tabs.isTabVisible, range(self.tabs.count()))
        return [self._key(i) for i in shown]

    def show_tabs(self, wanted: Sequence[TabKey]) -> None:
        """Make these tabs visible, in this order; unknown ones do not count."""
        known = [tab for tab in dict.fromkeys(wanted) if tab in TABS]
        if not known:
            return
        for place, tab in enumerate(known):
            self.tabs.moveTab(self.index(tab), place)
        self._set_in_sight(known)

    def reset(self) -> None:
        """Restore the usual tabs in their initial order."""
        self.show_tabs([tab for tab in TABS if tab in USUAL_TABS])

    def _set_in_sight(self, wanted: Collection[TabKey]) -> None:
        for i in range(self.tabs.count()):
            self.tabs.setTabVisible(i, self._key(i) in wanted or i == self.tabs.currentIndex())

    def _key(self, index: int) -> TabKey:
        return str(self.tabs.tabData(index))

    def _make_tabs(self) -> QTabBar:
        tabs = _Tabs()
        tabs.setObjectName("views")
        tabs.setExpanding(False)
        tabs.setMovable(True)
        tabs.setUsesScrollButtons(True)
        tabs.setElideMode(Qt.TextElideMode.ElideNone)
        tabs.setAccessibleName(self.tr("View"))
        tabs.setSizePolicy(QSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed))
        for tab, declared in TABS.items():
            index = tabs.addTab(declared.name)
            tabs.setTabData(index, str(tab))
            tabs.setTabVisible(index, tab in USUAL_TABS)
        return tabs

    def _open_menu(self) -> StickyMenu:
        menu = StickyMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for tab, declared in TABS.items():
            if declared.group is FIRST_GROUP:
                menu.addSeparator()
            action = QAction(declared.name.replace("&", "&&"), menu)
            action.setCheckable(True)
            action.setChecked(tab in self.in_sight())
            action.setEnabled(tab != ISSUES)
            action.toggled.connect(partial(self._choose, tab, action))
            menu.addAction(action)
        menu.addSeparator()
        menu.addAction(self.tr("Reset tabs")).triggered.connect(self.reset)
        right = self.menu_button.rect().bottomRight()
        menu.popup(self.menu_button.mapToGlobal(right) - QPoint(menu.sizeHint().width(), 0))
        return menu

    def _choose(self, tab: TabKey, entry: QAction, wanted: bool) -> None:  # noqa: FBT001 - a signal's argument
        """Switch to a tab, or hide it; one that is scrolled out of view is switched to."""
        if wanted:
            self.turn_to(tab)
        elif len(self.in_sight()) > 1 and is_in_view(self.tabs, self.index(tab)):
            self.tabs.setTabVisible(self.index(tab), False)
        else:
            entry.setChecked(True)
