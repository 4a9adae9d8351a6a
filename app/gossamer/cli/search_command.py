"""Runs `gossamer search`: prints the pages with some words, or writes them to a file."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from msgspec.structs import replace

from gossamer.cli import EXIT_INTERRUPTED
from gossamer.cli.crawl_summary import as_json
from gossamer.cli.export_command import write_exports
from gossamer.cli.parsed_search_command import SearchCommand
from gossamer.cli.terminal import complain, counted, printable, remark, write_out
from gossamer.cli.where_option import filter_of
from gossamer.export.export_selection import ExportSelection
from gossamer.export.exporter import ExportRequest, check_output
from gossamer.export.sheet import FormatOptions
from gossamer.model.errors import UsageError
from gossamer.model.fields.url_record import UrlRecord
from gossamer.model.number_format import number
from gossamer.model.project_queries import Filter, Order, Table, View
from gossamer.model.search_excerpts import Excerpt
from gossamer.model.search_query import EXCERPT, RELEVANCE, Search
from gossamer.store.project import check, stored_settings
from gossamer.store.reading.reader import Reader
from gossamer.urls.url_parsing import parse_root

_BEST_FIRST: Final = Order(RELEVANCE)
_COLUMNS: Final = (
    "address",
    EXCERPT,
    "title",
    "status",
    "depth",
    "inlinks",
    "link_score",
    "language",
)
_BOLD, _PLAIN = "\033[1m", "\033[0m"


def search_project(command: SearchCommand) -> int:
    """Run `gossamer search` and return the exit code."""
    check(command.project)
    search = command.search
    if command.not_linking_to:
        url = parse_root(command.not_linking_to, hash_routes=True)
        search = replace(search, not_linking_to=url)
    filter_ = filter_of(command.where, lambda: stored_settings(command.project))
    filter_ = replace(filter_, search=search)
    if command.columns and command.output is None:
        raise UsageError("Use --columns with -o OUT.")
    if not _ensure_indexed(command.project):
        complain("The search was interrupted; run it again, and it goes on from there.")
        return EXIT_INTERRUPTED
    if command.output is not None:
        return _export(command, filter_)
    with Reader(command.project) as reader:
        if command.json:
            ids = reader.ids(View.ALL, filter_, _BEST_FIRST)
            records, excerpts = _read(reader, ids[: command.limit], search)
            found = [_result(record, excerpts.get(record.id)) for record in records]
            write_out(as_json({"pages": len(ids), "results": found}))
            return 0
        # The best are ready sooner than all, which are counted below them.
        first = reader.first_ids(View.ALL, filter_, _BEST_FIRST)
        if first is None or len(first) < command.limit:
            first = reader.ids(View.ALL, filter_, _BEST_FIRST)
        records, excerpts = _read(reader, first[: command.limit], search)
        shown = sys.stdout is not None and sys.stdout.isatty()
        texts = [_text(record, excerpts.get(record.id), is_styled=shown) for record in records]
        write_out("\n".join(texts))
        pages = len(reader.ids(View.ALL, filter_, _BEST_FIRST))
    more = f"; these are the first {number(len(records))}" if len(records) < pages else ""
    remark(f"Found {counted(pages, 'page')}{more}.")
    return 0


def _read(
    reader: Reader, ids: Sequence[int], search: Search
) -> tuple[list[UrlRecord], dict[int, Excerpt]]:
    return reader.records(ids), reader.excerpts(ids, search)


def _ensure_indexed(project: Path) -> bool:
    """Build the index of an old project, with progress; False if that was interrupted."""
    from gossamer.session.index_process import (  # noqa: PLC0415 - most searches find an index
        index_project,
        is_far_behind,
    )

    if not is_far_behind(project):
        return True
    from gossamer.cli.foreground_child_task import run_in_foreground  # noqa: PLC0415 - likewise

    return run_in_foreground("Search", lambda show: index_project(project, show), quiet=False)


def _export(command: SearchCommand, filter_: Filter) -> int:
    assert command.output is not None  # noqa: S101 - that is why
    table = Table(View.ALL, filter_, _BEST_FIRST, _COLUMNS)
    selection = ExportSelection(table, command.columns)
    check_output(command.output, selection, FormatOptions(), command.project)
    return write_exports(command.project, [ExportRequest(selection, command.output)], quiet=False)


def _result(record: UrlRecord, found: Excerpt | None) -> dict[str, object]:
    return {
        "url": record.url,
        "title": record.title,
        "status": record.status,
        "snippet": found.text if found else None,
        "marks": found.marks if found else [],
    }


def _text(record: UrlRecord, found: Excerpt | None, *, is_styled: bool) -> str:
    lines = [printable(each) for each in (_line(record.title), record.url) if each]
    if found and found.text:
        lines.append(f"  {_marked(found) if is_styled else printable(found.text)}")
    return "".join(f"{line}\n" for line in lines)


def _line(title: str | None) -> str:
    return " ".join((title or "").split())


def _marked(found: Excerpt) -> str:
    """The text with its marks in bold."""
    parts: list[str] = []
    after = 0
    for start, end in found.marks:
        parts += (
            printable(found.text[after:start]),
            _BOLD,
            printable(found.text[start:end]),
            _PLAIN,
        )
        after = end
    return "".join((*parts, printable(found.text[after:])))
