"""The menu bar: every command of the window with its shortcut."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QLocale, QObject, Qt
from PySide6.QtGui import QAction, QActionGroup, QKeySequence
from PySide6.QtWidgets import QMainWindow, QMenu

from gossamer.gui.look.icons import icon
from gossamer.gui.runtime.ui_state import RecentProject
from gossamer.gui.shell.command_palette import ALSO
from gossamer.gui.text.language import NAMES
from gossamer.gui.text.sentences import host_of
from gossamer.model.project_queries import View
from gossamer.model.state import Command

if TYPE_CHECKING:
    from gossamer.gui.look.theme import Choice
    from gossamer.gui.text.language import Language

_PAUSABLE: Final = frozenset({Command.PAUSE, Command.RESUME})


@dataclass(frozen=True, slots=True)
class Possible:
    """What can be done now."""

    commands: frozenset[Command]
    has_project: bool = False
    has_errors: bool = False
    """Whether there are errors that can be crawled again."""


class Menus(QObject):
    """Builds the menu bar of a window. The actions are public: the window connects them."""

    def __init__(self, window: QMainWindow) -> None:
        super().__init__(window)
        self._window = window
        self.new = self._action(self.tr("&New crawl"), "Ctrl+N")
        self.open = self._action(self.tr("&Open project…"), "Ctrl+O")
        self.export = self._action(self.tr("&Export…"), "Ctrl+Shift+E")
        self.save_copy = self._action(self.tr("&Save a copy…"), "Ctrl+Shift+S")
        self.duplicate = self._action(self.tr("New crawl with t&hese settings"), "Ctrl+Shift+N")
        self.rescue = self._action(self.tr("&Rescue a damaged project…"), "")
        self.delete = self._action(self.tr("&Delete project…"), "")
        self.quit = self._action(self.tr("&Quit"), "Ctrl+Q")
        self.quit.setMenuRole(QAction.MenuRole.QuitRole)
        self.start = self._action(self.tr("&Start"), "")
        # Space is a shortcut only while nobody types: the window sees to it.
        self.toggle = self._action(
            self._told_key(self.tr("&Pause or resume"), Qt.Key.Key_Space), ""
        )
        self.pause_now = self._action(self.tr("Pause &now"), "Ctrl+Space")
        self.cancel = self._action(self.tr("&Cancel"), "Ctrl+.")
        self.retry = self._action(self.tr("Crawl e&rrors again"), "Ctrl+R")
        self.address = self._action(self.tr("Edit &address"), "Ctrl+L")
        self.settings, self.defaults = (
            self._action(self.tr("Crawl s&ettings…"), "Ctrl+,"),
            self._action(self.tr("De&fault settings…"), ""),
        )
        self.commands = self._action(self.tr("&Commands…"), "Ctrl+K")
        self.demo = self._action(self.tr("Crawl the &demo site"), "")
        self._make_help()
        self.parts = {
            "trees": self._toggle(self.tr("&Trees"), "Ctrl+1"),
            "details": self._toggle(self.tr("&Details"), "Ctrl+2"),
            "side": self._toggle(self.tr("&Overview and in flight"), "Ctrl+3"),
        }
        self.next_part = self._action(self.tr("&Next part of the window"), "F6")
        self.previous_part = self._action(self.tr("&Previous part of the window"), "Shift+F6")
        self.table = QMenu(self.tr("T&able"), window)
        self.themes: dict[Choice, QAction] = {
            "system": QAction(self.tr("Like the &system"), window, checkable=True),
            "light": QAction(self.tr("&Light"), window, checkable=True),
            "dark": QAction(self.tr("&Dark"), window, checkable=True),
        }
        self.languages: dict[Language, QAction] = {
            "system": QAction(self.tr("Like the s&ystem"), window, checkable=True),
            **{name: QAction(own_name, window, checkable=True) for name, own_name in NAMES.items()},
        }
        for name in NAMES:
            # Who looks for another language may know its name in English alone.
            known_as = QLocale.languageToString(QLocale(name).language())
            self.languages[name].setProperty(ALSO, known_as)
        self.recent = QMenu(self.tr("Open &recent"), window)
        self._fill()
        self.offer(Possible(frozenset({Command.START})))

    def offer(self, possible: Possible) -> None:
        """Enable what is possible, and nothing else."""
        allowed, has_project = possible.commands, possible.has_project
        for action, wanted in (
            (self.start, Command.START in allowed),
            (self.toggle, bool(_PAUSABLE & allowed)),
            (self.pause_now, Command.PAUSE_NOW in allowed),
            (self.cancel, Command.CANCEL in allowed),
            (self.export, has_project),
            (self.save_copy, has_project),
            (self.duplicate, has_project),
            (self.delete, has_project),
            (self.retry, possible.has_errors),
            (self.table.menuAction(), has_project),
        ):
            if action.isEnabled() != wanted:
                action.setEnabled(wanted)

    def set_recent(
        self, projects: Sequence[RecentProject], open_: Callable[[RecentProject], None]
    ) -> None:
        """Offer these projects, the last used first."""
        self.recent.clear()
        for project in projects:
            stem, host = project.path.stem, host_of(project.root)
            text = f"{host} — {stem.removeprefix(host).strip() or stem}".replace("&", "&&")
            action = self.recent.addAction(text)
            action.triggered.connect(lambda _checked, project=project: open_(project))
        self.recent.setEnabled(bool(projects))

    def set_views(self, names: Mapping[View, str], show: Callable[[View], None]) -> None:
        """Offer the views of the table by name."""
        for view, name in names.items():
            action = self.table.addAction(name)
            action.triggered.connect(lambda _checked, view=view: show(view))

    def tint(self) -> None:
        """Take the icons in the palette in force."""
        for action, name in (
            (self.new, "new"),
            (self.open, "open"),
            (self.export, "export"),
            (self.start, "start"),
            (self.toggle, "pause"),
            (self.cancel, "cancel"),
            (self.settings, "settings"),
            (self.demo, "site"),
        ):
            action.setIcon(icon(name))

    def _fill(self) -> None:
        bar = self._window.menuBar()
        file = bar.addMenu(self.tr("&File"))
        file.addActions([self.new, self.duplicate, self.open])
        file.addMenu(self.recent)
        file.addSeparator()
        file.addActions([self.save_copy, self.export])
        file.addSeparator()
        file.addActions([self.rescue, self.delete])
        file.addSeparator()
        file.addAction(self.quit)
        crawl = bar.addMenu(self.tr("&Crawl"))
        crawl.addActions([self.start, self.toggle, self.pause_now, self.cancel])
        crawl.addAction(self.retry)
        crawl.addSeparator()
        crawl.addActions([self.address, self.settings, self.defaults])
        crawl.addSeparator()
        crawl.addAction(self.demo)
        view = bar.addMenu(self.tr("&View"))
        for title, choices in (
            (self.tr("T&heme"), self.themes.values()),
            (self.tr("&Language"), self.languages.values()),
        ):
            menu = view.addMenu(title)
            group = QActionGroup(self._window)
            for action in choices:
                group.addAction(action)
                menu.addAction(action)
        view.addSeparator()
        view.addMenu(self.table)
        view.addActions(list(self.parts.values()))
        view.addSeparator()
        view.addActions([self.next_part, self.previous_part, self.commands])
        help_ = bar.addMenu(self.tr("&Help"))
        help_.addActions([self.help, self.keys])
        help_.addSeparator()
        help_.addActions([self.log, self.diagnostics])
        help_.addSeparator()
        help_.addAction(self.about)
        self.tint()

    def _make_help(self) -> None:
        self.help = self._action(self.tr("&Help"), QKeySequence.StandardKey.HelpContents)
        self.help.setShortcutContext(Qt.ShortcutContext.ApplicationShortcut)
        self.keys = self._action(self.tr("&Keyboard shortcuts"), "")
        self.log = self._action(self.tr("Open the &log"), "")
        self.diagnostics = self._action(self.tr("&Copy diagnostics"), "")
        self.about = self._action(self.tr("&About Gossamer"), "")
        self.about.setMenuRole(QAction.MenuRole.AboutRole)

    def _action(self, text: str, shortcut: str | QKeySequence.StandardKey) -> QAction:
        action = QAction(text, self._window)
        if shortcut:
            action.setShortcut(QKeySequence(shortcut))
        return action

    @staticmethod
    def _told_key(text: str, key: Qt.Key) -> str:
        """`text` with a key that is no shortcut of the menu's."""
        return f"{text}\t{QKeySequence(key).toString(QKeySequence.SequenceFormat.NativeText)}"

    def _toggle(self, text: str, shortcut: str) -> QAction:
        action = self._action(text, shortcut)
        action.setCheckable(True)
        action.setChecked(True)
        return action
