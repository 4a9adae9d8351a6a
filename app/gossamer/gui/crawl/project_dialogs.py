"""Dialogs about project files. None of them is modal."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtWidgets import QFileDialog, QWidget


def choose_project(
    parent: QWidget, chosen: Callable[[Path], None], shown: Path | None, title: str | None = None
) -> None:
    """Let the person choose an existing project; `chosen` is called with it, or never.

    The dialog begins beside the project `shown`, or where projects are kept.
    """
    from gossamer.session.paths import projects_folder  # noqa: PLC0415 - the start does without

    title = title or QCoreApplication.translate("ProjectDialogs", "Open project")
    dialog = _dialog(parent, "open-project", title, chosen)
    dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
    folder = projects_folder() if shown is None else shown.parent
    if folder.is_dir():
        dialog.setDirectory(str(folder))
    dialog.open()


def choose_new_project(
    parent: QWidget, chosen: Callable[[Path], None], title: str, proposed: Path
) -> None:
    """Let the person name a new project file, `proposed` without suffix to begin with."""
    dialog = _dialog(parent, "new-project", title, chosen)
    dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    dialog.setDefaultSuffix("gossamer")
    dialog.setOption(QFileDialog.Option.DontConfirmOverwrite)  # nothing is ever overwritten
    dialog.setDirectory(str(proposed.parent))
    dialog.selectFile(f"{proposed.name}.gossamer")
    dialog.open()


def _dialog(parent: QWidget, name: str, title: str, chosen: Callable[[Path], None]) -> QFileDialog:
    kinds = QCoreApplication.translate("ProjectDialogs", "Gossamer projects (*.gossamer)")
    dialog = QFileDialog(parent, title, "", kinds)
    dialog.setObjectName(name)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.fileSelected.connect(lambda path: chosen(Path(path)))
    return dialog
