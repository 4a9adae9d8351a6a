"""Making project files, and telling whether one can be used."""

import sqlite3
import time
from contextlib import closing
from pathlib import Path

from gossamer import __version__
from gossamer.model.crawl_state import CrawlState
from gossamer.model.errors import BugError
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.store.database import check_pages, file_version, open_for_reading, translated
from gossamer.store.migrations import MIGRATIONS, migrate
from gossamer.store.new_project_files import new_project
from gossamer.store.reading.reader import Reader
from gossamer.store.row_validation import check_content
from gossamer.store.schema import APPLICATION_ID, TABLES, VERSION
from gossamer.store.stored_settings import store_roots
from gossamer.store.writing.writer import Writer

CHECK_S = 0.25
"""So long a person does not notice."""


def create(path: Path, settings: CrawlSettings) -> None:
    """Make a new project file with these settings and no URLs.

    ProjectError, and nothing left behind, if there is something at `path` already or it cannot
    be written. BugError for settings with secrets in them.
    """
    with new_project(path) as (_, part):
        fill(part, settings)


def fill(path: Path, settings: CrawlSettings) -> None:
    """Make an empty file a project with these settings and no URLs. Raises as `create` does."""
    _ensure_public(settings)
    with translated(path), closing(sqlite3.connect(path, isolation_level=None)) as connection:
        _fill(connection, settings)


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
    _ensure_public(settings)
    with Writer(path) as writer:
        writer.change_settings(settings)


def _fill(connection: sqlite3.Connection, settings: CrawlSettings) -> None:
    # Persistent, so that whoever opens the file can read while it is written.
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute(f"PRAGMA application_id={APPLICATION_ID}")
    connection.execute(f"PRAGMA user_version={VERSION}")
    connection.executescript(f"BEGIN IMMEDIATE; {TABLES}")
    text = store_roots(connection, settings)
    connection.execute(
        "INSERT INTO project (id, program, created_at, settings, state) VALUES (1, ?, ?, ?, ?)",
        (f"Gossamer {__version__}", time.time(), text, CrawlState.NEW),
    )
    connection.execute("COMMIT")


def _ensure_public(settings: CrawlSettings) -> None:
    if settings.headers:
        raise BugError("settings with secret headers were to be stored")
    if settings.proxy is not None and "@" in settings.proxy:
        raise BugError("the password of a proxy was to be stored")
