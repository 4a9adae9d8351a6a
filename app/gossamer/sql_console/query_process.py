"""Queries a project in a process of its own, and receives the rows."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final

from gossamer.ipc import ChildRole
from gossamer.ipc.child_connection import ChildProcess, adopt
from gossamer.ipc.process_start import launch
from gossamer.model.errors import (
    CrawlHostError,
    ProjectError,
    QueryLimitError,
    UsageError,
)
from gossamer.model.messages.query_messages import (
    NextRows,
    QueryColumns,
    QueryEnded,
    QueryReport,
    QueryRows,
    StartQuery,
)
from gossamer.model.query_limits import QueryLimits
from gossamer.model.translatable import Sentence
from gossamer.session.default_paths import crawl_log
from gossamer.sql_console.packed_rows import unpacked
from gossamer.sql_console.query_text import check_query
from gossamer.store.project import check
from gossamer.store.sql_console.query_connection import too_slow

USUAL_LIMITS: Final = QueryLimits()
_GRACE_S: Final = 2.0
"""After its time, a query that notices nothing is ended with its process."""
_END_S: Final = 1.0
_DIED: Final[Sentence] = (
    "The query process ended unexpectedly, possibly for lack of memory; query less at once."
)
_ERRORS: Final = {each.exit_code: each for each in (UsageError, ProjectError, QueryLimitError)}


class RunningQuery:
    """A query that is being executed: its columns, then its rows, batch by batch."""

    def __init__(self, limits: QueryLimits) -> None:
        self._limits = limits
        # Bounded by the process, which sends no more than `AHEAD` batches without a request.
        self._reports: asyncio.Queue[QueryReport | None] = asyncio.Queue()
        self._child: ChildProcess[QueryReport] | None = None
        self._over = False
        self._watchdog: asyncio.TimerHandle | None = None
        self.columns: tuple[str, ...] = ()
        self.is_current = True
        """Whether the audit has decided all issues in the result."""
        self.seconds = 0.0
        """How long it took, once all rows have arrived."""

    async def begin(self, start: StartQuery) -> None:
        """Start the process, and wait for the columns."""
        self._child = await adopt(
            launch(ChildRole.SQL_QUERY, str(crawl_log(Path(start.project)))),
            message_type=QueryReport,
            on_messages=self._receive,
            on_closed=lambda: self._reports.put_nowait(None),
        )
        self._child.send(start)
        loop = asyncio.get_running_loop()
        self._watchdog = loop.call_later(start.limits.time_s + _GRACE_S, self._give_up)
        report = await self._next()
        if isinstance(report, QueryColumns):
            self.columns, self.is_current = report.names, report.is_current

    async def batches(self) -> AsyncIterator[list[tuple[Any, ...]]]:
        """The rows. Raises KnownError if they cannot all be read."""
        async for batch in self.packed_batches():
            yield list(map(unpacked, batch.rows))

    async def packed_batches(self) -> AsyncIterator[QueryRows]:
        """The same, packed."""
        while isinstance(report := await self._next(), QueryRows):
            if self._child is not None:
                self._child.send(NextRows())
            yield report

    async def end(self) -> None:
        """End the process, if it has not ended."""
        if self._watchdog is not None:
            self._watchdog.cancel()
        if self._child is not None:
            await self._child.end(_END_S)

    def _receive(self, reports: list[QueryReport]) -> None:
        for report in reports:
            self._reports.put_nowait(report)
            if isinstance(report, QueryEnded) and self._watchdog is not None:
                self._watchdog.cancel()

    def _give_up(self) -> None:
        self._over = True
        if self._child is not None:
            self._child.kill()

    async def _next(self) -> QueryReport:
        report = await self._reports.get()
        if report is None:
            raise too_slow(self._limits) if self._over else CrawlHostError(_DIED)
        if isinstance(report, QueryEnded):
            if report.reason is not None:
                raise _ERRORS.get(report.exit_code, CrawlHostError)(report.reason)
            self.seconds = report.seconds
        return report


@asynccontextmanager
async def asking(
    project: Path, sql: str, limits: QueryLimits = USUAL_LIMITS, *, plan: bool = False
) -> AsyncIterator[RunningQuery]:
    """Inside, `sql` is executed on the project; with `plan`, how SQLite would find the result.

    Left early or cancelled, the query ends at once. Raises UsageError if it is no query or does
    more than read, QueryLimitError if it takes too long or too much, ProjectError if the project
    cannot be read, CrawlHostError if the process cannot be started; so do the rows.
    """
    check_query(sql)
    await asyncio.to_thread(check, project)
    query = RunningQuery(limits)
    try:
        await query.begin(StartQuery(str(project), sql, limits, plan))
        yield query
    finally:
        await query.end()
