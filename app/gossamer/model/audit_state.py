"""Whether the results of the audit in a project file are up to date."""

from msgspec import Struct


class AuditState(Struct, frozen=True):
    """Which results match the project's thresholds and all that was crawled."""

    page_rules: bool
    """The rows of page rules: decided with the thresholds of the settings."""
    stages: bool
    """The rows of stage rules and `url_audit`: complete, with these thresholds, and nothing was
    crawled since.
    """

    @property
    def is_current(self) -> bool:
        """Whether nothing has to be decided again."""
        return self.page_rules and self.stages
