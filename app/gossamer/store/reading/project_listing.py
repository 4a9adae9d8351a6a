"""Reads what a list of projects shows of each, without reading the whole file."""

from contextlib import closing
from pathlib import Path
from typing import Final

from msgspec import Struct

from gossamer.model.crawl_state import CrawlState, at_rest
from gossamer.model.errors import ProjectError
from gossamer.model.lock_owner import LockOwner
from gossamer.model.outcome import Outcome, Verdict, verdict
from gossamer.model.outcome_counts import QUEUED, REQUESTED, count, why_nothing
from gossamer.model.translatable import Translatable
from gossamer.store.count_tables import count_outcomes
from gossamer.store.database import damaged, open_for_reading, translated_reading
from gossamer.store.stored_settings import count_roots, roots_of
from gossamer.store.writer_lock import holder_of

ROOTS: Final = 10


class ProjectInfo(Struct, frozen=True):
    """A project in a list. `trouble` says why it cannot be opened; then nothing else is set.

    `size_bytes` is what it takes on the disk; times are Unix seconds.
    """

    path: Path
    roots: tuple[str, ...] = ()
    """The first few: a list may have thousands."""
    root_count: int = 0
    state: CrawlState = CrawlState.NEW
    known: int = 0
    """URLs that were asked or are to be, as the window counts them while it crawls."""
    found: int = 0
    """All URLs, also those that are not asked, as the table of the window counts them."""
    queued: int = 0
    """Of those known, those to do."""
    working: int = 0
    """Of those known, those that work: pages, files, what was checked."""
    nothing: Outcome | None = None
    """Of a crawl that is finished and got nothing: what became of most URLs."""
    size_bytes: int = 0
    created_at: float = 0.0
    changed_at: float = 0.0
    held_by: LockOwner | None = None
    trouble: Translatable | None = None


def glance(path: Path) -> ProjectInfo:
    """Look at the project at `path`: some milliseconds, however large it is."""
    try:
        return _look(path)
    except ProjectError as e:
        return ProjectInfo(path, trouble=e.said)


def _look(path: Path) -> ProjectInfo:
    with translated_reading(path), closing(open_for_reading(path)) as connection:
        state, created_at = connection.execute("SELECT state, created_at FROM project").fetchone()
        outcomes = count_outcomes(connection)
        holder = holder_of(path)
        is_finished = CrawlState(state) is CrawlState.FINISHED
        return ProjectInfo(
            path,
            roots=roots_of(connection, ROOTS),
            root_count=count_roots(connection),
            state=at_rest(CrawlState(state)) if holder is None else CrawlState(state),
            known=count(outcomes, REQUESTED),
            found=sum(outcomes.values()),
            queued=count(outcomes, QUEUED),
            working=sum(n for o, n in outcomes.items() if verdict(o, None) is Verdict.OK),
            nothing=why_nothing(outcomes) if is_finished else None,
            size_bytes=sum(_size(path.with_name(path.name + end)) for end in ("", "-wal")),
            created_at=float(created_at),
            changed_at=_changed(path),
            held_by=holder,
        )


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0


def _changed(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError as e:
        raise damaged(path) from e
