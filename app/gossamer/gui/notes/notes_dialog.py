"""The dialog with the notes about one thing, such as an issue."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLabel, QVBoxLayout, QWidget

from gossamer.gui.look import theme
from gossamer.gui.notes.note_list import NoteList
from gossamer.gui.text import local_formatting as formatting
from gossamer.gui.widgets.help_context import explain


class NotesDialog(QDialog):
    """Shows, adds, edits and removes notes; what is done is done at once."""

    def __init__(self, about: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        explain(self, "window/history")
        self.setWindowTitle(self.tr("Notes"))
        self.resize(480, 320)
        heading = QLabel(formatting.clean(about))
        heading.setTextFormat(Qt.TextFormat.PlainText)
        heading.setWordWrap(True)
        self.notes = NoteList(self.tr("No notes yet."))
        self.notes.about = about
        box = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        box.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.setSpacing(theme.SPACE_S)
        column.addWidget(heading)
        column.addWidget(self.notes, 1)
        column.addWidget(box)
