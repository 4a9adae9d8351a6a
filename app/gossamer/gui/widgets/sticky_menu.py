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

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Tick what is under the mouse."""
        action = self.actionAt(event.position().toPoint())
        if action is not None and action.isCheckable() and action.isEnabled():
            action.trigger()
            event.accept()
        else:
            super().mouseReleaseEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Tick the current entry."""
        action = self.activeAction()
        if event.key() == Qt.Key.Key_Space and action is not None and action.isCheckable():
            action.trigger()
            event.accept()
        else:
            super().keyPressEvent(event)
