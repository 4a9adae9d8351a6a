"""Where the window stands on the screens."""

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QRect, QSize
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

_VISIBLE: Final = 64
"""So many pixels of the title bar must be on a screen for a remembered place to count."""
_FRAME: Final = 8
_TITLE: Final = 40
"""What a desktop puts around a window: nothing tells before the window is shown."""


def fitted(size: tuple[int, int], free: QRect) -> QSize:
    """`size`, but no larger than what a screen has `free` for a window with its frame."""
    return QSize(min(size[0], free.width() - _FRAME), min(size[1], free.height() - _TITLE))


def place(window: QWidget, size: tuple[int, int]) -> None:
    """Put the window in the middle of the first screen, in this size but no larger than it."""
    free = QGuiApplication.primaryScreen().availableGeometry()
    window.resize(fitted(size, free))
    frame = window.frameGeometry()
    frame.setHeight(frame.height() + _TITLE)
    frame.moveCenter(free.center())
    window.move(frame.topLeft())


def is_on_a_screen(window: QWidget) -> bool:
    """Whether a person can reach the window where it stands."""
    screens = [screen.availableGeometry() for screen in QGuiApplication.screens()]
    return is_reachable(window.frameGeometry(), screens)


def is_reachable(frame: QRect, screens: Sequence[QRect]) -> bool:
    """Whether a person can grab the top of a window with this frame on one of the screens."""
    title = QRect(frame.left(), frame.top(), frame.width(), _VISIBLE)
    for screen in screens:
        seen = screen.intersected(title)
        if seen.width() >= _VISIBLE and seen.height() >= _VISIBLE // 2:
            return True
    return False
