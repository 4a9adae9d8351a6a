"""Handles the keys that Qt leaves to applications: Space, F6, Shift+F10."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QObject, QPoint, Qt
from PySide6.QtGui import QAction, QContextMenuEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QLineEdit,
    QPlainTextEdit,
    QTextEdit,
    QWidget,
)

_TAKES_SPACE: Final = (
    QLineEdit,
    QAbstractSpinBox,
    QComboBox,
    QTextEdit,
    QPlainTextEdit,
    QAbstractButton,
)


class SpaceKey(QObject):
    """Triggers `action` with the space bar, except while typing or on a button."""

    def __init__(self, window: QWidget, action: QAction) -> None:
        super().__init__(window)
        self._shortcut = QShortcut(QKeySequence(Qt.Key.Key_Space), window)
        self._shortcut.activated.connect(action.trigger)
        app = QApplication.instance()
        if isinstance(app, QApplication):
            app.focusChanged.connect(self._follow_focus)

    def _follow_focus(self, _old: QWidget | None, new: QWidget | None) -> None:
        self._shortcut.setEnabled(not isinstance(new, _TAKES_SPACE))


class ContextMenuKey(QObject):
    """Opens the context menu with Shift+F10, which Qt does on Windows only.

    It works in `window` and in its dialogs.
    """

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        shortcut = QShortcut(QKeySequence("Shift+F10"), window)
        shortcut.setContext(Qt.ShortcutContext.ApplicationShortcut)
        shortcut.activated.connect(self._open)

    def _open(self) -> None:
        widget = QApplication.focusWidget()
        if widget is not None:
            at = _menu_position(widget)
            reason = QContextMenuEvent.Reason.Keyboard
            event = QContextMenuEvent(reason, at, widget.mapToGlobal(at))
            QApplication.sendEvent(widget, event)


def _menu_position(widget: QWidget) -> QPoint:
    """The current row of a view, else the middle of the widget."""
    if isinstance(widget, QAbstractItemView) and widget.currentIndex().isValid():
        cell = widget.visualRect(widget.currentIndex()) & widget.viewport().rect()
        if not cell.isEmpty():
            return widget.viewport().mapTo(widget, cell.center())
    return widget.rect().center()


@dataclass(frozen=True, slots=True)
class Pane:
    """A part of the window that F6 reaches, and the widget in it that takes the focus."""

    area: QWidget
    taker: Callable[[], QWidget | None]


class Panes:
    """The parts of the window in F6 order."""

    def __init__(self, window: QWidget, panes: Sequence[Pane]) -> None:
        self._window = window
        self._panes = panes

    def step(self, step: int) -> None:
        """Give the keyboard to the next part that can take it, or with -1 to the one before."""
        count = len(self._panes)
        at = self._current()
        if at is None:
            at = -1 if step > 0 else 0
        for far in range(1, count + 1):
            widget = self._panes[(at + far * step) % count].taker()
            if widget is not None and widget.isVisible() and widget.isEnabled():
                widget.setFocus(Qt.FocusReason.TabFocusReason)
                return

    def _current(self) -> int | None:
        """Which part has the keyboard, None if none has."""
        focused = self._window.focusWidget()
        for i, pane in enumerate(self._panes):
            if focused is not None and (pane.area is focused or pane.area.isAncestorOf(focused)):
                return i
        return None
