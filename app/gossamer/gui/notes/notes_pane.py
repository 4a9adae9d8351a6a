"""All notes of a site: a table with a filter, and what can be done with a note."""

from collections.abc import Sequence
from datetime import date

from msgspec.structs import replace
from PySide6.QtCore import QDate, Qt, Signal
from PySide6.QtGui import QAction, QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QMenu,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from gossamer.gui.look import theme
from gossamer.gui.notes.note_editor import NoteEditor
from gossamer.gui.notes.notes_table import ListedNote, NotesTable, subject_words
from gossamer.model.series_contents import Note, NoteSubject
from gossamer.model.settings.crawl_settings import DEFAULTS, CrawlSettings


class NotesPane(QWidget):
    """Shows all notes; adds those about the site and about days, edits and removes any.

    `add_wanted`, `change_wanted` and `remove_wanted` carry a Note, `subject_wanted` the Note to
    whose subject the user wants to go.
    """

    add_wanted = Signal(object)
    change_wanted = Signal(object)
    remove_wanted = Signal(object)
    subject_wanted = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._notes: Sequence[ListedNote] = ()
        self.text = QLineEdit()
        self.text.setPlaceholderText(self.tr("Filter notes"))
        self.text.setAccessibleName(self.tr("Filter notes"))
        self.text.setClearButtonEnabled(True)
        self.kind = QComboBox()
        self.kind.setAccessibleName(self.tr("What notes are about"))
        for name, subject in (
            (self.tr("All notes"), None),
            (self.tr("The site"), NoteSubject.SITE),
            (self.tr("URLs"), NoteSubject.URL),
            (self.tr("Issues"), NoteSubject.ISSUE),
            (self.tr("Days"), NoteSubject.DATE),
            (self.tr("Crawls"), NoteSubject.CRAWL),
        ):
            self.kind.addItem(name, subject)
        self.count = QLabel()
        self.count.setProperty("muted", True)
        self.table = NotesTable()
        self.add = QPushButton(self.tr("&Add note…"))
        self.add.setMenu(self._add_menu())
        self.edit = QPushButton(self.tr("&Edit…"))
        self.remove = QPushButton(self.tr("&Remove"))
        self.lead = QPushButton(self.tr("&Show"))
        self.lead.setToolTip(self.tr("Show what the note is about"))
        self._connect()
        self._lay_out()
        self._show()

    def show_notes(self, notes: Sequence[Note], settings: CrawlSettings = DEFAULTS) -> None:
        """Show these; issues are named by the thresholds of `settings`."""
        self._notes = [ListedNote(each, subject_words(each, settings)) for each in notes]
        self._show()

    def choose(self, ids: Sequence[int]) -> None:
        """Choose the first of these notes; a filter that hides it is cleared."""
        self.text.clear()
        self.kind.setCurrentIndex(0)
        self.table.choose(ids)

    def ask_for_note(self, day: date | None = None) -> None:
        """Ask for the text of a new note about a day, or about the site."""
        about = self.tr("the site") if day is None else self.tr("a day")
        editor = NoteEditor(about, "", self.window(), day)

        def add() -> None:
            subject = NoteSubject.SITE if day is None else NoteSubject.DATE
            self.add_wanted.emit(Note(text=editor.text(), subject=subject, about=editor.day()))

        editor.accepted.connect(add)
        editor.open()

    def _edit(self, note: Note | None) -> None:
        if note is None:
            return
        subject = next((each.about for each in self._notes if each.note == note), note.about)
        editor = NoteEditor(subject, note.text, self.window(), note.day)

        def change() -> None:
            about = editor.day() or note.about
            self.change_wanted.emit(replace(note, text=editor.text(), about=about))

        editor.accepted.connect(change)
        editor.open()

    def _current(self) -> Note | None:
        row = self.table.current
        return None if row is None else row.note

    def _remove(self) -> None:
        if (note := self._current()) is not None:
            self.remove_wanted.emit(note)

    def _go(self) -> None:
        if (note := self._current()) is not None:
            self.subject_wanted.emit(note)

    def _show(self) -> None:
        text, subject = self.text.text().strip().casefold(), self.kind.currentData()
        shown = [
            each for each in self._notes if each.has(text) and subject in {None, each.note.subject}
        ]
        self.table.show_notes(shown)
        self.table.note.show_text(
            self.tr("No notes match the filter.")
            if self._notes
            else self.tr(
                "No notes yet. Add one here, in the details of a URL, in the explanation of an "
                "issue, or with a click on the days of a chart."
            )
        )
        total = len(self._notes)
        self.count.setText(
            self.tr("%Ln note(s)", "", total)
            if len(shown) == total
            else self.tr("{n} of {total}").format(n=len(shown), total=total)
        )
        self._enable()

    def _enable(self) -> None:
        note = self._current()
        for button in (self.edit, self.remove):
            button.setEnabled(note is not None)
        self.lead.setEnabled(note is not None and note.subject is not NoteSubject.SITE)

    def _add_menu(self) -> QMenu:
        menu = QMenu(self)
        site = QAction(self.tr("About the &site…"), menu)
        site.triggered.connect(lambda _: self.ask_for_note())
        day = QAction(self.tr("About a &day…"), menu)
        day.triggered.connect(lambda: self.ask_for_note(_today()))
        menu.addActions([site, day])
        return menu

    def _connect(self) -> None:
        self.text.textChanged.connect(self._show)
        self.kind.currentIndexChanged.connect(self._show)
        self.table.chosen.connect(self._enable)
        self.table.subject_wanted.connect(self.subject_wanted)
        self.table.edit_wanted.connect(self._edit)
        self.edit.clicked.connect(lambda: self._edit(self._current()))
        self.remove.clicked.connect(self._remove)
        self.lead.clicked.connect(self._go)
        delete = QShortcut(QKeySequence(QKeySequence.StandardKey.Delete), self.table)
        delete.setContext(Qt.ShortcutContext.WidgetShortcut)
        delete.activated.connect(self._remove)

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.addWidget(self.text, 1)
        head.addWidget(self.kind)
        head.addWidget(self.count)
        head.addStretch(1)
        for button in (self.lead, self.add, self.edit, self.remove):
            button.setAutoDefault(False)
            head.addWidget(button)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, theme.SPACE_XS, 0, 0)
        column.setSpacing(theme.SPACE_XS)
        column.addLayout(head)
        column.addWidget(self.table, 1)


def _today() -> date:
    today = QDate.currentDate()
    return date(today.year(), today.month(), today.day())
