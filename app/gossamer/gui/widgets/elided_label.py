"""A label that shows as much of its text as there is room for."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QLabel, QSizePolicy

from gossamer.gui.text import local_formatting as formatting


class ElidedLabel(QLabel):
    """One line of plain text. If it is cut, it ends with …, and the tool tip has all of it."""

    def __init__(self) -> None:
        super().__init__()
        self._whole = ""
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)

    def setText(self, text: str) -> None:
        """Show this text."""
        self._whole = text
        self.setAccessibleName(text)
        self._show()

    def text(self) -> str:
        """The whole text."""
        return self._whole

    def shown(self) -> str:
        """The part that there is room for."""
        return super().text()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Show more or less of it."""
        super().resizeEvent(event)
        self._show()

    def _show(self) -> None:
        room = self.contentsRect().width()
        shown = self.fontMetrics().elidedText(self._whole, Qt.TextElideMode.ElideRight, room)
        super().setText(shown)
        self.setToolTip("" if shown == self._whole else formatting.tooltip(self._whole))
