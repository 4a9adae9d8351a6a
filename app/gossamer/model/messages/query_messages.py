"""The messages between a shell and the process that executes an SQL query for it."""

from msgspec import Struct

from gossamer.model.query_limits import QueryLimits
from gossamer.model.translatable import Translatable


class StartQuery(Struct, tag=True, frozen=True, array_like=True):
    """Execute `sql` on a project: the first message to the process.

    With `plan`, explain how SQLite would find the result.
    """

    project: str
    sql: str
    limits: QueryLimits = QueryLimits()
    plan: bool = False


class NextRows(Struct, tag=True, frozen=True, array_like=True):
    """The shell has received a batch of rows, and has room for another."""


QueryCommand = StartQuery | NextRows


class QueryColumns(Struct, tag=True, frozen=True, array_like=True):
    """The names of the columns: sent before any rows.

    Unless it `is_current`, the issues in the result are not those that the audit would find now.
    """

    names: tuple[str, ...]
    is_current: bool = True


class QueryRows(Struct, tag=True, frozen=True, array_like=True):
    """Some of the rows, each packed for itself, with so many characters of text in all."""

    rows: list[bytes]
    characters: int


class QueryEnded(Struct, tag=True, frozen=True, array_like=True):
    """All rows were sent, or it failed for a reason; the process ends after it."""

    reason: Translatable | None = None
    exit_code: int = 0
    seconds: float = 0.0


QueryReport = QueryColumns | QueryRows | QueryEnded
