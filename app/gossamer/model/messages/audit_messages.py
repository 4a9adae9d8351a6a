"""The messages between a shell and the process that audits a project."""

from msgspec import Struct

from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.translatable import Translatable


class StartAudit(Struct, tag=True, frozen=True, array_like=True):
    """Bring the audit of a project up to date: the only message to the process.

    The thresholds are those of `settings`; None means those in the project.
    """

    project: str
    settings: CrawlSettings | None = None


class AuditStep(Struct, tag=True, frozen=True, array_like=True):
    """How far the audit has come: `done` of `total` steps, and the stage it is in."""

    stage: str
    done: int
    total: int


class AuditEnded(Struct, tag=True, frozen=True, array_like=True):
    """The audit is complete, or failed for a reason; the process ends after it."""

    reason: Translatable | None = None
    exit_code: int = 0


AuditReport = AuditStep | AuditEnded
