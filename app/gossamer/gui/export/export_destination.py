"""The field for the file or folder that an export is written to."""

from pathlib import Path

from PySide6.QtCore import QDir, QStandardPaths, Qt
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QLabel, QLineEdit, QPushButton, QWidget

from gossamer.export.archive_exports import ARCHIVE_EXPORTS
from gossamer.export.formats import suffix_of
from gossamer.export.output_tree import MARKER
from gossamer.gui.export.export_form import HEIGHT, ExportChoices
from gossamer.gui.look import theme
from gossamer.gui.runtime.file_checks import is_file, is_filled, is_folder
from gossamer.model.file_names import file_name, typed_path


class ExportDestination(QWidget):
    """Suggests a name in the folder of the last export, until the user types one."""

    def __init__(
        self, project: Path, choices: ExportChoices, folder: str, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._project = project
        self._choices = choices
        self._folder = folder
        self._is_typed = False
        self._replaceable: Path | None = None
        self.path = QLineEdit()
        self.path.setObjectName("export-path")
        self.path.setMinimumHeight(HEIGHT)
        self._label = QLabel()
        self._label.setBuddy(self.path)
        self._browse = QPushButton(self.tr("&Browse…"))
        row = QHBoxLayout(self)
        row.setContentsMargins(theme.SPACE_L, theme.SPACE_S, theme.SPACE_L, theme.SPACE_S)
        row.setSpacing(theme.SPACE_S)
        for widget in (self._label, self.path, self._browse):
            row.addWidget(widget)
        row.setStretch(1, 1)
        self.path.textEdited.connect(self._take_path)
        self._browse.clicked.connect(self._choose)
        self.follow()

    def target(self) -> Path | None:
        """The file or folder to write, with its suffix if it needs one; None without a name."""
        text = self.path.text().strip()
        if not text:
            return None
        out = typed_path(text)
        if self._choices.is_folder() or _suffix_of(out) is not None or not out.name:
            return out
        named = out.with_name(out.name + self._choices.file_suffix())
        self.path.setText(QDir.toNativeSeparators(str(named)))
        return named

    def must_ask(self, out: Path) -> bool:
        """Whether the export would replace something that the user has not agreed to replace."""
        if out == self._replaceable:
            return False
        if self._choices.is_copy():
            return is_file(out / MARKER)  # a message says that other files are never replaced
        if self._choices.is_folder():
            return is_filled(out)
        return is_file(out)

    def note_written(self, out: Path) -> None:
        """Let the next export replace this one without a question."""
        self._replaceable = out

    def follow(self) -> None:
        """Adapt name, suffix and labels to the choices in the form."""
        is_folder = self._choices.is_folder()
        self._label.setText(self.tr("&Folder") if is_folder else self.tr("&File"))
        self.path.setAccessibleName(
            self.tr("Folder to write to") if is_folder else self.tr("File to write")
        )
        text, suffix = self.path.text().strip(), self._choices.file_suffix()
        if not self._is_typed:
            self._suggest()
        elif (known := _suffix_of(Path(text))) is not None and known != suffix:
            self.path.setText(text[: -len(known)] + suffix)

    def _suggest(self) -> None:
        """Suggest a name that describes the contents."""
        what = f" {self._choices.selected_name()}".rstrip()
        name = file_name(self._project.stem, f"{what}{self._choices.file_suffix()}")
        self.path.setText(QDir.toNativeSeparators(str(self._usual_folder() / name)))

    def _usual_folder(self) -> Path:
        documents = QStandardPaths.StandardLocation.DocumentsLocation
        for found in (self._folder, QStandardPaths.writableLocation(documents)):
            if found and is_folder(Path(found)):
                return Path(found)
        return Path.home()

    def _choose(self) -> None:
        dialog = QFileDialog(self, self.tr("Export to"), self.path.text())
        dialog.setObjectName("export-file")
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        if self._choices.is_folder():
            dialog.setFileMode(QFileDialog.FileMode.Directory)
            dialog.setDirectory(str(typed_path(self.path.text()).parent))
            dialog.fileSelected.connect(self._take_folder)
        else:
            suffix = self._choices.suffix()
            dialog.setNameFilter(f"{self._choices.format.currentText()} (*{suffix})")
            dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
            dialog.setDefaultSuffix(suffix.removeprefix("."))
            dialog.selectFile(self.path.text())
            dialog.fileSelected.connect(self._take_file)
        dialog.open()

    def _take_file(self, name: str) -> None:
        """Use a file from the file dialog, which has already asked whether to replace it."""
        self._take_path(name)
        self._replaceable = Path(name)

    def _take_folder(self, name: str) -> None:
        """Create the folder of the export inside the folder from the file dialog."""
        self._folder = name
        self._is_typed = False
        self._suggest()

    def _take_path(self, name: str) -> None:
        """Use the typed path; a known suffix chooses the format."""
        self._is_typed = True
        if self.path.text() != name:
            self.path.setText(name)
        suffix = suffix_of(Path(name))
        if suffix != self._choices.suffix():
            self._choices.set_suffix(suffix)


def _suffix_of(out: Path) -> str | None:
    """The suffix of a table, document or archive at the end of a name; None without one."""
    for each in ARCHIVE_EXPORTS.values():
        if each.suffix and out.name.lower().endswith(each.suffix):
            return each.suffix
    return suffix_of(out)
