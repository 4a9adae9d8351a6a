"""Where the archive of a crawl has what a server answered: one record of a WARC file."""

import re
from enum import IntEnum
from pathlib import Path
from typing import Final

from msgspec import Struct

from gossamer.model.lazy_pattern import lazy_pattern

FOLDER_SUFFIX: Final = ".archive"
UPDATE_SUFFIX: Final = " (update)"
"""Of the name of a project that is to take the place of another one."""
FILE_SUFFIX: Final = ".warc.gz"
_NAME: Final = lazy_pattern(r".+-[0-9]{14}-[0-9]+-[0-9]{5}\.warc\.gz", re.DOTALL)


class RecordKind(IntEnum):
    """What a record of the archive holds."""

    RESPONSE = 1
    """Head and body of an answer."""
    REVISIT = 2
    """A head; the body is that of an earlier record of the same file."""
    NOT_MODIFIED = 3
    """The head of a 304: what came of an earlier request still holds."""


class ArchiveRecord(Struct, frozen=True, array_like=True, gc=False):
    """The record of one answer: `length` bytes at `offset` of `file`, one gzip member.

    `file` is a name in the folder of the archive. `digest` is the SHA-256 of the payload, that is
    of the body as it came, before its content coding is undone. `payload_offset` is where the same
    file has the record whose payload a REVISIT repeats. `url` is what was asked, "" where it is the
    URL that the record belongs to. Where the file stays on a node of a cluster, `node` and `folder`
    say where.
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

    `id` and `date` are those of the record, as they stand there; `url` is what was asked, `digest`
    that of its payload.
    """

    id: str
    url: str
    date: str
    digest: bytes


class ArchiveLocation(Struct, frozen=True, array_like=True):
    """Where a worker archives: a folder of its machine.

    `writer` is a number that its files are told apart by, 0 for that of its process. `node` names
    its machine where the files stay there, "" where they are to be in the archive of the project.
    """

    folder: str
    writer: int = 0
    node: str = ""


def is_archive_file(name: str) -> bool:
    """Whether a file of an archive is called so."""
    return _NAME.fullmatch(name) is not None


def archive_folder(project: Path) -> Path:
    """The folder beside a project file that has its archive."""
    return project.with_name(project.stem + FOLDER_SUFFIX)


def archived_name(folder: Path) -> str:
    """How the files of an archive are named, by its folder: as the project, without spaces.

    As the one whose place an update is to take: they outlast the name that it has meanwhile.
    """
    stem = folder.name.removesuffix(FOLDER_SUFFIX)
    return "-".join((stem.removesuffix(UPDATE_SUFFIX) or stem).split())
