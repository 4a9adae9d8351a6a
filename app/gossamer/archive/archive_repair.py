"""Makes the files of an archive end where the project says.

After a crash a file may have records that no committed page names, or a partial one; after a power
failure it may lack some that are named.
"""

import os
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final

from msgspec import Struct

from gossamer.model.archive_record import is_archive_file
from gossamer.store.atomic_files import StagingFolder

_COPIED_BYTES: Final = 1 << 22


class ArchiveRepair(Struct, frozen=True):
    """The repair that an archive needs.

    By file name: `remove` are files without any record that the project names, `cut` says where
    others end, and `lost` where files that lack records stop being complete.
    """

    remove: list[str] = []
    cut: dict[str, int] = {}
    lost: dict[str, int] = {}


def repair_of(ends: Mapping[str, int], sizes: Mapping[str, int]) -> ArchiveRepair:
    """The repair, if the project names records up to `ends`, and files have `sizes`.

    Files with other names than ours are not ours, and are left alone.
    """
    ours = {name: size for name, size in sizes.items() if is_archive_file(name)}
    remove = sorted(name for name in ours if name not in ends)
    cut = {name: end for name, end in ends.items() if ours.get(name, 0) > end}
    lost = {name: ours.get(name, 0) for name, end in ends.items() if ours.get(name, 0) < end}
    return ArchiveRepair(remove, cut, lost)


def file_sizes(folder: Path) -> dict[str, int]:
    """The sizes of the files in a folder, by name; OSError if it cannot be read."""
    with os.scandir(folder) as entries:
        return {
            entry.name: entry.stat(follow_symlinks=False).st_size
            for entry in entries
            if entry.is_file(follow_symlinks=False)
        }


def carry_out(folder: Path, repair: ArchiveRepair) -> None:
    """Remove and cut files; OSError if that fails."""
    for name, size in repair.cut.items():
        _cut(folder / name, size)
    _remove(folder / name for name in repair.remove)


def flush_files(folder: Path, names: Iterable[str]) -> None:
    """Flush files to the disk; OSError if that fails."""
    for name in names:
        descriptor = os.open(folder / name, os.O_RDWR)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def _cut(path: Path, size: int) -> None:
    """Have the file end there; a file that another archive has, too, stays as it is in that one."""
    if path.stat().st_nlink == 1:
        os.truncate(path, size)
        return
    # Merged projects have links to the files of their shards.
    with StagingFolder(path.parent) as aside:
        part = aside.new(path.name)
        with path.open("rb") as whole, part.open("wb") as copy:
            while size and (data := whole.read(min(_COPIED_BYTES, size))):
                copy.write(data)
                size -= len(data)
        aside.put(part, path, replace=True)


def _remove(paths: Iterable[Path]) -> None:
    for path in paths:
        with suppress(FileNotFoundError):
            path.unlink()
