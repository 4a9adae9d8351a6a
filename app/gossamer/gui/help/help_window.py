"""The help window: the documentation and what is declared, with contents, search and history."""

from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QSignalBlocker, QSize, Qt, QUrl
from PySide6.QtGui import QDesktopServices, QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QDialog,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QSplitter,
    QStackedWidget,
    QToolButton,
    QTreeWidget,
    QTreeWidgetItem,
    QTreeWidgetItemIterator,
    QVBoxLayout,
    QWidget,
)

from gossamer.gui.help.help_pages import INDEX, HelpEntry, HelpPage, HelpPages
from gossamer.gui.help.help_view import HelpView
from gossamer.gui.look import theme
from gossamer.gui.look.icons import icon
from gossamer.gui.look.stylesheet import CONTROL_HEIGHT
from gossamer.gui.widgets.help_context import explain
from gossamer.gui.widgets.window_geometry import fitted

NAME: Final = "help-window"
_SIZE: Final = (1060, 720)
_SIDE: Final = 300
_PAGE: Final = Qt.ItemDataRole.UserRole
_OPEN: Final = 2
"""So many sections are open at first."""


@dataclass(slots=True)
class _Place:
    """Where somebody has been: a page, its heading, and how far it was read."""

    name: str
    fragment: str = ""
    read: int = 0
    is_glimpse: bool = False
    """Whether it was the best found while somebody typed: what is typed next takes its place."""


class HelpWindow(QDialog):
    """The modeless help window, one per main window. `show_page` opens a page by its id."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self.setObjectName(NAME)
        self.setWindowTitle(self.tr("Gossamer help"))
        explain(self, "index")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.pages = HelpPages()
        self._places: list[_Place] = []
        self._at = -1
        self.search = QLineEdit()
        self.search.setPlaceholderText(self.tr("Search help"))
        self.search.setAccessibleName(self.tr("Search help"))
        self.search.setClearButtonEnabled(True)
        self.search.setMinimumHeight(CONTROL_HEIGHT)
        self.contents = QTreeWidget()
        self.contents.setHeaderHidden(True)
        self.contents.setAccessibleName(self.tr("Help topics"))
        self.found = QListWidget()
        self.found.setAccessibleName(self.tr("Pages found"))
        self.nothing = QLabel(self.tr("No page has these words."))
        self.nothing.setProperty("muted", True)
        self.nothing.setWordWrap(True)
        self.nothing.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.nothing.setMargin(theme.SPACE_M)
        self.lists = QStackedWidget()
        self.view = HelpView(self.pages.pictures)
        self.back = self._step("back", self.tr("Back"), -1, QKeySequence.StandardKey.Back)
        self.forward = self._step(
            "forward", self.tr("Forward"), 1, QKeySequence.StandardKey.Forward
        )
        for entry in self.pages.contents:
            self._add(entry, self.contents.invisibleRootItem())
        for row in range(_OPEN):
            self.contents.setExpanded(self.contents.model().index(row, 0), True)
        self._connect()
        self._lay_out()
        self.resize(fitted(_SIZE, self.screen().availableGeometry()))

    def show_page(self, name: str, fragment: str = "") -> None:
        """Show a page, whatever was searched for; the start page if it does not exist."""
        self.search.clear()
        self._go(name if self.pages.page(name) else INDEX, fragment)
        self.show()
        self.activateWindow()

    def page(self) -> str:
        """The id of the page shown, as it was asked for; "" before the first."""
        return self._places[self._at].name if self._places else ""

    def _go(self, name: str, fragment: str = "", *, is_glimpse: bool = False) -> None:
        """Turn to a page, and put it into the history after the one shown."""
        if self._places:
            here = self._places[self._at]
            here.read = self.view.verticalScrollBar().value()
            if (here.name, here.fragment) == (name, fragment):
                here.is_glimpse &= is_glimpse
                return
            self._at -= here.is_glimpse
        self._at += 1
        self._places[self._at :] = [_Place(name, fragment, is_glimpse=is_glimpse)]
        self._show()

    def _turn(self, step: int) -> None:
        if 0 <= self._at + step < len(self._places):
            self._places[self._at].read = self.view.verticalScrollBar().value()
            self._at += step
            self._show()

    def _show(self) -> None:
        place = self._places[self._at]
        page = self.pages.page(place.name)
        if page is None:
            return
        self.view.show_page(page, place.fragment)
        if place.read:
            self.view.verticalScrollBar().setValue(place.read)
        self.setWindowTitle(self.tr("{page} - Gossamer help").format(page=page.title))
        self.back.setEnabled(self._at > 0)
        self.forward.setEnabled(self._at < len(self._places) - 1)
        self._mark(page)

    def _mark(self, page: HelpPage) -> None:
        """Choose the page in the contents, too."""
        listed = page.base if page.base not in {"", INDEX} else page.name
        each = QTreeWidgetItemIterator(self.contents)
        while item := each.value():
            if item.data(0, _PAGE) in {page.name, page.name.removeprefix("zh/"), listed}:
                with QSignalBlocker(self.contents):
                    self.contents.setCurrentItem(item)
                return
            each += 1

    def _find(self, words: str) -> None:
        """List the pages with these words, and turn to the first of them."""
        with QSignalBlocker(self.found):
            self.found.clear()
        if not words.strip():
            self.lists.setCurrentWidget(self.contents)
            return
        pages = self.pages.found(words)
        with QSignalBlocker(self.found):
            for page in pages:
                QListWidgetItem(page.title, self.found).setData(_PAGE, page.name)
            self.found.setCurrentRow(0)
        self.lists.setCurrentWidget(self.found if pages else self.nothing)
        if pages:
            self._go(pages[0].name, is_glimpse=True)

    def _open(self, link: QUrl) -> None:
        if link.scheme():
            QDesktopServices.openUrl(link)
            return
        page = self.pages.page(self.page())
        name = "" if page is None else self.pages.linked(page, link.path())
        if name:
            self._go(name, link.fragment())

    def _add(self, entry: HelpEntry, parent: QTreeWidgetItem) -> None:
        item = QTreeWidgetItem(parent, [entry.title])
        item.setToolTip(0, entry.title)
        item.setData(0, _PAGE, entry.name)
        for below in entry.below:
            self._add(below, item)

    def _step(self, name: str, text: str, step: int, key: QKeySequence.StandardKey) -> QToolButton:
        button = QToolButton()
        button.setIcon(icon(name))
        button.setIconSize(QSize(16, 16))
        button.setFixedSize(CONTROL_HEIGHT, CONTROL_HEIGHT)
        button.setProperty("quiet", True)
        keys = QKeySequence(key).toString(QKeySequence.SequenceFormat.NativeText)
        button.setToolTip(f"{text} ({keys})")
        button.setAccessibleName(text)
        button.clicked.connect(lambda: self._turn(step))
        QShortcut(QKeySequence(key), self, lambda: self._turn(step))
        return button

    def _connect(self) -> None:
        self.contents.currentItemChanged.connect(self._choose)
        self.found.currentItemChanged.connect(
            lambda item, _before: self._go(item.data(_PAGE)) if item else None
        )
        self.search.textChanged.connect(self._find)
        self.view.anchorClicked.connect(self._open)
        QShortcut(QKeySequence(QKeySequence.StandardKey.Find), self, self.search.setFocus)

    def _choose(self, item: QTreeWidgetItem | None) -> None:
        name = item.data(0, _PAGE) if item else ""
        if name:
            self._go(name)

    def _lay_out(self) -> None:
        for each in (self.contents, self.found, self.nothing):
            self.lists.addWidget(each)
        head = QHBoxLayout()
        head.setSpacing(theme.SPACE_XS)
        head.addWidget(self.back)
        head.addWidget(self.forward)
        head.addWidget(self.search, 1)
        side = QVBoxLayout()
        side.setContentsMargins(theme.SPACE_S, theme.SPACE_S, theme.SPACE_S, 0)
        side.setSpacing(theme.SPACE_S)
        side.addLayout(head)
        side.addWidget(self.lists, 1)
        aside = QWidget()
        aside.setLayout(side)
        split = QSplitter(Qt.Orientation.Horizontal)
        split.addWidget(aside)
        split.addWidget(self.view)
        split.setStretchFactor(1, 1)
        split.setSizes([_SIDE, _SIZE[0] - _SIDE])
        split.setChildrenCollapsible(False)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(split)
        self.search.setFocus()


def open_help(window: QWidget, name: str) -> HelpWindow:
    """Show a page in the help window of this window: a main one, or a dialog that blocks it."""
    own = Qt.FindChildOption.FindDirectChildrenOnly
    help_window = window.findChild(HelpWindow, NAME, own)
    if help_window is None or not help_window.isVisible():
        help_window = HelpWindow(window)
    help_window.show_page(name)
    return help_window
