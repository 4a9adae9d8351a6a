"""Makes one archive of those of shards: their files, and where these have the responses.

Files have the names of their shards in their names, so two are seldom called alike; the later one
then gets a free name. They are linked where the disk can do that, and copied otherwise: nobody
appends to a file that is closed, and a repair that has to cut one off leaves its other links alone.
"""

import os
import sqlite3
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeAlias

from gossamer.model.archive_record import FILE_SUFFIX, archive_folder, is_archive_file
from gossamer.model.errors import DiskError, ProjectError
from gossamer.store.bulk_insert import marks
from gossamer.store.disk_errors import MISSING, disk_error
from gossamer.store.locking.file_identity import is_file_itself
from gossamer.store.project import ensure_no_archive
from gossamer.store.writing.archive_rows import ArchiveEnds

if TYPE_CHECKING:
    from gossamer.store.merging.shard_files import ShardFile

NewIds = Callable[["ShardFile", Sequence[int]], dict[int, int]]
MergedNames: TypeAlias = Mapping[tuple[int, str], str]
"""The names of archive files in the merged project, by number of the shard and name there."""
_COPIED_BYTES: Final = 1 << 22
_MANY: Final = 500
_FILES: Final = (
    "SELECT id, name, node, folder FROM archive_file"
    " WHERE id IN (SELECT file FROM archive_record) ORDER BY id"
)
_RECORDS: Final = (
    "SELECT offset, length, kind, id, url, digest, payload_offset FROM archive_record"
    " WHERE file = ? AND offset > ? ORDER BY offset LIMIT ?"
)
_SERIAL_AT: Final = slice(-len(FILE_SUFFIX) - 5, -len(FILE_SUFFIX))
"""Where the serial number stands in the name of a file: see `is_archive_file`."""
_URL: Final = 3
"""Where its id stands in a row of them."""


def merge_archives(
    shards: Sequence["ShardFile"], part: Path, target: Path, check: Callable[[], None]
) -> MergedNames:
    """Have the files of all shards in the archive of `part`, which becomes the project at `target`.

    `check` is called often, and raises where it is to end. ProjectError where an archive is in the
    way, or files that stay on nodes have equal names; DiskError where a file is missing, or cannot
    be linked or copied.
    """
    made, place = archive_folder(part), archive_folder(target)
    files = [(shard, *each) for shard in shards for each in _files_of(shard)]
    names = _names(shards, {(shard.number, path.name) for shard, path, _ in files})
    if not files:
        return names
    ensure_no_archive(place)
    try:
        made.mkdir(mode=0o700)
        for shard, path, end in files:
            _take(path, made / names[shard.number, path.name], end, check)
    except OSError as e:
        raise disk_error(place, e) from e
    return names


def _names(shards: Sequence["ShardFile"], here: AbstractSet[tuple[int, str]]) -> MergedNames:
    """A name for each file: those that are not `here` keep theirs, by which nodes know them."""
    known = here | {
        (shard.number, name)
        for shard in shards
        for _, name, *_ in shard.connection.execute(_FILES)
        if is_archive_file(name)
    }
    names: dict[tuple[int, str], str] = {}
    taken: set[str] = set()
    for key in sorted(known, key=lambda each: (each in here, each)):
        name = key[1]
        if name in taken and key not in here:
            raise ProjectError(
                "Two shards have an archive file {name}, which is not beside both of them: copy it "
                "from its node to the archive of its shard first.",
                name=name,
            )
        names[key] = name = _free(name, taken)
        taken.add(name)
    return names


def _free(name: str, taken: Collection[str]) -> str:
    """The name, or the next one with a higher serial number."""
    serial = int(name[_SERIAL_AT])
    while name in taken:
        serial = (serial + 1) % 10**5
        name = f"{name[: _SERIAL_AT.start]}{serial:05}{FILE_SUFFIX}"
    return name


def copy_archive_rows(
    shard: "ShardFile", names: MergedNames, connection: sqlite3.Connection, new_ids: NewIds
) -> None:
    """Copy the locations of a shard's responses, some hundred rows at a time."""
    for number, name, *place in shard.connection.execute(_FILES).fetchall():
        if not is_archive_file(name):
            continue  # `_files_of` leaves it out, too
        insert = "INSERT INTO archive_file (name, node, folder) VALUES (?, ?, ?)"
        file = (names[shard.number, name], *place)
        new_file = connection.execute(insert, file).lastrowid
        after = -1
        while rows := shard.connection.execute(_RECORDS, (number, after, _MANY)).fetchall():
            after = rows[-1][0]
            new = new_ids(shard, [row[_URL] for row in rows if row[_URL] is not None])
            connection.execute("BEGIN IMMEDIATE")
            connection.executemany(
                "INSERT INTO archive_record"  # noqa: S608 - our own names
                " (file, offset, length, kind, id, url, digest, payload_offset)"
                f" VALUES ({marks(len(rows[0]) + 1)})",
                [(new_file, *row[:_URL], new.get(row[_URL]), *row[_URL + 1 :]) for row in rows],
            )
            connection.execute("COMMIT")


def _files_of(shard: "ShardFile") -> Iterator[tuple[Path, int]]:
    """The files of the archive of a shard, and where what it names in them ends.

    Of files on nodes, those that somebody has copied there, as they are. A symbolic link is no file
    of the archive: that of a stranger may lead to any file of the user, who passes the merged
    project on.
    """
    folder = archive_folder(shard.path)
    ends = ArchiveEnds.read(shard.connection)
    for name, end in sorted(ends.own.items()):
        path = folder / name
        if not is_file_itself(path):
            raise DiskError(MISSING, path=path)
        yield path, end
    for name in sorted(ends.others):
        path = folder / name
        if is_file_itself(path):
            yield path, path.stat().st_size


def _take(source: Path, target: Path, end: int, check: Callable[[], None]) -> None:
    """Have `target` be the first `end` bytes of `source`."""
    check()
    if source.stat().st_size == end:
        try:
            os.link(source, target)
        except OSError:  # another disk, or one that knows no links
            pass
        else:
            return
    with source.open("rb") as original, target.open("xb") as copy:
        target.chmod(0o600)
        while end and (data := original.read(min(_COPIED_BYTES, end))):
            check()
            copy.write(data)
            end -= len(data)
