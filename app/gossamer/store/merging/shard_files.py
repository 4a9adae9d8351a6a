"""Opens the files of all shards of a crawl to read them, and checks that they fit together."""

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from itertools import combinations
from pathlib import Path
from typing import Final, Self

from gossamer.model.crawl_state import CrawlState
from gossamer.model.discovery_rank import Rank
from gossamer.model.errors import ProjectError, UsageError
from gossamer.model.shards import (
    NOTHING_EXCHANGED,
    HandedAs,
    PeerCounts,
    ShardIdentity,
    ensure_fresh,
)
from gossamer.store.closed_on_exit import ClosedOnExit
from gossamer.store.database import open_for_reading, translated, translated_reading
from gossamer.store.project_summary import read_summary
from gossamer.store.shard_tables import read_shard
from gossamer.store.writer_lock import holder_of, taken

_MANY: Final = 500
_UNDER_WAY: Final = """
    SELECT number, id, handed_as, depth, hops, as_file, listed FROM outgoing_link
    WHERE shard = ? AND number > ? ORDER BY number LIMIT ?
"""
_OWED: Final = "SELECT DISTINCT id FROM owed WHERE id > ? ORDER BY id LIMIT ?"


class ShardFile:
    """One shard, read as it was when it was opened."""

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        """Take a checked connection; ProjectError if the project is no shard."""
        self.path = path
        self.connection = connection
        with translated(path):
            connection.execute("BEGIN")
            identity = read_shard(connection)
        if identity is None:
            raise ProjectError(
                "{path} is not a shard of a crawl; name the files of its shards.", path=path
            )
        self.identity: ShardIdentity = identity
        with translated_reading(path):
            self.summary = read_summary(connection, path)

    @property
    def number(self) -> int:
        """Which shard it is, from 0."""
        return self.identity.number

    def exchanged_with(self, other: "ShardFile") -> PeerCounts:
        """What it and another shard have handed over to each other, as it knows it."""
        return self.summary.peers.get(other.number, NOTHING_EXCHANGED)

    def under_way_to(self, other: "ShardFile") -> Iterator[list[tuple[int, HandedAs, Rank]]]:
        """Links that another shard has not committed, some hundred at a time.

        Each is the id of its target here, why it is handed over, and the rank at which the target
        is reached.
        """
        after = other.exchanged_with(self).received
        while rows := self.connection.execute(_UNDER_WAY, (other.number, after, _MANY)).fetchall():
            after = rows[-1][0]
            yield [
                (url_id, HandedAs(handed_as), Rank.stored(*rank))
                for _, url_id, handed_as, *rank in rows
            ]

    def owed(self) -> Iterator[list[int]]:
        """URLs whose better rank is to be carried on, some hundred at a time."""
        after = 0
        while rows := self.connection.execute(_OWED, (after, _MANY)).fetchall():
            after = rows[-1][0]
            yield [url_id for (url_id,) in rows]


class ShardFiles(ClosedOnExit):
    """All shards of one crawl, by their numbers."""

    is_finished: bool
    """Whether nothing is left to do in any of them, and no link is under way between any two."""

    def __init__(self, shards: Sequence[ShardFile], opened: ExitStack) -> None:
        """Take them, and what closes them."""
        self.shards = sorted(shards, key=lambda each: each.number)
        self._opened = opened
        self.is_finished = all(
            shard.summary.state is CrawlState.FINISHED and _has_taken_all(shard, shards)
            for shard in shards
        )

    @classmethod
    def opened(cls, paths: Sequence[Path]) -> Self:
        """Open them; ProjectError, UsageError unless they are all shards of one crawl, at rest."""
        with ExitStack() as opened:
            shards = []
            for path in paths:
                if (holder := holder_of(path)) is not None:
                    raise taken(path, holder)
                connection = open_for_reading(path)
                opened.callback(connection.close)
                shards.append(ShardFile(path, connection))
            _ensure_all_of_one(shards)
            for shard, other in combinations(shards, 2):
                here, there = shard.exchanged_with(other), other.exchanged_with(shard)
                ensure_fresh(shard.number, here, other.number, there)
            return cls(shards, opened.pop_all())

    def close(self) -> None:
        """Close them. Does nothing the second time."""
        self._opened.close()


def _ensure_all_of_one(shards: Sequence[ShardFile]) -> None:
    """Raise UsageError unless these are all shards of one crawl, each once."""
    if not shards:
        raise UsageError("Name the files of all shards of a crawl.")
    first = shards[0]
    by_number: dict[int, ShardFile] = {}
    for shard in shards:
        if (shard.identity.crawl, shard.identity.shards) != (
            first.identity.crawl,
            first.identity.shards,
        ):
            raise UsageError(
                "{path} and {other} are shards of different crawls.",
                path=shard.path,
                other=first.path,
            )
        if (other := by_number.setdefault(shard.number, shard)) is not shard:
            raise UsageError(
                "{path} and {other} are the same shard; name one of them.",
                path=shard.path,
                other=other.path,
            )
    missing = [str(n + 1) for n in range(first.identity.shards) if n not in by_number]
    if missing:
        raise UsageError(
            "Not all shards of the crawl are named; add shard {missing} of {shards}.",
            missing=", ".join(missing),
            shards=first.identity.shards,
        )


def _has_taken_all(shard: ShardFile, others: Sequence[ShardFile]) -> bool:
    """Whether a shard has committed all links that the others have for it."""
    return all(
        other.exchanged_with(shard).sent == shard.exchanged_with(other).received for other in others
    )
