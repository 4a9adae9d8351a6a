"""The help window: pages by subject, search as you type, and the keyboard shortcuts."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from itertools import groupby
from typing import Final

from PySide6.QtCore import QCoreApplication, QLocale, Qt
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

from gossamer.gui.actions.action_spec import Shortcut, translated
from gossamer.gui.actions.view_actions import EXPAND_SHORTCUTS, FilterAction, ViewAction
from gossamer.gui.actions.window_actions import WindowAction
from gossamer.gui.look import theme
from gossamer.gui.text.local_formatting import translator
from gossamer.gui.text.translated_sentences import spoken, without_key
from gossamer.gui.widgets.screen_fit import fitted
from gossamer.model.program_resources import resource_path

_tr = translator("Shortcuts")
START: Final = "start"
SHORTCUTS: Final = "shortcuts"
"""The page that is made of the window's actions."""
_PROPERTY: Final = "help"
_HEAD: Final = re.compile(r"^# \[(\w+)\] (.+)$", re.MULTILINE)
_MARKS: Final = re.compile(r"[*`#]")


@dataclass(frozen=True, slots=True)
class HelpPage:
    """A page: `name` is how code calls it, `text` is Markdown."""

    name: str
    title: str
    text: str

    def has(self, words: str) -> bool:
        """Whether all of `words` occur in it; case does not matter."""
        text = _MARKS.sub("", f"{self.title} {self.text}").casefold()
        return all(word in text for word in words.casefold().split())


def pages(language: str = "") -> list[HelpPage]:
    """The pages that are written, in their order, by default in the window's language."""
    chinese = (language or QLocale().name()).startswith("zh")
    file = resource_path("help", "zh_CN.md" if chinese else "en.md")
    return parsed(file.read_text(encoding="utf-8"))


def parsed(text: str) -> list[HelpPage]:
    """The pages in a text: each begins with "# [name] Title"."""
    heads = list(_HEAD.finditer(text))
    ends = [head.start() for head in heads[1:]] + [len(text)]
    return [
        HelpPage(head[1], head[2], text[head.end() : end].strip())
        for head, end in zip(heads, ends, strict=True)
    ]


def explain(widget: QWidget, name: str) -> None:
    """Let F1 in `widget`, and in what it holds, open the page `name`."""
    widget.setProperty(_PROPERTY, name)


def page_for(widget: QWidget | None) -> str:
    """The page about `widget` or what it lies in."""
    while widget is not None:
        name = widget.property(_PROPERTY)
        if isinstance(name, str):
            return name
        widget = widget.parentWidget()
    return START


@dataclass(frozen=True, slots=True)
class KeyHelp:
    """A key and what it does; `place` is a menu, or where it counts."""

    place: str
    does: str
    keys: str


def shortcuts() -> list[KeyHelp]:
    """The keys of the menus in their order, then those of the filter, then those of rows."""
    return [*_of_menus(), *_of_the_filter(), *_of_rows()]


def _of_menus() -> Iterator[KeyHelp]:
    for action in WindowAction:
        spec = action.value
        if spec.menu is not None and (spec.shortcut or spec.shown_key):
            place = without_key(spoken(spec.menu.value))
            does = without_key(translated(spec.text)).rstrip("…")
            yield KeyHelp(place, does, _native(spec.shortcut or spec.shown_key))


def _of_the_filter() -> Iterator[KeyHelp]:
    place = _tr("In the filter field")
    for action in FilterAction:
        yield KeyHelp(place, translated(action.value.text), _native(action.value.shortcut))


def _of_rows() -> Iterator[KeyHelp]:
    place = _tr("In tables and trees")
    for action in ViewAction:
        if action.value.shortcut:
            does = translated(action.value.text).rstrip("…")
            yield KeyHelp(place, does, _native(action.value.shortcut))
        if action is ViewAction.EXPAND:
            for levels, keys in EXPAND_SHORTCUTS.items():
                does = QCoreApplication.translate("TreePanel", "%Ln level(s)", "", levels)
                yield KeyHelp(place, does, _native(keys))


def _native(keys: Shortcut) -> str:
    return QKeySequence(keys).toString(QKeySequence.SequenceFormat.NativeText)


def table_of(keys: Sequence[KeyHelp]) -> str:
    """The keys as a table in HTML; those of one place follow each other."""
    lines = []
    for place, those in groupby(keys, lambda key: key.place):
        lines.append(f'<tr><td colspan="2"><h3>{escape(place)}</h3></td></tr>')
        lines += [
            f"<tr><td>{escape(key.does)}</td><td><code>{escape(key.keys)}</code></td></tr>"
            for key in those
        ]
    return f'<table cellpadding="3" width="100%">{"".join(lines)}</table>'


NAME: Final = "help-window"
_SIZE: Final = (820, 600)
_LIST_WIDTH: Final = 220
_PAGE: Final = Qt.ItemDataRole.UserRole


class HelpWindow(QDialog):
    """The modeless help window, one per main window. `show_page` opens a page by name."""

    def __init__(self, window: QMainWindow) -> None:
        super().__init__(window)
        self.setObjectName(NAME)
        self.setWindowTitle(self.tr("Gossamer help"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._shortcuts = table_of(shortcuts())
        keys = HelpPage(SHORTCUTS, self.tr("Keyboard shortcuts"), self._shortcuts)
        self._pages = {page.name: page for page in (*pages(), keys)}
        self.search = QLineEdit()
        self.search.setPlaceholderText(self.tr("Search help"))
        self.search.setAccessibleName(self.tr("Search help"))
        self.search.setClearButtonEnabled(True)
        self.list = QListWidget()
        self.list.setAccessibleName(self.tr("Help topics"))
        self.list.setSpacing(theme.SPACE_XS)
        self.text = QTextBrowser()
        self.text.setAccessibleName(self.tr("Help topic"))
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
