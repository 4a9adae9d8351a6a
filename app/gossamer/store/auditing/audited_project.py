"""The project that is audited: a snapshot of its file to read, short transactions to write.

The audit needs no lock of its own. It writes tables of which no writer keeps anything in memory,
and SQLite has writers wait for each other: a crawl goes on, and can be resumed, while it runs.
"""

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Final, NamedTuple, Self

import numpy as np

from gossamer.model.project_queries import Filter, View
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.site_checks import SiteCheckRow
from gossamer.store.audit_status import (
    note_page_rules,
    note_stages,
    note_stages_begun,
    read_audit_state,
    read_content_stamp,
)
from gossamer.store.auditing.number_arrays import Numbers
from gossamer.store.bulk_insert import NULL, BulkInsert, Value, chunks, marks
from gossamer.store.database import (
    open_for_reading,
    primary_code,
    translated,
    translated_reading,
)
from gossamer.store.locking.file_identity import file_of
from gossamer.store.project_disk_check import ProjectDisk
from gossamer.store.reading.sql_functions import SqlFunctions
from gossamer.store.site_check_table import read_site_checks
from gossamer.store.stored_settings import checked_settings
from gossamer.store.writer_lock import open_beside_writer
from gossamer.store.writing.issue_rows import record_count
from gossamer.store.writing.wal_size import WalSize

_LOOK_EVERY: Final = 100_000
"""Steps of SQLite after which it is asked whether the audit was cancelled."""
_ROWS: Final = 50_000
_ISSUE: Final = BulkInsert("issue", "rule, id, value")


class AuditCancelled(Exception):  # noqa: N818 - not an error: somebody asked for it
    """The audit ended because it was cancelled. What it has written is complete, rule by rule."""


class PastAudit(NamedTuple):
    """What results are based on: thresholds as given by `thresholds_of`, None for none."""

    page_thresholds: str | None
    stage_thresholds: str | None
    """None, too, if stages did not come to their end, or something was crawled since."""
    content_stamp: int
    """Of the project now."""


class AuditedProject:
    """A project file while it is audited. For one thread.

    Everything raises ProjectError where the file cannot be used, and AuditCancelled soon after
    `is_cancelled` says so.
    """

    def __init__(self, path: Path, is_cancelled: Callable[[], bool]) -> None:
        """Open the project at `path`; ProjectError where another machine writes it."""
        self._path = path
        self._is_cancelled = is_cancelled
        with ExitStack() as opened, translated(path):
            self._writing = open_beside_writer(path)
            opened.callback(self._writing.close)
            file = file_of(path)
            self._reading = open_for_reading(file)
            opened.callback(self._reading.close)
            self._disk = ProjectDisk(file)
            self._wal = WalSize(self._writing, file)
            self._functions = SqlFunctions(self._reading)
            self._open = opened.pop_all()
        self.folder: Final = file.parent
        self._reading.set_progress_handler(is_cancelled, _LOOK_EVERY)
        self._found_nowhere: list[int] = []
        """Rules of which the file has nothing yet. Most are: they have no transaction each."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file. Does nothing the second time."""
        with translated(self._path):
            self._open.close()

    def check_cancelled(self) -> None:
        """Raise AuditCancelled if the audit was cancelled."""
        if self._is_cancelled():
            raise AuditCancelled

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """Inside, the connection to read with; `is_external` is a function of it."""
        self.check_cancelled()
        with translated_reading(self._path):
            try:
                self._functions.prepare(View.EXTERNAL, Filter())
                yield self._reading
            except sqlite3.OperationalError as e:
                if primary_code(e) == sqlite3.SQLITE_INTERRUPT:
                    raise AuditCancelled from e
                raise

    @contextmanager
    def snapshot(self) -> Iterator[sqlite3.Connection]:
        """Likewise, and all that is read inside is of one moment."""
        with self.reading() as connection:
            connection.execute("BEGIN")
            try:
                yield connection
            finally:
                connection.execute("ROLLBACK")

    def rows_of(self, sql: str, ids: Sequence[int]) -> Iterator[tuple[Value, ...]]:
        """The rows of a query about some ids, of which `{marks}` stands for the marks."""
        for chunk in chunks(ids):
            with self.reading() as connection:
                yield from connection.execute(sql.format(marks=marks(len(chunk))), chunk).fetchall()

    def settings(self) -> CrawlSettings:
        """The settings in the file."""
        with self.reading() as connection:
            return checked_settings(connection, self._path)

    def site_checks(self) -> list[SiteCheckRow]:
        """The results of site checks, such as for made-up URLs."""
        with self.reading() as connection:
            return read_site_checks(connection)

    def has_page_issues(self) -> bool:
        """Whether page rules were ever decided."""
        with self.reading() as connection:
            return connection.execute("SELECT 1 FROM issue_count WHERE live").fetchone() is not None

    def issue_ids(self, rule: int) -> list[int]:
        """The ids of the URLs for which a rule holds by the file."""
        with self.reading() as connection:
            rows = connection.execute("SELECT id FROM issue WHERE rule = ?", (rule,))
            return [url_id for (url_id,) in rows]

    def past_audit(self) -> "PastAudit":
        """What the results that are there are based on."""
        with self.reading() as connection:
            row = connection.execute(
                "SELECT page_thresholds, CASE WHEN complete THEN stage_thresholds END,"
                " content_stamp FROM audit_state"
            ).fetchone()
            stamp = read_content_stamp(connection)
        of_pages, of_stages, past = row or (None, None, None)
        return PastAudit(of_pages, of_stages if past == stamp else None, stamp)

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """Inside, a transaction. All of it is in the file afterwards, or nothing."""
        self.check_cancelled()
        with translated(self._path):
            self._disk.check()
            self._wal.fit()
            self._writing.execute("BEGIN IMMEDIATE")
            try:
                yield self._writing
                self._writing.execute("COMMIT")
            except BaseException:
                # Some errors, such as a full disk, have rolled back already.
                if self._writing.in_transaction:
                    self._writing.execute("ROLLBACK")
                raise

    def replace_issues(
        self, rule: int, ids: Sequence[int], values: Sequence[Value], *, live: bool = False
    ) -> None:
        """Put these rows of a rule in place of those there are. `ids` rise.

        `live` is whether the rule is decided when a page is read, too.
        """
        if not (ids or live or self._was_found(rule)):
            self._found_nowhere.append(rule)
            return
        with self.writing() as connection:
            connection.execute("DELETE FROM issue WHERE rule = ?", (rule,))
            for start in range(0, len(ids), _ROWS):
                part = ids[start : start + _ROWS]
                rows: list[Value] = [rule, 0, NULL] * len(part)
                rows[1::3] = part
                if values:
                    rows[2::3] = values[start : start + _ROWS]
                _ISSUE.run(connection, rows)
            record_count(connection, rule, live=live)

    def _was_found(self, rule: int) -> bool:
        """Whether the file has, or had, rows of a rule."""
        self.check_cancelled()
        with translated(self._path):
            query = "SELECT 1 FROM issue_count WHERE rule = ?"
            return self._writing.execute(query, (rule,)).fetchone() is not None

    def change_issues(self, rule: int, added: Iterable[int], removed: Iterable[int]) -> None:
        """Add rows of a page rule, and remove others."""
        with self.writing() as connection:
            for sql, ids in (
                ("DELETE FROM issue WHERE rule = ? AND id = ?", removed),
                ("INSERT OR IGNORE INTO issue (rule, id) VALUES (?, ?)", added),
            ):
                connection.executemany(sql, ((rule, url_id) for url_id in ids))
            record_count(connection, rule, live=True)

    def replace_measured(self, columns: Mapping[str, Numbers], count: int) -> None:
        """Put these columns of `url_audit` in place of those there are: -1 for NULL.

        Each has a number for each of `count` ids. Columns that are not named keep what they have.
        """
        if not columns:
            return
        for start in range(1, count, _ROWS):
            ids = range(start, min(start + _ROWS, count))
            table = np.stack([column[start : ids.stop] for column in columns.values()])
            with self.writing() as connection:
                _replace_rows(connection, tuple(columns), ids, table)

    def note_page_rules(self, settings: CrawlSettings) -> None:
        """Note that all page rules are decided with these thresholds."""
        with self.writing() as connection:
            note_page_rules(connection, settings)

    def note_stages_begun(self, settings: CrawlSettings) -> None:
        """Note that stages run, with these thresholds."""
        with self.writing() as connection:
            note_stages_begun(connection, settings)

    def note_stages(self, settings: CrawlSettings, stamp: int) -> None:
        """Note of what content, and with which thresholds, the results of all stages are."""
        with self.writing() as connection:
            for rule in self._found_nowhere:
                record_count(connection, rule)
            note_stages(connection, settings, stamp)
        self._found_nowhere.clear()


def _replace_rows(
    connection: sqlite3.Connection, names: Sequence[str], ids: range, table: Numbers
) -> None:
    cleared = ", ".join(f"{name} = NULL" for name in names)
    connection.execute(
        f"UPDATE url_audit SET {cleared} WHERE id BETWEEN ? AND ?",  # noqa: S608 - our own names
        (ids.start, ids.stop - 1),
    )
    places = np.flatnonzero((table >= 0).any(axis=0))
    width = len(names) + 1
    values: list[Value] = [NULL] * (width * len(places))
    values[0::width] = (places + ids.start).tolist()
    for place, column in enumerate(table, 1):
        values[place::width] = [NULL if value < 0 else value for value in column[places].tolist()]
    updated = ", ".join(f"{name} = excluded.{name}" for name in names)
    insert = BulkInsert(
        "url_audit", ", ".join(("id", *names)), f"ON CONFLICT (id) DO UPDATE SET {updated}"
    )
    insert.run(connection, values)


def audit_is_current(path: Path) -> bool:
    """Whether the results of the audit are those of all that is in the file; ProjectError."""
    with translated_reading(path):
        connection = open_for_reading(path)
        try:
            return read_audit_state(connection).is_current
        finally:
            connection.close()
