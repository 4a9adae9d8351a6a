"""A menu that stays open while several of its entries are checked."""

from collections.abc import Iterator
from contextlib import contextmanager

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QMenu


@contextmanager
def refilling(menu: QMenu) -> Iterator[None]:
    """Replace the old entries by those that are added meanwhile.

    The old ones go last: Qt closes a visible menu that is empty for a moment.
    """
    old = menu.actions()
    yield
    for action in old:
        menu.removeAction(action)
        if action.parent() is menu:
            action.deleteLater()


class StickyMenu(QMenu):
    """Toggles checkable entries on click or Space without closing; Enter toggles and closes."""

    _is_pressed = False

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Note the click: the release of the one that opened the menu toggles nothing."""
        super().mousePressEvent(event)
        self._is_pressed = True

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Toggle the entry under the mouse if it was clicked."""
        was_pressed, self._is_pressed = self._is_pressed, False
        action = self.actionAt(event.position().toPoint()) if was_pressed else None
        if action is not None and action.isCheckable() and action.isEnabled():
            action.trigger()
            event.accept()
        else:
            super().mouseReleaseEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Toggle the current entry on Space."""
        action = self.activeAction()
        if event.key() == Qt.Key.Key_Space and action is not None and action.isCheckable():
            action.trigger()
            event.accept()
        else:
            super().keyPressEvent(event)
