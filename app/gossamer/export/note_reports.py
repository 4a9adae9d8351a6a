"""The notes of a series: as a view, and as a list of the report."""

from collections.abc import Sequence
from datetime import datetime
from html import escape
from typing import Final

from gossamer.audit.rule_catalogue import RULES
from gossamer.export.export_columns import moment
from gossamer.export.export_selection import Check, ExportSelection, ExportView
from gossamer.export.report_markup import Say, address, heading, html_text, section, table
from gossamer.export.sheet import Sheet
from gossamer.model.series_contents import Note, NoteSubject
from gossamer.model.settings.crawl_settings import DEFAULTS
from gossamer.model.translatable import Sentence, Translatable, said
from gossamer.store.reading.reader import Reader

_COLUMNS: Final = ("Subject", "About", "Note", "Author", "Date")
_SUBJECTS: Final[dict[NoteSubject, Sentence]] = {
    NoteSubject.SITE: "Site",
    NoteSubject.URL: "URL",
    NoteSubject.ISSUE: "Issue",
    NoteSubject.DATE: "Date",
    NoteSubject.CRAWL: "Crawl",
}
_MINUTE: Final = "%Y-%m-%d %H:%M"


def noted_about(note: Note) -> str:
    """What a note is about: a URL, an issue by its name, a day or a moment; "" for the site."""
    if note.subject is NoteSubject.ISSUE and note.about.isdecimal():
        rule = RULES.get(int(note.about))
        return note.about if rule is None else rule.full_name(DEFAULTS)
    if note.subject is NoteSubject.CRAWL:
        return _moment(float(note.about))
    return note.about


def note_list(notes: Sequence[Note], say: Say) -> str:
    """The notes as a section of the report; nothing if there are none."""
    if not notes:
        return ""
    headings = (
        heading(html_text(say, said("About")))
        + heading(html_text(say, said("Note")))
        + heading(html_text(say, said("Written")))
    )
    rows = [
        f"<tr><td>{_about(note, say)}</td><td><bdi>{escape(note.text)}</bdi></td>"
        f"<td class='muted'>{escape(note.author)} {_moment(note.created_at)}</td></tr>"
        for note in notes
    ]
    return section(html_text(say, said("Notes")), table(headings, rows))


def _about(note: Note, say: Say) -> str:
    if note.subject is NoteSubject.URL:
        return address(note.about)
    about = noted_about(note)
    subject = html_text(say, Translatable(_SUBJECTS[note.subject]))
    return f"{subject} <span class='muted'>{escape(about)}</span>" if about else subject


def _notes(reader: Reader, _selection: ExportSelection, _check: Check) -> Sheet:
    notes = reader.notes()
    rows = (
        (
            _SUBJECTS[note.subject],
            noted_about(note),
            note.text,
            note.author,
            moment(note.created_at),
        )
        for note in notes
    )
    return Sheet(_COLUMNS, rows, len(notes), is_exact=True)


def _moment(seconds: float) -> str:
    return f"{datetime.fromtimestamp(seconds).astimezone():{_MINUTE}}"


NOTES: Final = ExportView("notes", "Notes", _notes)
