"""A child process that does one thing on a thread, reports how far it has come, and ends."""

import asyncio
import logging
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Final, Generic, TypeVar

from gossamer.ipc.channel import Channel
from gossamer.ipc.child_connection import connect_to_parent
from gossamer.ipc.child_log import log_to
from gossamer.model.errors import KnownError
from gossamer.model.messages.process_messages import ProcessEnded, ProcessReport, ProcessStep
from gossamer.model.translatable import Sentence, Translatable

_PAUSE_S: Final = 0.1
"""Pause between two reports of the same stage."""
_GOODBYE_S: Final = 2.0
_log = logging.getLogger(__name__)
_Start = TypeVar("_Start")


class TaskDefinition(Generic[_Start]):
    """What a process does: `start` is the type of its message, `cancelled` how it gives up.

    `work` blocks. It gets the message, a function to report each step, and one that says whether it
    is cancelled.
    """

    def __init__(
        self,
        start: type[_Start],
        work: Callable[[_Start, Callable[[ProcessStep], None], Callable[[], bool]], None],
        cancelled: type[Exception],
        unforeseen: Sentence,
    ) -> None:
        self.start = start
        self.work = work
        self.cancelled = cancelled
        self.unforeseen = unforeseen


class ThreadTask(Generic[_Start]):
    """Runs a task on a thread, so that the loop notices when the shell is gone."""

    def __init__(self, task: TaskDefinition[_Start]) -> None:
        """Wait for the message that says what to do."""
        self._task = task
        self._start: asyncio.Future[_Start] = asyncio.get_running_loop().create_future()
        self._cancelled = threading.Event()
        self._reported_s = 0.0
        self._stage = ""

    def receive(self, messages: list[_Start]) -> None:
        """Take the message."""
        if not self._start.done():
            self._start.set_result(messages[0])

    def cancel(self) -> None:
        """End soon: nobody waits for the results."""
        self._cancelled.set()
        self._start.cancel()

    async def serve(self, channel: Channel[_Start]) -> int:
        """Run the task, and report to the shell; returns the exit code of the process."""
        with suppress(asyncio.CancelledError):
            ended = await self._ended(await self._start, channel)
            if ended is not None:
                channel.send(ended)
        return 0

    async def _ended(self, start: _Start, channel: Channel[_Start]) -> ProcessEnded | None:
        """The last report; None if it was cancelled."""
        loop = asyncio.get_running_loop()

        def report(step: ProcessStep) -> None:
            if self._is_due(step):
                loop.call_soon_threadsafe(_send, channel, step)

        try:
            await asyncio.to_thread(self._task.work, start, report, self._cancelled.is_set)
        except self._task.cancelled:
            return None
        except KnownError as e:
            return ProcessEnded(e.said, e.exit_code)
        except Exception:  # noqa: BLE001 - the last line of defence: log it, tell the user
            _log.exception("failed")
            return ProcessEnded(Translatable(self._task.unforeseen), 1)
        return ProcessEnded()

    def _is_due(self, step: ProcessStep) -> bool:
        now_s = time.monotonic()
        if step.stage == self._stage and now_s < self._reported_s + _PAUSE_S:
            return False
        self._stage, self._reported_s = step.stage, now_s
        return True


def _send(channel: Channel[_Start], report: ProcessReport) -> None:
    if not channel.congested:
        channel.send(report)


async def serve_task(task: TaskDefinition[_Start], log: str) -> int:
    """Serve the process that started this one; write to the file `log`."""
    log_to(log)
    running = ThreadTask(task)
    channel: Channel[_Start] = await connect_to_parent(task.start, running.receive, running.cancel)
    try:
        return await running.serve(channel)
    finally:
        channel.close()
        with suppress(TimeoutError):
            async with asyncio.timeout(_GOODBYE_S):
                await channel.wait_closed()
