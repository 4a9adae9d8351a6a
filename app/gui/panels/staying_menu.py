"""A menu of choices that stays open while one makes several of them."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QMenu


class StayingMenu(QMenu):
    """Clicks and Space tick its checkable entries without closing it; Enter ticks and closes."""

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
