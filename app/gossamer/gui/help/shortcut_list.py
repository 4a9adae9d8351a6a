"""Every key of the window and what it does, made from the actions."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from itertools import groupby

from PySide6.QtCore import QCoreApplication
from PySide6.QtGui import QKeySequence

from gossamer.gui.actions.action_declaration import Shortcut, translated
from gossamer.gui.actions.view_actions import EXPAND_SHORTCUTS, FilterAction, ViewAction
from gossamer.gui.actions.window_actions import WindowAction
from gossamer.gui.text.local_formatting import translator
from gossamer.gui.text.translated_sentences import spoken, without_key

_tr = translator("Shortcuts")


@dataclass(frozen=True, slots=True)
class KeyHelp:
    """A key and what it does; `place` is a menu, or where the key works."""

    place: str
    does: str
    keys: str


def shortcuts() -> list[KeyHelp]:
    """The keys of the menus in their order, then those of tables and trees, place by place."""
    return [*_of_menus(), *_of_views()]


def _of_menus() -> Iterator[KeyHelp]:
    for action in WindowAction:
        spec = action.value
        if spec.menu is not None and (spec.shortcut or spec.shown_key):
            place = without_key(spoken(spec.menu.value))
            does = without_key(translated(spec.in_full or spec.text)).rstrip("…")
            yield KeyHelp(place, does, _native(spec.shortcut or spec.shown_key))


def _of_views() -> list[KeyHelp]:
    """A place comes where its first key is declared."""
    keys = [key for action in (*FilterAction, *ViewAction) for key in _of_view_action(action)]
    order = list(dict.fromkeys(key.place for key in keys))
    return sorted(keys, key=lambda key: order.index(key.place))


def _of_view_action(action: FilterAction | ViewAction) -> Iterator[KeyHelp]:
    spec = action.value
    place = translated(spec.place)
    if spec.shortcut:
        does = translated(spec.in_full or spec.text).rstrip("…")
        yield KeyHelp(place, does, _native(spec.shortcut))
    if action is ViewAction.EXPAND:
        for levels, keys in EXPAND_SHORTCUTS.items():
            does = QCoreApplication.translate("TreePanel", "%Ln level(s)", "", levels)
            yield KeyHelp(place, _tr("Expand: {levels}").format(levels=does), _native(keys))


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
