"""The reports of a node to its coordinator, gathered so that one call carries many."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from typing import Final, TypeAlias

from gossamer.cluster.archive_tail import FileGrowth
from gossamer.model.messages.node_messages import FromWorker, NodeReport

GATHER_S: Final = 0.03
"""How long a call gathers. The coordinator makes the next one 20 ms later (`node_link`), which is
time to decide what takes the place of the results: jobs and results make one round, not two."""
MOST_BYTES: Final = 32 * 1024 * 1024
"""Bytes of results in one reply, unless the first is larger. The next call gets the others."""

ARCHIVE_BYTES: Final = 2 * 1024 * 1024
"""Bytes of archives in one reply: 40 MB a second, and a reply that a line of 7 Mbit/s delivers
before the node is taken for lost."""
Gathered: TypeAlias = NodeReport | FileGrowth


async def _nothing_unread() -> None:
    """Workers are read from all the time."""


class ReportQueue:
    """The reports that no call has returned yet.

    Growth of archives stays on the disk until it is sent; whatever came after it waits.
    """

    def __init__(self, read_arrived: Callable[[], Awaitable[None]] = _nothing_unread) -> None:
        """Begin without any. `read_arrived` adds what workers have sent and nobody has read."""
        self._read_arrived = read_arrived
        self._reports: list[Gathered] = []
        self._has_news = asyncio.Event()

    def add(self, report: Gathered) -> None:
        """Add a report for the next call; a worker's start or end ends the waiting call at once."""
        self._reports.append(report)
        if not isinstance(report, FromWorker | FileGrowth):
            self._has_news.set()

    async def gathered(self) -> list[NodeReport]:
        """The reports after `GATHER_S`, as many as one reply has room for.

        OSError if the file of an archive cannot be read.
        """
        await self._read_arrived()  # twice, as the system has no room for much more
        with suppress(TimeoutError):
            async with asyncio.timeout(GATHER_S):
                await self._has_news.wait()
        await self._read_arrived()
        self._has_news.clear()
        taken = self._taken()
        if any(isinstance(each, FileGrowth) for each in taken):
            return await asyncio.to_thread(_read, taken)
        return _read(taken)

    def _taken(self) -> list[Gathered]:
        size = count = 0
        room = ARCHIVE_BYTES
        for report in self._reports:
            if isinstance(report, FileGrowth):
                first, rest = report.split(room)
                if rest is not None:
                    self._reports[count : count + 1] = [first, rest] if room else [rest]
                    count += bool(room)
                    break
                room -= first.length
            elif isinstance(report, FromWorker):
                size += len(report.messages)
                if count and size > MOST_BYTES:
                    break
            count += 1
        taken = self._reports[:count]
        del self._reports[:count]
        return taken


def _read(taken: Sequence[Gathered]) -> list[NodeReport]:
    return [each.read() if isinstance(each, FileGrowth) else each for each in taken]
