"""The table of checked redirects: a row for each, with every hop; and how it is written."""

from collections.abc import Sequence
from pathlib import Path

from gossamer.audit.redirect_check import CheckedRedirect
from gossamer.export.formats import FORMATS, TABLE_SUFFIXES, check_options, suffix_of
from gossamer.export.output_files import OutputFiles, check_folder, output_errors
from gossamer.export.row_counter import RowCounter
from gossamer.export.sheet import Cell, FormatOptions, Row, Sheet, WriteSheet
from gossamer.model.errors import UsageError

_FIRST = (
    *("Address", "Expected Address", "Result", "Status Code", "Number of Redirects", "Chain Type"),
    *("Final Address", "Final Status Code", "Final Outcome"),
)


def redirect_check_sheet(found: Sequence[CheckedRedirect]) -> Sheet:
    """A row for each, in their order. Hop 1 is where the old address leads."""
    most = max((each.redirects for each in found), default=0)
    hops = [
        f"Hop {number} {what}"
        for number in range(1, most + 1)
        for what in ("Address", "Status Code")
    ]
    rows = (_row(each, most) for each in found)
    return Sheet((*_FIRST, *hops), rows, len(found), is_exact=True, name="redirects")


def _row(each: CheckedRedirect, most: int) -> Row:
    pair = (each.expected.old, each.expected.new, each.result.value)
    if not each.chain:
        return (*pair, *[None] * (len(_FIRST) - len(pair) + 2 * most))
    start, end = each.chain[0], each.chain[-1]
    final = (None, None) if end.repeats else (end.url, end.status)  # a loop has no end
    hops: list[Cell] = [cell for hop in each.chain[1:] for cell in (hop.url, hop.status)]
    kind = each.type and each.type.value
    hops += [None] * (2 * most - len(hops))
    return (*pair, start.status, each.redirects, kind, *final, end.outcome.sentence, *hops)


def check_sheet_output(out: Path) -> WriteSheet:
    """The writer of a table to `out`, checked as far as possible; UsageError, OutputError."""
    suffix = suffix_of(out)
    write = FORMATS[suffix].write if suffix in TABLE_SUFFIXES and suffix else None
    if write is None or suffix is None:
        raise UsageError(
            "A table cannot be written to {name!r}; end the file name with {known}.",
            name=out.name,
            known=", ".join(TABLE_SUFFIXES),
        )
    check_options(suffix, FormatOptions())
    check_folder(out)
    return write


def write_redirect_checks(found: Sequence[CheckedRedirect], out: Path, counter: RowCounter) -> None:
    """Write the table in the format of the suffix of `out`, which is replaced in one step.

    `counter` counts its rows. UsageError, OutputError, ExportCancelled.
    """
    write = check_sheet_output(out)
    sheet = redirect_check_sheet(found)
    rows = counter.watch(sheet.rows, sheet.expected)
    with OutputFiles(out) as output:
        with output_errors(out):
            write(
                output, Sheet(sheet.columns, rows, sheet.expected, name=sheet.name), FormatOptions()
            )
        output.put_in_place()
