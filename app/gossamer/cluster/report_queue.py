"""What a node has to tell its coordinator: gathered, so that a call carries much."""

import asyncio
from contextlib import suppress
from typing import Final

from gossamer.model.messages.node_messages import FromWorker, NodeReport

GATHER_S: Final = 0.03
"""How long a call gathers. The coordinator makes the next one 20 ms later (`node_link`), which is
time to decide what takes the place of the results: jobs and results make one round, not two."""
MOST_BYTES: Final = 32 * 1024 * 1024
"""Of results in one answer, unless the first is larger. The next call gets the others."""


class ReportQueue:
    """The reports that no call has returned yet."""

    def __init__(self) -> None:
        """Begin without any."""
        self._reports: list[NodeReport] = []
        self._has_news = asyncio.Event()

    def add(self, report: NodeReport) -> None:
        """Have a call return this: one that waits, at once if a worker has started or gone."""
        self._reports.append(report)
        if not isinstance(report, FromWorker):
            self._has_news.set()

    async def gathered(self) -> list[NodeReport]:
        """The reports after `GATHER_S`, as many as one answer has room for."""
        with suppress(TimeoutError):
            async with asyncio.timeout(GATHER_S):
                await self._has_news.wait()
        self._has_news.clear()
        return self._taken()

    def _taken(self) -> list[NodeReport]:
        size = count = 0
        for report in self._reports:
            size += len(report.messages) if isinstance(report, FromWorker) else 0
            if count and size > MOST_BYTES:
                break
            count += 1
        taken = self._reports[:count]
        del self._reports[:count]
        return taken
