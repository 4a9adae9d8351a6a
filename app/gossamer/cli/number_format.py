"""Numbers and times as people read them."""

from collections.abc import Sequence

_MINUTE = 60
_HOUR = 3600
_FEW_SECONDS = 10


def number(value: int) -> str:
    """12345 as "12,345"."""
    return f"{value:,}"


def counted(value: int, noun: str) -> str:
    """1 and "row" as "1 row", 2 and "row" as "2 rows"."""
    return f"{number(value)} {noun}" if value == 1 else f"{number(value)} {noun}s"


def duration(seconds: float) -> str:
    """3.21 as "3.2 s", 42.9 as "0:42", 3725 as "1:02:05"."""
    if seconds < _FEW_SECONDS:
        return f"{max(seconds, 0):.1f} s"
    minutes, second = divmod(int(seconds), _MINUTE)
    if seconds < _HOUR:
        return f"{minutes}:{second:02}"
    hours, minute = divmod(minutes, _MINUTE)
    return f"{hours}:{minute:02}:{second:02}"


def listed(words: Sequence[str], last: str = "and") -> str:
    """Words as in a sentence: "a, b and c"."""
    if len(words) < 2:  # noqa: PLR2004 - one word needs no "and"
        return "".join(words)
    return f"{', '.join(words[:-1])} {last} {words[-1]}"
