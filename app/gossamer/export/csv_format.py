"""Values with a delimiter: RFC 4180, UTF-8."""

import csv
import io
from functools import partial

from gossamer.export.output import Output
from gossamer.export.sheet import Cell, Options, Row, Sheet

DELIMITERS = {"comma": ",", "semicolon": ";", "tab": "\t", "pipe": "|"}
"""The delimiters there are, by name."""
_FORMULA_STARTS = frozenset("=+-@\t\r\n\uff1d\uff0b\uff0d\uff20")
"""The signs that begin a formula, their full-width forms, and what is stripped before them."""


def write_csv(output: Output, sheet: Sheet, options: Options, delimiter: str = ",") -> None:
    """Write `sheet` with a header line; lines end with CR LF, quotes only where needed.

    `delimiter` stands where the options name none.
    """
    encoding = "utf-8-sig" if options.byte_order_mark else "utf-8"
    with output.part() as file:
        text = io.TextIOWrapper(file, encoding, newline="")
        try:
            writer = csv.writer(
                text, dialect="excel", delimiter=options.delimiter or delimiter, strict=True
            )
            writer.writerow(sheet.columns)
            writer.writerows(map(_guarded, sheet.rows) if options.guard_formulas else sheet.rows)
        finally:
            text.detach()


write_tsv = partial(write_csv, delimiter="\t")
"""Write `sheet` as CSV with tabs."""


def _guarded(row: Row) -> list[Cell]:
    """`row` with an apostrophe before each text that starts like a formula.

    Numbers stay as they are: they are ours, and a negative one is no formula.
    """
    starts = _FORMULA_STARTS
    return ["'" + c if isinstance(c, str) and c[:1] in starts else c for c in row]
