"""The messages between a coordinator and its nodes, and the values of their first call.

The messages between a worker and the crawl host travel inside them as encoded.
"""

from enum import StrEnum

from msgspec import Struct

# ---------------------------------------------------------------- coordinator → node


class NodeRole(StrEnum):
    """The purpose of a process that a node starts."""

    PAGE_WORKER = "page-worker"
    CRAWL_HOST = "host"
    """It crawls a shard."""


class OpenWorker(Struct, tag=True, frozen=True, array_like=True):
    """Start a worker, which is identified by this number from now on."""

    worker: int
    role: NodeRole = NodeRole.PAGE_WORKER
    archive: str = ""
    """The folder of the node, to be made, in which it archives what it fetches; "" for none."""
    is_collected: bool = False
    """Whether the archive is to be sent: `ArchivePiece`."""
    page_workers: int = 0
    """How many page workers are started at once with a crawl host."""


class ForWorker(Struct, tag=True, frozen=True, array_like=True):
    """Jobs for a worker, encoded. They wait until it has started; lost if it is gone."""

    worker: int
    messages: bytes


class EndWorker(Struct, tag=True, frozen=True, array_like=True):
    """End a worker: `WorkerClosed` follows, unless it was sent already."""

    worker: int


class KeepReports(Struct, tag=True, frozen=True, array_like=True):
    """Reply to this call without reports: those of the last reply are not written yet."""


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
    """The bytes at `offset` of a file of the archive of a worker.

    It precedes the messages about the pages.
    """

    worker: int
    file: str
    offset: int
    data: bytes


class WorkerClosed(Struct, tag=True, frozen=True, array_like=True):
    """A worker is gone, with all its connections."""

    worker: int
    exit_code: int | None = None
    reason: str = ""
    """Why it could not be started, if that is the cause."""


NodeReport = WorkerOpened | ArchivePiece | FromWorker | WorkerClosed


class NodeGreeting(Struct, frozen=True, array_like=True):
    """What a node reports about itself first. Other versions need not understand more than this."""

    version: str
    """Of Gossamer."""
    protocol: int
    """`gossamer.ipc.PROTOCOL_VERSION`."""
    cores: int = 1
    """Threads that Dask gives it: as many page workers."""
    scratch: str = ""
    """A folder for archives until they are collected; it disappears with the Dask worker."""
    archives: str = ""
    """The folder for archives that stay there."""
    time_s: float = 0.0
    """What its clock shows."""


# ---------------------------------------------------------------- cluster on this machine → host


class ClusterServing(Struct, tag=True, frozen=True):
    """The cluster's scheduler is at `address`."""

    address: str
