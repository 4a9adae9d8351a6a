"""A question mark that opens the page of the help about an adjacent widget."""

from typing import Final

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QToolButton, QWidget

from gossamer.gui.look.icons import icon
from gossamer.gui.look.stylesheet import CONTROL_HEIGHT
from gossamer.gui.widgets.help_context import open_page_about

_ICON: Final = QSize(16, 16)


class HelpMark(QToolButton):
    """The mark; `subject` is what is beside it. It opens the page that F1 opens there."""

    def __init__(self, subject: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("quiet", True)
        self.setIcon(icon("help"))
        self.setIconSize(_ICON)
        self.setFixedSize(CONTROL_HEIGHT, CONTROL_HEIGHT)
        self.setToolTip(self.tr("Help"))
        self.clicked.connect(lambda: open_page_about(self))
        self.set_subject(subject)

    def set_subject(self, subject: str) -> None:
        """Name what is beside it now."""
        self.setAccessibleName(self.tr("Help: {subject}").format(subject=subject))
