"""Dialogs about project files. None of them is modal."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtWidgets import QFileDialog, QWidget


def choose_project(parent: QWidget, chosen: Callable[[Path], None]) -> None:
    """Let the person choose an existing project; `chosen` is called with it, or never."""
    title = QCoreApplication.translate("ProjectDialogs", "Open project")
    kinds = QCoreApplication.translate("ProjectDialogs", "Gossamer projects (*.gossamer)")
    dialog = QFileDialog(parent, title, "", kinds)
    dialog.setObjectName("open-project")
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
    dialog.fileSelected.connect(lambda name: chosen(Path(name)))
    dialog.open()
