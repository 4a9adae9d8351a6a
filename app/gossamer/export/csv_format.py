"""Writes CSV and other delimited text (RFC 4180, UTF-8)."""

import codecs
import csv
import re
from functools import partial
from types import SimpleNamespace
from typing import Final

from gossamer.export.output_files import OutputFiles
from gossamer.export.sheet import Cell, FormatOptions, Row, Sheet

DELIMITERS = {"comma": ",", "semicolon": ";", "tab": "\t", "pipe": "|"}
"""The available delimiters, by name."""
_SEPARATORS: Final = "".join(DELIMITERS.values())
"""Where spreadsheets split a line: which of them applies is a setting of the reader's system."""
_LINE_END: Final = "\r\n"
_SIGNS: Final = "=+\\-@\uff1d\uff0b\uff0d\uff20"
"""The signs that begin a formula, and their full-width forms."""
_STARTS: Final = re.compile(f"[{_SIGNS}\t\r\n]")
"""A cell that begins like this may be executed; white space before a sign is stripped."""
_INNER: Final = re.compile(f'([{_SEPARATORS}\r\n]"*)(?=[{_SIGNS}])')
"""Where a reader that splits at another separator would see a formula begin."""
_PLAIN: Final = re.compile(f'[^{_SIGNS}{_SEPARATORS}"\r\n][^{_SEPARATORS}"\r\n]*')
"""A cell that can be in a line as it is."""
_SUSPECT: Final = re.compile(f'[{_SEPARATORS}"\r\n][{_SIGNS}\t\r\n]')
"""Finds every line with a cell to be guarded, except the first, and a few others.

With a tab as the delimiter, every empty cell: then each cell is examined.
"""


def write_csv(
    output: OutputFiles, sheet: Sheet, options: FormatOptions, delimiter: str = ","
) -> None:
    """Write `sheet` with a header line; lines end with CR LF, quotes only where needed.

    They are needed around a separator of any system's spreadsheets, not only the one used here.
    `delimiter` applies if the options name none.
    """
    delimiter = options.delimiter or delimiter
    made: list[str] = []
    # csv quotes cells with a character of the line's end: this adds all other separators.
    others = _SEPARATORS.replace(delimiter, "")
    write = csv.writer(
        SimpleNamespace(write=made.append),
        delimiter=delimiter,
        lineterminator=_LINE_END + others,
        strict=True,
    ).writerow

    def line_of(row: Row) -> str:
        write(row)
        return made.pop()[: -len(others)]

    # An empty cell is quoted if it is alone in its line.
    alone = len(sheet.columns) == 1
    more, rest = ((), len(_LINE_END)) if alone else ((None,), len(delimiter + _LINE_END))

    plain = _PLAIN.fullmatch

    def encoded(cell: Cell) -> str:
        """A cell as it appears in a line."""
        if isinstance(cell, str) and cell and plain(cell):
            return cell
        return line_of((_guarded(cell) if guards else cell, *more))[:-rest]

    guards, ends = options.guard_formulas, len(_LINE_END)
    suspect, starts = _SUSPECT.search, _STARTS.match
    with output.part() as file:
        if options.byte_order_mark:
            file.write(codecs.BOM_UTF8)
        headings = tuple(map(_guarded, sheet.columns)) if guards else sheet.columns
        file.write(line_of(headings).encode())
        columns = [(place, encoded) for place in range(len(sheet.columns))]
        for block in sheet.blocks(columns) if sheet.blocks else ():
            lines = map(delimiter.join, zip(*block, strict=True))
            file.write(_LINE_END.join([*lines, ""]).encode())
        for row in () if sheet.blocks else sheet.rows:
            line = line_of(row)
            # Nearly every line passes as a whole; only the others are examined cell by cell.
            if guards and (suspect(line, 0, len(line) - ends) or starts(line)):
                line = line_of(tuple(map(_guarded, row)))
            file.write(line.encode())


write_tsv = partial(write_csv, delimiter="\t")
"""Write `sheet` as CSV with tabs."""


def _guarded(cell: Cell) -> Cell:
    """Numbers stay as they are: they are ours, and a negative one is no formula."""
    if not isinstance(cell, str):
        return cell
    inside = _INNER.sub(r"\1'", cell)
    return f"'{inside}" if _STARTS.match(cell) else inside
