"""Counts the rows of an export on their way to the file, and stops them when it is cancelled."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeAlias, TypeVar

from gossamer.export.sheet import Block, Blocks, Encode

_REPORTED_EVERY = 500
_T = TypeVar("_T")
Report: TypeAlias = Callable[[int, int], None]
"""Receives the number of rows written, and about how many there will be."""
IsCancelled: TypeAlias = Callable[[], bool]
"""Whether the user has cancelled."""


class ExportCancelled(Exception):  # noqa: N818 - not an error: somebody asked for it
    """The export was cancelled; any earlier file is unchanged."""


class RowCounter:
    """Counts rows on their way to the file, reports them, and stops them when cancelled."""

    def __init__(
        self,
        progress: Callable[[int, int], None] | None,
        cancelled: Callable[[], bool] | None,
    ) -> None:
        self.rows = 0
        self._progress = progress
        self._cancelled = cancelled

    def check(self) -> None:
        """Raise ExportCancelled if the user has cancelled."""
        if self._cancelled is not None and self._cancelled():
            raise ExportCancelled

    def report(self, expected: int) -> None:
        """Report how many rows there are."""
        if self._progress is not None:
            self._progress(self.rows, max(self.rows, expected))

    def watch(self, rows: Iterable[_T], expected: int) -> Iterator[_T]:
        """The rows, counted."""
        for row in rows:
            self.check()
            yield row
            self.rows += 1
            if self.rows % _REPORTED_EVERY == 0:
                self.report(expected)
        self.check()

    def watched(self, blocks: Blocks, expected: int) -> Blocks:
        """The same for blocks of rows."""

        def watch(wanted: Sequence[tuple[int, Encode]]) -> Iterator[Block]:
            for block in blocks(wanted):
                self.check()
                yield block
                self.rows += len(block[0])
                self.report(expected)
            self.check()

        return watch
