"""Reads a list of URLs from a file or from standard input."""

from collections.abc import Sequence
from pathlib import Path

from gossamer.cli.text_input import standard_input
from gossamer.model.errors import UsageError
from gossamer.model.number_format import number
from gossamer.session.url_list_files import MAX_BYTES, list_text
from gossamer.urls.url_list import InvalidLine, read_address_list

STANDARD_INPUT = "-"


def read_addresses(name: str) -> tuple[str, ...]:
    """The URLs in the file `name`, or on standard input for "-"; see `urls.url_list`.

    Raises UsageError if the file cannot be read, is larger than 64 MiB, is not text, or contains no
    URLs or anything else.
    """
    found = read_address_list(typed_text(name))
    checked_lines(name, found.wrong)
    if not found.addresses:
        where = "standard input" if name == STANDARD_INPUT else name
        raise UsageError(f"{where} contains no URLs; write one per line.")
    return found.addresses


def typed_text(name: str) -> str:
    """The text of the file `name`, or standard input for "-"; UsageError as above."""
    return standard_input(MAX_BYTES) if name == STANDARD_INPUT else list_text(Path(name))


def checked_lines(name: str, wrong: Sequence[InvalidLine]) -> None:
    """Raise UsageError about the first of the invalid lines, if there are any."""
    if wrong:
        first, *others = wrong
        also = f" ({number(len(others))} more like it)" if others else ""
        raise UsageError(f"{name}, line {first.number}{also}: {first.error}")
