"""What a crawl shows while it runs: a live line in a terminal, now and then a line elsewhere."""

import time
from collections.abc import Callable
from typing import Final, Protocol

from gossamer.cli.terminal import printable, remark
from gossamer.model.messages import Progress
from gossamer.model.number_format import number, short_duration

LINE_EVERY_S: Final = 10.0


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
        self._tries = 0

    def show(self, progress: Progress) -> None:
        """Write a line if it is time for one, or another try to be told of."""
        now = self._clock()
        if (retry := progress.retry) is not None and retry.number != self._tries:
            self._tries = retry.number
            self._write(printable(str(retry.said)))
        if now >= self._next_s:
            self._next_s = now + LINE_EVERY_S
            current = current_url(progress)
            self._write(counts(progress) + (f", now {current}" if current else ""))


def counts(progress: Progress) -> str:
    """The counts as one line without the URL."""
    total = progress.fetched + progress.queued
    return (
        f"{number(progress.fetched)} of {number(total)} fetched,"
        f" {progress.pages_per_second:.1f} pages/s,"
        f" {number(progress.redirects)} redirects, {number(progress.errors)} errors,"
        f" {short_duration(progress.seconds)}"
    )


def current(progress: Progress) -> str:
    """Why nothing has come yet, or the URL that has been in flight longest, printable; or ""."""
    if progress.retry is not None:
        return printable(str(progress.retry.said))
    return current_url(progress)


def current_url(progress: Progress) -> str:
    """The URL that has been in flight longest, printable; "" if there is none."""
    return printable(progress.in_flight[0].url) if progress.in_flight else ""
