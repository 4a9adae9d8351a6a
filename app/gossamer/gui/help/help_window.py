"""The help: pages by subject, searched as one types, and the keyboard shortcuts."""

from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QDialog,
    QFrame,
    QHBoxLayout,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QMainWindow,
    QTextBrowser,
    QVBoxLayout,
    QWidget,
)

from gossamer.gui.help.help_pages import SHORTCUTS, HelpPage, pages, shortcuts, table_of
from gossamer.gui.look import theme
from gossamer.gui.widgets.screen_fit import fitted

NAME: Final = "help-window"
_SIZE: Final = (820, 600)
_LIST_WIDTH: Final = 220
_PAGE: Final = Qt.ItemDataRole.UserRole


class HelpWindow(QDialog):
    """Not modal; one for each window. `show_page` turns to a page by its name."""

    def __init__(self, window: QMainWindow) -> None:
        super().__init__(window)
        self.setObjectName(NAME)
        self.setWindowTitle(self.tr("Gossamer help"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._shortcuts = table_of(shortcuts())
        keys = HelpPage(SHORTCUTS, self.tr("Keyboard shortcuts"), self._shortcuts)
        self._pages = {page.name: page for page in (*pages(), keys)}
        self.search = QLineEdit()
        self.search.setPlaceholderText(self.tr("Search the help"))
        self.search.setAccessibleName(self.tr("Search the help"))
        self.search.setClearButtonEnabled(True)
        self.list = QListWidget()
        self.list.setAccessibleName(self.tr("Pages of the help"))
        self.list.setSpacing(theme.SPACE_XS)
        self.text = QTextBrowser()
        self.text.setAccessibleName(self.tr("Page of the help"))
        self.text.setOpenLinks(False)
        self.text.document().setDocumentMargin(theme.SPACE_L)
        self.text.setFrameShape(QFrame.Shape.NoFrame)
        for page in self._pages.values():
            item = QListWidgetItem(page.title, self.list)
            item.setData(_PAGE, page.name)
        self.list.currentItemChanged.connect(lambda item, _before: self._show(item))
        self.search.textChanged.connect(self._find)
        QShortcut(QKeySequence(QKeySequence.StandardKey.Find), self, self.search.setFocus)
        self._lay_out()
        self.resize(fitted(_SIZE, self.screen().availableGeometry()))

    def show_page(self, name: str) -> None:
        """Turn to a page, whatever was searched for."""
        self.search.clear()
        for row in range(self.list.count()):
            if self.list.item(row).data(_PAGE) == name:
                self.list.setCurrentRow(row)
        self.show()
        self.activateWindow()

    def page(self) -> str:
        """The name of the page shown; "" if none fits what is searched for."""
        item = self.list.currentItem()
        return "" if item is None or item.isHidden() else str(item.data(_PAGE))

    def _find(self, words: str) -> None:
        """Offer the pages with these words, and turn to the first of them."""
        first = None
        for row in range(self.list.count()):
            item = self.list.item(row)
            fits = self._pages[item.data(_PAGE)].has(words)
            item.setHidden(not fits)
            if fits and first is None:
                first = item
        current = self.list.currentItem()
        if first is not None and (current is None or current.isHidden()):
            self.list.setCurrentItem(first)

    def _show(self, item: QListWidgetItem | None) -> None:
        if item is None:
            return
        page = self._pages[item.data(_PAGE)]
        if page.name == SHORTCUTS:
            self.text.setHtml(f"<h1>{page.title}</h1>{page.text}")
        else:
            self.text.setMarkdown(f"# {page.title}\n\n{page.text}")

    def _lay_out(self) -> None:
        side = QVBoxLayout()
        side.setSpacing(theme.SPACE_S)
        side.addWidget(self.search)
        side.addWidget(self.list, 1)
        aside = QWidget()
        aside.setLayout(side)
        aside.setFixedWidth(_LIST_WIDTH)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(aside)
        row.addWidget(self.text, 1)
        self.search.setFocus()


def open_help(window: QMainWindow, name: str) -> HelpWindow:
    """Show a page of the help of this window."""
    help_window = window.findChild(HelpWindow, NAME)
    if help_window is None or not help_window.isVisible():
        help_window = HelpWindow(window)
    help_window.show_page(name)
    return help_window
