"""Merges the shards of a crawl, by the decisions that a crawl without shards takes."""

from collections.abc import Callable, Sequence
from pathlib import Path

from gossamer.engine.follow_policy import Policy
from gossamer.model.outcome import Outcome, UrlState
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.settings.folder_priority import QueuePriority
from gossamer.model.store_batch import UrlRow
from gossamer.store.merging.project_merge import OnProgress, OutcomeOf, merge
from gossamer.urls.scope_and_limits import Scope


def merge_shards(
    sources: Sequence[Path],
    target: Path,
    progress: OnProgress = lambda _done, _of: None,
    cancelled: Callable[[], bool] = lambda: False,
) -> None:
    """Make one project at `target` of all shards of a crawl; see `merge`."""
    merge(sources, target, _policy_of, progress, cancelled)


def _policy_of(settings: CrawlSettings) -> OutcomeOf:
    policy = Policy(settings, Scope(settings))

    def outcome_of(row: UrlRow) -> Outcome:
        outcome = policy.outcome_of(row)
        is_held = policy.priority(row.url) is QueuePriority.HELD
        return Outcome.HELD if is_held and outcome.state is UrlState.QUEUED else outcome

    return outcome_of
