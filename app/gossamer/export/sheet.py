"""The input of every export format: named columns and a stream of rows."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Final, TypeAlias

from gossamer.export.output_files import OutputFiles
from gossamer.model.errors import UsageError
from gossamer.model.translatable import Translatable

Cell: TypeAlias = str | int | float | None
Row: TypeAlias = tuple[Cell, ...]
Encode: TypeAlias = Callable[[Cell], Any]
"""Converts a cell to what a format writes."""
Block: TypeAlias = Sequence[Sequence[Any]]
"""Rows as columns of encoded cells."""
Blocks: TypeAlias = Callable[[Sequence[tuple[int, Encode]]], Iterator[Block]]
"""Takes positions of columns, in any order, and how to encode the cells of each."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """A table to be written. Each row has a cell for each of the `columns`; None is empty.

    `name` describes it in a word or two. `expected` is how many rows there will be, or, unless it
    `is_exact`, about how many, for showing progress. `left_out` counts, while the rows are read,
    what a rule excludes. If there are enough rows for that to pay, `blocks` gives the same,
    thousands at a time, and encodes equal cells about once: read either these or `rows`. `counts`
    are the headings of columns that have whole numbers here, and may have texts in other tables.
    """

    columns: tuple[str, ...]
    rows: Iterator[Row]
    expected: int
    left_out: Counter[str] = field(default_factory=Counter)
    blocks: Blocks | None = None
    is_exact: bool = False
    name: str = ""
    counts: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class FormatOptions:
    """Options of file formats.

    `delimiter` is one character; None is that of the format. `byte_order_mark` begins a text file
    with the mark by which Excel recognises UTF-8. `guard_formulas` puts an apostrophe before texts
    that a spreadsheet would run as a formula: see
    https://owasp.org/www-community/attacks/CSV_Injection. `base` is the address of the folder that
    sitemaps will be served from; without it, the root of the host that they list. `lastmod` puts
    the time of the last change into sitemaps, if the server sent it. `say` returns sentences in the
    language of a document.
    """

    delimiter: str | None = None
    byte_order_mark: bool = False
    guard_formulas: bool = True
    base: str | None = None
    lastmod: bool = True
    say: Callable[[Translatable], str] = str


WriteSheet: TypeAlias = Callable[[OutputFiles, Sheet, FormatOptions], None]
"""Writes a sheet, by `OutputFiles.part`. Raises OSError; reads the rows once."""


def narrowed(sheet: Sheet, columns: tuple[str, ...]) -> Sheet:
    """`sheet` with only these columns, in this order; with all of them if none are named.

    Case does not matter. UsageError for an unknown column.
    """
    if not columns:
        return sheet
    places = {name.lower(): place for place, name in reversed(list(enumerate(sheet.columns)))}
    for name in columns:
        if name.lower() not in places:
            raise _unknown_column(sheet, name)
    chosen = [places[name.lower()] for name in columns]

    def picked(blocks: Blocks, wanted: Sequence[tuple[int, Encode]]) -> Iterator[Block]:
        return blocks([(chosen[place], encode) for place, encode in wanted])

    return replace(
        sheet,
        columns=tuple([sheet.columns[place] for place in chosen]),
        rows=(tuple([row[place] for place in chosen]) for row in sheet.rows),
        blocks=sheet.blocks and partial(picked, sheet.blocks),
    )


def _unknown_column(sheet: Sheet, name: str) -> UsageError:
    """With the columns of similar names; with all, if they are few."""
    from difflib import get_close_matches  # noqa: PLC0415 - only where somebody mistypes

    columns = {each.lower(): each for each in sheet.columns}
    if len(columns) <= _MOST_NAMED:
        return UsageError(
            "{sheet} has no column {name!r}; its columns are {known}.",
            name=name,
            sheet=sheet.name,
            known=", ".join(sheet.columns),
        )
    near = get_close_matches(name.lower(), columns, n=_MOST_NEAR, cutoff=0.0)
    return UsageError(
        "{sheet} has no column {name!r}; similar names: {near}.",
        name=name,
        sheet=sheet.name,
        near=", ".join(columns[each] for each in near),
    )


_MOST_NAMED: Final = 20
_MOST_NEAR: Final = 5


def free_headings(names: Iterable[str], taken: Iterable[str]) -> list[str]:
    """Names that people gave, as headings: what is there already, in any case, gets a number.

    >>> free_headings(["URLs", "a", "A"], taken=["URLs"])
    ['URLs (2)', 'a', 'A (2)']
    """
    headings = {heading.lower() for heading in taken}
    found = []
    for name in names:
        heading, again = name, 2
        while heading.lower() in headings:
            heading, again = f"{name} ({again})", again + 1
        headings.add(heading.lower())
        found.append(heading)
    return found


def containing(sheet: Sheet, text: str) -> Sheet:
    """Those rows of `sheet` that have `text` in a cell; case does not matter."""
    wanted = text.casefold()
    rows = (
        row
        for row in sheet.rows
        if any(isinstance(cell, str) and wanted in cell.casefold() for cell in row)
    )
    return replace(sheet, rows=rows, blocks=None, is_exact=False)
