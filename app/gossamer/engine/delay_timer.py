"""The one timer of the crawl: when a host may be asked again."""

import asyncio
from collections.abc import Callable


class DelayTimer:
    """Calls back once, at the time that was set last."""

    def __init__(self, call: Callable[[], None]) -> None:
        """`call` is called on the loop."""
        self._call = call
        self._timer: asyncio.TimerHandle | None = None

    def at(self, when: float | None) -> None:
        """Call at this time of the loop and no other; None for not at all."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if when is not None:
            self._timer = asyncio.get_running_loop().call_at(when, self._call)
