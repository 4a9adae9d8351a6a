"""Declares an action's name, where it appears, and when it is enabled."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum

from PySide6.QtCore import QCoreApplication
from PySide6.QtGui import QAction, QKeySequence

from gossamer.model.crawl_state import Command
from gossamer.model.messages.crawl_messages import BulkActionKind
from gossamer.model.translatable import Sentence, said

Shortcut = str | QKeySequence.StandardKey


class Menu(Enum):
    """The menus of the menu bar, in their order."""

    FILE = said("&File")
    CRAWL = said("&Crawl")
    VIEW = said("&View")
    HELP = said("&Help")


class ToolBarStyle(Enum):
    """How an action looks in the tool bar."""

    TEXT = "text"
    ICON = "icon"


@dataclass(frozen=True, slots=True)
class WindowState:
    """The window's state, as far as it decides which actions are enabled."""

    commands: frozenset[Command] = frozenset({Command.START})
    has_project: bool = False
    has_errors: bool = False
    """Whether there are errors that can be crawled again."""
    is_auditing: bool = False
    """Whether the site audit runs."""
    is_repeat: bool = False
    """Whether a new crawl would have the address of the crawl shown."""


@dataclass(frozen=True, slots=True)
class SelectionState:
    """The selection in a view of URLs, as far as it decides which actions are enabled."""

    has_urls: bool = False
    may_redirect: bool = True
    crawl_actions: frozenset[BulkActionKind] = frozenset()
    """What the crawl can do with these URLs."""


def always(_state: object) -> bool:
    """For what can be done at any time."""
    return True


@dataclass(frozen=True, slots=True, eq=False)
class WindowActionSpec:
    """An action of the window. Texts are English; see `translated`."""

    text: Sentence
    menu: Menu | None
    group: int = 0
    """Lines divide the groups of a menu. Within a group the order of declaration counts."""
    shortcut: Shortcut = ""
    icon: str = ""
    shown_key: str = ""
    """A key that the menu shows and the window handles: it also types and presses."""
    label: Sentence = ""
    """The text on buttons, by default that of the menu."""
    repeat_label: Sentence = ""
    """That text in the state `is_repeat`."""
    tip: Sentence = ""
    toolbar: ToolBarStyle | None = None
    enabled: Callable[[WindowState], bool] = always
    checkable: bool = False
    choices: Mapping[str, Sentence] = field(default_factory=dict)
    """A submenu of values, of which one is in force, each with its text."""
    also: Callable[[str], str] = lambda _value: ""
    """Another word by which the command palette finds a choice."""
    has_submenu: bool = False
    """Whether there is a submenu that is filled while the window runs."""
    in_dialogs: bool = False
    """Whether the shortcut works in the dialogs of the window too."""
    role: QAction.MenuRole = QAction.MenuRole.TextHeuristicRole
    in_full: Sentence = ""
    """Its text in the list of keys, if the text alone could be another action's."""


@dataclass(frozen=True, slots=True, eq=False)
class ViewActionSpec:
    """An action of tables and trees, in their context menus. Texts are English."""

    text: Sentence
    group: int
    shortcut: Shortcut = ""
    icon: str = ""
    text_with_all_below: Sentence = ""
    """Its name in a tree, where it also acts on everything below."""
    enabled: Callable[[SelectionState], bool] = always
    has_submenu: bool = False
    in_full: Sentence = ""
    """Its text in the list of keys, if the text alone could be another action's."""
    place: Sentence = "In tables and trees"
    """Where the key works, for the list of keys."""


def translated(text: str) -> str:
    """A text of an action in the window's language."""
    return QCoreApplication.translate("Sentences", text)
