"""The parsed commands about series and notes, with values as typed."""

from pathlib import Path

from msgspec import Struct


class ListSeriesCommand(Struct, frozen=True):
    """List all series."""

    json: bool = False


class ShowSeriesCommand(Struct, frozen=True):
    """Show the crawls of the series of a project, or with an id, as typed."""

    of: str
    json: bool = False
    csv: bool = False


class RelinkSeriesCommand(Struct, frozen=True):
    """Find the projects of a series, as typed, in folders and files."""

    of: str
    places: tuple[Path, ...]


class ForgetSeriesCommand(Struct, frozen=True):
    """Forget crawls of a series, as typed: those made at `crawls`, or whose files are missing.

    With `all`, the series with everything in it.
    """

    of: str
    crawls: tuple[str, ...] = ()
    missing: bool = False
    all: bool = False


class AddNoteCommand(Struct, frozen=True):
    """Add a note to the series of a project, or with an id, as typed.

    It is about what is named, as typed, or about the site. `crawl` names the crawl of the project.
    With `force`, the URL may be one that no crawl knows.
    """

    of: str
    text: str
    url: str | None = None
    issue: str | None = None
    date: str | None = None
    crawl: bool = False
    force: bool = False


class ListNotesCommand(Struct, frozen=True):
    """List the notes of a series: all, or those about what is named."""

    of: str
    url: str | None = None
    issue: str | None = None
    date: str | None = None
    crawl: bool = False
    json: bool = False


class RemoveNoteCommand(Struct, frozen=True):
    """Remove the note with that number."""

    of: str
    number: int


OfSeries = (
    ListSeriesCommand
    | ShowSeriesCommand
    | RelinkSeriesCommand
    | ForgetSeriesCommand
    | AddNoteCommand
    | ListNotesCommand
    | RemoveNoteCommand
)
