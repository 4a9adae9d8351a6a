"""The terminal, or the log of a timer, as the shell of a scheduled run."""

import asyncio
import os
from collections.abc import Coroutine
from contextlib import suppress
from datetime import datetime

from gossamer.cli import EXIT_INTERRUPTED
from gossamer.cli.foreground_crawl import crawl_to_end
from gossamer.cli.interrupt_signals import calling_on_interrupt
from gossamer.cli.long_wait import LongWait
from gossamer.cli.progress_display import display
from gossamer.cli.terminal import printable, remark
from gossamer.ipc.log_file import opened_log, rotate
from gossamer.model.translatable import Translatable
from gossamer.notifying.conditions import EndKind
from gossamer.notifying.crawl_notification import CrawlEnd, tell_about
from gossamer.scheduling.scheduled_run import CrawlEnding
from gossamer.session.crawl_session import CrawlSession
from gossamer.session.default_paths import schedule_log


class ForegroundScheduledRun:
    """Shows progress, and writes messages to standard error and the schedule's log."""

    def __init__(self, name: str, *, quiet: bool) -> None:
        """`name` is the schedule's; with `quiet`, no progress is shown."""
        self._name = name
        self._quiet = quiet

    async def crawl(self, session: CrawlSession) -> CrawlEnding:
        """Crawl to the end, or until an interrupt pauses it."""

        async def report(reason: Translatable) -> None:
            self.tell(reason)  # to the log: nobody may see standard error
            told = await tell_about(CrawlEnd(session.path, EndKind.PAUSED, reason))
            for sentence in told.sentences():
                self.tell(sentence)

        with display(quiet=self._quiet) as shown:
            result = await crawl_to_end(session, shown, long_wait=LongWait(report))
        if result.trouble is not None:
            return CrawlEnding(failure=result.trouble.sentence, exit_code=result.trouble.exit_code)
        if result.notice is not None:
            return CrawlEnding(failure=result.notice, exit_code=EXIT_INTERRUPTED)
        if result.interrupted:
            return CrawlEnding(is_interrupted=True)
        return CrawlEnding()

    async def complete(self, step: Coroutine[None, None, None]) -> bool:
        """Carry out a step; on an interrupt, cancel it and return False."""
        async with asyncio.TaskGroup() as group:
            task = group.create_task(_outcome(step), name=f"step of schedule {self._name}")

            def interrupt() -> None:
                task.cancel()

            with calling_on_interrupt(interrupt):
                await asyncio.wait({task})
        if task.cancelled():
            return False
        if (error := task.result()) is not None:
            raise error
        return True

    def tell(self, sentence: Translatable) -> None:
        """Write a sentence to standard error, and with the time to the log."""
        remark(f"{self._name}: {sentence}")
        now = datetime.now().astimezone().isoformat(sep=" ", timespec="seconds")
        with suppress(OSError):  # a run without its log is still a run
            log = schedule_log(self._name)
            rotate(log)
            with os.fdopen(opened_log(log), "a", encoding="utf-8", errors="replace") as file:
                file.write(f"{now} {printable(str(sentence))}\n")


async def _outcome(step: Coroutine[None, None, None]) -> Exception | None:
    """The exception of a step: the group that owns its task would wrap it."""
    try:
        await step
    except Exception as e:  # noqa: BLE001 - handed on to whoever waits for the step
        return e
    return None
