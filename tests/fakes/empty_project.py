"""Empty project files, for tests that make hundreds: each is copied from the first of its kind."""

import secrets
import sqlite3
import time
from contextlib import closing
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory

from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.store.locking.lock_file import PRIVATE
from gossamer.store.project import create, ensure_new


def make_empty_project(path: Path, settings: CrawlSettings) -> None:
    """Do as `create` does, for a quarter of the time where it has been done for these settings."""
    ensure_new(path)
    path.touch(PRIVATE)
    path.write_bytes(_empty_project(settings))
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        own = (time.time(), secrets.token_hex(16))
        connection.execute("UPDATE project SET created_at = ?, series = ?", own)


@lru_cache(16)
def _empty_project(settings: CrawlSettings) -> bytes:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "a.gossamer"
        create(path, settings)
        return path.read_bytes()
