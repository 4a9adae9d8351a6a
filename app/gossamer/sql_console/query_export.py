"""Writes the result of a query to a file, as exports write their tables."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

from gossamer.export.formats import FORMATS, TABLE_SUFFIXES, check_options, suffix_of
from gossamer.export.output_files import OutputFiles, check_folder, output_errors
from gossamer.export.sheet import FormatOptions, Sheet
from gossamer.model.errors import BugError, OutputError, UsageError
from gossamer.sql_console.query_process import RunningQuery


def result_files(out: Path, project: Path, options: FormatOptions) -> OutputFiles:
    """The file `out` for a query result of `project`; its suffix sets the format.

    UsageError for a format that cannot hold tables, OutputError if it cannot be written.
    """
    if suffix_of(out) not in TABLE_SUFFIXES:
        raise UsageError(
            "{name!r} cannot hold a table; end the file name with {known}.",
            name=out.name,
            known=", ".join(TABLE_SUFFIXES),
        )
    check_options(suffix_of(out) or "", options)
    check_folder(out)
    if out.exists() and project.exists() and out.samefile(project):
        raise OutputError("{path} is the project itself; choose another name.", path=out)
    return OutputFiles(out)


async def write_result(
    query: RunningQuery, output: OutputFiles, options: FormatOptions
) -> tuple[tuple[Path, ...], int]:
    """Write all rows on a thread; returns the files, and the number of rows.

    Raises KnownError if the rows cannot be read or written; then no file has changed.
    """
    rows = _Rows(query.batches(), asyncio.get_running_loop())
    files = await asyncio.to_thread(_write, output, query, rows, options)
    return files, rows.count


class _Rows:
    """The rows of a query for a thread that writes them, which waits for each batch."""

    def __init__(
        self, batches: AsyncIterator[list[tuple[Any, ...]]], loop: asyncio.AbstractEventLoop
    ) -> None:
        self._batches = batches
        self._loop = loop
        self.count = 0

    def __iter__(self) -> Iterator[tuple[Any, ...]]:
        while batch := asyncio.run_coroutine_threadsafe(self._next(), self._loop).result():
            self.count += len(batch)
            yield from batch

    async def _next(self) -> list[tuple[Any, ...]]:
        return await anext(self._batches, [])


def _write(
    output: OutputFiles, query: RunningQuery, rows: _Rows, options: FormatOptions
) -> tuple[Path, ...]:
    write = FORMATS[suffix_of(output.path) or ""].write
    if write is None:
        raise BugError(f"{output.path} holds no table")
    with output, output_errors(output.path):
        write(output, Sheet(_distinct(query.columns), iter(rows), 0, name="Query"), options)
        return output.put_in_place()


def _distinct(names: tuple[str, ...]) -> tuple[str, ...]:
    """Distinct names of columns for formats: a query may return one twice."""
    found: dict[str, None] = {}
    for name in names:
        again, wanted = 2, name
        while wanted in found:
            wanted, again = f"{name} ({again})", again + 1
        found[wanted] = None
    return tuple(found)
