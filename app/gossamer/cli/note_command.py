"""Runs `gossamer note`: adds, lists and removes notes of a series."""

from collections.abc import Sequence
from pathlib import Path

from gossamer.cli.crawl_summary import as_json
from gossamer.cli.parsed_series_commands import AddNoteCommand, ListNotesCommand, RemoveNoteCommand
from gossamer.cli.series_command import issue_name, moment, note_object, opened_series
from gossamer.cli.terminal import printable, remark, write_out
from gossamer.cli.where_option import rule_number
from gossamer.model.errors import UsageError
from gossamer.model.series_contents import Note, NoteSubject
from gossamer.model.settings.crawl_settings import DEFAULTS
from gossamer.session.known_urls import ensure_known
from gossamer.session.series import identity_of, write_note
from gossamer.urls.url_parsing import parse_root


def add_note(command: AddNoteCommand) -> int:
    """Run `gossamer note add` and return the exit code."""
    series = opened_series(command.of)
    subject, about = _subject(command) or (NoteSubject.SITE, "")
    if subject is NoteSubject.URL and not command.force:
        ensure_known(series, about)
    kept = write_note(series, Note(text=command.text, subject=subject, about=about))
    remark(f"Added note {kept.id}")
    return 0


def list_notes(command: ListNotesCommand) -> int:
    """Run `gossamer note list` and return the exit code."""
    series = opened_series(command.of)
    asked = _subject(command)
    notes = series.notes(*asked) if asked else series.notes()
    if command.json:
        write_out(as_json({"notes": [note_object(note) for note in notes]}))
    else:
        write_out("".join(f"{line}\n" for line in _lines(notes)))
    return 0


def remove_note(command: RemoveNoteCommand) -> int:
    """Run `gossamer note remove` and return the exit code."""
    opened_series(command.of).remove_note(command.number)
    return 0


def _subject(command: AddNoteCommand | ListNotesCommand) -> tuple[NoteSubject, str] | None:
    """The subject of a note by the options; None if nothing was named."""
    if command.url is not None:
        return NoteSubject.URL, parse_root(command.url, hash_routes=True)
    if command.issue is not None:
        return NoteSubject.ISSUE, str(rule_number(command.issue, DEFAULTS))
    if command.date is not None:
        return NoteSubject.DATE, Note(
            text="-", subject=NoteSubject.DATE, about=command.date
        ).checked().about
    if command.crawl:
        path = Path(command.of)
        if not path.exists():
            raise UsageError("Name the project file of the crawl that the note is about.")
        return NoteSubject.CRAWL, identity_of(path)
    return None


def _lines(notes: Sequence[Note]) -> list[str]:
    return [
        printable(
            f"{note.id:>4}  {moment(note.created_at)}  {note.author}  {_about(note)}  "
            f"{' '.join(note.text.split())}"
        )
        for note in notes
    ]


def _about(note: Note) -> str:
    if note.subject is NoteSubject.ISSUE:
        return issue_name(note.about)
    if note.subject is NoteSubject.CRAWL:
        return f"crawl of {moment(float(note.about))}"
    return note.about or "site"
