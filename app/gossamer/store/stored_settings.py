"""Stores and loads the settings in a project: JSON, with the roots in their own table.

A list may have any number of roots; their own table lets settings be read without them.
"""

import sqlite3
from pathlib import Path
from typing import Final
from zlib import crc32

import msgspec

from gossamer.model.errors import ProjectError, UsageError
from gossamer.model.settings.crawl_settings import CrawlSettings, decode_settings, encode_settings

_ROOTS: Final = "SELECT url FROM root ORDER BY position LIMIT ?"
_ALL: Final = -1


def store_roots(connection: sqlite3.Connection, settings: CrawlSettings) -> str:
    """Write the roots, in the transaction that is open, if there are others; the rest as JSON."""
    if roots_of(connection) != settings.roots:
        connection.execute("DELETE FROM root")
        connection.executemany(
            "INSERT INTO root (position, url, crc) VALUES (?, ?, ?)",
            [(number, url, crc32(url.encode())) for number, url in enumerate(settings.roots)],
        )
    return encode_settings(msgspec.structs.replace(settings, roots=()))


def roots_of(connection: sqlite3.Connection, limit: int = _ALL) -> tuple[str, ...]:
    """The first `limit` roots, or all; ValueError if one is no text."""
    rows = connection.execute(_ROOTS, (limit,)).fetchall()
    return msgspec.convert([url for (url,) in rows], tuple[str, ...])


def count_roots(connection: sqlite3.Connection) -> int:
    """How many roots there are."""
    return int(connection.execute("SELECT count(*) FROM root").fetchone()[0])


def settings_in(connection: sqlite3.Connection) -> CrawlSettings:
    """The settings as they stand there; ValueError, TypeError if they are none of ours."""
    (text,) = connection.execute("SELECT settings FROM project").fetchone()
    return msgspec.structs.replace(decode_settings(text), roots=roots_of(connection))


def checked_settings(connection: sqlite3.Connection, path: Path) -> CrawlSettings:
    """The settings in a file, which may be a stranger's; ProjectError if they cannot be used."""
    try:
        settings = settings_in(connection)
    except (ValueError, TypeError) as e:
        raise ProjectError("The settings in {path} cannot be read; crawl again.", path=path) from e
    try:
        return settings.checked()
    except UsageError as e:
        raise ProjectError(
            "The settings in {path} cannot be used: {why}", path=path, why=e.said
        ) from e
