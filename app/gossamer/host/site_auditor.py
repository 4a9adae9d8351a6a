"""The audit process: runs the site audit of one project, and ends."""

import asyncio
import logging
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import Final

from gossamer.audit.site_audit import AuditProgress, run_site_audit
from gossamer.host.host_log import log_to
from gossamer.ipc.channel import Channel
from gossamer.ipc.child_connection import connect_to_parent
from gossamer.model.errors import KnownError
from gossamer.model.messages.audit_messages import AuditEnded, AuditReport, AuditStep, StartAudit
from gossamer.model.translatable import Sentence, Translatable
from gossamer.store.auditing.audit_file import AuditCancelled

_UNFORESEEN: Final[Sentence] = (
    "The audit failed unexpectedly; see the log for details, and please report it."
)
_PAUSE_S: Final = 0.1
"""Between two reports of the same stage."""
_GOODBYE_S: Final = 2.0
_log = logging.getLogger(__name__)


class SiteAuditor:
    """Runs one audit on a thread, so that the loop notices when its shell goes."""

    def __init__(self) -> None:
        """Wait for `StartAudit`."""
        self._start: asyncio.Future[StartAudit] = asyncio.get_running_loop().create_future()
        self._cancelled = threading.Event()
        self._reported_s = 0.0
        self._stage = ""

    def receive(self, messages: list[StartAudit]) -> None:
        """Take the message that says what to audit."""
        if not self._start.done():
            self._start.set_result(messages[0])

    def cancel(self) -> None:
        """End soon: nobody waits for the results."""
        self._cancelled.set()
        self._start.cancel()

    async def serve(self, channel: Channel[StartAudit]) -> int:
        """Audit, and report to the shell; the exit code of the process."""
        with suppress(asyncio.CancelledError):
            ended = await self._audit(await self._start, channel)
            if ended is not None:
                channel.send(ended)
        return 0

    async def _audit(self, start: StartAudit, channel: Channel[StartAudit]) -> AuditEnded | None:
        """The last report; None if the audit was cancelled."""
        loop = asyncio.get_running_loop()

        def report(progress: AuditProgress) -> None:
            if self._is_due(progress):
                loop.call_soon_threadsafe(_send, channel, AuditStep(*progress))

        try:
            await asyncio.to_thread(
                run_site_audit, Path(start.project), start.settings, report, self._cancelled.is_set
            )
        except AuditCancelled:
            return None
        except KnownError as e:
            return AuditEnded(e.said, e.exit_code)
        except Exception:  # noqa: BLE001 - the last line of defence: log it, tell the user
            _log.exception("audit failed")
            return AuditEnded(Translatable(_UNFORESEEN), 1)
        return AuditEnded()

    def _is_due(self, progress: AuditProgress) -> bool:
        now_s = time.monotonic()
        if progress.stage == self._stage and now_s < self._reported_s + _PAUSE_S:
            return False
        self._stage, self._reported_s = progress.stage, now_s
        return True


def _send(channel: Channel[StartAudit], report: AuditReport) -> None:
    if not channel.congested:
        channel.send(report)


async def main(log: str) -> int:
    """Serve the process that started this one; write to the file `log`."""
    log_to(log)
    auditor = SiteAuditor()
    channel: Channel[StartAudit] = await connect_to_parent(
        StartAudit, auditor.receive, auditor.cancel
    )
    try:
        return await auditor.serve(channel)
    finally:
        channel.close()
        with suppress(TimeoutError):
            async with asyncio.timeout(_GOODBYE_S):
                await channel.wait_closed()
