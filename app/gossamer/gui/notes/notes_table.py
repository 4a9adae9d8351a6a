"""The table of all notes of a site."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, Qt, Signal
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QWidget

from gossamer.audit.rule_catalogue import RULES
from gossamer.gui.issues.rule_texts import full_rule_name
from gossamer.gui.look.icons import icon
from gossamer.gui.look.theme import colour
from gossamer.gui.tables.empty_state import EmptyStateLabel
from gossamer.gui.tables.item_roles import DECORATION, DISPLAY, FOREGROUND
from gossamer.gui.tables.list_model import ListModel
from gossamer.gui.tables.row_kind import RowKind
from gossamer.gui.tables.sort_header import SortHeader, SortKey
from gossamer.gui.tables.table_columns import ColumnSpec
from gossamer.gui.tables.table_view import TableView
from gossamer.gui.text import local_formatting as formatting
from gossamer.gui.text.local_formatting import QT_TRANSLATE_NOOP, translator
from gossamer.model.series_contents import Note, NoteSubject
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.urls.url_folders import display_url

_tr = translator("Notes")
_ICONS: Final = {
    NoteSubject.SITE: "site",
    NoteSubject.URL: "page",
    NoteSubject.ISSUE: "warning",
    NoteSubject.DATE: "recent",
    NoteSubject.CRAWL: "finished",
}


@dataclass(frozen=True, slots=True)
class ListedNote:
    """A note, and in words what it is about."""

    note: Note
    about: str

    def has(self, text: str) -> bool:
        """Whether a text, casefolded, is in it or in what it is about."""
        known = (self.note.text, self.about, self.note.about, self.note.author)
        return any(text in each.casefold() for each in known)


def subject_words(note: Note, settings: CrawlSettings) -> str:
    """What a note is about; rules are named by the thresholds of `settings`."""
    if note.subject is NoteSubject.URL:
        return display_url(note.about)
    if note.subject is NoteSubject.ISSUE:
        rule = RULES.get(int(note.about)) if note.about.isdecimal() else None
        return note.about if rule is None else full_rule_name(rule, settings)
    if note.day is not None:
        return formatting.date_words(note.day)
    if note.subject is NoteSubject.CRAWL:
        return _tr("Crawl of {time}").format(time=_time(note.about))
    return note.about or _tr("The site")


def _time(text: str) -> str:
    try:
        return formatting.moment(float(text))
    except (ValueError, OverflowError):
        return text


_NOTES: Final[RowKind[ListedNote]] = RowKind(
    columns=(
        ColumnSpec(
            None,
            QT_TRANSLATE_NOOP("Column", "About"),
            40,
            lambda each: formatting.clean(each.about),
            plain=lambda each: each.about,
        ),
        ColumnSpec(
            None,
            QT_TRANSLATE_NOOP("Column", "Note"),
            50,
            lambda each: formatting.clean(each.note.text),
            plain=lambda each: each.note.text,
        ),
        ColumnSpec(
            None,
            QT_TRANSLATE_NOOP("Column", "Author"),
            14,
            lambda each: formatting.clean(each.note.author),
        ),
        ColumnSpec(
            None,
            QT_TRANSLATE_NOOP("Column", "Written"),
            19,
            lambda each: formatting.moment(each.note.created_at),
        ),
    ),
    filling=1,
)
_ABOUT: Final = 0
_WIDEST: Final = 48
_LATEST_FIRST: Final[tuple[SortKey, ...]] = ((3, True),)
_ORDERS: Final[tuple[Callable[[ListedNote], Any], ...]] = (
    lambda each: (list(NoteSubject).index(each.note.subject), each.about.casefold()),
    lambda each: each.note.text.casefold(),
    lambda each: each.note.author.casefold(),
    lambda each: (each.note.created_at, each.note.id),
)


class NoteModel(ListModel[ListedNote]):
    """Notes; what they are about looks like a link, with a sign of its kind."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(_NOTES, parent)

    def data(self, index: QModelIndex | QPersistentModelIndex, role: int = DISPLAY) -> Any:  # noqa: ANN401 - a Qt variant
        """A cell."""
        row = self.record(index.row())
        if row is not None and index.column() == _ABOUT:
            if role == DECORATION:
                return icon(_ICONS[row.note.subject])
            if role == FOREGROUND and row.note.subject is not NoteSubject.SITE:
                return colour("accent")
        return super().data(index, role)


class NotesTable(TableView):
    """Notes, the latest first. `chosen` reports a change of the selection.

    `subject_wanted` carries the note whose subject was clicked, `edit_wanted` the one that was
    double-clicked, or on which Enter was pressed.
    """

    chosen = Signal()
    subject_wanted = Signal(object)
    edit_wanted = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._all: Sequence[ListedNote] = ()
        self.rows = NoteModel(self)
        self.sort_header = SortHeader(self)
        self.setHorizontalHeader(self.sort_header)
        self.set_up_header()
        self.setModel(self.rows)
        self.set_columns(_NOTES.columns, _NOTES.filling)
        self.setSelectionMode(TableView.SelectionMode.SingleSelection)
        self.sort_header.set_keys(_LATEST_FIRST)
        self.sort_header.sort_changed.connect(lambda: self.show_notes(self._all))
        self.setAccessibleName(self.tr("Notes of this site"))
        self.setMouseTracking(True)
        self.note = EmptyStateLabel(self)
        self.clicked.connect(self._lead)
        self.activated.connect(self._edit)
        self.selectionModel().selectionChanged.connect(lambda *_: self.chosen.emit())

    @property
    def current(self) -> ListedNote | None:
        """The chosen note."""
        rows = self.selectionModel().selectedRows()
        return self.rows.record(rows[0].row()) if rows else None

    def show_notes(self, notes: Sequence[ListedNote]) -> None:
        """Show these; the chosen one stays chosen."""
        before, is_first = self.current, not self._all
        self._all = notes
        ordered = list(notes)
        for column, is_descending in reversed(self.sort_header.keys):
            ordered.sort(key=_ORDERS[column], reverse=is_descending)
        self.rows.show(ordered)
        if before is not None:
            self.choose((before.note.id,))
        if is_first and notes:
            self.fit_columns(_WIDEST)
        self.note.update_visibility()
        self.chosen.emit()

    def choose(self, ids: Sequence[int]) -> None:
        """Choose the first note with one of these ids, and go there."""
        for row in range(self.rows.rowCount()):
            each = self.rows.record(row)
            if each is not None and each.note.id in ids:
                self.select_only(row)
                self.scrollTo(self.rows.index(row, 0))
                return

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Show what a click leads to."""
        super().mouseMoveEvent(event)
        index = self.indexAt(event.position().toPoint())
        is_link = index.isValid() and index.column() == _ABOUT
        shape = Qt.CursorShape.PointingHandCursor if is_link else Qt.CursorShape.ArrowCursor
        self.viewport().setCursor(shape)

    def _lead(self, index: QModelIndex) -> None:
        each = self.rows.record(index.row())
        if each is not None and index.column() == _ABOUT:
            self.subject_wanted.emit(each.note)

    def _edit(self, index: QModelIndex) -> None:
        each = self.rows.record(index.row())
        if each is not None and index.column() != _ABOUT:
            self.edit_wanted.emit(each.note)
