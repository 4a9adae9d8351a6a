"""The process that executes one query and ends: it reads on a thread, sends rows on request."""

import asyncio
import logging
import threading
import time
from contextlib import suppress
from typing import Final

from gossamer.ipc.channel import Channel
from gossamer.ipc.child_connection import connect_to_parent
from gossamer.ipc.child_log import log_to
from gossamer.model.errors import KnownError
from gossamer.model.messages.query_messages import (
    NextRows,
    QueryColumns,
    QueryCommand,
    QueryEnded,
    QueryReport,
    StartQuery,
)
from gossamer.model.translatable import Sentence, Translatable
from gossamer.sql_console.process_limits import limit_process
from gossamer.sql_console.query_execution import batches, executed_query
from gossamer.store.sql_console.query_connection import QueryCancelled, too_slow

AHEAD: Final = 4
"""Batches that are sent before the shell has received the first of them."""
_GOODBYE_S: Final = 2.0
_UNFORESEEN: Final[Sentence] = (
    "The query failed unexpectedly; see the log for details, and please report it."
)
_log = logging.getLogger(__name__)


class _QueryService:
    """One query, from the message that starts it to its last row."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._start: asyncio.Future[StartQuery] = self._loop.create_future()
        self._room = threading.Semaphore(AHEAD)
        self._cancelled = threading.Event()

    def receive(self, messages: list[QueryCommand]) -> None:
        for message in messages:
            if isinstance(message, NextRows):
                self._room.release()
            elif not self._start.done():
                self._start.set_result(message)

    def cancel(self) -> None:
        """End soon: the rows are no longer wanted."""
        self._cancelled.set()
        self._room.release()
        self._start.cancel()

    async def serve(self, channel: Channel[QueryCommand]) -> None:
        with suppress(asyncio.CancelledError):
            start = await self._start
            limit_process(start.limits)
            ended = await asyncio.to_thread(self._ended, start, channel)
            if ended is not None:
                channel.send(ended)

    def _ended(self, start: StartQuery, channel: Channel[QueryCommand]) -> QueryEnded | None:
        """Read and send all rows; returns how it ended, None if nobody waits."""
        began_s = time.monotonic()
        try:
            self._read(start, channel)
        except QueryCancelled:
            return None
        except KnownError as e:
            return QueryEnded(e.said, e.exit_code)
        except Exception:  # noqa: BLE001 - the last line of defence: log it, tell the user
            _log.exception("failed")
            return QueryEnded(Translatable(_UNFORESEEN), 1)
        return QueryEnded(seconds=time.monotonic() - began_s)

    def _read(self, start: StartQuery, channel: Channel[QueryCommand]) -> None:
        def send(report: QueryReport) -> None:
            self._loop.call_soon_threadsafe(channel.send, report)

        with executed_query(start, self._cancelled.is_set) as result:
            send(QueryColumns(result.columns, result.is_current))
            for batch in batches(result.rows):
                self._wait_for_room(start)
                send(batch)

    def _wait_for_room(self, start: StartQuery) -> None:
        """Wait until the shell has received earlier rows; it may be slow, but not for ever."""
        if not self._room.acquire(timeout=start.limits.time_s):
            raise too_slow(start.limits)
        if self._cancelled.is_set():
            raise QueryCancelled


async def main(log: str) -> int:
    """Serve the process that started this one; write to the file `log`."""
    log_to(log)
    service = _QueryService()
    channel: Channel[QueryCommand] = await connect_to_parent(
        QueryCommand, service.receive, service.cancel
    )
    try:
        await service.serve(channel)
    finally:
        channel.close()
        with suppress(TimeoutError):
            async with asyncio.timeout(_GOODBYE_S):
                await channel.wait_closed()
    return 0
