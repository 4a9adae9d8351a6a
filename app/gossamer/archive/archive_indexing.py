"""Provides an index of archives, from the cache, or made by reading the archives once."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Final

from gossamer.archive.captures import ScanReport, captures_in
from gossamer.archive.warc_parts import archive_parts
from gossamer.model.archive_captures import ArchivePart, IndexEntry
from gossamer.model.archive_source import ArchiveSource
from gossamer.store.archive_index import index_path, write_index

OnProgress = Callable[[int, int], None]
"""Gets the bytes read of the archives, and their total: now and then, not for each of millions of
records. It may raise to stop."""
_MOST_UNTOLD: Final = 1 << 20
"""Bytes between two reports: a fraction of a second, so that cancelling takes effect soon."""


def ensure_index(source: ArchiveSource, on_progress: OnProgress | None = None) -> ScanReport | None:
    """Ensure an index of the archives as they are now; returns what was read to make it.

    UsageError for an archive that is gone or cannot be used, ProjectError if the index cannot be
    written.
    """
    paths = [Path(each) for each in source.archives]

    def check() -> None:
        if on_progress is not None:
            on_progress(0, 1)

    parts = [part for path in paths for part in archive_parts(path, check)]
    place = index_path(paths)
    if place.exists():
        return None
    report = ScanReport()
    write_index(place, parts, _captures(parts, report, on_progress))
    return report


def _captures(
    parts: Sequence[ArchivePart], report: ScanReport, on_progress: OnProgress | None
) -> Iterator[tuple[int, IndexEntry]]:
    total = sum(part.size for part in parts)
    step = min(total // 100, _MOST_UNTOLD)
    before = following = 0
    last = -1

    def tell(position: int) -> None:
        nonlocal following, last
        is_in_long_record, last = before + position == last, before + position
        if on_progress is not None and (is_in_long_record or last >= following):
            following = last + step
            on_progress(before + position, total)

    for number, part in enumerate(parts):
        for each in captures_in(part, report, tell):
            yield number, each
        before += part.size
