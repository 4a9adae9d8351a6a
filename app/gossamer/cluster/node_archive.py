"""Where the workers of a node archive."""

from pathlib import PurePath
from secrets import randbits
from typing import Final

from msgspec import Struct

from gossamer.cluster.archive_collector import ArchiveCollector
from gossamer.model.archive_record import ArchiveLocation

_WRITER_BITS: Final = 48


class NodeArchive(Struct, frozen=True):
    """Where the workers of a node archive.

    Each has a `folder` of its own in `scratch`, from which `collector` gets all; without a
    collector, all write into `folder` of the node, and it stays there.
    """

    folder: str
    collector: ArchiveCollector | None = None

    @property
    def disk(self) -> str:
        """The folder to tell people of: the node has another scratch folder each time it is tried.

        That is in the folder of its Dask worker, which stays.
        """
        return self.folder if self.collector is None else str(PurePath(self.folder).parents[1])

    def place(self, worker: int, node: str) -> ArchiveLocation:
        """The location for a worker of a node; its number is unique in this crawl."""
        writer = 1 + randbits(_WRITER_BITS)
        if self.collector is None:
            return ArchiveLocation(self.folder, writer, node)
        parent, _, name = self.folder.rpartition("/")
        return ArchiveLocation(f"{parent}/{worker}/{name}", writer)
