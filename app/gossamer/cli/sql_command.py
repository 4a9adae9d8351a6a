"""Queries a project with SQL: rows to standard output or a file, as exports write them."""

import asyncio
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from gossamer.cli import EXIT_INTERRUPTED
from gossamer.cli.export_command import csv_delimiter
from gossamer.cli.interrupt_signals import calling_on_interrupt
from gossamer.cli.parsed_table_commands import SqlCommand
from gossamer.cli.suggested_commands import suggested_command
from gossamer.cli.terminal import (
    counted,
    listed,
    not_printed,
    printable,
    remark,
    silence,
    write_out,
)
from gossamer.cli.text_input import file_text, standard_input
from gossamer.export.formats import TABLE_SUFFIXES, check_options, suffix_of
from gossamer.export.output_files import OutputFiles, OutputStream
from gossamer.export.sheet import FormatOptions
from gossamer.model.errors import OutputError, UsageError
from gossamer.sql_console.live_views import live_view, view_names
from gossamer.sql_console.query_export import result_files, write_result
from gossamer.sql_console.query_plan import plan_text
from gossamer.sql_console.query_process import asking
from gossamer.sql_console.query_templates import template_named
from gossamer.sql_console.query_text import MOST_BYTES

_STANDARD: Final = "-"


def ask_project(command: SqlCommand) -> int:
    """Run `gossamer sql` and return the exit code."""
    if command.tables:
        write_out("".join(f"{line}\n" for line in _tables()))
        return 0
    sql = _query(command)
    if command.explain:
        return asyncio.run(_until_interrupted(_explain(command, sql)))
    options = FormatOptions(csv_delimiter(command.delimiter), command.byte_order_mark)
    output = _output(command, options)
    return asyncio.run(_until_interrupted(_ask(command, sql, output, options)))


async def _until_interrupted(work: Any) -> int:  # noqa: ANN401 - a coroutine
    async with asyncio.TaskGroup() as group:
        task = group.create_task(work, name="query")

        def interrupt() -> None:
            task.cancel()

        with calling_on_interrupt(interrupt):
            await asyncio.wait({task})
    return EXIT_INTERRUPTED if task.cancelled() else 0


async def _explain(command: SqlCommand, sql: str) -> None:
    async with asking(command.project, sql, command.limits, plan=True) as query:
        rows = [row async for batch in query.batches() for row in batch]
    write_out("".join(f"{printable(str(line))}\n" for line in plan_text(rows)))


async def _ask(command: SqlCommand, sql: str, output: OutputFiles, options: FormatOptions) -> None:
    async with asking(command.project, sql, command.limits) as query:
        try:
            files, rows = await write_result(query, output, options)
        except OutputError as e:
            _tell_of_stream(output, e)
            return
    if files:
        remark(f"Saved {counted(rows, 'row')} to {files[-1]} in {query.seconds:.1f} s.")
    if not query.is_current:
        audit = suggested_command("audit", command.project)
        remark(f"The audit has not seen all of this crawl: issues are missing. First run: {audit}")


def _tell_of_stream(output: OutputFiles, error: OutputError) -> None:
    """Raise the error, in words for standard output; nothing if its reader has seen enough."""
    problem = error.__cause__
    if not isinstance(output, OutputStream) or not isinstance(problem, OSError):
        raise error
    silence(sys.stdout)
    if not isinstance(problem, BrokenPipeError):  # as of `| head`
        raise not_printed(problem) from error


def _query(command: SqlCommand) -> str:
    """The text of the query, wherever it comes from."""
    given = [each for each in (command.query, command.query_file, command.template) if each]
    if len(given) > 1:
        raise UsageError("Give one query: as an argument, with --query-file or with --template.")
    if command.template is not None:
        return template_named(command.template).sql
    if command.query_file is not None:
        return file_text(command.query_file, MOST_BYTES)
    if command.query not in {None, _STANDARD}:
        return str(command.query)
    if command.query is None and (sys.stdin is None or sys.stdin.isatty()):
        raise UsageError(
            'There is no query; write one such as "SELECT * FROM internal LIMIT 10", or choose one '
            "of --templates."
        )
    return standard_input(MOST_BYTES)


def _output(command: SqlCommand, options: FormatOptions) -> OutputFiles:
    """Where the rows go, in a format that can hold any table."""
    known = listed([each.removeprefix(".") for each in TABLE_SUFFIXES], "or")
    if command.output in {None, Path(_STANDARD)}:
        name = Path(f"standard output.{(command.format or 'csv').lower().removeprefix('.')}")
        if suffix_of(name) not in TABLE_SUFFIXES:
            raise UsageError(f"Unknown format {command.format!r}; choose {known}.")
        if sys.stdout is None:
            raise UsageError("There is no standard output; specify a file with -o.")
        check_options(suffix_of(name) or "", options)
        return OutputStream(name, sys.stdout.buffer)
    out = command.output or Path()
    if command.format is not None:
        raise UsageError("The suffix of a file sets its format; use --format without -o.")
    return result_files(out, command.project, options)


def _tables() -> Iterator[str]:
    for name in view_names():
        live = live_view(name)
        columns = "" if live is None else f" ({', '.join(live.columns)})"
        yield f"{name}{columns}"
