"""Reads and makes the tables of a project that is a shard: `shard`, `shard_peer`."""

import sqlite3
from contextlib import closing
from pathlib import Path

from gossamer.model.shards import PeerCounts, ShardIdentity
from gossamer.store.database import translated


def become_shard(path: Path, identity: ShardIdentity) -> None:
    """Make a new project, in which nothing is crawled yet, a shard; ProjectError if that fails."""
    with translated(path), closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute(
            "INSERT INTO shard (id, crawl, number, shards) VALUES (1, ?, ?, ?)",
            (identity.crawl, identity.number, identity.shards),
        )


def read_shard(connection: sqlite3.Connection) -> ShardIdentity | None:
    """Which shard a project is; None if it is none."""
    row = connection.execute("SELECT crawl, number, shards FROM shard").fetchone()
    return None if row is None else ShardIdentity(*row)


def read_peers(connection: sqlite3.Connection) -> dict[int, PeerCounts]:
    """What it has exchanged with the other shards, by their numbers."""
    rows = connection.execute("SELECT shard, sent, acknowledged, received FROM shard_peer")
    return {shard: PeerCounts(*counts) for shard, *counts in rows}
