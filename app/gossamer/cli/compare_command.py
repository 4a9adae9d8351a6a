"""Runs `gossamer compare`: audits if need be, compares, reports and writes the differences."""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from gossamer.cli import EXIT_GATE, EXIT_INTERRUPTED
from gossamer.cli.comparison_text import comparison_object, comparison_text
from gossamer.cli.crawl_summary import as_json
from gossamer.cli.fail_on_comparison import ComparisonThreshold, comparison_thresholds
from gossamer.cli.foreground_audit import ensure_audited
from gossamer.cli.foreground_child_task import run_in_foreground
from gossamer.cli.interrupt_signals import noting_interrupt
from gossamer.cli.parsed_commands import CompareCommand
from gossamer.cli.terminal import complain, remark, write_out
from gossamer.cli.where_option import filter_of
from gossamer.export.comparison_export import (
    check_comparison_output,
    checked_table,
    export_comparison,
)
from gossamer.export.comparison_sheets import COMPARISON_TABLES
from gossamer.export.output_files import output_errors
from gossamer.export.row_counter import ExportCancelled
from gossamer.model.comparison_field_choice import compared_fields
from gossamer.model.errors import DiskError, OutputError, UsageError
from gossamer.session.comparison_process import compare_projects, comparison_folder
from gossamer.session.crawl_failure import comparison_warning
from gossamer.store.comparing.comparison_reader import ComparisonReader
from gossamer.store.project import stored_settings
from gossamer.urls.url_mapping import UrlMapping


def compare(command: CompareCommand) -> int:
    """Run `gossamer compare` and return the exit code."""
    mapping = UrlMapping.parsed(command.mapping)
    fields = compared_fields(command.fields)
    filter_ = filter_of(command.where, lambda: stored_settings(command.after))
    outputs = _outputs(command)
    projects = (command.before, command.after)
    *_, settings = [stored_settings(project) for project in projects]
    thresholds = comparison_thresholds(command.fail_on, settings, fields)
    if command.audits and not all(_audited(each, quiet=command.quiet) for each in projects):
        complain("The audit was interrupted; nothing was compared.")
        return EXIT_INTERRUPTED
    with comparison_folder() as folder:
        result = folder / "result.comparison"
        done = run_in_foreground(
            "Comparison",
            lambda show: compare_projects(
                *projects, result, mapping=mapping, fields=fields, filter_=filter_, on_step=show
            ),
            quiet=command.quiet,
        )
        if not done:
            complain("The comparison was interrupted.")
            return EXIT_INTERRUPTED
        with ComparisonReader(result) as reader:
            return _tell(command, reader, thresholds, outputs)


class _Output(NamedTuple):
    """Where to write which table; "" for everything that the format can hold."""

    path: Path
    table: str = ""


def _outputs(command: CompareCommand) -> list[_Output]:
    """What is to be written; UsageError or OutputError if it could not be in the end."""
    for out in command.outputs:
        check_comparison_output(out)
    tables = [checked_table(each) for each in command.tables]
    found = [*map(_Output, command.outputs), *(_Output(out, table) for table, out in tables)]
    for out, _ in found:
        for project in (command.before, command.after):
            with output_errors(out):
                if out.exists() and project.exists() and out.samefile(project):
                    raise OutputError("{path} is a project; choose another name.", path=out)
    if len({out.resolve() for out, _ in found}) < len(found):
        raise UsageError("Two outputs are written to one file; specify two files.")
    return found


def _audited(project: Path, *, quiet: bool) -> bool:
    """Bring the audit up to date, if the project can be written; False if interrupted."""
    try:
        return ensure_audited(project, quiet=quiet)
    except DiskError as e:  # the comparison says that the issues are old
        if not quiet:
            remark(f"The audit of {project} cannot be brought up to date: {e}")
        return True


def _tell(
    command: CompareCommand,
    reader: ComparisonReader,
    thresholds: Sequence[ComparisonThreshold],
    outputs: Sequence[_Output],
) -> int:
    with noting_interrupt() as interrupted:
        for out, table in outputs:
            try:
                sheet = COMPARISON_TABLES[table](reader) if table else None
                export_comparison(reader, out, sheet=sheet, cancelled=interrupted)
            except ExportCancelled:
                complain(f"The export was cancelled; {out} was not written.")
                return EXIT_INTERRUPTED
            if not command.quiet:
                remark(f"Saved {out}.")
    if command.json:
        write_out(as_json(comparison_object(reader, command.where)))
    else:
        write_out(comparison_text(reader, command.where))
    for project in (command.before, command.after):
        if (failed := comparison_warning(project)) is not None:
            remark(str(failed))
    exceeded = [sentence for threshold in thresholds if (sentence := threshold.exceeded(reader))]
    for sentence in (
        *exceeded,
        *(each for threshold in thresholds for each in threshold.doubts(reader)),
    ):
        complain(sentence)
    return EXIT_GATE if exceeded else 0
