"""Provides the segment of each URL: a view on the connection, made from the settings.

`url_segment` has the id of each URL and the name of its segment, the first whose condition holds,
or NULL. It is a view and no table: changed settings hold at once, for all that is there.
"""

import sqlite3
from collections.abc import Sequence
from typing import Final

from gossamer.model.errors import UsageError
from gossamer.model.fields.url_record import URL_COLUMNS
from gossamer.model.segments import Segment, parse_segments
from gossamer.model.url_conditions import (
    AllOf,
    AnyOf,
    ColumnTest,
    Comparison,
    Not,
    UrlCondition,
)
from gossamer.store.field_sql import URL_JOINS, joins_of, read_sql, with_needed
from gossamer.store.reading.filter_conditions import casefold_sql
from gossamer.store.stored_settings import settings_in

_FIELDS: Final = {each.name: each for each in URL_COLUMNS}
_NONE: Final = "SELECT NULL AS id, NULL AS name WHERE 0"
_VIEW: Final = "CREATE TEMP VIEW url_segment AS {select}"


class SegmentView:
    """Keeps `url_segment` on one connection in sync with the settings in the file."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._version = -1
        self._text: str | None = None
        self._segments: tuple[str, ...] | None = None

    def update(self) -> None:
        """Look whether somebody has changed the settings; that costs some microseconds."""
        (version,) = self._connection.execute("PRAGMA data_version").fetchone()
        if version == self._version:
            return
        (text,) = self._connection.execute("SELECT settings FROM project").fetchone()
        if text != self._text:
            self._use(self._texts())
            self._text = text
        self._version = version

    def _texts(self) -> tuple[str, ...]:
        try:
            return settings_in(self._connection).segments
        except (ValueError, TypeError):  # whoever needs the settings will say so
            return ()

    def _use(self, texts: tuple[str, ...]) -> None:
        if texts == self._segments:
            return
        try:
            select = segment_sql(parse_segments(texts))
        except UsageError:  # of another version, or from a stranger
            select = _NONE
        # The connection is one that only reads; this view is its own.
        self._connection.execute("PRAGMA query_only=OFF")
        try:
            self._connection.execute("DROP VIEW IF EXISTS temp.url_segment")
            self._connection.execute(_VIEW.format(select=select))
        finally:
            self._connection.execute("PRAGMA query_only=ON")
        self._segments = texts


def segment_sql(segments: Sequence[Segment]) -> str:
    """The query that gives each URL its segment."""
    if not segments:
        return _NONE
    cases = [f"WHEN {condition_sql(each.condition)} THEN {_text(each.name)}" for each in segments]
    case = f"CASE {' '.join(cases)} END"
    needed = with_needed(joins_of(case))
    joins = "".join(sql for name, sql in URL_JOINS.items() if name in needed)
    return f"SELECT u.id AS id, {case} AS name FROM url u{joins}"  # noqa: S608 - our own words, and quoted values


def condition_sql(condition: UrlCondition) -> str:
    """A condition in SQL; what it tests stands there quoted, because views take no parameters."""
    if isinstance(condition, ColumnTest):
        return _test_sql(condition)
    if isinstance(condition, Not):
        return f"NOT coalesce({condition_sql(condition.part)}, 0)"
    word = " AND " if isinstance(condition, AllOf) else " OR "
    return f"({_joined(word, condition)})"


def _joined(word: str, condition: AllOf | AnyOf) -> str:
    return word.join(f"coalesce({condition_sql(part)}, 0)" for part in condition.parts)


def _test_sql(test: ColumnTest) -> str:
    column = f"({read_sql(_FIELDS[test.field])})"
    if test.comparison in {Comparison.EMPTY, Comparison.FILLED}:
        return f"coalesce({column}, '') {'=' if test.comparison is Comparison.EMPTY else '<>'} ''"
    if isinstance(test.value, float):
        return f"{column} {test.comparison} {test.value!r}"
    wanted = test.value.casefold()
    value = _text(wanted)
    folded = casefold_sql(test.value).replace("{}", f"coalesce({column}, '')")
    return {
        Comparison.CONTAINS: f"instr({folded}, {value}) > 0",
        Comparison.STARTS: f"substr({folded}, 1, {len(wanted)}) = {value}",
        Comparison.ENDS: f"substr({folded}, -{max(len(wanted), 1)}) = {value}",
    }.get(test.comparison, f"{folded} {test.comparison} {value}")


def _text(value: str) -> str:
    return "'" + value.replace("\0", "").replace("'", "''") + "'"
