"""The pages of the help, those that are written and the one of shortcuts."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from itertools import groupby
from typing import Final

from PySide6.QtCore import QCoreApplication, QLocale
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QWidget

from gossamer.gui.actions.action_spec import Shortcut, translated
from gossamer.gui.actions.view_actions import EXPAND_SHORTCUTS, FilterAction, ViewAction
from gossamer.gui.actions.window_actions import WindowAction
from gossamer.gui.text.local_formatting import translator
from gossamer.gui.text.translated_sentences import spoken, without_key
from gossamer.model.package_data import resource_path

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
class Key:
    """A key and what it does; `place` is a menu, or where it counts."""

    place: str
    does: str
    keys: str


def shortcuts() -> list[Key]:
    """The keys of the menus in their order, then those of the filter, then those of rows."""
    return [*_of_menus(), *_of_the_filter(), *_of_rows()]


def _of_menus() -> Iterator[Key]:
    for action in WindowAction:
        spec = action.value
        if spec.menu is not None and (spec.shortcut or spec.shown_key):
            place = without_key(spoken(spec.menu.value))
            does = without_key(translated(spec.text)).rstrip("…")
            yield Key(place, does, _native(spec.shortcut or spec.shown_key))


def _of_the_filter() -> Iterator[Key]:
    place = _tr("In the filter")
    for action in FilterAction:
        yield Key(place, translated(action.value.text), _native(action.value.shortcut))


def _of_rows() -> Iterator[Key]:
    place = _tr("In rows of tables and trees")
    for action in ViewAction:
        if action.value.shortcut:
            does = translated(action.value.text).rstrip("…")
            yield Key(place, does, _native(action.value.shortcut))
        if action is ViewAction.EXPAND:
            for levels, keys in EXPAND_SHORTCUTS.items():
                does = QCoreApplication.translate("TreePanel", "%Ln level(s)", "", levels)
                yield Key(place, does, _native(keys))


def _native(keys: Shortcut) -> str:
    return QKeySequence(keys).toString(QKeySequence.SequenceFormat.NativeText)


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
