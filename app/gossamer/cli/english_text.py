"""Counts and lists in English sentences."""

from collections.abc import Sequence

from gossamer.model.number_format import number


def counted(value: int, noun: str) -> str:
    """1 and "row" as "1 row", 2 and "row" as "2 rows"."""
    return f"{number(value)} {noun}" if value == 1 else f"{number(value)} {noun}s"


def listed(words: Sequence[str], last: str = "and") -> str:
    """Words as in a sentence: "a, b and c"."""
    if len(words) < 2:  # noqa: PLR2004 - one word needs no "and"
        return "".join(words)
    return f"{', '.join(words[:-1])} {last} {words[-1]}"
