"""What a crawl shows while it runs: a live line in a terminal, now and then a line elsewhere."""

import sys
import time
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext, suppress
from types import TracebackType
from typing import Final, Protocol, Self

from rich.console import Console, Group
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from app.cli.terminal import printable, remark
from app.cli.words import duration, number
from app.model.messages import Progress

LINE_EVERY_S: Final = 10.0
_BAR_WIDTH: Final = 16


class Display(Protocol):
    """Shows progress; about ten times a second there is news."""

    def show(self, progress: Progress) -> None:
        """Show this, or leave it for later."""


class Silence:
    """Shows nothing."""

    def show(self, progress: Progress) -> None:
        """Do nothing."""


class Lines:
    """A plain line every ten seconds, for logs and pipes."""

    def __init__(
        self,
        write: Callable[[str], None] = remark,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Write lines with `write`; `clock` tells seconds."""
        self._write = write
        self._clock = clock
        self._next_s = clock() + LINE_EVERY_S

    def show(self, progress: Progress) -> None:
        """Write a line if it is time for one."""
        now = self._clock()
        if now >= self._next_s:
            self._next_s = now + LINE_EVERY_S
            current = current_url(progress)
            self._write(counts(progress) + (f", now {current}" if current else ""))


class LiveLine:
    """A bar, the counts and the current URL, redrawn in place and gone at the end."""

    def __init__(self, console: Console) -> None:
        """Draw on `console`, a terminal. Use as a context manager."""
        # Drawn with each news and never from a thread of its own.
        self._live = Live(console=console, auto_refresh=False, transient=True)
        self._seen = True

    def __enter__(self) -> Self:
        self._live.start()
        return self

    def __exit__(
        self,
        exc_type: type[BaseException] | None,
        exc: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        with suppress(OSError):  # the terminal was closed
            self._live.stop()

    def show(self, progress: Progress) -> None:
        """Draw it; nothing any more once the terminal is closed."""
        if not self._seen:
            return
        try:
            self._live.update(_drawing(progress), refresh=True)
        except OSError:
            self._seen = False


def _drawing(progress: Progress) -> Group:
    """Two lines, whatever their width: a bar with the counts, and the URL."""
    total = max(progress.fetched + progress.queued, 1)
    row = Table.grid(padding=(0, 1))
    row.add_row(
        ProgressBar(total=total, completed=progress.fetched, width=_BAR_WIDTH),
        Text(counts(progress), no_wrap=True, overflow="ellipsis"),
    )
    url = Text(current_url(progress) or " ", style="dim", no_wrap=True, overflow="ellipsis")
    return Group(row, url)


def display(*, quiet: bool) -> AbstractContextManager[Display]:
    """The display that fits where standard error leads."""
    if quiet or sys.stderr is None:
        return nullcontext(Silence())
    console = Console(stderr=True)
    if console.is_terminal and not console.is_dumb_terminal:
        return LiveLine(console)
    return nullcontext(Lines())


def counts(progress: Progress) -> str:
    """The counts as one line without the URL."""
    total = progress.fetched + progress.queued
    return (
        f"{number(progress.fetched)} of {number(total)} fetched,"
        f" {progress.pages_per_second:.1f} pages/s,"
        f" {number(progress.redirects)} redirects, {number(progress.errors)} errors,"
        f" {duration(progress.seconds)}"
    )


def current_url(progress: Progress) -> str:
    """The URL that has been in flight longest, printable; "" if there is none."""
    return printable(progress.in_flight[0].url) if progress.in_flight else ""
