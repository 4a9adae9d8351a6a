"""Files that a desktop asks the running program to open, as macOS does."""

from PySide6.QtGui import QFileOpenEvent
from PySide6.QtWidgets import QApplication

from gossamer.gui.runtime.opened_files import OpenedFiles


def test_projects_are_opened_and_other_files_are_not(qapp: QApplication) -> None:
    opened: list[str] = []
    watcher = OpenedFiles(qapp, opened.append)
    try:
        for path in ("/home/me/a.gossamer", "/home/me/a.txt"):
            QApplication.sendEvent(qapp, QFileOpenEvent(path))
        assert opened == ["/home/me/a.gossamer"]
    finally:
        qapp.removeEventFilter(watcher)
