"""How often a widget is painted."""

from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QWidget


class Paints(QObject):
    """Counts the paint events of a widget from now on."""

    def __init__(self, widget: QWidget) -> None:
        super().__init__(widget)
        self.number = 0
        widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - the name Qt gives it
        """Count it, and let it pass."""
        self.number += event.type() == QEvent.Type.Paint
        return super().eventFilter(watched, event)
