"""The audit process: runs the site audit of one project, and ends.

It then prepares the searches for common prefixes, for Link Scores are known and no page follows.
"""

import logging
from collections.abc import Callable
from pathlib import Path
from typing import Final

from gossamer.audit.site_audit import AuditProgress, run_site_audit
from gossamer.host.search_indexer import PREPARING
from gossamer.host.thread_task import TaskDefinition, serve_task
from gossamer.model.errors import ProjectError
from gossamer.model.messages.audit_messages import StartAudit
from gossamer.model.messages.process_messages import ProcessStep
from gossamer.model.translatable import Sentence
from gossamer.store.auditing.audit_file import AuditCancelled
from gossamer.store.searching.incremental_indexing import list_prefixes

_log = logging.getLogger(__name__)


class _EndedError(Exception):
    """The user cancelled."""


def _audit(
    start: StartAudit, report: Callable[[ProcessStep], None], is_cancelled: Callable[[], bool]
) -> None:
    def tell(progress: AuditProgress) -> None:
        report(ProcessStep(*progress))

    run_site_audit(Path(start.project), start.settings, tell, is_cancelled)

    def go_on(done: int, total: int) -> None:
        if is_cancelled():
            raise _EndedError
        report(ProcessStep(PREPARING, done, total))

    try:
        list_prefixes(Path(start.project), go_on)
    except _EndedError:  # the audit is done, and searches do without
        return
    except ProjectError as e:
        _log.warning("searches for prefixes were not prepared", extra={"reason": str(e)})


_UNFORESEEN: Final[Sentence] = (
    "The audit failed unexpectedly; see the log for details, and please report it."
)
AUDIT: Final = TaskDefinition(
    StartAudit,
    _audit,
    AuditCancelled,
    _UNFORESEEN,
)


async def main(log: str) -> int:
    """Serve the process that started this one; write to the file `log`."""
    return await serve_task(AUDIT, log)
