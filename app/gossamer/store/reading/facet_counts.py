"""Counts the rows of views, facets and selections."""

import sqlite3
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

from msgspec import convert

from gossamer.model.facets import (
    CUSTOM,
    FOLDER,
    IGNORED,
    ISSUE,
    SEVERAL,
    FacetCount,
    concerns,
    without,
)
from gossamer.model.project_queries import VIEW_OUTCOMES, Facet, Filter, Totals, View
from gossamer.model.response_warnings import ResponseWarning, from_codes
from gossamer.store.bulk_insert import chunks, listed, marks
from gossamer.store.count_tables import count_outcomes
from gossamer.store.database import MalformedContentError
from gossamer.store.reading.filter_conditions import FACET_SQL, condition, joined
from gossamer.store.reading.ignored_rows import (
    IGNORED_ROWS,
    OPEN_ROWS,
    count_ignored_issues,
    count_open_issues,
)
from gossamer.store.reading.link_query_plan import link_reach
from gossamer.store.reading.queries import custom_counts, facet_counts, folder_counts, issue_counts
from gossamer.store.writing.folder_table import MAX_LEVELS
from gossamer.urls.url_folders import folders

MAX_VALUES: Final = 200
"""Values of a facet that are told apart."""
MAX_COMBINATIONS: Final = 100_000
"""Sets of values that rows have together, of the facets in SEVERAL."""

_SUMS: Final = "coalesce(sum(size_bytes), 0), coalesce(sum(elapsed_ms), 0), count(elapsed_ms)"
_ALL: Final = Filter()


def count_facet(
    connection: sqlite3.Connection, view: View, filter_: Filter, facet: Facet
) -> list[FacetCount]:
    """See `Reader.facet`."""
    if facet == FOLDER:
        return _count_folders(connection, view, filter_)
    if facet in {ISSUE, IGNORED}:
        return _count_issues(connection, view, without(filter_, facet), facet)
    if facet == CUSTOM and concerns(facet, view):
        query = custom_counts(without(filter_, facet), view)
        rows = connection.execute(query.sql, query.values)
        return [convert(row, FacetCount) for row in rows]
    if facet not in FACET_SQL or not concerns(facet, view):
        return []
    filter_ = without(filter_, facet)
    reach = link_reach(connection, view, filter_)
    limit = MAX_COMBINATIONS if facet in SEVERAL else MAX_VALUES
    query = facet_counts(view, filter_, facet, limit, reach)
    rows = connection.execute(query.sql, query.values)
    return _one_by_one(rows) if facet in SEVERAL else [convert(row, FacetCount) for row in rows]


def _one_by_one(rows: Iterable[tuple[str, int]]) -> list[FacetCount]:
    """How many have each value, of how many have which values together."""
    found: Counter[ResponseWarning] = Counter()
    for values, number in rows:
        found.update(dict.fromkeys(from_codes(values), number))
    by_count = sorted(found.items(), key=lambda each: (-each[1], each[0]))
    return [FacetCount(*each) for each in by_count[:MAX_VALUES]]


def _count_issues(
    connection: sqlite3.Connection, view: View, filter_: Filter, facet: Facet
) -> list[FacetCount]:
    if view is View.ALL and filter_ == _ALL:
        count = count_open_issues if facet == ISSUE else count_ignored_issues
        counts = count(connection)
        by_count = sorted(counts.items(), key=lambda each: (-each[1], each[0]))
        return [FacetCount(*each) for each in by_count]
    rows_of = OPEN_ROWS if facet == ISSUE else IGNORED_ROWS
    query = issue_counts(view, filter_, rows_of, link_reach(connection, view, filter_))
    rows = connection.execute(query.sql, query.values)
    return [convert((rule, int(number)), FacetCount) for rule, number in rows]


def _count_folders(connection: sqlite3.Connection, view: View, filter_: Filter) -> list[FacetCount]:
    """The folders right below the one of the filter; without one, origins."""
    query = folder_counts(view, filter_, link_reach(connection, view, filter_))
    counts = dict(connection.execute(query.sql, query.values))
    parents: dict[int, int | None] = dict(connection.execute("SELECT id, parent FROM folder"))
    found: Counter[int] = Counter()
    for folder, count in counts.items():
        at: int | None = folder
        for _ in range(MAX_LEVELS):
            if at is None or parents.get(at) == filter_.folder:
                break
            at = parents.get(at)
        else:
            raise MalformedContentError("folders that lie in each other")
        if at is not None:
            found[at] += count
    return [
        convert((folder, count, folder_address(connection, folder)), FacetCount)
        for folder, count in found.most_common(MAX_VALUES)
    ]


def folder_address(connection: sqlite3.Connection, folder: int) -> str:
    """See `Reader.folder_address`."""
    names: list[str] = []
    at: int | None = folder
    while at is not None:
        if len(names) > MAX_LEVELS:
            raise MalformedContentError("folders that lie in each other")
        row = connection.execute("SELECT name, parent FROM folder WHERE id = ?", (at,)).fetchone()
        if row is None:
            return ""
        names.append(f"{row[0]}/")
        at = row[1]
    return "".join(reversed(names))


def folder_at(connection: sqlite3.Connection, address: str) -> int | None:
    """See `Reader.folder_at`."""
    found: int | None = None
    for name in folders(address):
        row = connection.execute(
            "SELECT id FROM folder WHERE parent IS ? AND name = ?", (found, name)
        ).fetchone()
        if row is None:
            return None
        found = int(row[0])
    return found


def count_views(connection: sqlite3.Connection) -> dict[View, int]:
    """See `Reader.view_counts`."""
    outcomes = count_outcomes(connection)
    counts = {
        view: sum(outcomes.get(outcome, 0) for outcome in wanted)
        for view, wanted in VIEW_OUTCOMES.items()
    }
    found = condition(View.EXTERNAL, _ALL)
    table = joined(View.EXTERNAL, found.joins)
    asked = f"total(u.outcome IN ({listed(View.INTERNAL.outcomes)}))"
    counts[View.EXTERNAL], asked_elsewhere = connection.execute(
        f"SELECT count(*), {asked} FROM {table} WHERE {found.sql}"  # noqa: S608 - our own words
    ).fetchone()
    counts[View.INTERNAL] -= int(asked_elsewhere)
    counts[View.LINKS] = count_links(connection)
    counts[View.BROKEN_LINKS] = 0
    if counts[View.ERRORS]:
        counts[View.BROKEN_LINKS] = _count_broken_links(connection)
    return counts


def count_links(connection: sqlite3.Connection) -> int:
    """See `Reader.link_count`. Summed up by target: there are far fewer of these than links."""
    (links,) = connection.execute("SELECT total(links + others) FROM inlink_count").fetchone()
    return int(links)


def _count_broken_links(connection: sqlite3.Connection) -> int:
    """By target too."""
    broken = condition(View.ERRORS, _ALL)
    (links,) = connection.execute(
        f"SELECT total(n.links + n.others) FROM {joined(View.ERRORS, broken.joins | {'n'})}"  # noqa: S608 - our own words
        f" WHERE {broken.sql}",
        broken.values,
    ).fetchone()
    return int(links)


def total(connection: sqlite3.Connection, ids: Sequence[int]) -> Totals:
    """See `Reader.totals`."""
    size_bytes = elapsed_ms = timed = 0
    for chunk in chunks(ids):
        size, elapsed, number = connection.execute(
            f"SELECT {_SUMS} FROM visit WHERE id IN ({marks(len(chunk))})",  # noqa: S608 - our own words
            chunk,
        ).fetchone()
        size_bytes, elapsed_ms, timed = size_bytes + size, elapsed_ms + elapsed, timed + number
    return Totals(size_bytes, elapsed_ms, timed)
