"""A button beside the field of a path that opens the system's file dialog."""

from PySide6.QtCore import QDir, Qt
from PySide6.QtWidgets import QFileDialog, QLineEdit, QPushButton

from gossamer.gui.look.stylesheet import CONTROL_HEIGHT
from gossamer.gui.runtime.file_checks import is_folder
from gossamer.model.typed_paths import typed_path


class PathButton(QPushButton):
    """Browses for an existing file or folder."""

    def __init__(self, line: QLineEdit, kinds: str = "", *, is_folder: bool = False) -> None:
        """`kinds` is a filter of names; the dialog can also show other files."""
        super().__init__()
        self._line = line
        self._kinds = kinds
        self._is_folder = is_folder
        self.setText(self.tr("Browse…"))
        self.setAutoDefault(False)
        self.setFixedHeight(CONTROL_HEIGHT)
        self.clicked.connect(self._browse)

    def _browse(self) -> None:
        title = self.tr("Choose a folder") if self._is_folder else self.tr("Choose a file")
        dialog = QFileDialog(self.window(), title)
        dialog.setObjectName("choose-path")
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        modes = QFileDialog.FileMode
        dialog.setFileMode(modes.Directory if self._is_folder else modes.ExistingFile)
        if self._kinds:
            dialog.setNameFilters([self._kinds, self.tr("All files (*)")])
        typed = typed_path(self._line.text().strip())
        if self._line.text().strip() and is_folder(typed.parent):
            dialog.setDirectory(str(typed.parent))
        dialog.fileSelected.connect(self._take)
        dialog.open()

    def _take(self, path: str) -> None:
        self._line.setText(QDir.toNativeSeparators(path))
        self._line.setFocus()
