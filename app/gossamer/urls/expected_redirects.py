"""Parses tables of expected redirects: an old address, and the new one that it should lead to.

The first two columns count, separated by commas, semicolons or tabs, as spreadsheets save them
(RFC 4180). A row of headings, empty rows and those that begin with "#" are passed over.
"""

import csv
from collections.abc import Iterable, Iterator
from typing import Final

from msgspec import Struct

from gossamer.model.errors import UsageError
from gossamer.model.text_cleaning import one_line
from gossamer.urls.url_list import InvalidLine, looks_like_address
from gossamer.urls.url_parsing import HTTP_SCHEMES, join, parse_root

_DELIMITERS: Final = "\t,;"
_COMMENT: Final = "#"
_LONGEST: Final = 65_536
"""Characters of the first row by which its delimiter is told."""
_BEGINS_WITH: Final = (*HTTP_SCHEMES, "/")


class ExpectedRedirect(Struct, frozen=True):
    """An old address and the new one, both serialised, in a line of the table, from 1."""

    line: int
    old: str
    new: str


class ExpectedRedirects(Struct, frozen=True):
    """What a table says, in its order; and the lines that are wrong."""

    expected: tuple[ExpectedRedirect, ...] = ()
    wrong: tuple[InvalidLine, ...] = ()


def read_expected_redirects(text: str, base: str = "") -> ExpectedRedirects:
    """Parse the table in `text`. Paths such as `/old` are those of the site `base`, if given."""
    delimiter = _delimiter(text)
    expected: list[ExpectedRedirect] = []
    wrong: list[InvalidLine] = []
    is_first = True
    for number, cells in _rows(text, delimiter):
        is_heading, is_first = is_first and not any(map(_is_meant, cells[:2])), False
        if is_heading:
            continue
        try:
            expected.append(_expected(number, cells, base))
        except UsageError as e:
            wrong.append(InvalidLine(number, delimiter.join(cells), e))
    return ExpectedRedirects(tuple(expected), tuple(wrong))


def _rows(text: str, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    """The rows that say something, with their lines."""
    lines = text.splitlines(keepends=True)
    reader = csv.reader(lines, delimiter=delimiter, skipinitialspace=True)
    try:
        for row in reader:
            cells = [cell.strip() for cell in row]
            if any(cells) and not cells[0].startswith(_COMMENT):
                yield reader.line_num, cells
    except csv.Error as e:
        raise UsageError(
            "Line {number} is not a row of a table ({why}); save it as CSV.",
            number=reader.line_num,
            why=str(e),
        ) from e


def _delimiter(text: str) -> str:
    """What separates the cells of the first row: an address may have each of these in it."""
    first = next((line for line in text.splitlines() if _says_something(line)), "")
    shown = [first[:_LONGEST]]
    rows = {each: next(csv.reader(shown, delimiter=each), []) for each in _DELIMITERS}
    split = [each for each, cells in rows.items() if len(cells) > 1]
    sure = [each for each in split if rows[each][1].strip().lower().startswith(_BEGINS_WITH)]
    return next(iter([*sure, *split]), ",")


def _says_something(line: str) -> bool:
    return bool(line.strip()) and not line.startswith(_COMMENT)


def _is_path(cell: str) -> bool:
    return cell.startswith("/") and not cell.startswith("//")


def _expected(number: int, cells: list[str], base: str) -> ExpectedRedirect:
    if len(cells) < 2 or not all(cells[:2]):  # noqa: PLR2004 - old and new
        raise UsageError(
            "{text} is not a pair; write the old address, a comma, and the new one.",
            text=f'"{one_line(", ".join(filter(None, cells)), 80)}"',
        )
    old, new = (_address(cell, base) for cell in cells[:2])
    return ExpectedRedirect(number, old, new)


def _is_meant(cell: str) -> bool:
    """Whether a cell is meant for an address, not a word such as a heading."""
    return _is_path(cell) or (bool(cell) and looks_like_address(cell.split(maxsplit=1)[0]))


def _address(cell: str, base: str) -> str:
    if not _is_meant(cell):
        raise UsageError(
            "{text} is not a URL; write one such as https://example.com/page.",
            text=f'"{one_line(cell, 80)}"',
        )
    if _is_path(cell):
        if not base:
            raise UsageError(
                "{text} is a path; say of which site: --base https://www.example.com/.",
                text=f'"{one_line(cell, 80)}"',
            )
        return join(base, cell) or parse_root(cell)
    return parse_root(cell)


def addresses_of(expected: Iterable[ExpectedRedirect]) -> tuple[str, ...]:
    """All old addresses, then the new ones, each once: what has to be requested.

    With the new ones, their hosts are in the scope of the crawl.
    """
    table = list(expected)
    return tuple(dict.fromkeys([each.old for each in table] + [each.new for each in table]))
