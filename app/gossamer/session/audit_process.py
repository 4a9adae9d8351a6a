"""Runs the site audit of a project in a process of its own."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Final

from gossamer.ipc import ChildRole
from gossamer.ipc.child_connection import ChildProcess, adopt
from gossamer.ipc.process_start import launch
from gossamer.model.errors import CrawlHostError, ProjectError
from gossamer.model.messages.audit_messages import AuditEnded, AuditReport, AuditStep, StartAudit
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.translatable import Sentence
from gossamer.session.default_paths import crawl_log
from gossamer.session.snapshot_recorder import record_or_log
from gossamer.store.reading.reader import Reader

_DIED: Final[Sentence] = "The audit process exited unexpectedly; see the log, then try again."
_END_S: Final = 5.0


async def audit_project(
    project: Path,
    on_step: Callable[[AuditStep], None] = lambda _: None,
    settings: CrawlSettings | None = None,
) -> None:
    """Bring the audit of a project up to date, by the thresholds of `settings` or its own.

    Where nothing has changed since the last one, no process is started. Its series keeps what was
    found; see `record_snapshot`. The project may be crawled
    meanwhile. Cancelled, it ends the process at once: what that has written is complete, rule by
    rule. KnownError where the project cannot be read or written, or the process cannot be started.
    """
    if await asyncio.to_thread(_is_current, project, settings):
        return
    audit = _RunningAudit(on_step)
    child: ChildProcess[AuditReport] = await adopt(
        launch(ChildRole.AUDIT, str(crawl_log(project))),
        message_type=AuditReport,
        on_messages=audit.receive,
        on_closed=audit.close,
    )
    try:
        child.send(StartAudit(str(project), settings))
        ended = await audit.ended
    except BaseException:
        child.kill()
        raise
    finally:
        await child.end(_END_S)
    await asyncio.to_thread(record_or_log, project)
    if ended.reason is not None:
        error = ProjectError if ended.exit_code == ProjectError.exit_code else CrawlHostError
        raise error(ended.reason)


def _is_current(project: Path, settings: CrawlSettings | None) -> bool:
    with Reader(project) as reader:
        return reader.audit_state(settings).is_current


class _RunningAudit:
    """What the process reports."""

    def __init__(self, on_step: Callable[[AuditStep], None]) -> None:
        self._on_step = on_step
        self.ended: asyncio.Future[AuditEnded] = asyncio.get_running_loop().create_future()

    def receive(self, reports: list[AuditReport]) -> None:
        for report in reports:
            if isinstance(report, AuditStep):
                self._on_step(report)
            elif not self.ended.done():
                self.ended.set_result(report)

    def close(self) -> None:
        if not self.ended.done():
            self.ended.set_exception(CrawlHostError(_DIED))
