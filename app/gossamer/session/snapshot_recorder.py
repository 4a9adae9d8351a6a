"""Records the snapshot of a crawl in the background, and never at its cost."""

import asyncio
import logging
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from gossamer.model.errors import KnownError
from gossamer.store.atomic_files import is_made_aside

_log = logging.getLogger(__name__)


class SnapshotRecorder:
    """Records snapshots of one project on a thread. Failures are logged: a crawl works without.

    The next snapshot makes up for one that could not be recorded.
    """

    def __init__(self, project: Path) -> None:
        """`project` is not read yet."""
        self._project = project
        self._work: list[asyncio.Future[None]] = []

    def record(self) -> None:
        """Begin to record the crawl as it is now."""
        self._begin(partial(record_or_log, self._project))

    def keep_segments(self, segments: Sequence[str]) -> None:
        """Make the next crawl of the series begin with these segments."""
        self._begin(partial(keep_segments_or_log, self._project, segments))

    async def wait(self) -> None:
        """Wait until all is recorded that has begun to be."""
        if self._work:
            await asyncio.shield(asyncio.wait(self._work))

    def _begin(self, work: Callable[[], None]) -> None:
        loop = asyncio.get_running_loop()
        self._work = [each for each in self._work if not each.done()]
        self._work.append(loop.run_in_executor(None, work))


def record_or_log(project: Path) -> None:
    """Record the crawl as it is now; failures are logged.

    A project that will replace another is no crawl of a series yet.
    """
    if is_made_aside(project):
        return
    from gossamer.session.series import record_snapshot  # noqa: PLC0415 - it imports all audit rules

    try:
        record_snapshot(project)
    except KnownError as e:
        _log.warning("%s", e)


def keep_segments_or_log(project: Path, segments: Sequence[str]) -> None:
    """Make the next crawl of the series begin with these segments; failures are logged.

    Those of a project that will replace another belong to no series yet.
    """
    if is_made_aside(project):
        return
    from gossamer.session.series import series_of  # noqa: PLC0415 - it imports all audit rules

    try:
        series_of(project, gather=False).set_segments(segments)
    except KnownError as e:
        _log.warning("%s", e)
