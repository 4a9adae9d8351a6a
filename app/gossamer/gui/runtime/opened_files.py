"""Opens the files that the desktop passes to this running program, as on macOS."""

from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QFileOpenEvent
from PySide6.QtWidgets import QApplication

from gossamer.session.default_paths import SUFFIX

_FILE_OPEN: Final = QEvent.Type.FileOpen


class OpenedFiles(QObject):
    """Calls `open_project` with the path of each project to open.

    Elsewhere the desktop starts the program with the path instead.
    """

    def __init__(self, application: QApplication, open_project: Callable[[str], None]) -> None:
        super().__init__(application)
        self._open_project = open_project
        application.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """See QObject."""
        if event.type() == _FILE_OPEN and isinstance(event, QFileOpenEvent):
            if event.file().endswith(SUFFIX):
                self._open_project(event.file())
            return True
        return super().eventFilter(watched, event)
