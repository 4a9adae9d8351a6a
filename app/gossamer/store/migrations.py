"""Migrates project files of older schema versions.

Each version but the first has one numbered function here. It is given a copy of the file, in a
transaction of its own; the copy takes the place of the original when all of them are through.
A function once released stays as it is: it may use nothing that changes, such as `TABLES`.
"""

import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final, TypeAlias

from gossamer.model.errors import ProjectError
from gossamer.model.translatable import system_reason
from gossamer.store.atomic_files import StagingFolder, errors_naming_target
from gossamer.store.database import check_schema, file_version, opened, translated
from gossamer.store.locking.file_identity import file_of
from gossamer.store.schema import TABLES, VERSION
from gossamer.store.writer_lock import WriterLock

Migration: TypeAlias = Callable[[sqlite3.Connection], None]

MIGRATIONS: Final[Mapping[int, Migration]] = {}
"""Version → what makes the next one of it."""


def migrate(
    path: Path,
    migrations: Mapping[int, Migration] = MIGRATIONS,
    version: int = VERSION,
    tables: str = TABLES,
) -> None:
    """Bring the project at `path` to `version`, whose tables are `tables`.

    ProjectError if that cannot be, as on a full disk or while another program has the file open;
    the file is then what it was.
    """
    file = file_of(path)
    with closing(WriterLock(path)), _told(path), StagingFolder(file.parent) as aside:
        copy = aside.new(file.name)
        with translated(path), errors_naming_target(copy, path):
            _copy(path, copy)
            _migrate(copy, file_version(path), migrations, version)
            with closing(opened(copy, "mode=rw")) as connection:
                check_schema(connection, copy, tables)
                connection.execute("PRAGMA journal_mode=WAL")
        aside.put(copy, file, replace=True)


def _copy(path: Path, copy: Path) -> None:
    with closing(opened(path, "mode=rw")) as original:
        # Succeeds only where nobody else has the file open, and leaves nothing in a -wal file
        # that would one day be taken for that of the new file.
        mode = original.execute("PRAGMA journal_mode=DELETE").fetchone()
        if mode != ("delete",):
            raise ProjectError(
                "{path} is open in another program; close it there, then try again.", path=path
            )
        with closing(sqlite3.connect(copy)) as target:
            original.backup(target)


def _migrate(copy: Path, old: int, migrations: Mapping[int, Migration], version: int) -> None:
    with closing(opened(copy, "mode=rw")) as connection:
        for number in range(old, version):
            connection.execute("BEGIN IMMEDIATE")
            try:
                migrations[number](connection)
                connection.execute(f"PRAGMA user_version={number + 1}")
                connection.execute("COMMIT")
            finally:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")


@contextmanager
def _told(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as e:
        raise ProjectError(
            "{path} cannot be upgraded ({reason}); copy it to another folder.",
            path=path,
            reason=system_reason(e),
        ) from e
