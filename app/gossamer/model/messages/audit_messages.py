"""The message of a shell to the process that audits a project."""

from msgspec import Struct

from gossamer.model.settings.crawl_settings import CrawlSettings


class StartAudit(Struct, tag=True, frozen=True, array_like=True):
    """Bring the audit of a project up to date: the only message to the process.

    The thresholds are those of `settings`; None means those in the project.
    """

    project: str
    settings: CrawlSettings | None = None
