"""How the SQL console of the window queries a project: in a process of its own."""

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol

from gossamer.export.sheet import FormatOptions
from gossamer.gui.sql.result_rows import ResultRows
from gossamer.model.query_limits import QueryLimits
from gossamer.model.sql_tokens import quoted
from gossamer.session.query_history import query_history, remember_query
from gossamer.sql_console.query_export import result_files, write_result
from gossamer.sql_console.query_plan import PlanStep, plan_steps
from gossamer.sql_console.query_process import USUAL_LIMITS, asking

MOST_ROWS: Final = 10_000
"""The default number of rows of a result that are shown."""
_MOST_CHARACTERS: Final = 50_000_000
"""Texts of pages may be long: beyond this, fewer rows are shown."""

_FOR_COLUMNS: Final = QueryLimits(time_s=20.0)


@dataclass(frozen=True, slots=True)
class QueryResultPage:
    """The first rows of a result, after `seconds`; whether it `has_more`.

    Unless it `is_current`, the audit has not decided all issues in it.
    """

    columns: Sequence[str]
    rows: ResultRows
    seconds: float
    has_more: bool = False
    is_current: bool = True


class QueryPort(Protocol):
    """Queries the project at a path. Cancelled, a query ends at once. All raise KnownError."""

    async def ask(
        self, project: Path, sql: str, limits: QueryLimits = ..., most_rows: int = ...
    ) -> QueryResultPage:
        """The first rows, at most this many."""

    async def columns(self, project: Path, view: str) -> Sequence[str]:
        """The columns of a view."""

    async def plan(self, project: Path, sql: str, limits: QueryLimits = ...) -> Sequence[PlanStep]:
        """How SQLite would find the result."""

    async def kept(self, project: Path) -> Sequence[str]:
        """The queries about the site of the project, newest first."""

    async def keep(self, project: Path, sql: str) -> None:
        """Put a query first among these."""

    async def export(self, project: Path, sql: str, out: Path, limits: QueryLimits = ...) -> int:
        """Write all rows to a file, whose suffix sets the format; returns their number."""


class QueryProcesses:
    """Runs a process for each query, as the command line does."""

    async def ask(
        self,
        project: Path,
        sql: str,
        limits: QueryLimits = USUAL_LIMITS,
        most_rows: int = MOST_ROWS,
    ) -> QueryResultPage:
        """See QueryPort."""
        begun = time.monotonic()
        rows: list[bytes] = []
        has_more, characters = False, 0
        async with asking(project, sql, limits) as query:
            async for batch in query.packed_batches():
                rows += batch.rows
                characters += batch.characters
                has_more = len(rows) > most_rows or characters > _MOST_CHARACTERS
                if has_more:
                    break
        seconds = time.monotonic() - begun
        del rows[most_rows:]
        return QueryResultPage(query.columns, ResultRows(rows), seconds, has_more, query.is_current)

    async def columns(self, project: Path, view: str) -> Sequence[str]:
        """See QueryPort."""
        async with asking(project, f"SELECT * FROM {quoted(view)} LIMIT 0", _FOR_COLUMNS) as query:  # noqa: S608 - quoted
            return query.columns

    async def plan(
        self, project: Path, sql: str, limits: QueryLimits = USUAL_LIMITS
    ) -> Sequence[PlanStep]:
        """See QueryPort."""
        async with asking(project, sql, limits, plan=True) as query:
            return plan_steps([row async for batch in query.batches() for row in batch])

    async def kept(self, project: Path) -> Sequence[str]:
        """See QueryPort."""
        return await asyncio.to_thread(query_history, project)

    async def keep(self, project: Path, sql: str) -> None:
        """See QueryPort."""
        await asyncio.to_thread(remember_query, project, sql)

    async def export(
        self, project: Path, sql: str, out: Path, limits: QueryLimits = USUAL_LIMITS
    ) -> int:
        """See QueryPort."""
        options = FormatOptions()
        output = result_files(out, project, options)
        async with asking(project, sql, limits) as query:
            _, rows = await write_result(query, output, options)
        return rows
