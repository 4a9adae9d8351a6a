"""Writes the rows of the `issue` table: which rules of the audit hold for which URLs."""

import sqlite3
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from operator import attrgetter
from typing import Final

from gossamer.model.fields.indexability import Indexability, indexability_sql
from gossamer.model.link_kinds import RESOURCE_KINDS, LinkKind
from gossamer.model.store_batch import VisitRow
from gossamer.store.bulk_insert import BulkInsert, Value, chunks, listed, marks
from gossamer.store.count_tables import CountTables

_FOUND: Final = BulkInsert("issue", "rule, id", "ON CONFLICT DO NOTHING")
_OF_PAGE_RULES: Final = (
    "FROM issue WHERE id = ? AND rule IN (SELECT rule FROM issue_count WHERE live)"
)
_OF_TARGETS: Final = BulkInsert("issue", "rule, id, value", "ON CONFLICT DO NOTHING")
_OF_FILE: Final = "INSERT INTO issue (rule, id, value) VALUES (?, ?, ?) ON CONFLICT DO NOTHING"
_RESOURCES: Final = f"""
    SELECT target FROM link WHERE source = ? AND kind IN ({listed(RESOURCE_KINDS)})
"""  # noqa: S608 - our own numbers
_IN_STYLES: Final = f"SELECT target FROM link WHERE source = ? AND kind = {LinkKind.CSS:d}"  # noqa: S608 - our own number
_SHOWS_STYLES: Final = f"""
    SELECT 1 FROM url u JOIN visit v ON v.id = u.id WHERE u.id = ? AND (
        v.word_count IS NOT NULL AND {indexability_sql()} = '{Indexability.INDEXABLE.value}'
        OR (SELECT value FROM text WHERE id = v.content_type) = 'text/css'
    )
"""  # noqa: S608 - our own words
"""Whether a URL is an indexable page or a style sheet."""
_COUNTED: Final = (
    "INSERT INTO issue_count (rule, urls, live) VALUES (?, ?, 0)"
    " ON CONFLICT (rule) DO UPDATE SET urls = urls + excluded.urls"
)


def add_issues(
    connection: sqlite3.Connection, rows: Iterable[VisitRow], tallies: CountTables
) -> None:
    """Write the issues of visits, in the transaction that is open: see `remove_issues`."""
    ids_of: defaultdict[int, list[int]] = defaultdict(list)
    for row in sorted(rows, key=attrgetter("id")):
        for rule in row.visit.issues:
            ids_of[rule].append(row.id)
    ordered = sorted(ids_of.items())
    tallies.issues({rule: len(ids) for rule, ids in ordered})
    pairs: list[Value] = [0] * (2 * sum(len(ids) for _, ids in ordered))
    pairs[0::2] = list(chain.from_iterable([rule] * len(ids) for rule, ids in ordered))
    pairs[1::2] = list(chain.from_iterable(ids for _, ids in ordered))
    _FOUND.run(connection, pairs)


def add_link_issues(connection: sqlite3.Connection, rows: Iterable[VisitRow]) -> None:
    """Write the issues of what the links of visits lead to, as far as there are none of them yet.

    Each has the visited URL as its value. They stay when this is visited again: until the stage
    that has the last word replaces them.
    """
    sources: defaultdict[int, dict[int, int]] = defaultdict(dict)
    for row in rows:
        targets = row.links.targets
        for rule, place in row.visit.link_issues:
            sources[rule].setdefault(targets[place], row.id)
    for rule, first in sources.items():
        values: list[Value] = [rule] * (3 * len(first))
        values[1::3], values[2::3] = first.keys(), first.values()
        before = connection.total_changes
        _OF_TARGETS.run(connection, values)
        count_issues(connection, rule, connection.total_changes - before)


def add_resource_issues(connection: sqlite3.Connection, rows: Iterable[VisitRow]) -> None:
    """Write the issues of visited files with which the page that they were found on is displayed.

    Each has the size of the file as its value. They stay like those of links.
    """
    found = {row.id: row.visit for row in rows if row.visit.resource_issues}
    for url_id in sorted(resources_among(connection, found)):
        visit = found[url_id]
        for rule in visit.resource_issues:
            added = connection.execute(_OF_FILE, (rule, url_id, visit.size_bytes)).rowcount
            count_issues(connection, rule, added)


def add_background_issues(connection: sqlite3.Connection, rows: Iterable[VisitRow]) -> None:
    """Write the issues of visited images that a style names where they were found.

    Each has the page or style sheet as its value. They stay like those of links.
    """
    found = {row.id: row.visit for row in rows if row.visit.background_issues}
    for parent, those in _found_on(connection, found).items():
        named = those.intersection(_targets(connection, _IN_STYLES, parent))
        if not named or connection.execute(_SHOWS_STYLES, (parent,)).fetchone() is None:
            continue
        for url_id in sorted(named):
            for rule in found[url_id].background_issues:
                added = connection.execute(_OF_FILE, (rule, url_id, parent)).rowcount
                count_issues(connection, rule, added)


def resources_among(connection: sqlite3.Connection, ids: Iterable[int]) -> set[int]:
    """Those of `ids` with which the page that each was found on is displayed.

    The links of a page are read once, however many of the URLs were found on it.
    """
    used: set[int] = set()
    for parent, those in _found_on(connection, ids).items():
        used |= those.intersection(_targets(connection, _RESOURCES, parent))
    return used


def _targets(connection: sqlite3.Connection, query: str, source: int) -> Iterator[int]:
    return (target for (target,) in connection.execute(query, (source,)))


def _found_on(connection: sqlite3.Connection, ids: Iterable[int]) -> Mapping[int, set[int]]:
    """These URLs by the URL that each was found on."""
    found_on: defaultdict[int, set[int]] = defaultdict(set)
    for chunk in chunks(list(ids)):
        query = f"SELECT parent, id FROM url WHERE id IN ({marks(len(chunk))})"  # noqa: S608 - marks only
        for parent, url_id in connection.execute(query, chunk):
            if parent is not None:
                found_on[parent].add(url_id)
    return found_on


def count_issues(connection: sqlite3.Connection, rule: int, number: int) -> None:
    """There are so many URLs more with a rule whose rows stay when a URL is visited again."""
    connection.execute(_COUNTED, (rule, number))


def remove_issues(connection: sqlite3.Connection, ids: Iterable[int], tallies: CountTables) -> None:
    """Remove the rows of page rules of URLs that are visited again.

    Those of stage rules stay until the stages run again.
    """
    for url_id in ids:
        found = connection.execute(f"SELECT rule {_OF_PAGE_RULES}", (url_id,)).fetchall()
        if found:
            tallies.no_issues(rule for (rule,) in found)
            connection.execute(f"DELETE {_OF_PAGE_RULES}", (url_id,))


def record_count(connection: sqlite3.Connection, rule: int, *, live: bool = False) -> None:
    """Count the rows of a rule again, after others were put in their place."""
    connection.execute(
        "INSERT OR REPLACE INTO issue_count (rule, urls, live)"
        " VALUES (?1, (SELECT count(*) FROM issue WHERE rule = ?1), ?2)",
        (rule, int(live)),
    )
