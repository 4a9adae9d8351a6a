"""A schedule: what is crawled when, where its projects go and which of them stay."""

from enum import StrEnum

from msgspec import Struct

from gossamer.scheduling.retention_rule import RetentionRule
from gossamer.scheduling.run_times import RunTimes


class TimerKind(StrEnum):
    """The part of the system that starts the runs of a schedule."""

    SYSTEMD = "systemd"
    CRONTAB = "crontab"
    LAUNCHD = "launchd"
    TASK_SCHEDULER = "task-scheduler"
    NONE = "none"
    """The user starts them."""


class Schedule(Struct, frozen=True, forbid_unknown_fields=True):
    """The definition of a schedule, as it is kept.

    It crawls `project` again, or a site with `settings`, the text of a settings file; exactly one
    is given. `project_series` and `project_created_at` identify the project, should it be moved.
    Times at which it should have run count from `since`, in Unix seconds. With `use_sitemaps`, each
    run reads sitemaps or none, whatever the crawl before did.
    """

    name: str
    times: RunTimes
    folder: str
    timer: TimerKind
    since: float
    project: str | None = None
    project_series: str = ""
    project_created_at: float = 0.0
    settings: str | None = None
    retention: RetentionRule = RetentionRule()
    is_enabled: bool = True
    use_sitemaps: bool | None = None
