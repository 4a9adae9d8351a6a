"""Where the archive of a crawl has the response of a server: one record of a WARC file."""

from enum import IntEnum
from pathlib import Path
from typing import Final

from msgspec import Struct

from gossamer.model.lazy_pattern import lazy_pattern

FOLDER_SUFFIX: Final = ".archive"
UPDATE_SUFFIX: Final = " (update)"
"""The suffix of a project that is to replace another one."""
FILE_SUFFIX: Final = ".warc.gz"
_NAME: Final = lazy_pattern(r"[^/\\:]+-[0-9]{14}-[0-9]+-[0-9]{5}\.warc\.gz")


class RecordKind(IntEnum):
    """What a record of the archive holds."""

    RESPONSE = 1
    """Head and body of a response."""
    REVISIT = 2
    """A head; the body is that of an earlier record of the same file."""
    NOT_MODIFIED = 3
    """The head of a 304: what came of an earlier request still holds."""
    DOM = 4
    """The DOM that scripts made of a page, written as HTML in UTF-8."""


class ArchiveRecord(Struct, frozen=True, array_like=True, gc=False):
    """The record of one response or DOM: `length` bytes at `offset` of `file`, one gzip member.

    `file` is a name in the folder of the archive. `digest` is the SHA-256 of the payload: of the
    body as received, before its content coding is decoded, or of the DOM. `payload_offset` is where
    the same file has the record whose payload a REVISIT repeats. `url` is the requested URL, "" if
    that is the URL that the record belongs to. If the file stays on a node of a cluster, `node` and
    `folder` say where.
    """

    kind: RecordKind
    file: str
    offset: int
    length: int
    digest: bytes
    payload_offset: int | None = None
    url: str = ""
    node: str = ""
    folder: str = ""


class ReferredRecord(Struct, frozen=True, array_like=True, gc=False):
    """The record with the body that a 304 confirms, as the `revisit` of the 304 names it.

    `id` and `date` are copied from the record as they are; `url` is the requested URL, `digest`
    that of its payload.
    """

    id: str
    url: str
    date: str
    digest: bytes


class ArchiveLocation(Struct, frozen=True, array_like=True):
    """Where a worker archives: a folder of its machine.

    `writer` is a number that distinguishes its files, 0 for the number of its process. `node` names
    its machine if the files stay there, "" if they belong in the archive of the project.
    """

    folder: str
    writer: int = 0
    node: str = ""


def is_archive_file(name: str) -> bool:
    """Whether this is the name of an archive file: of none in another folder."""
    return _NAME.fullmatch(name) is not None


def archive_folder(project: Path) -> Path:
    """The folder of the archive, next to the project file."""
    return project.with_name(project.stem + FOLDER_SUFFIX)


def archived_name(folder: Path) -> str:
    """The name of the files of an archive, by its folder: the project's, without spaces.

    An update takes the name of the project that it replaces: its files outlast its own name.
    """
    stem = folder.name.removesuffix(FOLDER_SUFFIX)
    return "-".join((stem.removesuffix(UPDATE_SUFFIX) or stem).split())
