"""Reads a comparison file: counts, pages that differ, folders."""

import sqlite3
from array import array
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import chain, groupby
from operator import itemgetter
from pathlib import Path
from typing import Any, Final

import msgspec

from gossamer.model.comparison_filters import ISSUE_SECTION
from gossamer.model.comparison_results import (
    ComparedPage,
    ComparisonFilter,
    ComparisonOrder,
    ComparisonSummary,
    FieldChange,
    FilterCounts,
    FilterMove,
    FolderCounts,
    IssueMove,
    PageChange,
)
from gossamer.model.errors import ProjectError
from gossamer.model.fields.compared_fields import COMPARABLE
from gossamer.model.outcome import Outcome
from gossamer.model.page_flags import Indexability
from gossamer.model.project_queries import Facet
from gossamer.model.project_queries import Value as FacetValue
from gossamer.store.bulk_insert import Value, chunks, listed, marks
from gossamer.store.closed_on_exit import ClosedOnExit
from gossamer.store.comparing.comparison_schema import (
    COMPARISON_ID,
    COMPARISON_VERSION,
    value_from,
)
from gossamer.store.database import opened, primary_code, translated_reading
from gossamer.store.reading.project_connection import ReadInterrupted

_PAGE: Final = (
    "id, url, change, before_url, before_id, after_id, fate, fate_status, fate_url, status, reason"
)
_FILTER: Final = "section, value, before, after, added, new, began, removed, missing, ended"
_IN_SET: Final = "SELECT id FROM filter_set WHERE section = ? AND value = ?"
_MOVES: Final = {
    FilterMove.ADDED: "p.before_set IS NOT NULL AND {after} AND NOT {before}",
    FilterMove.NEW: f"p.change = {int(PageChange.NEW)} AND {{after}}",
    FilterMove.REMOVED: "p.after_set IS NOT NULL AND {before} AND NOT {after}",
    FilterMove.MISSING: f"p.change = {int(PageChange.MISSING)} AND {{before}}",
    FilterMove.BEGAN: "0",
    FilterMove.ENDED: "0",
}
_AT_ONCE: Final = 2_000
_ALL: Final = ComparisonFilter()
_AS_FOUND: Final = ComparisonOrder()


class ComparisonReader(ClosedOnExit):
    """Reads one comparison file. One thread at a time; `interrupt` from any thread.

    ProjectError for what is no comparison file or damaged; ReadInterrupted after `interrupt`.
    """

    def __init__(self, path: Path) -> None:
        """Open the file at `path`."""
        self._path = path
        if not path.is_file():
            raise ProjectError("The comparison {path} does not exist; compare again.", path=path)
        with translated_reading(path):
            self._connection = opened(path, "mode=ro")
            try:
                self._check()
            except BaseException:
                self._connection.close()
                raise

    def _check(self) -> None:
        (application_id,) = self._connection.execute("PRAGMA application_id").fetchone()
        (version,) = self._connection.execute("PRAGMA user_version").fetchone()
        if application_id != COMPARISON_ID or version != COMPARISON_VERSION:
            raise ProjectError("{path} is no comparison; compare again.", path=self._path)

    def close(self) -> None:
        """Close the file. Does nothing the second time."""
        self._connection.close()

    def interrupt(self) -> None:
        """End the query that is running, if one is. Call from any thread."""
        with suppress(sqlite3.ProgrammingError):  # closed meanwhile
            self._connection.interrupt()

    # ------------------------------------------------------------ the whole

    def summary(self) -> ComparisonSummary:
        """The comparison as a whole."""
        with self._reading() as connection:
            (text,) = connection.execute("SELECT summary FROM comparison").fetchone()
            return msgspec.json.decode(text, type=ComparisonSummary)

    def filters(self, sections: Collection[Facet] = ()) -> list[FilterCounts]:
        """What came into each filter and issue, and what left it; of these sections, if any."""
        rows = self._rows(f"SELECT {_FILTER} FROM filter ORDER BY section, value")  # noqa: S608 - our own words
        found = [msgspec.convert(row, FilterCounts) for row in rows]
        return [each for each in found if not sections or each.section in sections]

    def issues(self) -> dict[int, FilterCounts]:
        """Likewise of each issue, by the number of its rule."""
        return {int(each.value): each for each in self.filters((ISSUE_SECTION,))}

    def folders(self, parent: str | None = None) -> list[FolderCounts]:
        """The folders right below one, by address; below "" the sites, and without one, all."""
        where, values = ("", ()) if parent is None else (" WHERE parent = ?", (parent,))
        rows = self._rows(
            f"SELECT address, level, before, after FROM folder{where} ORDER BY address",  # noqa: S608 - our own words
            values,
        )
        return [msgspec.convert(row, FolderCounts) for row in rows]

    # ------------------------------------------------------------ pages

    def count_gained(self, rules: Collection[int]) -> int:
        """How many URLs have got any of these issues."""
        gained = listed(move for move in FilterMove if move.is_in)
        sql = (
            "SELECT count(DISTINCT page) FROM issue_change"  # noqa: S608 - numbers
            f" WHERE rule IN ({listed(rules)}) AND move IN ({gained})"
        )
        ((number,),) = self._rows(sql)
        return int(number)

    def count(self, filter_: ComparisonFilter = _ALL) -> int:
        """How many pages pass a filter."""
        where, values = _condition(filter_)
        ((number,),) = self._rows(f"SELECT count(*) FROM page p WHERE {where}", values)  # noqa: S608 - our own words
        return int(number)

    def ids(
        self, filter_: ComparisonFilter = _ALL, order: ComparisonOrder = _AS_FOUND
    ) -> "array[int]":
        """The ids of the pages that pass a filter, sorted; type code "q"."""
        where, values = _condition(filter_)
        sort, of_sort = _sort(filter_, order)
        with self._reading() as connection:
            rows = connection.execute(
                f"SELECT p.id FROM page p WHERE {where} ORDER BY {sort}",  # noqa: S608 - our own words
                (*values, *of_sort),
            )
            return array("q", chain.from_iterable(rows))

    def pages(self, ids: Sequence[int]) -> list[ComparedPage]:
        """The pages with these ids, in this order, with all that has changed of them."""
        found: dict[int, ComparedPage] = {}
        for chunk in chunks(ids):
            among = f"IN ({marks(len(chunk))})"
            rows = self._rows(f"SELECT {_PAGE} FROM page WHERE id {among}", chunk)  # noqa: S608 - marks only
            fields = self._grouped(
                f"SELECT page, field, before, after FROM field_change WHERE page {among}"  # noqa: S608 - marks only
                " ORDER BY page",
                chunk,
            )
            issues = self._grouped(
                f"SELECT page, rule, move FROM issue_change WHERE page {among} ORDER BY page, rule",  # noqa: S608 - marks only
                chunk,
            )
            with translated_reading(self._path):
                for row in rows:
                    page = _page(row, fields.get(row[0], []), issues.get(row[0], []))
                    found[page.id] = page
        return [found[each] for each in ids if each in found]

    def iterate(
        self, filter_: ComparisonFilter = _ALL, order: ComparisonOrder = _AS_FOUND
    ) -> Iterator[ComparedPage]:
        """The pages that pass a filter, one by one, in 8 bytes of memory for each."""
        ids = self.ids(filter_, order)
        for start in range(0, len(ids), _AT_ONCE):
            yield from self.pages(ids[start : start + _AT_ONCE])

    # ------------------------------------------------------------ the file

    def _grouped(self, sql: str, values: Sequence[Value]) -> dict[int, list[tuple[Any, ...]]]:
        rows = self._rows(sql, values)
        return {page: list(some) for page, some in groupby(rows, key=itemgetter(0))}

    def _rows(self, sql: str, values: Sequence[Value] = ()) -> list[tuple[Any, ...]]:
        with self._reading() as connection:
            return connection.execute(sql, values).fetchall()

    @contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection]:
        with translated_reading(self._path):
            try:
                yield self._connection
            except sqlite3.OperationalError as e:
                if primary_code(e) == sqlite3.SQLITE_INTERRUPT:
                    raise ReadInterrupted from e
                raise


_PLACES: Final = {name: place for place, name in enumerate(COMPARABLE)}


def _page(
    row: tuple[Any, ...], fields: Sequence[tuple[Any, ...]], issues: Sequence[tuple[Any, ...]]
) -> ComparedPage:
    page, url, change, before_url, before_id, after_id, fate, *others = row
    fate_status, fate_url, status, reason = others
    return ComparedPage(
        id=page,
        url=url,
        change=PageChange(change),
        before_url=before_url,
        before_id=before_id,
        after_id=after_id,
        fate=None if fate is None else Outcome(fate),
        fate_status=fate_status,
        fate_url=fate_url,
        status=status,
        reason=None if reason is None else Indexability(reason),
        fields=tuple(
            FieldChange(
                name, value_from(COMPARABLE[name], before), value_from(COMPARABLE[name], after)
            )
            for _, name, before, after in sorted(fields, key=lambda each: _PLACES[each[1]])
        ),
        issues=tuple(IssueMove(rule, FilterMove(move)) for _, rule, move in issues),
    )


def _condition(filter_: ComparisonFilter) -> tuple[str, tuple[Value, ...]]:
    """The condition of pages `p`, and its values."""
    conditions: list[str] = []
    values: list[Value] = []
    changes = filter_.changes if filter_.moved is None else frozenset(PageChange)
    conditions.append(f"p.change IN ({listed(changes)})")
    if filter_.field:
        conditions.append("p.id IN (SELECT page FROM field_change WHERE field = ?)")
        values.append(filter_.field)
    if filter_.moved is not None:
        sql, of_move = _moved(*filter_.moved)
        conditions.append(sql)
        values += of_move
    if filter_.text:
        like = f"%{_escaped(filter_.text)}%"
        conditions.append(
            r"(p.url LIKE ? ESCAPE '\' OR p.id IN (SELECT page FROM field_change"
            r" WHERE before LIKE ? ESCAPE '\' OR after LIKE ? ESCAPE '\'))"
        )
        values += (like, like, like)
    return " AND ".join(conditions), tuple(values)


def _moved(
    section: Facet, value: FacetValue, move: FilterMove | None
) -> tuple[str, tuple[Value, ...]]:
    moves = tuple(FilterMove) if move is None else (move,)
    if section == ISSUE_SECTION:
        sql = f"SELECT page FROM issue_change WHERE rule = ? AND move IN ({listed(moves)})"  # noqa: S608 - numbers
        return f"p.id IN ({sql})", (value,)
    before, after = (f"coalesce(p.{side}_set IN ({_IN_SET}), 0)" for side in ("before", "after"))
    found = [_MOVES[each].format(before=before, after=after) for each in moves]
    number = sum(each.count("?") for each in found) // 2
    return f"({' OR '.join(found)})", (section, value) * number


_SORTS: Final = {"address": "p.url", "change": "p.change"}


def _sort(filter_: ComparisonFilter, order: ComparisonOrder) -> tuple[str, tuple[Value, ...]]:
    direction = "DESC" if order.descending else "ASC"
    if order.column in {"before", "after"} and filter_.field:
        value = f"SELECT {order.column} FROM field_change WHERE field = ? AND page = p.id"  # noqa: S608 - our own words
        return f"({value}) {direction} NULLS LAST, p.id", (filter_.field,)
    if order.column in _SORTS:
        return f"{_SORTS[order.column]} {direction}, p.id", ()
    return f"p.id {direction if not order.column else 'ASC'}", ()


def _escaped(text: str) -> str:
    for special in "\\%_":
        text = text.replace(special, "\\" + special)
    return text
