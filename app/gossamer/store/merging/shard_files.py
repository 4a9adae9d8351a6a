"""Opens the files of all shards of a crawl to read them, and checks that they belong together."""

import sqlite3
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Self

from gossamer.model.crawl_state import CrawlState
from gossamer.model.errors import ProjectError, UsageError
from gossamer.model.shards import NOTHING_EXCHANGED, ShardIdentity
from gossamer.store.closed_on_exit import ClosedOnExit
from gossamer.store.database import open_for_reading, translated, translated_reading
from gossamer.store.project_summary import read_summary
from gossamer.store.shard_tables import read_shard
from gossamer.store.writer_lock import holder_of, taken


class ShardFile:
    """One shard, to be read as it was when it was opened."""

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


class ShardFiles(ClosedOnExit):
    """All shards of one crawl, by their numbers."""

    def __init__(self, shards: Sequence[ShardFile], opened: ExitStack) -> None:
        """Take them, and what closes them."""
        self.shards = sorted(shards, key=lambda each: each.number)
        self._opened = opened

    @classmethod
    def opened(cls, paths: Sequence[Path]) -> Self:
        """Open them; ProjectError, UsageError unless they are all shards of one finished crawl."""
        with ExitStack() as opened:
            shards = []
            for path in paths:
                if (holder := holder_of(path)) is not None:
                    raise taken(path, holder)
                connection = open_for_reading(path)
                opened.callback(connection.close)
                shards.append(ShardFile(path, connection))
            _ensure_all_of_one(shards)
            for shard in shards:
                _ensure_finished(shard, shards)
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


def _ensure_finished(shard: ShardFile, others: Sequence[ShardFile]) -> None:
    """Raise ProjectError if a shard has something to do, or links that another has not."""
    for other in others:
        sent = shard.summary.peers.get(other.number, NOTHING_EXCHANGED).sent
        received = other.summary.peers.get(shard.number, NOTHING_EXCHANGED).received
        if sent != received:
            raise _unfinished(shard)
    if shard.summary.state is not CrawlState.FINISHED:
        raise _unfinished(shard)


def _unfinished(shard: ShardFile) -> ProjectError:
    return ProjectError(
        "The crawl of {path} has not finished; resume the folder of its shards, then merge them.",
        path=shard.path,
    )
