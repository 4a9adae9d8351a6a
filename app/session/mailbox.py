"""News of a crawl, kept for readers that are slow."""

import asyncio

from app.model.messages import Progress, Report, Trouble


class Mailbox:
    """What one reader of `updates` has not seen: the latest progress, and every trouble."""

    def __init__(self, progress: Progress) -> None:
        self._progress: Progress | None = progress
        self._troubles: list[Trouble] = []
        self._rung = asyncio.Event()
        self._rung.set()

    def put(self, report: Report, progress: Progress) -> None:
        """Keep what is new; older progress is forgotten."""
        self._progress = progress
        if isinstance(report, Trouble):
            self._troubles.append(report)
        self.ring()

    def ring(self) -> None:
        """Let the reader look, even if there is nothing."""
        self._rung.set()

    async def take(self) -> list[Report]:
        """Wait for news, and take them all."""
        await self._rung.wait()
        self._rung.clear()
        reports: list[Report] = [*self._troubles]
        self._troubles.clear()
        if self._progress is not None:
            reports.insert(0, self._progress)
            self._progress = None
        return reports
