"""The parsed command for the shards of a crawl that is over."""

from pathlib import Path

from msgspec import Struct


class MergeCommand(Struct, frozen=True):
    """Merge the shards of a crawl into `output`: their files, or the folder with all of them."""

    shards: tuple[Path, ...]
    output: Path
    quiet: bool = False
