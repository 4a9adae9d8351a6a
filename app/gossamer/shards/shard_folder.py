"""Makes and finds the files of a crawl's shards, which lie in one folder."""

from pathlib import Path


def shard_path(folder: Path, number: int, shards: int) -> Path:
    """The project file of a shard, whose `number` counts from 0; its name counts from 1."""
    return folder / f"shard-{number + 1}-of-{shards}.gossamer"
