"""The space bar pauses a crawl and goes on with it, except where it types or presses."""

from typing import Final

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QLineEdit,
    QPlainTextEdit,
    QTextEdit,
    QWidget,
)

_TYPING: Final = (
    QLineEdit,
    QAbstractSpinBox,
    QComboBox,
    QTextEdit,
    QPlainTextEdit,
    QAbstractButton,
)


class PauseKey(QObject):
    """`pressed` tells of the space bar in `window` where no widget wants it for itself."""

    pressed = Signal()

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._shortcut = QShortcut(QKeySequence(Qt.Key.Key_Space), window)
        self._shortcut.activated.connect(self.pressed)
        app = QApplication.instance()
        if isinstance(app, QApplication):
            app.focusChanged.connect(self._look_at_focus)

    def _look_at_focus(self, _old: QWidget | None, new: QWidget | None) -> None:
        self._shortcut.setEnabled(not isinstance(new, _TYPING))
