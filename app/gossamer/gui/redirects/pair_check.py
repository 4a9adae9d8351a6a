"""Checks pairs of old and new addresses against the crawl shown, some at a time."""

from collections import Counter
from collections.abc import Sequence
from functools import partial
from typing import Final

from PySide6.QtCore import QObject, Signal

from gossamer.audit.redirect_check import CheckedRedirect, check_redirects
from gossamer.gui.project.reader_thread import ProjectReader
from gossamer.urls.expected_redirects import ExpectedRedirect

AT_ONCE: Final = 200
"""Pairs checked in one request to the reader, so that other requests do not wait long."""


class PairCheck(QObject):
    """Checks one list of pairs at a time. `advanced` reports each part, and the end."""

    advanced = Signal()

    def __init__(self, reader: ProjectReader, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._reader = reader
        self._expected: Sequence[ExpectedRedirect] = ()
        self.checked: list[CheckedRedirect] = []
        self.counts: Counter[str] = Counter()
        """How many of them have each result."""
        self.is_unreadable = False
        """Whether the check has ended because the crawl cannot be read."""
        self.run = 0
        """The number of checks so far."""

    @property
    def is_running(self) -> bool:
        """Whether pairs are still to be checked."""
        return len(self.checked) < len(self._expected)

    @property
    def done(self) -> tuple[int, int]:
        """How many pairs are checked, and of how many."""
        return len(self.checked), len(self._expected)

    def start(self, pairs: Sequence[ExpectedRedirect]) -> None:
        """Check these, and forget others."""
        self.stop()
        self.is_unreadable = False
        self._expected = pairs
        if pairs:
            self._next(self.run)

    def stop(self) -> None:
        """Forget what was checked, and what is being checked."""
        self.run += 1
        self._reader.forget(self._key)
        self._expected = ()
        self.checked = []
        self.counts.clear()

    @property
    def _key(self) -> str:
        return f"redirects {id(self)}"

    def _next(self, run: int) -> None:
        start = len(self.checked)
        pairs = self._expected[start : start + AT_ONCE]
        self._reader.submit(
            lambda rows: list(check_redirects(rows, pairs)),
            partial(self._take, run),
            key=self._key,
            on_failure=partial(self._give_up, run),
            background=True,
        )

    def _take(self, run: int, found: list[CheckedRedirect]) -> None:
        if run != self.run:
            return
        self.checked += found
        self.counts.update(str(each.result) for each in found)
        if self.is_running:
            self._next(run)
        self.advanced.emit()

    def _give_up(self, run: int) -> None:
        """The crawl cannot be read; the window says why."""
        if run == self.run:
            self.stop()
            self.is_unreadable = True
            self.advanced.emit()
