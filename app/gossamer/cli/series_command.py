"""Runs `gossamer series`: lists the series, shows the crawls of one."""

import sys
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, NamedTuple

from gossamer.audit.rule_catalogue import RULES
from gossamer.cli.crawl_summary import as_json
from gossamer.cli.parsed_series_commands import ListSeriesCommand, ShowSeriesCommand
from gossamer.cli.terminal import counted, printable, remark, write_out, writing_out
from gossamer.export.csv_format import write_csv
from gossamer.export.output_files import OutputStream
from gossamer.export.sheet import Cell, FormatOptions, Sheet
from gossamer.model.errors import ProjectError
from gossamer.model.number_format import number
from gossamer.model.series_contents import CrawlSnapshot, Note
from gossamer.model.settings.crawl_settings import DEFAULTS
from gossamer.session.project_locations import ProjectLocation, find_moved, location_of, missing
from gossamer.session.series import Series, all_series, series_named


class _Column(NamedTuple):
    """A column of the table of crawls: its heading, its key in JSON, its value."""

    heading: str
    key: str
    value: Callable[[CrawlSnapshot], Cell]


_COLUMNS: Final = (
    _Column("Crawled", "created", lambda each: moment(each.created_at)),
    _Column("State", "state", lambda each: each.state.value),
    _Column("URLs", "urls", lambda each: each.urls),
    _Column("Pages", "pages", lambda each: each.pages),
    _Column("Redirects", "redirects", lambda each: each.redirects),
    _Column("Errors", "errors", lambda each: each.errors),
    _Column("High", "high", lambda each: each.high),
    _Column("Medium", "medium", lambda each: each.medium),
    _Column("Low", "low", lambda each: each.low),
    _Column("Median ms", "median_ms", lambda each: each.median_ms),
    _Column("90 % ms", "p90_ms", lambda each: each.p90_ms),
    _Column("Audited", "audited", lambda each: "yes" if each.audited else "no"),
    _Column("Project", "project", lambda each: each.project),
)
_SHOWN: Final = tuple(each for each in _COLUMNS if each.key not in {"redirects", "project"})
"""What fits on a line, before the project."""

_RELINK: Final = (
    "Files are missing: 'gossamer series relink {id} FOLDER' finds those that were moved, "
    "'gossamer series forget {id} --missing' forgets those that are gone."
)


def list_series(command: ListSeriesCommand) -> int:
    """Run `gossamer series list` and return the exit code."""
    found = [(each, _crawls_of(each)) for each in all_series()]
    told = [(series, crawls) for series, crawls in found if crawls]
    if command.json:
        write_out(as_json({"series": [_listed(*each) for each in told]}))
        return 0
    for series, crawls in told:
        first, last = moment(crawls[0].created_at)[:10], moment(crawls[-1].created_at)[:10]
        days = first if first == last else f"{first} to {last}"
        gone = len(missing(crawls))
        lost = f" ({counted(gone, 'file')} missing)" if gone else ""
        number_ = f"{counted(len(crawls), 'crawl')}{lost}"
        line = f"{series.id[:8]}  {number_}  {days}  {crawls[-1].root}"
        write_out(f"{printable(line)}\n")
    return 0


def _crawls_of(series: Series) -> list[CrawlSnapshot]:
    """Its crawls; none if its file is being removed."""
    try:
        return series.crawls()
    except ProjectError:
        if series.path.exists():
            raise
        return []


def show_series(command: ShowSeriesCommand) -> int:
    """Run `gossamer series show` and return the exit code."""
    series = opened_series(command.of)
    find_moved(series, of_project(command.of))
    crawls = series.crawls()
    if command.csv:
        rows = (tuple(each.value(crawl) for each in _COLUMNS) for crawl in crawls)
        sheet = Sheet(tuple(each.heading for each in _COLUMNS), rows, len(crawls))
        with writing_out():
            sys.stdout.flush()
            write_csv(OutputStream(Path("-"), sys.stdout.buffer), sheet, FormatOptions())
    elif command.json:
        write_out(as_json(_object(series, crawls)))
    else:
        write_out(_text(series, crawls))
    return 0


def opened_series(of: str) -> Series:
    """The series of a project or with an id; reports if its file had to be repaired."""
    series = series_named(of)
    if series.repaired is not None:
        remark(str(series.repaired))
    return series


def of_project(text: str) -> Path | None:
    """The project that names a series, None if its id does."""
    path = Path(text)
    return path if path.exists() else None


def moment(seconds: float) -> str:
    """A time for people, in the time zone of the computer."""
    return f"{datetime.fromtimestamp(seconds).astimezone():%Y-%m-%d %H:%M}"


def note_object(note: Note) -> dict[str, object]:
    """A note as an object of JSON."""
    return {
        "number": note.id,
        "subject": note.subject.value,
        "about": note.about,
        "text": note.text,
        "by": note.author,
        "at": utc(note.created_at),
    }


def utc(seconds: float) -> str:
    """A time for JSON."""
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds")


def _listed(series: Series, crawls: Sequence[CrawlSnapshot]) -> dict[str, object]:
    return {
        "id": series.id,
        "root": crawls[-1].root,
        "crawls": len(crawls),
        "missing": len(missing(crawls)),
        "first": utc(crawls[0].created_at),
        "last": utc(crawls[-1].created_at),
        "file": str(series.path),
    }


def _object(series: Series, crawls: Sequence[CrawlSnapshot]) -> dict[str, object]:
    values = {each.key: each.value for each in _COLUMNS if each.key not in {"created", "audited"}}
    issues = series.issues_of_crawls()
    return {
        "id": series.id,
        "crawls": [
            {
                "created": utc(crawl.created_at),
                "ended": utc(crawl.ended_at),
                **{key: value(crawl) for key, value in values.items()},
                "root": crawl.root,
                "seconds": crawl.seconds,
                "audited": crawl.audited,
                "exists": location_of(crawl) is ProjectLocation.HERE,
                "place": location_of(crawl).value,
                "issues": {
                    issue_name(str(rule)): urls
                    for rule, urls in issues.get(crawl.created_at, {}).items()
                },
            }
            for crawl in crawls
        ],
        "notes": [note_object(note) for note in series.notes()],
    }


def issue_name(number_: str) -> str:
    """The full name of the rule with this number; the number if there is none any more."""
    rule = RULES.get(int(number_)) if number_.isdecimal() else None
    return number_ if rule is None else rule.full_name(DEFAULTS)


def _text(series: Series, crawls: Sequence[CrawlSnapshot]) -> str:
    rows = [tuple(each.heading for each in _SHOWN)]
    rows += [tuple(_cell(each.value(crawl)) for each in _SHOWN) for crawl in crawls]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    places = ["Project", *(_place(crawl) for crawl in crawls)]
    lines = [
        f"{_aligned(row, widths)}  {printable(place)}"
        for row, place in zip(rows, places, strict=True)
    ]
    total = f"{counted(len(crawls), 'crawl')}, {counted(len(series.notes()), 'note')}."
    hints = [_RELINK.format(id=series.id[:8])] if missing(crawls) else []
    return "".join(f"{line}\n" for line in [*lines, "", total, *hints, f"Series: {series.id}"])


def _place(crawl: CrawlSnapshot) -> str:
    where = location_of(crawl)
    if where is ProjectLocation.HERE:
        return crawl.project
    return f"({where})" if where is ProjectLocation.REMOVED else f"({where}) {crawl.project}"


def _cell(value: Cell) -> str:
    return number(value) if isinstance(value, int) else str(value or "")


def _aligned(row: Sequence[str], widths: Sequence[int]) -> str:
    """Texts to the left, numbers to the right."""
    cells = zip(row, widths, range(len(row)), strict=True)
    return "  ".join(f"{c:{w}}" if at in _TEXTS else f"{c:>{w}}" for c, w, at in cells)


_TEXTS: Final = {at for at, each in enumerate(_SHOWN) if each.key in {"created", "state"}}
