"""From one part of the window to the next by F6, as in any program with panes."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget


@dataclass(frozen=True, slots=True)
class Pane:
    """A part of the window, and which widget in it takes the keyboard."""

    area: QWidget
    taker: Callable[[], QWidget | None]


class Panes:
    """The parts in the order in which F6 goes through them."""

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
