"""Builds a window's QActions from their declarations, enables them by state, and runs them."""

from collections.abc import Callable
from itertools import groupby
from typing import Final, TypeVar

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QAction, QActionGroup, QKeySequence
from PySide6.QtWidgets import QMainWindow, QMenu

from gossamer.gui.actions.action_declaration import (
    Menu,
    WindowActionSpec,
    WindowState,
    always,
    translated,
)
from gossamer.gui.actions.window_actions import WindowAction
from gossamer.gui.look.icons import icon
from gossamer.gui.text.translated_sentences import spoken, without_key

ALSO: Final = "also"
"""The property of a QAction with additional words that it is found by."""
_PERFORMED: Final = "performed_actions"
M = TypeVar("M", bound=Callable[..., None])


def performs(*actions: WindowAction) -> Callable[[M], M]:
    """Mark a method as the handler of these actions, once its object is given to an ActionSet.

    It is called without arguments; with True or False if the action is checkable, with the value
    chosen if it has choices.
    """

    def mark(method: M) -> M:
        setattr(method, _PERFORMED, actions)
        return method

    return mark


class ActionSet(QObject):
    """A QAction for each WindowAction, in the menu bar of `window`."""

    def __init__(self, window: QMainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._state = WindowState()
        self._actions: dict[WindowAction, QAction] = {}
        self._choices: dict[tuple[WindowAction, str], QAction] = {}
        self._performed: set[WindowAction] = set()
        for declared in WindowAction:
            self._actions[declared] = self._make(declared)
        self._fill_menu_bar()
        self._apply()

    def __getitem__(self, declared: WindowAction) -> QAction:
        return self._actions[declared]

    @property
    def state(self) -> WindowState:
        """The state that the actions were last enabled for."""
        return self._state

    @property
    def not_performed(self) -> frozenset[WindowAction]:
        """Actions without a handler."""
        filled = {declared for declared in WindowAction if declared.value.has_submenu}
        return frozenset(WindowAction) - self._performed - filled

    def submenu(self, declared: WindowAction) -> QMenu:
        """The submenu of an action that has one."""
        menu = self._actions[declared].menu()
        if not isinstance(menu, QMenu):
            raise TypeError(f"{declared} has no submenu")
        return menu

    def choice(self, declared: WindowAction, value: str) -> QAction:
        """One of the choices of an action."""
        return self._choices[declared, value]

    def longest_label(self, declared: WindowAction) -> str:
        """The longest label of an action's button."""
        spec = declared.value
        labels = (spec.label or spec.text, spec.repeat_label)
        return max((without_key(translated(label)) for label in labels if label), key=len)

    def offer(self, state: WindowState) -> None:
        """Enable what can be done in this state, and nothing else."""
        if state != self._state:
            self._state = state
            self._apply()

    def connect_performer(self, performer: QObject) -> None:
        """Connect the methods of `performer` that are marked with `performs`."""
        for name, method in vars(type(performer)).items():
            for declared in getattr(method, _PERFORMED, ()):
                self._performed.add(declared)
                self._connect(declared, getattr(performer, name))

    def _connect(self, declared: WindowAction, perform: Callable[..., None]) -> None:
        spec = declared.value
        if spec.choices:
            for value in spec.choices:
                action = self._choices[declared, value]
                action.triggered.connect(lambda _on, value=value: perform(value))
        elif spec.checkable:
            self._actions[declared].triggered.connect(perform)
        else:
            self._actions[declared].triggered.connect(lambda _on: perform())

    def _apply(self) -> None:
        for declared, action in self._actions.items():
            spec = declared.value
            if spec.enabled is not always and action.isEnabled() != spec.enabled(self._state):
                action.setEnabled(spec.enabled(self._state))
            if spec.repeat_label:
                label = translated(spec.repeat_label if self._state.is_repeat else spec.text)
                action.setText(label)
                action.setIconText(without_key(label))

    def _make(self, declared: WindowAction) -> QAction:
        spec: WindowActionSpec = declared.value
        text = translated(spec.text)
        if spec.choices or spec.has_submenu:
            menu = QMenu(text, self._window)
            self._add_choices(declared, menu)
            return menu.menuAction()
        shown = QKeySequence(spec.shown_key).toString(QKeySequence.SequenceFormat.NativeText)
        action = QAction(f"{text}\t{shown}" if shown else text, self._window)
        action.setObjectName(declared.name.lower().replace("_", "-"))
        action.setIconText(translated(spec.label) if spec.label else without_key(text))
        if spec.tip:
            action.setToolTip(translated(spec.tip))
        if spec.icon:
            action.setIcon(icon(spec.icon))
        if spec.shortcut:
            action.setShortcut(QKeySequence(spec.shortcut))
        if spec.in_dialogs:
            action.setShortcutContext(Qt.ShortcutContext.ApplicationShortcut)
        action.setCheckable(spec.checkable)
        action.setMenuRole(spec.role)
        return action

    def _add_choices(self, declared: WindowAction, menu: QMenu) -> None:
        spec = declared.value
        group = QActionGroup(menu)
        for value, text in spec.choices.items():
            action = QAction(translated(text), self._window, checkable=True)
            action.setProperty(ALSO, spec.also(value))
            group.addAction(action)
            menu.addAction(action)
            self._choices[declared, value] = action

    def _fill_menu_bar(self) -> None:
        for menu in Menu:
            bar = self._window.menuBar().addMenu(spoken(menu.value))
            members = [declared for declared in WindowAction if declared.value.menu is menu]
            for _, group in groupby(members, lambda declared: declared.value.group):
                bar.addSeparator()  # at the beginning Qt leaves it out
                bar.addActions([self._actions[declared] for declared in group])
