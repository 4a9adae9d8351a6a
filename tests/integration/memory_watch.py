"""How much memory the processes of a crawl take together."""

import threading
from itertools import count
from typing import Final, Self

import psutil

MEMORY_BYTES: Final = 300 * 1024 * 1024
"""The most that the processes of a crawl of a hostile site may take."""


_EVERY_S: Final = 0.1
_NEW_PROCESSES_EVERY: Final = 5
"""Times: for these, psutil reads about every process of the system."""


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
        watched: list[psutil.Process] = []
        for times in count():
            if self._over.wait(_EVERY_S):
                return
            if times % _NEW_PROCESSES_EVERY == 0:
                there = psutil.Process().children(recursive=True)
                watched = [process for process in there if process.pid not in self._before]
            total_bytes = 0
            for process in watched:
                try:
                    total_bytes += process.memory_full_info().uss
                except psutil.Error:
                    continue
            self.peak_bytes = max(self.peak_bytes, total_bytes)
