"""Writes a comparison to a file: its changes as a table, all of it as a workbook or report."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from gossamer.export.comparison_report import comparison_page
from gossamer.export.comparison_sheets import COMPARISON_TABLES, changes_sheet
from gossamer.export.formats import FORMATS, TABLE_SUFFIXES, check_options, suffix_of
from gossamer.export.output_files import OutputFiles, check_folder, output_errors
from gossamer.export.row_counter import IsCancelled, Report, RowCounter
from gossamer.export.sheet import FormatOptions, Row, Sheet
from gossamer.export.xlsx_format import write_workbook
from gossamer.model.errors import BugError, UsageError
from gossamer.model.file_names import typed_path
from gossamer.store.comparing.comparison_reader import ComparisonReader

WORKBOOK_SUFFIX: Final = ".xlsx"
REPORT_SUFFIX: Final = ".html"
_TEXTS_ALONE: Final = ".parquet"
"""A column there has one type: values before and after may be of any."""
COMPARISON_SUFFIXES: Final = (*TABLE_SUFFIXES, REPORT_SUFFIX)
_DEFAULTS: Final = FormatOptions()


def check_comparison_output(out: Path, options: FormatOptions = _DEFAULTS) -> str:
    """The suffix of `out`, which can be written as far as is known before any work is done.

    UsageError for a format that cannot hold a comparison; OutputError.
    """
    suffix = suffix_of(out)
    if suffix is None or suffix not in COMPARISON_SUFFIXES:
        raise UsageError(
            "A comparison cannot be written to {name!r}; end the file name with {known}.",
            name=out.name,
            known=", ".join(COMPARISON_SUFFIXES),
        )
    check_options(suffix, options)
    check_folder(out)
    return suffix


def checked_table(text: str) -> tuple[str, Path]:
    """Parse TABLE=FILE, a table of a comparison and where to write it; UsageError, OutputError."""
    name, equals, target = text.partition("=")
    known = ", ".join(COMPARISON_TABLES)
    if name.strip() not in COMPARISON_TABLES or not equals or not target.strip():
        raise UsageError(
            "{text!r} is not TABLE=FILE; the tables are {known}.", text=text, known=known
        )
    # After an equals sign the shell does not expand "~".
    out = typed_path(target)
    if check_comparison_output(out) == REPORT_SUFFIX:
        raise UsageError("A table cannot be written to {name!r}: a report has all.", name=out.name)
    return name.strip(), out


def export_comparison(
    reader: ComparisonReader,
    out: Path,
    options: FormatOptions = _DEFAULTS,
    *,
    sheet: Sheet | None = None,
    progress: Report | None = None,
    cancelled: IsCancelled | None = None,
) -> int:
    """Write a comparison in the format of the suffix of `out`; how many rows it has.

    Tables have only the changes, a workbook and a report have everything; with a `sheet`, only
    that. An existing file is replaced at the end, in one step. UsageError, OutputError,
    ProjectError, ExportCancelled.
    """
    suffix = check_comparison_output(out, options)
    counter = RowCounter(progress, cancelled)
    with OutputFiles(out) as output:
        with output_errors(out):
            if suffix == REPORT_SUFFIX:
                page = comparison_page(reader, datetime.now(UTC).astimezone(), options.say)
                with output.part() as file:
                    file.write(page.encode())
            elif suffix == WORKBOOK_SUFFIX and sheet is None:
                sheets = (make(reader) for make in COMPARISON_TABLES.values())
                write_workbook(output, (_counted(each, counter) for each in sheets))
            else:
                rows = _counted(sheet or changes_sheet(reader), counter)
                _write_table(output, _as_texts(rows) if suffix == _TEXTS_ALONE else rows, options)
        output.put_in_place()
    counter.report(counter.rows)
    return counter.rows


def _write_table(output: OutputFiles, sheet: Sheet, options: FormatOptions) -> None:
    suffix = suffix_of(output.path)
    write = FORMATS[suffix].write if suffix else None
    if write is None:
        raise BugError(f"no table can be a {suffix} file")
    write(output, sheet, options)


def _counted(sheet: Sheet, counter: RowCounter) -> Sheet:
    return replace(sheet, rows=counter.watch(sheet.rows, sheet.expected))


def _as_texts(sheet: Sheet) -> Sheet:
    def rows() -> Iterator[Row]:
        for row in sheet.rows:
            yield tuple(None if cell is None else str(cell) for cell in row)

    return replace(sheet, rows=rows())
