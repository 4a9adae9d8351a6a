"""The keyboard shortcuts of the window, read off its actions."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from itertools import groupby

from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QAbstractButton, QMainWindow, QMenu, QWidget

from gossamer.gui.text.formatting import translator
from gossamer.gui.text.sentences import without_key

_tr = translator("Shortcuts")


@dataclass(frozen=True, slots=True)
class Key:
    """A key and what it does; `place` is a menu, or where it counts."""

    place: str
    does: str
    keys: str


def shortcuts(window: QMainWindow) -> list[Key]:
    """The keys of the menus in their order, then those of fields, then those of rows; each once."""
    menus = [
        Key(without_key(menu.text()), *_told(action))
        for menu in window.menuBar().actions()
        for action in _below(menu)
    ]
    fields = [
        Key(_tr("In the filter"), *_native(QKeySequence.StandardKey.Find, _tr("Filter rows")))
    ]
    rows = []
    for widget in window.findChildren(QWidget):
        if isinstance(widget, QAbstractButton) and not widget.text():
            keys = _native(widget.shortcut(), widget.accessibleName())
            fields.append(Key(_tr("In the filter"), *keys))
        elif not isinstance(widget, QMenu) and widget.accessibleName():
            actions = (action for own in widget.actions() for action in _below(own))
            rows += [Key(_tr("In rows of tables and trees"), *_told(action)) for action in actions]
    return [key for key in dict.fromkeys((*menus, *fields, *rows)) if key.keys and key.does]


def table_of(keys: Sequence[Key]) -> str:
    """The keys as a table in HTML; those of one place follow each other."""
    lines = []
    for place, those in groupby(keys, lambda key: key.place):
        lines.append(f'<tr><td colspan="2"><h3>{escape(place)}</h3></td></tr>')
        lines += [
            f"<tr><td>{escape(key.does)}</td><td><code>{escape(key.keys)}</code></td></tr>"
            for key in those
        ]
    return f'<table cellpadding="3" width="100%">{"".join(lines)}</table>'


def _below(action: QAction) -> Iterator[QAction]:
    """An action, or those in its menu."""
    menu = action.menu()
    if isinstance(menu, QMenu):
        for each in menu.actions():
            yield from _below(each)
    else:
        yield action


def _told(action: QAction) -> tuple[str, str]:
    """What an action does, and its key: its own, or the one that its text tells."""
    text, _, told = action.text().partition("\t")
    does, keys = _native(action.shortcut(), without_key(text).rstrip("…"))
    return does, keys or told


def _native(keys: QKeySequence | QKeySequence.StandardKey, does: str) -> tuple[str, str]:
    return does, QKeySequence(keys).toString(QKeySequence.SequenceFormat.NativeText)
