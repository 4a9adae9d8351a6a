"""Shows crawl progress: a live line on a terminal, periodic lines elsewhere."""

import sys
import time
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext, suppress
from typing import TYPE_CHECKING, Final, Protocol, Self

from gossamer.cli.terminal import printable, remark
from gossamer.model.messages.crawl_messages import Progress
from gossamer.model.number_format import number, short_duration
from gossamer.model.translatable import Translatable

if TYPE_CHECKING:
    from rich.console import Console, Group

LINE_EVERY_S: Final = 10.0
_BAR_WIDTH: Final = 16


class ProgressDisplay(Protocol):
    """Shows crawl progress; updated about ten times a second."""

    def show(self, progress: Progress) -> None:
        """Show this, or leave it for later."""


class SilentDisplay:
    """A display that shows nothing."""

    def show(self, progress: Progress) -> None:
        """Do nothing."""


class LineDisplay:
    """Prints a plain line every ten seconds, for logs and pipes."""

    def __init__(
        self,
        write: Callable[[str], None] = remark,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Write lines with `write`; `clock` returns seconds."""
        self._write = write
        self._clock = clock
        self._next_s = clock() + LINE_EVERY_S
        self._tries = 0
        self._starting: Translatable | None = None

    def show(self, progress: Progress) -> None:
        """Write a line if it is time for one, or if there is a retry to report."""
        now = self._clock()
        if (retry := progress.retry) is not None and retry.number != self._tries:
            self._tries = retry.number
            self._write(printable(str(retry.said)))
        if (starting := progress.starting) is not None and starting != self._starting:
            self._starting = starting
            self._write(printable(str(starting)))
        if now >= self._next_s:
            self._next_s = now + LINE_EVERY_S
            current = current_url(progress)
            self._write(counts(progress) + (f", now {current}" if current else ""))


class LiveLineDisplay:
    """Redraws one line with bar, counts and current URL; erases it at the end."""

    def __init__(self, console: "Console") -> None:
        """Draw on `console`, a terminal. Use as a context manager."""
        from rich.live import Live  # noqa: PLC0415 - scripts need no rich

        # Drawn with each update and never from a thread of its own.
        self._live = Live(console=console, auto_refresh=False, transient=True)
        self._seen = True

    def __enter__(self) -> Self:
        self._live.start()
        return self

    def __exit__(self, *_: object) -> None:
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


def _drawing(progress: Progress) -> "Group":
    """Two lines, whatever their width: a bar with the counts, and the URL or why there is none."""
    from rich.console import Group  # noqa: PLC0415 - scripts need no rich
    from rich.progress_bar import ProgressBar  # noqa: PLC0415 - likewise
    from rich.table import Table  # noqa: PLC0415 - likewise
    from rich.text import Text  # noqa: PLC0415 - likewise

    total = max(progress.requested, 1)
    row = Table.grid(padding=(0, 1))
    row.add_row(
        ProgressBar(total=total, completed=progress.fetched, width=_BAR_WIDTH),
        Text(counts(progress), no_wrap=True, overflow="ellipsis"),
    )
    url = Text(current(progress) or " ", style="dim", no_wrap=True, overflow="ellipsis")
    return Group(row, url)


def display(*, quiet: bool) -> AbstractContextManager[ProgressDisplay]:
    """The display that suits the target of standard error."""
    if quiet or sys.stderr is None:
        return nullcontext(SilentDisplay())
    if sys.stderr.isatty():
        from rich.console import Console  # noqa: PLC0415 - scripts need no rich

        console = Console(stderr=True)
        if console.is_terminal and not console.is_dumb_terminal:  # it can be drawn on in place
            return LiveLineDisplay(console)
    return nullcontext(LineDisplay())


def counts(progress: Progress) -> str:
    """The counts as one line without the URL."""
    total = progress.requested
    unchanged = f" {number(progress.unchanged)} unchanged," if progress.unchanged else ""
    return (
        f"{number(progress.fetched)} of {number(total)} fetched,{unchanged}"
        f" {progress.pages_per_second:.1f} pages/s,"
        f" {number(progress.redirects)} redirects, {number(progress.errors)} errors,"
        f" {short_duration(progress.seconds)}"
    )


def current(progress: Progress) -> str:
    """Why there is no result yet, or the URL that has been in flight longest, printable; or ""."""
    if (reason := progress.why_nothing_yet) is not None:
        return printable(str(reason))
    return current_url(progress)


def current_url(progress: Progress) -> str:
    """The URL that has been in flight longest, printable; "" if there is none."""
    return printable(progress.in_flight[0].url) if progress.in_flight else ""
