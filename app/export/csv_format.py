"""Comma-separated values: RFC 4180, UTF-8."""

import csv
from pathlib import Path

from app.export.sheet import Cell, Options, Row, Sheet

_FORMULA_STARTS = frozenset("=+-@\t\r")


def write_csv(path: Path, sheet: Sheet, options: Options) -> None:
    """Write `sheet` with a header line; lines end with CR LF, quotes only where needed."""
    encoding = "utf-8-sig" if options.byte_order_mark else "utf-8"
    with path.open("w", encoding=encoding, newline="") as file:
        writer = csv.writer(file, dialect="excel", strict=True)
        writer.writerow(sheet.columns)
        writer.writerows(map(_guarded, sheet.rows) if options.guard_formulas else sheet.rows)


def _guarded(row: Row) -> list[Cell]:
    """`row` with an apostrophe before each text that starts like a formula.

    Numbers stay as they are: they are ours, and a negative one is no formula.
    """
    starts = _FORMULA_STARTS
    return ["'" + c if isinstance(c, str) and c[:1] in starts else c for c in row]
