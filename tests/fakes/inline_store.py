"""The host's store without its thread, for which a virtual clock would not wait."""

import asyncio
from collections.abc import Callable
from typing import TypeVar

from gossamer.crawl_host.writer_thread import StoreThread

T = TypeVar("T")


class InlineStore(StoreThread):
    """Does each call on the loop, after `delay_s`."""

    def __init__(self, delay_s: float = 0.0) -> None:
        super().__init__()
        self._delay_s = delay_s

    async def _on_thread(self, function: Callable[[], T]) -> T:
        await asyncio.sleep(self._delay_s)
        return function()
