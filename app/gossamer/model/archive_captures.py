"""What an archive has: the stretches of files with its records, and the captures in them."""

from enum import IntEnum
from pathlib import Path
from typing import NamedTuple, TypeAlias

from msgspec import Struct


class Packing(IntEnum):
    """How each record of an archive is compressed. Stored in `part.packing` of an index."""

    NONE = 0
    GZIP = 1
    """A gzip member."""
    ZSTD = 2
    """A frame of Zstandard, with the dictionary at the beginning of the file if there is one."""


class ArchivePart(NamedTuple):
    """A stretch of a file that holds WARC records: `size` bytes from `start`."""

    path: Path
    start: int
    size: int
    packing: Packing


class CaptureKind(IntEnum):
    """How a record stores a response. Stored in `capture.kind` of an index."""

    RESPONSE = 0
    """As received, with its head."""
    RESOURCE = 1
    """The body alone."""
    REVISIT = 2
    """The body is that of an earlier record."""


class Capture(Struct, frozen=True, gc=False):
    """A response in an archive.

    `offset` counts from the beginning of its part. `method` is "GET" or "HEAD". A revisit names the
    record with its body: by `refers_url` and `refers_time`, or by `digest`, which is 0 for none.
    """

    url: str
    time: float
    """Unix time, in seconds; 0.0 if the archive does not have it."""
    offset: int
    kind: CaptureKind
    status: int
    is_page: bool
    """Whether it is HTML with a status of success."""
    record: int
    """The key of its id; 0 for none."""
    concurrent: int
    """The key of the id of the record that it names as part of the same exchange; 0 for none."""
    digest: int = 0
    refers_url: str = ""
    refers_time: float = 0.0


class OtherMethod(Struct, frozen=True, gc=False):
    """A request other than GET: a response to it is none that a crawl would get.

    `records` are the keys of the ids of this and of what it names.
    """

    is_head: bool
    records: tuple[int, ...]


class FetchTime(Struct, frozen=True, gc=False):
    """How long the server took for a response, as a metadata record says.

    `record` is the key of the id of the response. A time is 0 where the record does not have it.
    """

    record: int
    ttfb_ms: int
    elapsed_ms: int


IndexEntry: TypeAlias = Capture | OtherMethod | FetchTime
"""What one record of an archive adds to its index."""
