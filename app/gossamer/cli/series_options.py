"""Declares `gossamer series` and `gossamer note` for typer."""

from pathlib import Path
from typing import Annotated, TypeAlias

import typer

from gossamer.cli.command_group import command_group
from gossamer.cli.parsed_series_commands import (
    AddNoteCommand,
    ForgetSeriesCommand,
    ListNotesCommand,
    ListSeriesCommand,
    RelinkSeriesCommand,
    RemoveNoteCommand,
    ShowSeriesCommand,
)
from gossamer.model.errors import UsageError

series = command_group("series", "List the series: the crawls of one site over time.")
note = command_group("note", "Keep notes about a site, its URLs, issues, dates and crawls.")

_Series: TypeAlias = Annotated[
    str,
    typer.Argument(
        metavar="FILE|ID", help="A project of the series, or the first characters of its id."
    ),
]
_Json: TypeAlias = Annotated[
    bool, typer.Option("--json", help="Print JSON instead of text.", show_default=False)
]
_Url: TypeAlias = Annotated[str | None, typer.Option("--url", metavar="URL", help="About a URL.")]
_Issue: TypeAlias = Annotated[
    str | None,
    typer.Option("--issue", metavar="ISSUE", help="About an issue such as 'H1: Missing'."),
]
_Date: TypeAlias = Annotated[
    str | None, typer.Option("--date", metavar="DATE", help="About a day, such as 2026-11-23.")
]
_Crawl: TypeAlias = Annotated[
    bool, typer.Option("--crawl", help="About the crawl in FILE.", show_default=False)
]


@series.command("list")
def list_series(json: _Json = False) -> ListSeriesCommand:
    """List all series, the latest first."""
    return ListSeriesCommand(json)


@series.command("show")
def show_series(
    of: _Series,
    *,
    json: _Json = False,
    csv: Annotated[
        bool, typer.Option("--csv", help="Print CSV instead of text.", show_default=False)
    ] = False,
) -> ShowSeriesCommand:
    """Show the crawls of a series: date, pages, errors, issues, response time."""
    if json and csv:
        raise UsageError("Choose --json or --csv, not both.")
    return ShowSeriesCommand(of, json, csv)


@series.command("relink")
def relink_series(
    of: _Series,
    places: Annotated[
        list[Path], typer.Argument(metavar="PATH...", help="Folders to look in, or projects.")
    ],
) -> RelinkSeriesCommand:
    """Find projects that were moved or renamed."""
    return RelinkSeriesCommand(of, tuple(places))


@series.command("forget")
def forget_series(
    of: _Series,
    *,
    crawl: Annotated[
        list[str] | None,
        typer.Option(
            "--crawl",
            metavar="TIME",
            help="The crawl of that day or time, as 'series show' shows it; repeatable.",
        ),
    ] = None,
    missing: Annotated[
        bool,
        typer.Option("--missing", help="All crawls whose files are missing.", show_default=False),
    ] = False,
    all_: Annotated[
        bool,
        typer.Option("--all", help="The series with its notes and filters.", show_default=False),
    ] = False,
) -> ForgetSeriesCommand:
    """Forget the figures of crawls whose projects are gone, or a whole series."""
    if sum((bool(crawl), missing, all_)) != 1:
        raise UsageError("Say what to forget: --crawl TIME, --missing or --all.")
    return ForgetSeriesCommand(of, tuple(crawl or ()), missing, all_)


@note.command("add")
def add_note(
    of: _Series,
    text: Annotated[str, typer.Argument(metavar="TEXT", help="The note.")],
    *,
    url: _Url = None,
    issue: _Issue = None,
    date: _Date = None,
    crawl: _Crawl = False,
    force: Annotated[
        bool,
        typer.Option("--force", help="About a URL that no crawl knows, too.", show_default=False),
    ] = False,
) -> AddNoteCommand:
    """Add a note; about the site as a whole unless you say about what."""
    _ensure_one_subject(url, issue, date, crawl or None)
    if force and url is None:
        raise UsageError("--force goes with --url.")
    return AddNoteCommand(of, text, url, issue, date, crawl, force)


@note.command("list")
def list_notes(
    of: _Series,
    *,
    url: _Url = None,
    issue: _Issue = None,
    date: _Date = None,
    crawl: _Crawl = False,
    json: _Json = False,
) -> ListNotesCommand:
    """List the notes of a series, the oldest first."""
    _ensure_one_subject(url, issue, date, crawl or None)
    return ListNotesCommand(of, url, issue, date, crawl, json)


@note.command("remove")
def remove_note(
    of: _Series,
    number: Annotated[
        int, typer.Argument(metavar="NUMBER", help="Its number, as 'note list' shows it.")
    ],
) -> RemoveNoteCommand:
    """Remove a note."""
    return RemoveNoteCommand(of, number)


def _ensure_one_subject(*subjects: object) -> None:
    if sum(each is not None for each in subjects) > 1:
        raise UsageError("A note is about one thing: choose --url, --issue, --date or --crawl.")
