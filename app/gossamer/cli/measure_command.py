"""Runs `gossamer measure`: how pages load, several times each."""

import asyncio
from typing import Final

from msgspec.structs import asdict

from gossamer.cli import EXIT_NO_ROOT
from gossamer.cli.crawl_summary import as_json
from gossamer.cli.parsed_commands import MeasureCommand
from gossamer.cli.terminal import complain, counted, printable, write_out
from gossamer.model.errors import NoBrowserError
from gossamer.model.fields.field_declaration import FieldKind
from gossamer.model.messages.page_load_messages import LoadReport, LoadRun
from gossamer.model.number_format import size
from gossamer.model.page_load_metrics import PAGE_LOAD_METRICS
from gossamer.render.browser_discovery import find_browsers
from gossamer.render.browser_installation import NO_BROWSER
from gossamer.session.page_inspection import measured_load

_LABEL: Final = 26
_COLUMN: Final = 12


def measure(command: MeasureCommand) -> int:
    """Run `gossamer measure` and return the exit code: 3 if no page could be measured."""
    if not find_browsers(command.settings.browser):
        raise NoBrowserError(NO_BROWSER)
    reports = []
    for url in command.urls:
        report = asyncio.run(measured_load(command.settings, url, command.runs))
        reports.append(report)
        if not report.runs:
            complain(f"{printable(report.url)} was not measured: {_why(report)}.")
        elif not command.json:
            write_out(_table(report))
    if command.json:
        write_out(as_json({"pages": [*map(_object, reports)]}))
    return 0 if any(report.runs for report in reports) else EXIT_NO_ROOT


def _why(report: LoadReport) -> str:
    status = report.fetched.status
    outcome = report.fetched.outcome.name.lower()
    return (
        f"the status is {status}, the outcome {outcome}" if status else f"its outcome is {outcome}"
    )


def _table(report: LoadReport) -> str:
    heads = ("median", "lowest", "highest")
    head = "".join(f"{each:>{_COLUMN}}" for each in heads) + "  rating"
    lines = [
        f"{printable(report.url)} ({counted(len(report.runs), 'run')})",
        f"  {'':<{_LABEL}}{head}",
    ]
    for each in PAGE_LOAD_METRICS:
        values = report.values(each.name)
        shown = (report.median(each.name), min(values, default=None), max(values, default=None))
        cells = "".join(f"{_text(each.kind, value):>{_COLUMN}}" for value in shown)
        rating = each.rating(report.median(each.name)) or ""
        lines.append(f"  {each.label:<{_LABEL}}{cells}  {rating}".rstrip())
    return "\n".join(lines) + "\n"


def _text(kind: FieldKind, value: float | None) -> str:
    if value is None:
        return "none"
    if kind is FieldKind.SIZE:
        return size(round(value))
    if kind is FieldKind.DECIMAL:
        return f"{value:.3f}"
    return f"{value:.0f} ms" if kind is FieldKind.DURATION else f"{value:.0f}"


def _object(report: LoadReport) -> dict[str, object]:
    return {
        "url": report.url,
        "status": report.fetched.status,
        "outcome": report.fetched.outcome.name.lower(),
        "median": {name: report.median(name) for name in LoadRun.__struct_fields__},
        "runs": [asdict(run) for run in report.runs],
    }
