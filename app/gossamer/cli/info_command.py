"""Runs `gossamer info`: prints what a project contains, without crawling."""

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from types import MappingProxyType
from typing import Final, NamedTuple

from msgspec import structs

from gossamer.archive.archive_repair import file_sizes
from gossamer.cli.crawl_summary import (
    SummaryNotes,
    as_json,
    counters,
    remarks_on,
    rendering,
    report_object,
    settings_lines,
    trap_limit,
)
from gossamer.cli.parsed_commands import InfoCommand
from gossamer.cli.terminal import printable, write_out
from gossamer.model.archive_record import archive_folder
from gossamer.model.crawl_progress import progress_of
from gossamer.model.crawl_state import CrawlState
from gossamer.model.lock_owner import LockOwner
from gossamer.model.messages.crawl_messages import Progress
from gossamer.model.number_format import size
from gossamer.model.outcome import Outcome
from gossamer.model.settings.crawl_settings import encode_settings
from gossamer.model.store_batch import ProjectSummary
from gossamer.session.crawl_secrets import separated
from gossamer.session.diagnostics import diagnostics
from gossamer.session.root_responses import as_told, failure_of, read_roots
from gossamer.store.locking.file_identity import file_of
from gossamer.store.project import check
from gossamer.store.reading.archive_reader import RemoteArchive
from gossamer.store.reading.project_listing import ROOTS
from gossamer.store.reading.reader import Reader
from gossamer.store.writer_lock import holder_of

_AT_WORK = frozenset({CrawlState.RUNNING, CrawlState.PAUSING})
_TYPES: Final = 8
"""Content types that are listed on a line."""


def show_info(command: InfoCommand) -> int:
    """Run `gossamer info` and return the exit code."""
    if command.diagnostics or command.project is None:
        lines = diagnostics(command.project).splitlines()
        write_out("".join(f"{printable(line)}\n" for line in lines))
        return 0
    check(command.project)
    with Reader(command.project) as reader:
        summary = reader.summary()
        remarks = remarks_on(reader)
        any_root = failure_of(read_roots(reader)) is None
        archive = _archive_at(command.project, reader) if summary.settings.archive else None
    summary = structs.replace(summary, settings=separated(summary.settings)[0])
    holder = holder_of(command.project)
    progress = as_told(progress_of(summary), any_root=any_root)
    if holder is not None:  # what the file says is so
        progress = structs.replace(progress, state=summary.state)
    if command.json:
        found = info_object(summary, progress, command.project, holder, remarks, archive)
        write_out(as_json(found))
    else:
        write_out(info_text(summary, progress, command.project, holder, remarks, archive))
    return 0


def info_object(
    summary: ProjectSummary,
    progress: Progress,
    project: Path,
    holder: LockOwner | None,
    remarks: SummaryNotes,
    archive: "_Archive | None" = None,
) -> dict[str, object]:
    """The report plus the keys that only `info` has; see docs/command-line.md."""
    return {
        **report_object(progress, summary.settings, project, remarks),
        "archive": _archive_object(archive),
        "held_by": None
        if holder is None
        else {"process": holder.pid, "host": holder.host, "since": _moment(holder.since)},
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


def info_text(
    summary: ProjectSummary,
    progress: Progress,
    project: Path,
    holder: LockOwner | None,
    remarks: SummaryNotes,
    archive: "_Archive | None" = None,
) -> str:
    """The same for a person."""
    state = "crawling" if progress.state in _AT_WORK else progress.state.value
    held = "" if holder is None else f" (held by {holder})"
    sections = [
        [
            f"Project: {printable(str(project.absolute()))}",
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


class _Archive(NamedTuple):
    folder: Path
    files: int | None
    """None if the folder cannot be read."""
    size: int = 0
    not_kept: Mapping[str, int] = MappingProxyType({})
    """By content type, URLs with a good response that it does not have."""
    remote: tuple[RemoteArchive, ...] = ()


def _archive_at(project: Path, reader: Reader) -> _Archive:
    remote = tuple(reader.remote_archives())
    folder = archive_folder(file_of(project))
    try:
        sizes = file_sizes(folder)
    except OSError:
        return _Archive(folder, None, remote=remote)
    return _Archive(folder, len(sizes), sum(sizes.values()), reader.unarchived_types(), remote)


def _archive_object(archive: _Archive | None) -> dict[str, object] | None:
    if archive is None:
        return None
    return {
        "folder": str(archive.folder),
        "files": archive.files,
        "size_bytes": archive.size,
        "not_kept": dict(archive.not_kept),
        "nodes": [each._asdict() for each in archive.remote],
    }


def _archive_lines(archive: _Archive) -> list[str]:
    folder = printable(str(archive.folder))
    files = "is not there"
    if archive.files is not None:
        files = f"{archive.files:,} files, {size(archive.size)}"
    lines = [f"{folder} ({files})"] if archive.files or not archive.remote else []
    lines += [
        f"{printable(f'{each.folder} on node {each.node}')}"
        f" ({each.files:,} files, {size(each.size_bytes)} of answers)"
        for each in archive.remote
    ]
    if archive.not_kept:
        counts = [f"{printable(name) or 'no type'} ({n:,})" for name, n in archive.not_kept.items()]
        most = counts[:_TYPES] if len(counts) <= _TYPES else [*counts[:_TYPES], "..."]
        lines.append(f"not kept: {', '.join(most)}")
    return [f"Archive: {lines[0]}", *(f"         {line}" for line in lines[1:])]


def _moment(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds")
