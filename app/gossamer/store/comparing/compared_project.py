"""Reads one of two compared projects, all of it as of one moment."""

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from itertools import chain
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec
import numpy as np

from gossamer.model.comparison_results import ComparedSide
from gossamer.model.errors import ProjectError
from gossamer.model.outcome import FORMER_PAGES, UrlState
from gossamer.model.outcome_counts import REPORTED
from gossamer.model.outcome_details import checked_response
from gossamer.model.project_queries import Filter, View
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.store.audit_status import (
    AuditThresholds,
    read_audit_state,
    read_content_stamp,
    read_thresholds,
    seen_content,
)
from gossamer.store.auditing.number_arrays import Flags, Ids, Numbers
from gossamer.store.bulk_insert import CHUNK, BulkInsert, Value, chunks, listed, marks
from gossamer.store.closed_on_exit import ClosedOnExit
from gossamer.store.comparing.url_key_collector import UrlKeyCollector
from gossamer.store.database import (
    MalformedContentError,
    damaged,
    open_for_reading,
    primary_code,
    translated_reading,
)
from gossamer.store.project_summary import read_summary
from gossamer.store.reading.filter_conditions import condition, joined
from gossamer.store.reading.ignored_rows import IS_OPEN
from gossamer.store.reading.sql_functions import SqlFunctions
from gossamer.store.stored_settings import checked_settings
from gossamer.urls.url_parsing import url_key

MOST_IDS: Final = 2**31
_PAGES: Final = [int(each) for each in View.PAGES.outcomes]
_GAPS: Final = 1_000_000
_LOOK_EVERY: Final = 100_000
"""Steps of SQLite after which it is asked whether the comparison was cancelled."""
_ROWS: Final = 5_000
_STAGED: Final = BulkInsert("temp.compared", "place, id")


class ComparisonCancelled(Exception):  # noqa: N818 - not an error: somebody asked for it
    """The comparison ended because it was cancelled; there is no file of it."""


ABSENT, KNOWN, REQUESTED, WAITING = range(4)
"""Values of `presence`: no such URL; known, but not requested; requested; not requested yet."""


class KnownCounts(NamedTuple):
    """How many URLs a side has requested, how many are pages, and how many are still to request.

    Pages are those of the pages tab: no response that says that there is none.
    """

    requested: int
    waiting: int
    pages: int


class UrlPresence(NamedTuple):
    """What a side knows of its URLs: arrays by id; ids without a URL have 0."""

    presence: Numbers
    outcome: Numbers

    def counts(self) -> KnownCounts:
        """How many URLs there are."""
        found = np.bincount(self.presence, minlength=WAITING + 1)
        pages = np.isin(self.outcome[self.presence == REQUESTED], _PAGES)
        return KnownCounts(int(found[REQUESTED]), int(found[WAITING]), int(np.count_nonzero(pages)))


class ComparedProject(ClosedOnExit):
    """A project file while it is compared. For one thread.

    Everything raises ProjectError where the file cannot be used, and ComparisonCancelled soon after
    `is_cancelled` says so.
    """

    def __init__(self, path: Path, is_cancelled: Callable[[], bool]) -> None:
        """Open the project at `path`. What is read is of this moment, whoever writes to it."""
        self.path: Final = path
        self._is_cancelled = is_cancelled
        self._connection = open_for_reading(path)
        try:
            with translated_reading(path):
                self.settings: Final = self._prepare()
        except BaseException:
            self._connection.close()
            raise

    def _prepare(self) -> CrawlSettings:
        connection = self._connection
        self._functions = SqlFunctions(connection)
        self._functions.update_tables()
        with self._writable():  # a table of this connection alone
            connection.execute(
                "CREATE TEMP TABLE compared (place INTEGER PRIMARY KEY, id INTEGER NOT NULL)"
            )
        connection.execute("PRAGMA cache_size=-32768")
        connection.execute("BEGIN")
        self._functions.prepare(View.EXTERNAL, Filter())
        connection.set_progress_handler(self._is_cancelled, _LOOK_EVERY)
        return checked_settings(connection, self.path)

    def close(self) -> None:
        """Close the file. Does nothing the second time."""
        with translated_reading(self.path):
            self._connection.close()

    @contextmanager
    def _writable(self) -> Iterator[None]:
        """Inside, temporary tables can be written: the rest of the connection only reads."""
        self._connection.execute("PRAGMA query_only=OFF")
        try:
            yield
        finally:
            self._connection.execute("PRAGMA query_only=ON")

    @contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection]:
        self.check_cancelled()
        with translated_reading(self.path):
            try:
                yield self._connection
            except sqlite3.OperationalError as e:
                if primary_code(e) == sqlite3.SQLITE_INTERRUPT:
                    raise ComparisonCancelled from e
                raise

    def check_cancelled(self) -> None:
        """Raise ComparisonCancelled if the comparison was cancelled."""
        if self._is_cancelled():
            raise ComparisonCancelled

    # ------------------------------------------------------------ the project

    def side(self, known: KnownCounts) -> ComparedSide:
        """The project as a whole, with so many URLs."""
        with self._reading() as connection:
            summary = read_summary(connection, self.path)
            audit = read_audit_state(connection, self.settings)
            (program,) = connection.execute("SELECT program FROM project").fetchone()
        unseen = self.unseen
        if unseen.any():
            unseen = unseen & (self.presence().presence == REQUESTED)
        return ComparedSide(
            path=str(self.path.absolute()),
            program=msgspec.convert(program, str),
            created_at=summary.created_at,
            state=summary.state,
            root=self.settings.roots[0],
            urls=known.requested,
            pages=known.pages,
            pending=known.waiting,
            page_rules=audit.page_rules,
            stages=audit.stages,
            settings=msgspec.structs.replace(self.settings, roots=()),
            series=summary.series,
            unseen=int(np.count_nonzero(unseen)),
        )

    # ------------------------------------------------------------ addresses

    def presence(self) -> UrlPresence:
        """What is known of each URL."""
        with self._reading() as connection:
            last, count = connection.execute(
                "SELECT coalesce(max(id), 0), count(*) FROM url"
            ).fetchone()
            if not 0 <= last < min(MOST_IDS, 10 * count + _GAPS):
                raise MalformedContentError("ids of URLs that no crawl gives")
            presence = np.zeros(last + 1, np.uint8)
            outcome = np.zeros(last + 1, np.uint8)
            rows = connection.execute(f"SELECT id, outcome, {_PRESENCE} FROM url u")  # noqa: S608 - numbers
            for part in self._parts(rows):
                ids, outcomes, states = zip(*part, strict=True)
                places = np.array(ids)
                outcome[places] = outcomes
                presence[places] = states
        return UrlPresence(presence, outcome)

    def keys(self, mapped: Callable[[str], str] | None) -> tuple[Ids, Numbers, int]:
        """The key of each URL, as `mapped` if that is given, its id, and how many were mapped."""
        if mapped is None:
            return *self._stored_keys(), 0
        keys, count = UrlKeyCollector(), 0
        with self._reading() as connection:
            for part in self._parts(connection.execute("SELECT url, id FROM url")):
                urls = [mapped(url) for url, _ in part]
                count += sum(url != was for url, (was, _) in zip(urls, part, strict=True))
                keys.add([url_key(url) for url in urls], [url_id for _, url_id in part])
        return *keys.joined(), count

    def _stored_keys(self) -> tuple[Ids, Numbers]:
        keys = UrlKeyCollector()
        with self._reading() as connection:
            (indexed,) = connection.execute("SELECT indexed FROM project").fetchone()
            rows = connection.execute("SELECT key, id FROM url_key WHERE id <= ?", (indexed,))
            for part in self._parts(rows):
                keys.add(*zip(*part, strict=True))
            late = connection.execute("SELECT url, id FROM url WHERE id > ?", (indexed,))
            for part in self._parts(late):
                keys.add([url_key(url) for url, _ in part], [url_id for _, url_id in part])
        return keys.joined()

    def urls(self, ids: Sequence[int]) -> dict[int, str]:
        """The addresses of some URLs."""
        found: dict[int, str] = {}
        for chunk in chunks(ids):
            with self._reading() as connection:
                query = f"SELECT id, url FROM url WHERE id IN ({marks(len(chunk))})"  # noqa: S608 - marks only
                found.update(connection.execute(query, chunk))
        return found

    def has_below(self, prefix: str) -> bool:
        """Whether any URL that was requested begins with a prefix that ends where a segment does.

        The prefix has no slash at its end.
        """
        with self._reading() as connection:
            length = len(prefix)
            found = connection.execute(
                f"SELECT 1 FROM url WHERE {_REQUESTED} AND substr(url, 1, ?) = ?"  # noqa: S608 - our own words
                " AND substr(url, ?, 1) IN ('', '/', '?') LIMIT 1",
                (length, prefix, length + 1),
            )
            return found.fetchone() is not None

    def known_ids(self, urls: Sequence[str]) -> dict[str, int]:
        """The ids of those of some addresses that are known."""
        found: dict[str, int] = {}
        for start in range(0, len(urls), CHUNK):
            chunk = urls[start : start + CHUNK]
            keys = [url_key(each) for each in chunk]
            with self._reading() as connection:
                among = marks(len(chunk))
                query = (
                    "SELECT u.url, u.id FROM url_key k CROSS JOIN url u ON u.id = k.id"  # noqa: S608 - marks only
                    f" WHERE k.key IN ({among}) UNION ALL SELECT url, id FROM url"
                    f" WHERE id > (SELECT indexed FROM project) AND url IN ({among})"
                )
                rows = connection.execute(query, (*keys, *chunk))
                wanted = set(chunk)
                found.update((url, url_id) for url, url_id in rows if url in wanted)
        return found

    def responses(self, ids: Sequence[int]) -> dict[int, tuple[int, str | None]]:
        """The statuses of those URLs that got a response, and where they redirect to."""
        found: dict[int, tuple[int, str | None]] = {}
        for chunk in chunks(ids):
            with self._reading() as connection:
                query = (
                    "SELECT id, status, redirect FROM visit"  # noqa: S608 - marks only
                    f" WHERE status IS NOT NULL AND id IN ({marks(len(chunk))})"
                )
                rows = connection.execute(query, chunk)
                found.update((url_id, (status, target)) for url_id, status, target in rows)
                query = (
                    "SELECT u.id, t.value FROM url u JOIN text t ON t.id = u.detail"  # noqa: S608 - numbers, marks
                    f" WHERE u.outcome IN ({listed(FORMER_PAGES)})"
                    f" AND u.id IN ({marks(len(chunk))})"
                )
                for url_id, detail in connection.execute(query, chunk):
                    if response := checked_response(detail):
                        found[url_id] = response
        return found

    def damaged(self) -> ProjectError:
        """The error that says that there is what we never wrote."""
        return damaged(self.path)

    # ------------------------------------------------------------ rows

    def stage(self, ids: Ids) -> None:
        """Have `rows` give these URLs, in this order."""
        with self._reading() as connection, self._writable():
            connection.execute("DELETE FROM temp.compared")
            for start in range(0, len(ids), _ROWS):
                part = ids[start : start + _ROWS].tolist()
                places = range(start, start + len(part))
                pairs = zip(places, part, strict=True)
                _STAGED.run(connection, list(chain.from_iterable(pairs)))

    def rows(self, columns: str, joins: str) -> Iterator[list[tuple[Any, ...]]]:
        """What is asked of the staged URLs `u`, thousands of rows at a time."""
        with self._reading() as connection:
            rows = connection.execute(
                f"SELECT {columns} FROM temp.compared c CROSS JOIN url u ON u.id = c.id{joins}"  # noqa: S608 - our own words
                " ORDER BY c.place"
            )
            yield from self._parts(rows)

    def read(self, sql: str, values: Sequence[Value] = ()) -> Iterator[list[tuple[Any, ...]]]:
        """The rows of a query that is made of our own words, thousands at a time."""
        with self._reading() as connection:
            yield from self._parts(connection.execute(sql, values))

    def passing(self, filter_: Filter) -> Ids:
        """The ids of the URLs that pass a filter, rising."""
        wanted = condition(View.ALL, filter_)
        rows = self.read(
            f"SELECT u.id FROM {joined(View.ALL, wanted.joins)} WHERE {wanted.sql} ORDER BY u.id",  # noqa: S608 - our own words
            wanted.values,
        )
        return np.fromiter((url_id for part in rows for (url_id,) in part), np.int64)

    def folders(self) -> Iterator[list[tuple[str, int]]]:
        """The address of each folder with requested URLs right in it, and how many."""
        with self._reading() as connection:
            yield from self._parts(connection.execute(_FOLDERS))

    # ------------------------------------------------------------ issues

    def issue_rules(self) -> set[int]:
        """The numbers of the rules that hold for any URL."""
        with self._reading() as connection:
            rows = connection.execute("SELECT rule FROM issue_count WHERE urls > 0")
            return {msgspec.convert(rule, int) for (rule,) in rows}

    def issue_ids(self, rule: int) -> Ids:
        """The ids of the URLs for which a rule holds and is not ignored, rising."""
        with self._reading() as connection:
            ignored = "SELECT 1 FROM ignored_issue WHERE rule = ?"
            some = connection.execute(ignored, (rule,)).fetchone() is not None
            rows = connection.execute(
                f"SELECT i.id FROM issue i WHERE i.rule = ? AND {IS_OPEN if some else '1'}"  # noqa: S608 - our own words
                " ORDER BY i.id",
                (rule,),
            )
            ids = np.fromiter(chain.from_iterable(rows), np.int64)
            (last,) = connection.execute("SELECT coalesce(max(id), 0) FROM url").fetchone()
            if len(ids) and not 0 < ids[0] <= ids[-1] <= last:
                raise MalformedContentError("an issue of a URL that is not there")
            return ids

    def thresholds(self) -> AuditThresholds:
        """With which thresholds rules were decided."""
        with self._reading() as connection:
            return read_thresholds(connection)

    @cached_property
    def unseen(self) -> Flags:
        """By id, which URLs the last site audit that came to its end knows nothing of.

        Those without a visit are told only where it has seen all there is.
        """
        with self._reading() as connection:
            (last,) = connection.execute("SELECT coalesce(max(id), 0) FROM url").fetchone()
            flags = np.zeros(last + 1, np.bool_)
            seen = seen_content(connection)
            if seen == read_content_stamp(connection):
                return flags
            flags[1:] = True
            rows = connection.execute("SELECT id FROM visit WHERE content_stamp <= ?", (seen,))
            for part in self._parts(rows):
                flags[np.fromiter(chain.from_iterable(part), np.int64)] = False
        return flags

    def _parts(self, rows: sqlite3.Cursor) -> Iterator[list[tuple[Any, ...]]]:
        while part := rows.fetchmany(_ROWS):
            self.check_cancelled()
            yield part


_REQUESTED: Final = f"outcome IN ({listed(REPORTED)}) AND url GLOB 'http*://*'"
_PRESENCE: Final = (
    f"CASE WHEN state IN ({int(UrlState.QUEUED)}, {int(UrlState.HELD)}) THEN {WAITING}"
    f" WHEN {_REQUESTED} THEN {REQUESTED} ELSE {KNOWN} END"
)
_FOLDERS: Final = f"""
    WITH RECURSIVE counted (folder, urls) AS MATERIALIZED (
        SELECT folder, count(*) FROM url WHERE folder IS NOT NULL AND {_REQUESTED} GROUP BY folder
    ),
    path (id, address) AS (
        SELECT id, name || '/' FROM folder WHERE parent IS NULL
        UNION ALL SELECT f.id, p.address || f.name || '/'
        FROM path p CROSS JOIN folder f ON f.parent = p.id
    )
    SELECT p.address, c.urls FROM path p CROSS JOIN counted c ON c.folder = p.id
"""  # noqa: S608 - our own words
