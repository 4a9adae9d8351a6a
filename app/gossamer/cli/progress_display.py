"""Which display a crawl gets."""

import sys
from contextlib import AbstractContextManager, nullcontext

from gossamer.cli.progress_lines import Display, Lines, Silence


def display(*, quiet: bool) -> AbstractContextManager[Display]:
    """The display that fits where standard error leads."""
    if quiet or sys.stderr is None:
        return nullcontext(Silence())
    if sys.stderr.isatty():
        from gossamer.cli.live_line import live_line  # noqa: PLC0415 - scripts need no rich

        return live_line() or nullcontext(Lines())
    return nullcontext(Lines())
