"""Runs one task in a child process, and waits for its end."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Final

from msgspec import Struct

from gossamer.ipc import ChildRole
from gossamer.ipc.child_connection import ChildProcess, adopt
from gossamer.ipc.process_start import launch
from gossamer.model.errors import CrawlHostError, KnownError, OutputError, ProjectError
from gossamer.model.messages.process_messages import ProcessEnded, ProcessReport, ProcessStep
from gossamer.model.translatable import Sentence
from gossamer.session.default_paths import crawl_log
from gossamer.session.process_end_log import ProcessEnd, log_end

_END_S: Final = 5.0
_ERRORS: Final = {each.exit_code: each for each in (KnownError, OutputError, ProjectError)}


async def run_child_task(
    role: ChildRole,
    project: Path,
    start: Struct,
    on_step: Callable[[ProcessStep], None],
    died: Sentence,
) -> None:
    """Run the task `start` in a process of `role`; it logs as `project` does.

    Cancelling ends the process at once. KnownError if the task fails, with the sentence `died` if
    the process ends without a report.
    """
    task, log = _RunningTask(on_step, died), crawl_log(project)
    child: ChildProcess[ProcessReport] = await adopt(
        launch(role, str(log)),
        message_type=ProcessReport,
        on_messages=task.receive,
        on_closed=task.close,
    )
    try:
        child.send(start)
        ended = await task.ended
    except BaseException:
        child.kill()
        raise
    finally:
        code = await child.end(_END_S)
        if task.has_died:
            end = ProcessEnd(role, child.pid, code)
            await asyncio.to_thread(log_end, log, end)
    if ended.reason is not None:
        raise _ERRORS.get(ended.exit_code, CrawlHostError)(ended.reason)


class _RunningTask:
    """The reports of the process."""

    def __init__(self, on_step: Callable[[ProcessStep], None], died: Sentence) -> None:
        self._on_step = on_step
        self._died = died
        self.has_died = False
        """Whether the process has ended without a report."""
        self.ended: asyncio.Future[ProcessEnded] = asyncio.get_running_loop().create_future()

    def receive(self, reports: list[ProcessReport]) -> None:
        for report in reports:
            if isinstance(report, ProcessStep):
                self._on_step(report)
            elif not self.ended.done():
                self.ended.set_result(report)

    def close(self) -> None:
        if not self.ended.done():
            self.has_died = True
            self.ended.set_exception(CrawlHostError(self._died))
