"""Writes which issues are ignored, whether or not the project is being crawled."""

import sqlite3
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final

from msgspec.structs import replace

from gossamer.model.errors import UsageError
from gossamer.model.ignored_issues import MAX_PATTERNS, IgnoredIssue
from gossamer.store.database import translated
from gossamer.store.reading.queries import BY_URL
from gossamer.store.writer_lock import open_beside_writer
from gossamer.urls.url_parsing import url_key

_INSERT: Final = (
    "INSERT OR REPLACE INTO ignored_issue (rule, pattern, id, reason, author, ignored_at)"
    " VALUES (?, ?, ?, ?, ?, ?)"
)
_PATTERNS: Final = "SELECT count(*) FROM ignored_issue WHERE rule = ? AND instr(pattern, '*')"


def _put(connection: sqlite3.Connection, ignored: Iterable[IgnoredIssue]) -> None:
    """Write these; what is there for a pattern is replaced."""
    connection.executemany(
        _INSERT,
        (
            (each.rule, each.pattern, each.url_id, each.reason, each.author, each.ignored_at)
            for each in ignored
        ),
    )


def _ensure_few_patterns(connection: sqlite3.Connection, rule: int) -> None:
    (patterns,) = connection.execute(_PATTERNS, (rule,)).fetchone()
    if patterns > MAX_PATTERNS:
        raise UsageError(
            "An issue can be ignored for at most {most} patterns; use * to cover more URLs with "
            "one.",
            most=MAX_PATTERNS,
        )


def ignore_issues(path: Path, ignored: Sequence[IgnoredIssue]) -> None:
    """Ignore these issues in the project at `path` from now on, all or, if that fails, none.

    A pattern without `*` that is the address of a known URL is kept with its id. The project may
    be crawled meanwhile. UsageError for what cannot be kept, ProjectError where it cannot be
    written.
    """
    checked = [each.checked() for each in ignored]
    with _transaction(path) as connection:
        _put(connection, [_with_id(connection, each) for each in checked])
        for rule in {each.rule for each in checked if "*" in each.pattern}:
            _ensure_few_patterns(connection, rule)


def restore_ignored(path: Path, ignored: Iterable[IgnoredIssue]) -> None:
    """Ignore in the project at `path` what those that it is made from ignore, however much that is.

    Addresses of known URLs are kept with their ids. ProjectError where it cannot be written.
    """
    with _transaction(path) as connection:
        _put(connection, [_with_id(connection, each) for each in ignored])


def copy_ignored(connection: sqlite3.Connection, ignored: Iterable[IgnoredIssue]) -> None:
    """Ignore in a new project what another one ignores, however much that is.

    Its URLs are not known yet: until `Writer.bind_ignored`, the address of one is a pattern.
    """
    _put(connection, [replace(each, url_id=None) for each in ignored])


def stop_ignoring(path: Path, ignored: Collection[IgnoredIssue]) -> int:
    """Take these back, told by rule and pattern; how many there were. ProjectError as above."""
    with _transaction(path) as connection:
        removed = connection.executemany(
            "DELETE FROM ignored_issue WHERE rule = ? AND pattern = ?",
            [(each.rule, each.pattern) for each in ignored],
        )
        return removed.rowcount


def _with_id(connection: sqlite3.Connection, ignored: IgnoredIssue) -> IgnoredIssue:
    if ignored.url_id is not None or "*" in ignored.pattern:
        return ignored
    found = connection.execute(BY_URL, (url_key(ignored.pattern), ignored.pattern)).fetchone()
    # One that is not known is a pattern, which holds as soon as the URL is found.
    return ignored if found is None else replace(ignored, url_id=int(found[0]))


@contextmanager
def _transaction(path: Path) -> Iterator[sqlite3.Connection]:
    """Inside, a transaction. All of it is in the file afterwards, or nothing."""
    with translated(path), closing(open_beside_writer(path)) as connection:
        connection.execute("BEGIN IMMEDIATE")
        try:
            yield connection
            connection.execute("COMMIT")
        except BaseException:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise
