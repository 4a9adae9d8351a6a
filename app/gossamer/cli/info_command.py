"""Runs `gossamer info`: prints what a project contains, without crawling."""

import json
from datetime import UTC, datetime
from typing import Final

from msgspec import structs

from gossamer.cli.crawl_summary import (
    as_json,
    counters,
    rendering,
    report_object,
    settings_lines,
    trap_limit,
)
from gossamer.cli.parsed_commands import InfoCommand
from gossamer.cli.project_survey import ArchiveSurvey, ProjectSurvey, survey_of
from gossamer.cli.terminal import printable, write_out
from gossamer.model.crawl_state import CrawlState
from gossamer.model.number_format import size
from gossamer.model.outcome import Outcome
from gossamer.model.settings.crawl_settings import encode_settings
from gossamer.session.diagnostics import diagnostics
from gossamer.store.reading.project_listing import ROOTS

_AT_WORK = frozenset({CrawlState.RUNNING, CrawlState.PAUSING})
_TYPES: Final = 8
"""Content types that are listed on a line."""


def show_info(command: InfoCommand) -> int:
    """Run `gossamer info` and return the exit code."""
    if command.diagnostics or command.project is None:
        lines = diagnostics(command.project).splitlines()
        write_out("".join(f"{printable(line)}\n" for line in lines))
        return 0
    found = survey_of(command.project)
    write_out(as_json(info_object(found)) if command.json else info_text(found))
    return 0


def info_object(found: ProjectSurvey) -> dict[str, object]:
    """The report plus the keys that only `info` has; see docs/command-line.md."""
    progress, summary, holder = found.as_told, found.summary, found.holder
    return {
        **report_object(progress, summary.settings, found.project, found.remarks),
        "archive": _archive_object(found.archive),
        "held_by": None
        if holder is None
        else {"process": holder.pid, "host": holder.host, "since": _moment(holder.since)},
        "shards": found.shards,
        "created": _moment(summary.created_at),
        "to_do": progress.queued,
        "statuses": dict(sorted(progress.statuses.items())),
        "outcomes": {
            Outcome(outcome).name.lower(): n for outcome, n in sorted(progress.outcomes.items())
        },
        "settings": json.loads(
            encode_settings(structs.replace(summary.settings, roots=summary.settings.roots[:ROOTS]))
        ),
    }


def info_text(found: ProjectSurvey) -> str:
    """The same for a user."""
    progress, summary, holder = found.as_told, found.summary, found.holder
    archive, remarks = found.archive, found.remarks
    state = "crawling" if progress.state in _AT_WORK else progress.state.value
    held = "" if holder is None else f" (held by {holder})"
    sections = [
        [
            f"Project: {printable(str(found.project.absolute()))}",
            *([] if found.shards is None else [f"Shards:  {found.shards}"]),
            f"Created: {_moment(summary.created_at)}",
            f"State:   {state}{held}",
            *([] if archive is None else _archive_lines(archive)),
        ],
        ["Settings", *settings_lines(summary.settings)],
        *counters(progress, remarks.warnings),
        *trap_limit(remarks),
        *rendering(remarks),
    ]
    return "\n".join("".join(f"{line}\n" for line in section) for section in sections)


def _archive_object(archive: ArchiveSurvey | None) -> dict[str, object] | None:
    if archive is None:
        return None
    return {
        "folder": str(archive.folder),
        "files": archive.files,
        "size_bytes": archive.size,
        "not_kept": dict(archive.not_kept),
        "nodes": [each._asdict() for each in archive.remote],
    }


def _archive_lines(archive: ArchiveSurvey) -> list[str]:
    folder = printable(str(archive.folder))
    files = "is not there"
    if archive.files is not None:
        files = f"{archive.files:,} files, {size(archive.size)}"
    lines = [f"{folder} ({files})"] if archive.files or not archive.remote else []
    lines += [
        f"{printable(f'{each.folder} on node {each.node}')}"
        f" ({each.files:,} files, {size(each.size_bytes)} of responses)"
        for each in archive.remote
    ]
    if archive.not_kept:
        counts = [f"{printable(name) or 'no type'} ({n:,})" for name, n in archive.not_kept.items()]
        most = counts[:_TYPES] if len(counts) <= _TYPES else [*counts[:_TYPES], "..."]
        lines.append(f"not kept: {', '.join(most)}")
    return [f"Archive: {lines[0]}", *(f"         {line}" for line in lines[1:])]


def _moment(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds")
