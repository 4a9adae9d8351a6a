"""Records the snapshot of a crawl beside other work, and never at its cost."""

import asyncio
import logging
from pathlib import Path

from gossamer.model.errors import KnownError

_log = logging.getLogger(__name__)


class SnapshotRecorder:
    """Records snapshots of one project on a thread. What fails is logged: a crawl is fine without.

    The next snapshot makes up for one that could not be recorded.
    """

    def __init__(self, project: Path) -> None:
        """Take the project; nothing is read yet."""
        self._project = project
        self._recording: asyncio.Future[None] | None = None

    def record(self) -> None:
        """Begin to record the crawl as it is now."""
        loop = asyncio.get_running_loop()
        self._recording = loop.run_in_executor(None, record_or_log, self._project)

    async def wait(self) -> None:
        """Wait until it is recorded, if that has begun."""
        if self._recording is not None:
            await asyncio.shield(self._recording)


def record_or_log(project: Path) -> None:
    """Record the crawl as it is now; a failure goes to the log."""
    from gossamer.session.series import record_snapshot  # noqa: PLC0415 - it imports all audit rules

    try:
        record_snapshot(project)
    except KnownError as e:
        _log.warning("%s", e)
