"""Searches a table by the user's regular expression, with a time limit.

Searches run in a thread beside the window's. The engine of `regex` lets other threads run while it
searches and has a timeout; Python's own has neither.
"""

import re
import time
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Final

from gossamer.model.errors import UsageError
from gossamer.model.text_cleaning import one_line
from gossamer.model.translatable import Sentence

if TYPE_CHECKING:
    import regex

MAX_PATTERN: Final = 1_000
"""Characters of an expression."""

TEXT_S: Final = 0.1
"""One text may take so long."""

ALL_S: Final = 60.0
"""All texts together may take so long."""

_REPETITION: Final = r"[*+?{]"
_TOO_SLOW: Final[Sentence] = "This expression takes too long; avoid nested repetitions."


class SlowExpressionError(UsageError):
    """An expression exceeded its time limit."""


class Expression:
    """A running expression; its time limit starts with the first search."""

    def __init__(self, pattern: str, clock: Callable[[], float] = time.monotonic) -> None:
        """Compile; UsageError, with what is wrong where, if it is no regular expression."""
        search = _compiled(pattern).search
        # To watch the time takes four times as long as to search a text.
        self._search = search if _is_quick(pattern) else partial(search, timeout=TEXT_S)
        self._clock = clock
        self._ends_at: float | None = None

    def found_in(self, text: str | None) -> bool:
        """Whether it matches anywhere in `text`; SlowExpressionError if that takes too long."""
        if not text:
            return False
        now = self._clock()
        if self._ends_at is None:
            self._ends_at = now + ALL_S
        if now > self._ends_at:
            raise SlowExpressionError(_TOO_SLOW)
        try:
            return self._search(text, concurrent=True) is not None
        except TimeoutError as e:
            raise SlowExpressionError(_TOO_SLOW) from e


def check_expression(pattern: str) -> None:
    """UsageError, with what is wrong where, unless `pattern` is a regular expression."""
    _compiled(pattern)


def _is_quick(pattern: str) -> bool:
    """Whether the time it takes is sure to grow with the square of a text's length at most.

    So it is with a single repetition, as long as no group can match in several ways.
    """
    return "(" not in pattern and len(re.findall(_REPETITION, pattern)) <= 1


def _compiled(pattern: str) -> "regex.Pattern[str]":
    if len(pattern) > MAX_PATTERN:
        raise UsageError("An expression can have at most {most} characters.", most=MAX_PATTERN)
    import regex  # noqa: PLC0415 - only who types an expression needs it

    try:
        return regex.compile(pattern, regex.IGNORECASE | regex.VERSION0)
    except (regex.error, OverflowError, RecursionError, MemoryError) as e:
        raise UsageError("Not a regular expression: {why}.", why=one_line(str(e), 120)) from e
