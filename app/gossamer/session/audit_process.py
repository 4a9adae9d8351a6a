"""Runs the site audit of a project in its own process."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Final

from gossamer.ipc import ChildRole
from gossamer.model.messages.audit_messages import StartAudit
from gossamer.model.messages.process_messages import ProcessStep
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.translatable import Sentence
from gossamer.session.child_task import run_child_task
from gossamer.session.snapshot_recorder import record_or_log
from gossamer.store.reading.reader import Reader

_DIED: Final[Sentence] = "The audit process exited unexpectedly; see the log, then try again."


async def audit_project(
    project: Path,
    on_step: Callable[[ProcessStep], None] = lambda _: None,
    settings: CrawlSettings | None = None,
) -> None:
    """Bring the audit of a project up to date, by the thresholds of `settings` or its own.

    If nothing has changed since the last one, no process is started. Its series keeps what was
    found; see `record_snapshot`. The project may be crawled meanwhile. Cancelled, it ends the
    process at once: what that has written is complete, rule by rule. KnownError if the project
    cannot be read or written, or the process cannot be started.
    """
    if await asyncio.to_thread(_is_current, project, settings):
        return
    start = StartAudit(str(project), settings)
    await run_child_task(ChildRole.AUDIT, project, start, on_step, _DIED)
    await asyncio.to_thread(record_or_log, project)


def _is_current(project: Path, settings: CrawlSettings | None) -> bool:
    with Reader(project) as reader:
        return reader.audit_state(settings).is_current
