"""Lexbor's numbers of elements' names, which cost half as much to compare as the names."""

from collections.abc import Iterable
from typing import NamedTuple

from selectolax.lexbor import LexborHTMLParser

_MAX_NUMBER = 4096
"""Lexbor knows some 200 names. The "number" of another is the address of an entry of the document,
different in each."""


class NumberedTags(NamedTuple):
    """Names of elements by lexbor's numbers, and those that it has no number for."""

    by_number: dict[int, str]
    unnumbered: tuple[str, ...]


def numbered(tags: Iterable[str]) -> NumberedTags:
    """The numbers of these names."""
    tree = LexborHTMLParser("")
    numbers = {tag: tree.create_node(tag).tag_id for tag in sorted(tags)}
    known = {number: tag for tag, number in numbers.items() if number <= _MAX_NUMBER}
    return NumberedTags(known, tuple(tag for tag in numbers if numbers[tag] > _MAX_NUMBER))
