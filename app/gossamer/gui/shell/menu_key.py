"""Shift+F10 opens the context menu, as the menu key does: Qt knows it on Windows alone."""

from PySide6.QtCore import QObject, QPoint, Qt
from PySide6.QtGui import QContextMenuEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import QAbstractItemView, QApplication, QWidget


class MenuKey(QObject):
    """For what has the keyboard in `window` and in its dialogs."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        shortcut = QShortcut(QKeySequence("Shift+F10"), window)
        shortcut.setContext(Qt.ShortcutContext.ApplicationShortcut)
        shortcut.activated.connect(self._open)

    def _open(self) -> None:
        widget = QApplication.focusWidget()
        if widget is not None:
            at = _place(widget)
            reason = QContextMenuEvent.Reason.Keyboard
            event = QContextMenuEvent(reason, at, widget.mapToGlobal(at))
            QApplication.sendEvent(widget, event)


def _place(widget: QWidget) -> QPoint:
    """Where the menu opens: at the current row of a view, else in the middle."""
    if isinstance(widget, QAbstractItemView) and widget.currentIndex().isValid():
        cell = widget.visualRect(widget.currentIndex()) & widget.viewport().rect()
        if not cell.isEmpty():
            return widget.viewport().mapTo(widget, cell.center())
    return widget.rect().center()
