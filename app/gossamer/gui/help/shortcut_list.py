"""Every key of the window and what it does, made from the actions."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from itertools import groupby

from PySide6.QtCore import QCoreApplication
from PySide6.QtGui import QKeySequence

from gossamer.gui.actions.action_spec import Shortcut, translated
from gossamer.gui.actions.view_actions import EXPAND_SHORTCUTS, FilterAction, ViewAction
from gossamer.gui.actions.window_actions import WindowAction
from gossamer.gui.text.local_formatting import translator
from gossamer.gui.text.translated_sentences import spoken, without_key

_tr = translator("Shortcuts")


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
