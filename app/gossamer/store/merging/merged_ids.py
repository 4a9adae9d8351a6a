"""Assigns the URLs of all shards their ids in the merged project.

A URL that belongs to a shard has the row of that shard; what is refused by its address alone has
the first row there is. The ids are kept in a file: memory does not grow with them.
"""

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from enum import IntEnum
from typing import Final

from gossamer.model.outcome import Outcome
from gossamer.store.bulk_insert import chunks, marks
from gossamer.store.database import MalformedContentError
from gossamer.store.merging.shard_files import ShardFile
from gossamer.urls.shard_ownership import Ownership
from gossamer.urls.url_parsing import is_http, url_key

_MANY: Final = 1_000
_TABLES: Final = """
    CREATE TABLE place (
        shard INTEGER, old INTEGER, new INTEGER, place INTEGER, PRIMARY KEY (shard, old)
    ) WITHOUT ROWID;
    CREATE TABLE refused (url TEXT PRIMARY KEY, new INTEGER) WITHOUT ROWID;
    CREATE TABLE unindexed (
        shard INTEGER, key INTEGER, id INTEGER, PRIMARY KEY (shard, key, id)
    ) WITHOUT ROWID;
"""
_PUT: Final = "INSERT INTO place (shard, old, new, place) VALUES (?, ?, ?, ?)"
_NOTE_UNINDEXED: Final = "INSERT INTO unindexed (shard, key, id) VALUES (?, ?, ?)"
_URLS: Final = "SELECT id, url, outcome FROM url WHERE id > ? ORDER BY id LIMIT ?"


class RowSource(IntEnum):
    """The source of a URL's row in the merged project."""

    OWN = 0
    """From this shard, to which it belongs."""
    REFUSED = 1
    """From this shard, the first of those that found it: no shard fetches it, or has it yet."""
    REPEATED = 2
    """From another shard."""


class MergedIds:
    """The id of each URL of each shard in the merged project."""

    def __init__(self, scratch: sqlite3.Connection, shards: Sequence[ShardFile]) -> None:
        """Take an empty file to keep them in, and all shards.

        `assign_own` of all shards and then `assign_others` of all of them do the work; what they
        yield, at times, is how many rows were looked at.
        """
        self._scratch = scratch
        self._shards = shards
        self._owner = Ownership(len(shards)).owner
        self._last = 0
        scratch.executescript(_TABLES)

    def new_ids(self, shard: ShardFile, ids: Sequence[int]) -> dict[int, int]:
        """The ids of URLs of a shard in the merged project, by those in the shard."""
        found: dict[int, int] = {}
        for chunk in chunks(sorted(set(ids))):
            query = f"SELECT old, new FROM place WHERE shard = ? AND old IN ({marks(len(chunk))})"  # noqa: S608 - marks only
            found.update(self._scratch.execute(query, (shard.number, *chunk)))
        return found

    def rows(self, shard: ShardFile, first: int, last: int) -> dict[int, tuple[int, RowSource]]:
        """By id in the shard, of these and all between: the new id, and where its row is from."""
        query = "SELECT old, new, place FROM place WHERE shard = ? AND old BETWEEN ? AND ?"
        rows = self._scratch.execute(query, (shard.number, first, last))
        return {old: (new, RowSource(place)) for old, new, place in rows}

    def assign_own(self, shard: ShardFile) -> Iterator[int]:
        """Give the URLs of a shard their ids, if they belong to it."""
        (indexed,) = shard.connection.execute("SELECT indexed FROM project").fetchone()
        for rows in _batches(shard):
            places = []
            # A process that was killed may have left the last ones out of the index.
            unindexed = [(shard.number, url_key(url), old) for old, url, _ in rows if old > indexed]
            self._scratch.executemany(_NOTE_UNINDEXED, unindexed)
            for old, url, outcome in rows:
                if outcome != Outcome.OTHER_SHARD and self._is_of(shard, url):
                    self._last += 1
                    places.append((shard.number, old, self._last, RowSource.OWN))
            self._scratch.executemany(_PUT, places)
            yield len(rows)

    def assign_others(self, shard: ShardFile) -> Iterator[int]:
        """Find the ids of its other URLs, or give them new ones."""
        for rows in _batches(shard):
            own = self.rows(shard, rows[0][0], rows[-1][0])
            others = [(old, url) for old, url, _ in rows if old not in own]
            known = self._in_owners(shard, others)
            for old, url in others:
                new, place = known.get(old) or self._refused(url), RowSource.REPEATED
                if new is None:
                    new, place = self._new_refused(url), RowSource.REFUSED
                self._scratch.execute(_PUT, (shard.number, old, new, place))
            yield len(rows)

    def _is_of(self, shard: ShardFile, url: str) -> bool:
        return _has_owner(url) and self._owner(url) == shard.number

    def _in_owners(self, shard: ShardFile, rows: Iterable[tuple[int, str]]) -> dict[int, int]:
        """The new ids of those URLs of a shard that the shards which own them have a row for."""
        by_owner: dict[int, dict[str, int]] = {}
        for old, url in rows:
            if _has_owner(url) and (owner := self._owner(url)) != shard.number:
                by_owner.setdefault(owner, {})[url] = old
        found: dict[int, int] = {}
        for number, olds in by_owner.items():
            there = self._ids_of(self._shards[number], list(olds))
            new = self.new_ids(self._shards[number], list(there.values()))
            found |= {olds[url]: new[its] for url, its in there.items() if its in new}
        return found

    def _refused(self, url: str) -> int | None:
        row = self._scratch.execute("SELECT new FROM refused WHERE url = ?", (url,)).fetchone()
        return None if row is None else int(row[0])

    def _new_refused(self, url: str) -> int:
        self._last += 1
        self._scratch.execute("INSERT INTO refused (url, new) VALUES (?, ?)", (url, self._last))
        return self._last

    def _ids_of(self, shard: ShardFile, urls: Sequence[str]) -> dict[str, int]:
        """The ids of those of these URLs that a shard at rest knows."""
        wanted: dict[int, set[str]] = {}
        for url in urls:
            wanted.setdefault(url_key(url), set()).add(url)
        found: dict[str, int] = {}
        for chunk in chunks(sorted(wanted)):
            for url, its_id in self._rows_by_key(shard, chunk):
                if url_key(url) not in wanted:
                    raise MalformedContentError("a key that leads to another URL")
                if url in wanted[url_key(url)]:
                    found[url] = its_id
        return found

    def _rows_by_key(self, shard: ShardFile, keys: Sequence[int]) -> Iterator[tuple[str, int]]:
        among = f"key IN ({marks(len(keys))})"
        indexed = f"SELECT u.url, u.id FROM url_key k JOIN url u USING (id) WHERE k.{among}"  # noqa: S608 - marks only
        yield from shard.connection.execute(indexed, keys)
        query = f"SELECT id FROM unindexed WHERE shard = ? AND {among}"  # noqa: S608 - marks only
        ids = [its_id for (its_id,) in self._scratch.execute(query, (shard.number, *keys))]
        by_id = f"SELECT url, id FROM url WHERE id IN ({marks(len(ids))})"  # noqa: S608 - marks only
        yield from shard.connection.execute(by_id, ids)


def _has_owner(url: str) -> bool:
    return is_http(url) and url.find("/", 8) > 0


def _batches(shard: ShardFile) -> Iterator[list[tuple[int, str, int]]]:
    after = 0
    while rows := shard.connection.execute(_URLS, (after, _MANY)).fetchall():
        after = rows[-1][0]
        yield rows
