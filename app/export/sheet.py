"""What a format gets to write: named columns and a stream of rows."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

Cell: TypeAlias = str | int | float | None
Row: TypeAlias = tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Sheet:
    """A table to be written. Each row has a cell for each of the `columns`; None is empty.

    `expected` is about how many rows there will be, for showing progress.
    """

    columns: tuple[str, ...]
    rows: Iterator[Row]
    expected: int


@dataclass(frozen=True, slots=True)
class Options:
    """How files are written.

    `guard_formulas` puts an apostrophe before texts that a spreadsheet would run as a formula:
    see https://owasp.org/www-community/attacks/CSV_Injection. `byte_order_mark` begins the file
    with the mark by which Excel knows UTF-8.
    """

    guard_formulas: bool = True
    byte_order_mark: bool = False


Format: TypeAlias = Callable[[Path, Sheet, Options], None]
"""Writes a sheet into a file that is there and empty. Raises OSError; reads the rows once."""
