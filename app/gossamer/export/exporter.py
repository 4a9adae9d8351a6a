"""Exports a selection of a project to a file that appears only once it is complete."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path

from gossamer.export.export_selection import ExportSelection
from gossamer.export.formats import Format, format_for
from gossamer.export.html_report import report_page
from gossamer.export.output_files import OutputFiles, check_folder, output_errors
from gossamer.export.report_data import gather
from gossamer.export.report_markup import Say
from gossamer.export.row_counter import IsCancelled, Report, RowCounter
from gossamer.export.sheet import FormatOptions, Row
from gossamer.export.sitemap_sheet import SITEMAP
from gossamer.export.view_sheets import sheet, shown_columns, whole_sheet
from gossamer.model.errors import OutputError
from gossamer.model.outcome_counts import KNOWN, count
from gossamer.model.project_queries import ChainHop, View
from gossamer.store.reading.reader import Reader

_DEFAULTS = FormatOptions()


@dataclass(frozen=True, slots=True)
class ExportRequest:
    """A requested export: what to write, to which file, with which options of its format."""

    selection: ExportSelection
    out: Path
    options: FormatOptions = _DEFAULTS

    @property
    def name(self) -> str:
        """Its name in messages."""
        return self.selection.name

    @property
    def needs_audit(self) -> bool:
        """Whether the audit must be up to date."""
        return self.selection.needs_audit

    def check(self, project: Path | None) -> None:
        """See `check_output`."""
        check_output(self.out, self.selection, self.options, project)

    def write(
        self, project: Path, progress: Report | None, cancelled: IsCancelled
    ) -> "ExportResult":
        """See `export`."""
        return export(
            project,
            self.selection,
            self.out,
            progress=progress,
            cancelled=cancelled,
            options=self.options,
        )


@dataclass(frozen=True, slots=True)
class ExportResult:
    """The result of an export: the number of rows, and the files, the requested one last.

    `left_out` says for a sitemap how many URLs each rule excluded.
    """

    rows: int
    files: tuple[Path, ...]
    left_out: dict[str, int] = field(default_factory=dict)


def export(
    project: Path,
    selection: ExportSelection,
    out: Path | OutputFiles,
    *,
    progress: Report | None = None,
    cancelled: IsCancelled | None = None,
    options: FormatOptions = _DEFAULTS,
) -> ExportResult:
    """Write the selected part of `project` to `out`, in the format of its suffix.

    Reads what is committed, also while a crawl runs. An existing file is replaced at the end, in
    one step. `progress` is called with the rows written and their approximate total, at least once
    at the end, when both are equal. `cancelled` is called for every row, or at least every few
    thousand of millions. For an `OutputFiles` such as a stream, the suffix of its path decides the
    format.

    Blocks: run it on a thread. Raises UsageError for what cannot be written in this format,
    ProjectError, OutputError when the file cannot be written or a sitemap would be empty,
    ExportCancelled.
    """
    if isinstance(out, Path):
        format_ = check_output(out, selection, options, project)
        destination = OutputFiles(out)
    else:
        format_ = format_for(out.path, selection, options)
        destination = out
    counter = RowCounter(progress, cancelled)
    with Reader(project) as reader, destination as output:
        left_out: dict[str, int] = {}
        with output_errors(output.path):
            if format_.write is None:
                _write_report(output, reader, counter, options.say)
            else:
                whole = sheet(reader, selection, counter.check)
                rows = counter.watch(whole.rows, whole.expected)
                blocks = whole.blocks and counter.watched(whole.blocks, whole.expected)
                left_out = whole.left_out
                format_.write(output, replace(whole, rows=rows, blocks=blocks), options)
        if format_.only is SITEMAP and not counter.rows:
            raise _nothing_to_list(left_out)
        files = output.put_in_place()
    counter.report(counter.rows)
    return ExportResult(counter.rows, files, dict(left_out))


@dataclass(frozen=True, slots=True)
class Preview:
    """The first rows of an export, with all columns, and which of them are chosen.

    `expected` is how many rows there would be; approximate unless it `is_exact`.
    """

    columns: tuple[str, ...]
    chosen: tuple[str, ...]
    rows: tuple[Row, ...]
    expected: int
    is_exact: bool


def preview(
    project: Path,
    selection: ExportSelection,
    rows: int,
    *,
    cancelled: Callable[[], bool] | None = None,
) -> Preview:
    """The first `rows` rows of the selection, which must be a table.

    Blocks, and may have to search long for them. Raises UsageError, ProjectError, ExportCancelled.
    """
    counter = RowCounter(None, cancelled)
    with Reader(project) as reader:
        whole = whole_sheet(reader, selection, counter.check)
        # One more shows whether these are all.
        first = tuple(islice(counter.watch(whole.rows, whole.expected), rows + 1))
    is_all = len(first) <= rows
    return Preview(
        whole.columns,
        shown_columns(selection) or whole.columns,
        first[:rows],
        len(first) if is_all else max(len(first), whole.expected),
        is_exact=is_all or whole.is_exact,
    )


def check_output(
    out: Path,
    selection: ExportSelection,
    options: FormatOptions = _DEFAULTS,
    project: Path | None = None,
) -> Format:
    """The format of `out`, which can be written as far as is known before any work is done.

    Raises UsageError for an unknown or unsuitable suffix, OutputError for a path where no file can
    be written or replaced, such as the `project` itself.
    """
    format_ = format_for(out, selection, options)
    check_folder(out)
    if project is not None:
        with output_errors(out):
            if out.exists() and project.exists() and out.samefile(project):
                raise OutputError("{path} is the project itself; choose another name.", path=out)
    return format_


def _nothing_to_list(left_out: dict[str, int]) -> OutputError:
    """A sitemap without an address is none: search engines refuse it."""
    if not left_out:
        return OutputError("There are no pages to list in a sitemap, so no file was written.")
    return OutputError(
        "No page qualifies for the sitemap, so no file was written; left out: {rules}.",
        rules=", ".join(f"{count:,} {rule}" for rule, count in left_out.items()),
    )


def _write_report(output: OutputFiles, reader: Reader, counter: RowCounter, say: Say) -> None:
    """Write the report; its rows are the URLs that were examined."""

    def chains() -> Iterator[list[ChainHop]]:
        for chain in reader.chains():
            counter.check()
            yield chain

    summary = reader.summary()
    records = counter.watch(reader.iterate(View.ALL), count(summary.outcomes, KNOWN))
    figures = gather(records, chains(), reader, counter.check)
    page = report_page(summary, figures, datetime.now(UTC).astimezone(), say)
    with output.part() as file:
        file.write(page.encode())
