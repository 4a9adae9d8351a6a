"""Progress in a terminal: a live line."""

from contextlib import suppress
from types import TracebackType
from typing import Final, Self

from rich.console import Console, Group
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from gossamer.cli.progress_lines import counts, current
from gossamer.model.messages import Progress

_BAR_WIDTH: Final = 16


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
    """Two lines, whatever their width: a bar with the counts, and the URL or why there is none."""
    total = max(progress.fetched + progress.queued, 1)
    row = Table.grid(padding=(0, 1))
    row.add_row(
        ProgressBar(total=total, completed=progress.fetched, width=_BAR_WIDTH),
        Text(counts(progress), no_wrap=True, overflow="ellipsis"),
    )
    url = Text(current(progress) or " ", style="dim", no_wrap=True, overflow="ellipsis")
    return Group(row, url)


def live_line() -> LiveLine | None:
    """One on standard error, unless that is a terminal where nothing can be drawn in place."""
    console = Console(stderr=True)
    return LiveLine(console) if console.is_terminal and not console.is_dumb_terminal else None
