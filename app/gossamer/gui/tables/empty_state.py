"""Shows a message in a view that has no rows."""

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtWidgets import QAbstractItemView, QAbstractScrollArea, QLabel

_MARGIN = 24


class EmptyStateText(QLabel):
    """Plain text centred in an empty view."""

    def __init__(self, view: QAbstractScrollArea) -> None:
        super().__init__(view.viewport())
        self._viewport = view.viewport()
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.setWordWrap(True)
        self.setMargin(_MARGIN)
        self.setProperty("muted", True)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._viewport.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Fill the view."""
        if event.type() == QEvent.Type.Resize:
            self.setGeometry(self._viewport.rect())
        return super().eventFilter(watched, event)


class EmptyStateLabel(EmptyStateText):
    """Shows a note over a view as long as it has no rows."""

    def __init__(self, view: QAbstractItemView) -> None:
        super().__init__(view)
        self._view = view
        model = view.model()
        for signal in (
            model.rowsInserted,
            model.rowsRemoved,
            model.modelReset,
            model.layoutChanged,
        ):
            signal.connect(self.update_visibility)
        self.update_visibility()

    def show_text(self, text: str) -> None:
        """Show this while there are no rows."""
        self.setText(text)
        self._view.setAccessibleDescription(text if not self.isHidden() else "")

    def update_visibility(self) -> None:
        """Show or hide, depending on the rows."""
        empty = self._view.model().rowCount() == 0
        self.setVisible(empty)
        self._view.setAccessibleDescription(self.text() if empty else "")
