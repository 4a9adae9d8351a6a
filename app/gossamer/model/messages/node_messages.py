"""The messages between a coordinator and its nodes, and the values of their first call.

What a worker and the crawl host say to each other travels inside them as it was encoded.
"""

from enum import StrEnum

from msgspec import Struct

# ---------------------------------------------------------------- coordinator → node


class NodeRole(StrEnum):
    """What a process that a node starts is there for."""

    PAGE_WORKER = "page-worker"
    RENDER_WORKER = "render-worker"
    CRAWL_HOST = "host"
    """It crawls a shard."""


class OpenWorker(Struct, tag=True, frozen=True, array_like=True):
    """Start a worker, which is called by this number from now on."""

    worker: int
    role: NodeRole = NodeRole.PAGE_WORKER
    archive: str = ""
    """The folder of the node, to be made, in which it archives what it fetches; "" for none."""
    is_collected: bool = False
    """Whether that is to be sent: `ArchivePiece`."""
    page_workers: int = 0
    """So many are started at once with a crawl host."""


class ForWorker(Struct, tag=True, frozen=True, array_like=True):
    """Jobs for a worker, encoded. They wait until it has started; lost if it is gone."""

    worker: int
    messages: bytes


class EndWorker(Struct, tag=True, frozen=True, array_like=True):
    """End a worker: `WorkerClosed` follows, unless that was said already."""

    worker: int


class KeepReports(Struct, tag=True, frozen=True, array_like=True):
    """Answer this call without reports: what came with the last one is not written yet."""


NodeCommand = KeepReports | OpenWorker | ForWorker | EndWorker

# ---------------------------------------------------------------- node → coordinator


class WorkerOpened(Struct, tag=True, frozen=True, array_like=True):
    """A worker has started."""

    worker: int
    pid: int


class FromWorker(Struct, tag=True, frozen=True, array_like=True):
    """Results of a worker, encoded."""

    worker: int
    messages: bytes


class ArchivePiece(Struct, tag=True, frozen=True, array_like=True):
    """What stands at `offset` of a file of the archive of a worker.

    It comes before the messages that tell of the pages.
    """

    worker: int
    file: str
    offset: int
    data: bytes


class WorkerClosed(Struct, tag=True, frozen=True, array_like=True):
    """A worker is gone, with every connection that it had."""

    worker: int
    exit_code: int | None = None
    reason: str = ""
    """Why it could not be started, if that is why."""


NodeReport = WorkerOpened | ArchivePiece | FromWorker | WorkerClosed


class NodeGreeting(Struct, frozen=True, array_like=True):
    """What a node says of itself first. Another version need not understand more than this."""

    version: str
    """Of Gossamer."""
    protocol: int
    """`gossamer.ipc.PROTOCOL_VERSION`."""
    cores: int = 1
    """Threads that Dask gives it: as many page workers."""
    scratch: str = ""
    """A folder for archives until they are collected; it ends with the Dask worker."""
    archives: str = ""
    """The folder for archives that stay there."""


# ---------------------------------------------------------------- cluster on this machine → host


class ClusterServing(Struct, tag=True, frozen=True):
    """The cluster's scheduler is at `address`."""

    address: str
