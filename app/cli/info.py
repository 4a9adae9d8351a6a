"""What is in a project, told without crawling."""

import json
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from app.cli.invocation import Info
from app.cli.listing import settings_lines
from app.cli.report import as_json, counters, report_object
from app.cli.terminal import printable, write_out
from app.model.messages import Progress
from app.model.outcome import Outcome
from app.model.rows import Summary
from app.model.settings import encode_settings
from app.session.crawl_session import progress_of
from app.session.separation import separated
from app.store.reader import Reader


def show_info(asked: Info) -> int:
    """Carry out `gossamer info`; the exit code."""
    with Reader(asked.project) as reader:
        summary = reader.summary()
    summary = replace(summary, settings=separated(summary.settings)[0])
    progress = progress_of(summary)
    if asked.json:
        write_out(as_json(info_object(summary, progress, asked.project)))
    else:
        write_out(info_text(summary, progress, asked.project))
    return 0


def info_object(summary: Summary, progress: Progress, project: Path) -> dict[str, object]:
    """The report, and with it what only `info` tells; the keys are in docs/command-line.md."""
    return {
        **report_object(progress, summary.settings, project),
        "created": _created(summary),
        "to_do": progress.queued,
        "statuses": dict(sorted(progress.statuses.items())),
        "outcomes": {
            Outcome(outcome).name.lower(): n for outcome, n in sorted(progress.outcomes.items())
        },
        "settings": json.loads(encode_settings(summary.settings)),
    }


def info_text(summary: Summary, progress: Progress, project: Path) -> str:
    """The same for a person."""
    sections = [
        [
            f"Project: {printable(str(project.absolute()))}",
            f"Created: {_created(summary)}",
            f"State:   {progress.state}",
        ],
        ["Settings", *settings_lines(summary.settings)],
        *counters(progress),
    ]
    return "\n".join("".join(f"{line}\n" for line in section) for section in sections)


def _created(summary: Summary) -> str:
    return datetime.fromtimestamp(summary.created_at, UTC).isoformat(timespec="seconds")
