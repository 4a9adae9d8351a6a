"""From one part of the window to the next by F6, as in any program with panes."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

Pane = Callable[[], QWidget | None]
"""Which widget has the keyboard in a part of the window, if that is shown at all."""


class Panes:
    """The parts in the order in which F6 goes through them."""

    def __init__(self, window: QWidget, panes: Sequence[Pane]) -> None:
        self._window = window
        self._panes = panes

    def step(self, step: int) -> None:
        """Give the keyboard to the next part that can take it, or with -1 to the one before."""
        widgets = [pane() for pane in self._panes]
        count, at = len(widgets), self._current(widgets)
        for far in range(1, count + 1):
            widget = widgets[(at + far * step) % count]
            if widget is not None and widget.isVisible() and widget.isEnabled():
                widget.setFocus(Qt.FocusReason.TabFocusReason)
                return

    def _current(self, widgets: Sequence[QWidget | None]) -> int:
        """Which part has the keyboard; the one before the first if none has."""
        focused = self._window.focusWidget()
        for i, widget in enumerate(widgets):
            if widget is not None and focused is not None and _is_within(focused, widget):
                return i
        return -1


def _is_within(widget: QWidget, other: QWidget) -> bool:
    return widget is other or other.isAncestorOf(widget)
