"""How fast a crawl went, in a bounded number of spans whatever its length."""

from dataclasses import dataclass
from typing import Final

MOST: Final = 48


@dataclass(frozen=True, slots=True)
class Span:
    """From when to when, in seconds of crawling, and how many a second were done meanwhile."""

    start_s: float
    end_s: float
    per_second: float


class Throughput:
    """Takes counters as they come. When the spans are too many, they become twice as long."""

    def __init__(self) -> None:
        self._first: tuple[float, int] | None = None
        self._span_s = 1.0
        self._last: dict[int, tuple[float, int]] = {}
        """The last counters of each span: seconds and URLs done."""

    def clear(self) -> None:
        """Forget the crawl."""
        self._first = None
        self._span_s = 1.0
        self._last = {}

    def add(self, seconds: float, done: int) -> bool:
        """Take counters. Whether a span has ended, so that there is something new to see."""
        if self._first is None or seconds < self._first[0]:
            self.clear()
            self._first = (seconds, done)
            return True
        before = len(self._last)
        self._last[int((seconds - self._first[0]) / self._span_s)] = (seconds, done)
        while len(self._last) > MOST:
            self._span_s *= 2
            self._last = {n // 2: counters for n, counters in self._last.items()}
        return len(self._last) != before

    def spans(self) -> list[Span]:
        """The spans that have ended, in order; where nothing came they are longer."""
        found = []
        before = self._first
        for counters in list(self._last.values())[:-1]:
            if before is not None and counters[0] > before[0]:
                elapsed_s, done = counters[0] - before[0], counters[1] - before[1]
                found.append(Span(before[0], counters[0], max(0.0, done / elapsed_s)))
                before = counters
        return found
