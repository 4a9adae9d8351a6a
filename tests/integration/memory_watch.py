"""How much memory the processes of a crawl take together."""

import threading
from typing import Final, Self

import psutil

MEMORY_BYTES: Final = 300 * 1024 * 1024
"""The most that the processes of a crawl of a hostile site may take."""


class MemoryWatch:
    """The most memory that descendants of this process that began in the block had together.

    Not those that were there before: processes that others are forked from stay from test to test.
    """

    def __init__(self) -> None:
        self.peak_bytes = 0
        self._before = {each.pid for each in psutil.Process().children(recursive=True)}
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="memory watch")

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()

    def _watch(self) -> None:
        me = psutil.Process()
        while not self._over.wait(0.05):
            total_bytes = 0
            for process in me.children(recursive=True):
                if process.pid in self._before:
                    continue
                try:
                    total_bytes += process.memory_full_info().uss
                except psutil.Error:
                    continue
            self.peak_bytes = max(self.peak_bytes, total_bytes)
