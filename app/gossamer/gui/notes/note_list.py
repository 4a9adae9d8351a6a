"""A list of notes with buttons to add, edit and remove them."""

from collections.abc import Sequence

from msgspec.structs import replace
from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from gossamer.gui.look import theme
from gossamer.gui.notes.note_editor import NoteEditor
from gossamer.gui.tables.empty_state import EmptyStateLabel
from gossamer.gui.text import local_formatting as formatting
from gossamer.gui.text.translated_sentences import listed
from gossamer.model.series_contents import Note


class NoteList(QWidget):
    """Notes about one thing, which `about` names.

    `add_wanted` carries a text, `change_wanted` and `remove_wanted` a Note.
    """

    add_wanted = Signal(str)
    change_wanted = Signal(object)
    remove_wanted = Signal(object)

    def __init__(self, empty: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._notes: Sequence[Note] = []
        self.about = ""
        self.items = QListWidget()
        self.items.setAccessibleName(self.tr("Notes"))
        self.items.setWordWrap(True)
        self.items.setSpacing(theme.SPACE_XS)
        self.items.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.items.setFrameShape(QListWidget.Shape.NoFrame)
        self.items.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.note = EmptyStateLabel(self.items)
        self.note.show_text(empty)
        self.add = QPushButton(self.tr("&Add note…"))
        self.edit = QPushButton(self.tr("&Edit…"))
        self.remove = QPushButton(self.tr("&Remove"))
        for button in (self.add, self.edit, self.remove):
            button.setAutoDefault(False)
        self.add.clicked.connect(self.ask_for_note)
        self.edit.clicked.connect(self._edit)
        self.remove.clicked.connect(self._remove)
        self.items.itemActivated.connect(self._edit)
        self.items.currentRowChanged.connect(self._enable)
        delete = QShortcut(QKeySequence(QKeySequence.StandardKey.Delete), self.items)
        delete.setContext(Qt.ShortcutContext.WidgetShortcut)
        delete.activated.connect(self._remove)
        self._lay_out()
        self._enable()

    @property
    def notes(self) -> Sequence[Note]:
        """What is shown."""
        return self._notes

    @property
    def current(self) -> Note | None:
        """The chosen note."""
        row = self.items.currentRow()
        return self._notes[row] if 0 <= row < len(self._notes) else None

    def show_notes(self, notes: Sequence[Note]) -> None:
        """Show these, the oldest first."""
        row = self.items.currentRow()
        self._notes = notes
        self.items.clear()
        for note in notes:
            self.items.addItem(QListWidgetItem(f"{clean_lines(note.text)}\n{note_origin(note)}"))
        self.items.setCurrentRow(min(row, len(notes) - 1))
        self.note.update_visibility()
        self._enable()

    def set_enabled(self, *, enabled: bool) -> None:
        """Whether there is something that a note can be about."""
        self.add.setEnabled(enabled)

    def ask_for_note(self) -> None:
        """Ask for the text of a new note."""
        editor = NoteEditor(self.about, "", self)
        editor.accepted.connect(lambda: self.add_wanted.emit(editor.text()))
        editor.open()

    def _edit(self) -> None:
        note = self.current
        if note is None:
            return
        editor = NoteEditor(self.about, note.text, self)
        editor.accepted.connect(lambda: self.change_wanted.emit(replace(note, text=editor.text())))
        editor.open()

    def _remove(self) -> None:
        if self.current is not None:
            self.remove_wanted.emit(self.current)

    def _enable(self) -> None:
        for button in (self.edit, self.remove):
            button.setEnabled(self.current is not None)

    def _lay_out(self) -> None:
        buttons = QHBoxLayout()
        buttons.setContentsMargins(theme.SPACE_S, 0, theme.SPACE_S, theme.SPACE_XS)
        for button in (self.add, self.edit, self.remove):
            buttons.addWidget(button)
        buttons.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(theme.SPACE_XS)
        column.addWidget(self.items, 1)
        column.addLayout(buttons)
        self.setFocusProxy(self.items)


def clean_lines(text: str) -> str:
    """A text of several lines that can do no harm to a view."""
    return "\n".join(formatting.clean(line) for line in text.splitlines())


def note_origin(note: Note) -> str:
    """Who wrote a note, and when."""
    return listed([formatting.clean(note.author), formatting.moment(note.created_at)])
