"""The audit process: runs the site audit of one project, and ends.

It then has the search index list the common prefixes that have no list yet.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Final

from gossamer.audit.site_audit import AuditProgress, run_site_audit
from gossamer.child_processes.search_indexer import prepare_searches
from gossamer.ipc.single_task_process import TaskDefinition, serve_task
from gossamer.model.messages.audit_messages import StartAudit
from gossamer.model.messages.process_messages import ProcessStep
from gossamer.model.translatable import Sentence
from gossamer.store.auditing.audited_project import AuditCancelled


def _audit(
    start: StartAudit, report: Callable[[ProcessStep], None], is_cancelled: Callable[[], bool]
) -> None:
    def tell(progress: AuditProgress) -> None:
        report(ProcessStep(*progress))

    run_site_audit(Path(start.project), start.settings, tell, is_cancelled)
    prepare_searches(Path(start.project), report, is_cancelled)


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
