"""Creates project files and checks whether existing ones can be used."""

import errno
import os
import secrets
import sqlite3
import stat
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Final

from gossamer import __version__
from gossamer.model.archive_record import archive_folder
from gossamer.model.crawl_state import CrawlState
from gossamer.model.errors import BugError, ProjectError
from gossamer.model.file_names import is_text
from gossamer.model.previous_crawl import PreviousCrawlReference
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.store_batch import StoreBatch
from gossamer.model.translatable import system_reason
from gossamer.store.atomic_files import StagingFolder, errors_naming_target
from gossamer.store.audit_status import init_audit
from gossamer.store.database import check_pages, file_version, open_for_reading, translated
from gossamer.store.issue_ignoring import copy_ignored
from gossamer.store.locking.file_identity import BESIDE
from gossamer.store.migrations import MIGRATIONS, migrate
from gossamer.store.reading.reader import Reader
from gossamer.store.row_validation import check_content
from gossamer.store.schema import APPLICATION_ID, TABLES, VERSION
from gossamer.store.stored_settings import store_roots
from gossamer.store.writer_lock import WriterLock

FILES: Final = ("", *BESIDE)
"""What the names of a project file and of those that SQLite keeps beside it end with."""

_LONGEST_END: Final = ".lock-claim-01234567"
"""The longest name of a file beside a project, but for what comes before it."""


@contextmanager
def new_project(target: Path) -> Iterator[tuple[StagingFolder, Path]]:
    """Inside, an empty file aside, for SQLite; afterwards it is at `target`, where there was none.

    If its archive is made beside it, that is in its place a moment before, so that nobody sees the
    project without it. Nobody else may read it. Nothing is left of it if what is done inside fails,
    or is killed. What is said inside of the file is said of `target`. ProjectError if it cannot be
    put there.
    """
    ensure_new(target)
    with creation_errors(target), StagingFolder(target.parent) as aside:
        part = aside.new(target.name)
        with errors_naming_target(part, target):
            yield aside, part
        with closing(WriterLock(target)):  # of two who make the same one, one is the first
            _ensure_no_log(target)
            with _archive_in_place(aside, archive_folder(part), archive_folder(target)):
                aside.put(part, target, replace=False)


@contextmanager
def _archive_in_place(aside: StagingFolder, made: Path, place: Path) -> Iterator[None]:
    """Inside, an archive that was `made` is in its place; if what is done there fails, it is not.

    A kill inside leaves an archive without a project: `ensure_no_archive` tells of it.
    """
    if not made.is_dir():
        yield
        return
    ensure_no_archive(place)
    aside.put_tree(made, place)
    try:
        yield
    except BaseException:
        place.rename(made)
        raise


def ensure_no_archive(place: Path) -> None:
    """Raise ProjectError if the archive of a new project would replace another one's."""
    if os.path.lexists(place):  # False for a name that is too long: it is told with the project's
        raise ProjectError("{path} is in the way; move or delete it.", path=place)


def _ensure_no_log(target: Path) -> None:
    """Raise ProjectError if SQLite would take what lies about for the log of the new file."""
    for suffix in BESIDE:
        beside = target.with_name(target.name + suffix)
        if not os.path.lexists(beside):
            continue
        if suffix != "-shm" and beside.stat().st_size:
            raise ProjectError(
                "{beside} is left over from another project of that name; move it to that "
                "project, or delete it.",
                beside=beside,
            )
        beside.unlink()


def ensure_new(path: Path) -> None:
    """Raise ProjectError where no new file can be made at `path`, as far as can be told before."""
    with creation_errors(path):
        if os.path.lexists(path):
            raise FileExistsError(path)
        if not stat.S_ISDIR(path.parent.stat().st_mode):
            raise NotADirectoryError(path.parent)


def ensure_text(path: Path) -> None:
    """Raise ProjectError where a name is not text: then no other process can be told of it."""
    if not is_text(str(path.absolute())):
        raise ProjectError(
            "The name {path} has characters in an unknown encoding; rename the file or folder.",
            path=path,
        )


@contextmanager
def creation_errors(path: Path) -> Iterator[None]:
    """Inside, what the system says against a new file at `path` becomes a ProjectError."""
    ensure_text(path)
    try:
        with suppress(FileNotFoundError):
            (path.parent / f"{path.name}{_LONGEST_END}").lstat()
        yield
    except FileExistsError:
        raise ProjectError("{path} already exists; choose another name.", path=path) from None
    except FileNotFoundError:
        raise ProjectError(
            "The folder {folder} does not exist; create it first.", folder=path.parent
        ) from None
    except NotADirectoryError:
        raise ProjectError(
            "{folder} is not a folder; choose another location.", folder=path.parent
        ) from None
    except OSError as e:
        if e.errno == errno.ENAMETOOLONG:
            raise ProjectError(
                "The name of {path} is too long; choose a shorter one.", path=path
            ) from None
        raise ProjectError(
            "{path} cannot be written ({reason}); choose another location.",
            path=path,
            reason=system_reason(e),
        ) from e


CHECK_S = 0.25
"""So long a user does not notice."""


def create(
    path: Path,
    settings: CrawlSettings,
    previous: PreviousCrawlReference | None = None,
    series: str = "",
) -> None:
    """Make a new project file with these settings and no URLs.

    A recrawl names its `previous`, of whose series it is, and whose ignored issues it takes over.
    Any other project is of `series`, or begins one. ProjectError, and nothing left behind, if there
    is something at `path` already or it cannot be written. BugError for settings with secrets in
    them.
    """
    with new_project(path) as (_, part):
        fill(part, settings)
        if previous is not None:
            _become_recrawl(part, previous)
        elif series:
            _join_series(part, series)


def fill(path: Path, settings: CrawlSettings, *, audited: bool = True) -> None:
    """Make an empty file a project with these settings and no URLs. Raises as `create` does.

    Unless `audited`, visits will be written to it without their issues.
    """
    _ensure_public(settings)
    with translated(path), closing(sqlite3.connect(path, isolation_level=None)) as connection:
        _fill(connection, settings)
        init_audit(connection, settings if audited else None)


def _become_recrawl(path: Path, previous: PreviousCrawlReference) -> None:
    with Reader(Path(previous.path)) as reader:
        series, ignored = reader.summary().series, reader.ignored_issues()
    with translated(path), closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute(
            "UPDATE project SET series = ?, base_path = ?, base_created_at = ?",
            (series, previous.path, previous.created_at),
        )
        copy_ignored(connection, ignored)


def _join_series(path: Path, series: str) -> None:
    with translated(path), closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("UPDATE project SET series = ?", (series,))


def check(path: Path, budget_s: float = CHECK_S) -> None:
    """Raise ProjectError, in one sentence, unless `path` is a project that can be used.

    One of an older version is brought up to date. Looks for damage too, for at most `budget_s`.
    """
    if file_version(path) in MIGRATIONS:
        migrate(path)
    with translated(path), closing(open_for_reading(path)) as connection:
        check_pages(connection, path, budget_s)
        check_content(connection, path, budget_s)


def stored_settings(path: Path) -> CrawlSettings:
    """The settings of the project at `path`; ProjectError if it cannot be used."""
    check(path)
    with Reader(path) as reader:
        return reader.summary().settings


def store_settings(path: Path, settings: CrawlSettings) -> None:
    """Let the project at `path` go on with other settings; ProjectError if that fails."""
    from gossamer.store.writing.writer import Writer  # noqa: PLC0415 - who opens a project reads it

    _ensure_public(settings)
    with Writer(path) as writer:
        writer.change_settings(settings)


def mark_cancelled(path: Path) -> None:
    """Note that the crawl of the project at `path` is cancelled; ProjectError if that fails."""
    from gossamer.store.writing.writer import Writer  # noqa: PLC0415 - likewise

    with Writer(path) as writer:
        writer.commit(StoreBatch(state=CrawlState.CANCELLED))


def _fill(connection: sqlite3.Connection, settings: CrawlSettings) -> None:
    # Persistent, so that whoever opens the file can read while it is written.
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute(f"PRAGMA application_id={APPLICATION_ID}")
    connection.execute(f"PRAGMA user_version={VERSION}")
    connection.executescript(f"BEGIN IMMEDIATE; {TABLES}")
    text = store_roots(connection, settings)
    connection.execute(
        "INSERT INTO project (id, program, created_at, series, settings, state)"
        " VALUES (1, ?, ?, ?, ?, ?)",
        (f"Gossamer {__version__}", time.time(), secrets.token_hex(16), text, CrawlState.NEW),
    )
    connection.execute("COMMIT")


def _ensure_public(settings: CrawlSettings) -> None:
    if settings.headers:
        raise BugError("settings with secret headers were to be stored")
    if settings.proxy is not None and "@" in settings.proxy:
        raise BugError("the password of a proxy was to be stored")
