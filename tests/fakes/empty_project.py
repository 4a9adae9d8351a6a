"""Empty project files, for tests that make hundreds: each is copied from the first of its kind."""

import secrets
import sqlite3
import struct
import time
from contextlib import closing
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.store.locking.lock_file import PRIVATE
from gossamer.store.project import create, ensure_new

_REAL = struct.Struct(">d")
"""How SQLite stores a number: https://www.sqlite.org/fileformat2.html#record_format"""


class _Sample(NamedTuple):
    """A project file, and where in it is what each project has of its own."""

    data: bytes
    created_at: slice
    series: slice


def make_empty_project(path: Path, settings: CrawlSettings) -> None:
    """Do as `create` does, for a fraction of the time where it has been done for these settings."""
    ensure_new(path)
    path.touch(PRIVATE)
    sample = _sample(settings)
    data = bytearray(sample.data)
    data[sample.created_at] = _REAL.pack(time.time())
    data[sample.series] = secrets.token_hex(16).encode()
    path.write_bytes(data)


@lru_cache(16)
def _sample(settings: CrawlSettings) -> _Sample:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "a.gossamer"
        create(path, settings)
        with closing(sqlite3.connect(path)) as connection:
            query = "SELECT created_at, series FROM project"
            created_at, series = connection.execute(query).fetchone()
        data = path.read_bytes()
        return _Sample(data, _place(data, _REAL.pack(created_at)), _place(data, series.encode()))


def _place(data: bytes, part: bytes) -> slice:
    assert data.count(part) == 1
    at = data.index(part)
    return slice(at, at + len(part))
