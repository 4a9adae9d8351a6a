"""Runs one crawl session in the foreground until it ends or is interrupted."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import partial
from typing import Protocol

from msgspec import Struct

from gossamer.cli.interrupt_signals import Clock, calling_on_interrupt
from gossamer.cli.long_wait import LongWait
from gossamer.cli.progress_display import ProgressDisplay
from gossamer.cli.terminal import complain
from gossamer.model.crawl_state import CrawlState
from gossamer.model.errors import UsageError, cause_of
from gossamer.model.messages.crawl_messages import Progress, Trouble
from gossamer.model.translatable import Translatable
from gossamer.session.crawl_host_connection import OPENING

SLOW_S = 5.0
SAVING = "Still saving the project to a slow disk; press Ctrl+C to quit at once."
_ENDED = frozenset({CrawlState.FINISHED, CrawlState.CANCELLED})
"""The states in which a run ends; a failed crawl reports why and may be restarted."""


class RunnableSession(Protocol):
    """The part of `gossamer.session.CrawlSession` that a run needs."""

    @property
    def state(self) -> CrawlState:
        """The state of the crawl."""

    @property
    def progress(self) -> Progress:
        """The progress of the crawl."""

    @property
    def was_forced(self) -> bool:
        """Whether its process had to be ended by force."""

    async def start(self) -> None:
        """Crawl, or continue to crawl."""

    def updates(self) -> AsyncIterator[Progress | Trouble]:
        """The current progress, then updates until the session is closed."""

    async def renew_login(self) -> bool:
        """Log in again and continue; False if that is left to the user."""

    async def close(self) -> None:
        """Pause now, commit, end the process."""

    def force(self) -> None:
        """End the process at once."""


class RunResult(Struct, frozen=True):
    """How a run ended: it finished if nothing is set."""

    interrupted: bool = False
    forced: bool = False
    """Interrupted twice, or the crawl process did not end in time: it was killed."""
    trouble: Trouble | None = None
    notice: Translatable | None = None
    """Why the crawl paused by itself."""
    wants_login: bool = False
    """Whether it paused because it needs a valid login."""

    @property
    def is_finished(self) -> bool:
        """Whether it finished."""
        return self == RunResult()


async def crawl_to_end(
    session: RunnableSession,
    shown: ProgressDisplay,
    clock: Clock = time.monotonic,
    slow_s: float = SLOW_S,
    long_wait: LongWait | None = None,
) -> RunResult:
    """Crawl until the end or an interrupt, then close the session and keep its project.

    The first interrupt pauses, the second kills the crawl process. Opening or saving that takes
    `slow_s` seconds is announced; `long_wait` learns what the crawl waits for. Raises ProjectError
    or CrawlHostError if the crawl cannot start.
    """
    try:
        async with asyncio.TaskGroup() as group:
            notes = partial(long_wait.note, group=group) if long_wait else _no_note
            following = group.create_task(_follow(session, shown, slow_s, notes), name="crawl")

            def interrupt() -> None:
                if following.done():
                    session.force()
                else:
                    complain("Stopping; press Ctrl+C again to quit at once.")
                    following.cancel()

            with calling_on_interrupt(interrupt, clock):
                try:
                    await asyncio.wait({following})
                finally:
                    if long_wait is not None:
                        long_wait.end()
                    await _close(session, slow_s)
    except BaseExceptionGroup as failures:
        raise cause_of(failures) from failures
    if (trouble := session.progress.archive_trouble) is not None:
        complain(str(trouble))
    if following.cancelled():
        if (silent_after_ms := session.progress.silent_after_ms) is not None:
            complain(f"The last connection was closed after {silent_after_ms} ms.")
        return RunResult(interrupted=True, forced=session.was_forced)
    return following.result()


async def _start(session: RunnableSession, slow_s: float) -> None:
    async with _announce_if_slow(str(Translatable(OPENING)), slow_s):
        await session.start()


async def _close(session: RunnableSession, slow_s: float) -> None:
    async with _announce_if_slow(SAVING, slow_s):
        await session.close()


@asynccontextmanager
async def _announce_if_slow(sentence: str, slow_s: float) -> AsyncIterator[None]:
    """Print `sentence` if the block takes `slow_s` seconds."""

    async def announce() -> None:
        await asyncio.sleep(slow_s)
        complain(sentence)

    async with asyncio.TaskGroup() as group:
        announcement = group.create_task(announce(), name="announce what takes long")
        try:
            yield
        finally:
            announcement.cancel()


def _no_note(_: Translatable | None) -> None:
    """Nobody asks for what the crawl waits."""


async def _follow(
    session: RunnableSession,
    shown: ProgressDisplay,
    slow_s: float,
    note_wait: Callable[[Translatable | None], None],
) -> RunResult:
    """Start, and show progress until the crawl has ended, or waits for the user."""
    trouble: Trouble | None = None
    notice: Translatable | None = None
    wants_login = False
    waits_for: Translatable | None = None
    await _start(session, slow_s)
    async for news in session.updates():
        if isinstance(news, Trouble) and news.again:
            complain(str(news.sentence))
            await _start(session, slow_s)
        elif isinstance(news, Trouble):
            trouble = news
        else:
            shown.show(news)
            if news.login_url and await _is_renewed(session):
                continue
            if news.state is CrawlState.PAUSED and not news.waits:
                notice = news.notice or notice
                wants_login = bool(news.login_url)
            waits_for = _print_once(news, waits_for)
            note_wait(waits_for)
        if trouble is not None or notice or session.state in _ENDED:
            await _close(session, slow_s)  # ends the updates, after those that wait
    return RunResult(trouble=trouble, notice=notice, wants_login=wants_login)


async def _is_renewed(session: RunnableSession) -> bool:
    """Whether the crawl continues with a new login; the report may be from before that."""
    if session.state is not CrawlState.PAUSED:
        return True
    try:
        is_renewed = await session.renew_login()
    except UsageError as e:
        complain(str(e))
        return False
    if is_renewed:
        complain("The login had expired. The crawl has logged in again and goes on.")
    return is_renewed


def _print_once(news: Progress, before: Translatable | None) -> Translatable | None:
    """Report a new reason for waiting, or the resumption; return the current reason."""
    waits_for = news.notice if news.waits else None
    if waits_for and waits_for != before:
        complain(f"{waits_for} The crawl is waiting and will resume automatically.")
    elif before and not waits_for and news.state is CrawlState.RUNNING:
        complain("The crawl has resumed.")
    return waits_for
