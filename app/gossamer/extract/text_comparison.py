"""Aligns two texts side by side, paragraph by paragraph, and marks the differences."""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from difflib import SequenceMatcher
from itertools import islice, zip_longest
from typing import Final, NamedTuple

from gossamer.extract.dom_outline import DomLine
from gossamer.extract.text_statistics import BREAK, phrases_in_text
from gossamer.model.lazy_pattern import lazy_pattern
from gossamer.model.messages.page_contents_messages import (
    MAX_ROWS,
    ComparedRow,
    SideBySide,
    TextPart,
)

_MAX_WORDS: Final = 400
"""A longer paragraph is not compared word by word."""
_MAX_PAIRS: Final = 1_000_000
"""Words times words that are compared."""
_COMMON: Final = 8
"""Words that occur more often in a text align nothing: trying all positions takes cubic time."""
_ALIKE: Final = 0.4
"""Paragraphs that share fewer of their words are placed below each other, not side by side."""
_INDENT: Final = "  "


def side_by_side(left: Sequence[str], right: Sequence[str]) -> SideBySide:
    """The first paragraphs of two texts."""
    rows = list(islice(compared(left, right), MAX_ROWS + 1))
    is_cut = max(len(rows), len(left), len(right)) > MAX_ROWS
    return SideBySide(rows[:MAX_ROWS], is_cut)


def lines_side_by_side(left: Iterable[DomLine], right: Iterable[DomLine]) -> SideBySide:
    """The first lines of two outlines, compared without their indents, which are kept."""
    one, other = (list(islice(lines, MAX_ROWS + 1)) for lines in (left, right))
    shown = side_by_side([each.text for each in one], [each.text for each in other])
    of_one, of_other = iter(one), iter(other)
    for row in shown.rows:
        for parts, lines in ((row.left, of_one), (row.right, of_other)):
            if parts and (depth := next(lines).depth):
                parts.insert(0, TextPart(_INDENT * depth))
    return shown


def compared(left: Sequence[str], right: Sequence[str]) -> Iterator[ComparedRow]:
    """The paragraphs of two texts, in order. Linear except for `_MAX_PAIRS`."""
    budget = _Budget(_MAX_PAIRS)
    for kind, start, end, other_start, other_end in _opcodes(left[:MAX_ROWS], right[:MAX_ROWS]):
        if kind == "equal":
            for text in left[start:end]:
                yield ComparedRow([TextPart(text)], [TextPart(text)])
            continue
        pairs = zip_longest(left[start:end], right[other_start:other_end], fillvalue="")
        for one, other in pairs:
            yield from _row(one, other, budget)


def shared_percent(left: Sequence[str], right: Sequence[str]) -> int:
    """How many of their phrases two texts share, counted as by the rule on near duplicates."""
    one, other = (frozenset(phrases_in_text(BREAK.join(each))) for each in (left, right))
    if not one and not other:
        return 100
    return int(100 * len(one & other) / len(one | other) + 0.5)


class _Budget:
    def __init__(self, left: int) -> None:
        self._left = left

    def covers(self, cost: int) -> bool:
        """Whether this much is left; then it is spent."""
        if cost > self._left:
            return False
        self._left -= cost
        return True


_UNSEPARATED: Final = lazy_pattern(
    "[\u0e01-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3041-\u30ff\u3105-\u312f"
    "\u31a0-\u31bf\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]+"
)
"""Thai, Lao, Burmese, Khmer, Japanese and Chinese do not separate words; Korean does."""


class _Words(NamedTuple):
    """The words of a paragraph; of scripts that do not separate them, each character."""

    words: list[str]
    are_spaced: list[bool]
    """Whether there is a space before each."""

    @classmethod
    def of(cls, text: str) -> "_Words":
        found = cls([], [])
        for spaced in text.split():
            words = _UNSEPARATED.sub(_characters, spaced).split()
            found.words.extend(words)
            found.are_spaced.extend([True, *[False] * (len(words) - 1)])
        return found

    def part(self, start: int, end: int, kind: str) -> TextPart:
        """These words; those that are equal keep the spaces around them."""
        spaces = [" " if each else "" for each in self.are_spaced]
        text = "".join(map("".join, zip(spaces[start:end], self.words[start:end], strict=True)))
        if kind != "equal":
            return TextPart(text.strip(), differs=True)
        before = text if start else text.lstrip()
        return TextPart(before + "".join(spaces[end : end + 1]))


def _characters(run: re.Match[str]) -> str:
    """The characters apart, each with the marks that combine with it."""
    marked = "".join(
        each if unicodedata.category(each).startswith("M") else f" {each}" for each in run[0]
    )
    return f"{marked} "


def _row(one: str, other: str, budget: _Budget) -> Iterator[ComparedRow]:
    left, right = _Words.of(one), _Words.of(other)
    words, others = left.words, right.words
    is_short = max(len(words), len(others)) <= _MAX_WORDS
    if words and others and is_short and budget.covers(len(words) * len(others)):
        blocks = _opcodes(words, others)
        same = sum(end - start for kind, start, end, _, _ in blocks if kind == "equal")
        if 2 * same >= _ALIKE * (len(words) + len(others)):
            yield ComparedRow(
                [left.part(start, end, kind) for kind, start, end, _, _ in blocks if end > start],
                [right.part(start, end, kind) for kind, _, _, start, end in blocks if end > start],
            )
            return
    if one:
        yield ComparedRow([TextPart(one, differs=True)], [])
    if other:
        yield ComparedRow([], [TextPart(other, differs=True)])


def _opcodes(one: Sequence[str], other: Sequence[str]) -> Sequence[tuple[str, int, int, int, int]]:
    counts = Counter(other)
    common = frozenset(each for each, count in counts.items() if count > _COMMON)
    return SequenceMatcher(common.__contains__, one, other, autojunk=False).get_opcodes()
