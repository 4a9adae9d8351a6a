"""Executes one query on a project: opens it, makes the named views, and reads the rows."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, Final

from gossamer.export.export_columns import LINK_HEADINGS, URL_HEADINGS
from gossamer.export.issue_views import OVERVIEW_HEADINGS
from gossamer.export.link_reports import REPORT_LINK_HEADINGS
from gossamer.model.messages.query_messages import QueryRows, StartQuery
from gossamer.sql_console.address_lookup import FasterQuery, with_ids
from gossamer.sql_console.live_views import column_names, live_view, view_names
from gossamer.sql_console.packed_rows import packed
from gossamer.sql_console.project_views import ProjectViews
from gossamer.sql_console.query_text import check_query, with_own_quotes
from gossamer.store.reading.reader import Reader
from gossamer.store.sql_console.query_connection import QueryConnection, QueryResult

BATCH_ROWS: Final = 500
BATCH_CHARACTERS: Final = 256 * 1024
"""The size or number of rows at which a batch ends."""


@cache
def exported_headings() -> dict[str, str]:
    """The headings of exports, in lower case, with the names that columns have for them."""
    headings = {*URL_HEADINGS, *LINK_HEADINGS, *REPORT_LINK_HEADINGS, *OVERVIEW_HEADINGS}
    return {each.lower(): column_names([each])[0] for each in headings}


@contextmanager
def executed_query(
    start: StartQuery, is_cancelled: Callable[[], bool] = lambda: False
) -> Iterator[QueryResult]:
    """Inside, the result of a query, whose rows are read on demand.

    Raises UsageError if it is no query or does more than read, QueryLimitError, ProjectError,
    QueryCancelled; so does reading the rows.
    """
    check_query(start.sql)
    project = Path(start.project)
    # The reader closes the file last: it cleans up the files that the other one cannot.
    with (
        Reader(project) as reader,
        QueryConnection(project, start.limits, is_cancelled) as connection,
    ):
        views = ProjectViews(connection, reader)

        def query() -> FasterQuery:
            own = with_own_quotes(start.sql, exported_headings() | views.headings)
            return with_ids(own, _columns_of, reader.lookup)

        connection.compile(lambda: query().sql, views.make, view_names())
        faster = query()
        result = connection.run(f"EXPLAIN QUERY PLAN {faster.sql}" if start.plan else faster.sql)
        result.columns = tuple(map(faster.as_asked, result.columns))
        result.is_current = views.is_current
        yield result


def _columns_of(name: str) -> tuple[str, ...]:
    live = live_view(name)
    return () if live is None else live.columns


def batches(rows: Iterator[tuple[Any, ...]]) -> Iterator[QueryRows]:
    """The rows, some at a time."""
    batch: list[bytes] = []
    characters = 0
    for row in rows:
        batch.append(packed(row))
        characters += sum(len(cell) for cell in row if isinstance(cell, str))
        if len(batch) == BATCH_ROWS or characters > BATCH_CHARACTERS:
            yield QueryRows(batch, characters)
            batch, characters = [], 0
    if batch:
        yield QueryRows(batch, characters)
