"""Reports crawls that have waited long for what may pass by itself, such as a full disk."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, Final

from gossamer.model.crawl_state import LONG_WAIT_S
from gossamer.model.translatable import Translatable


class LongWait:
    """Reports each wait of a crawl that lasts `limit_s` seconds, once and with its reason."""

    def __init__(
        self,
        report: Callable[[Translatable], Coroutine[Any, Any, None]],
        limit_s: float = LONG_WAIT_S,
    ) -> None:
        """A `report` that is under way when the wait ends is cancelled."""
        self._report: Final = report
        self._limit_s: Final = limit_s
        self._reason: Translatable | None = None
        self._task: asyncio.Task[None] | None = None

    def note(self, reason: Translatable | None, group: asyncio.TaskGroup) -> None:
        """What the crawl waits for now; None if it waits for nothing. Tasks belong to `group`."""
        self._reason = reason
        if reason is None:
            self.end()
        elif self._task is None:
            self._task = group.create_task(self._report_later(), name="report a long wait")

    def end(self) -> None:
        """The crawl waits no more."""
        if self._task is not None:
            self._task.cancel()
            self._task = None

    async def _report_later(self) -> None:
        await asyncio.sleep(self._limit_s)
        if self._reason is not None:
            await self._report(self._reason)
