"""Parses and checks `--fail-on` thresholds, so that scripts can fail on what a crawl finds."""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from gossamer.audit.audit_rule import RulePriority
from gossamer.cli.terminal import listed
from gossamer.model.errors import UsageError
from gossamer.model.messages.crawl_messages import Progress
from gossamer.model.number_format import number
from gossamer.model.outcome import Outcome
from gossamer.model.settings.crawl_settings import DEFAULTS, CrawlSettings

if TYPE_CHECKING:
    from gossamer.audit.site_rule import SiteRule

_TOTALS: Final = ("errors", "redirects", "skipped")
"""Counts of the report, by their keys in --json."""
_OUTCOMES: Final = {outcome.name.lower(): outcome for outcome in Outcome}
_PRIORITIES: Final = {
    priority.value: frozenset(list(RulePriority)[: place + 1])
    for place, priority in enumerate(RulePriority)
}
"""Issues of each priority, and graver ones."""


class FailThreshold(Struct, frozen=True):
    """A threshold: at most `most` URLs under `name`, a total or an outcome.

    Or at most that many issues of a priority or a graver one; or URLs of the issue `rule`.
    """

    name: str
    most: int = 0
    rule: int | None = None

    @property
    def is_of_issues(self) -> bool:
        """Whether the audit must count them."""
        return self.rule is not None or self.name in _PRIORITIES

    def count(self, progress: Progress, issues: Mapping[int, int]) -> int:
        """How many there are; `issues` has the URLs of each rule by number."""
        if self.is_of_issues:
            return self.count_issues(issues)
        if self.name in _TOTALS:
            total: int = getattr(progress, self.name)
            return total
        return progress.outcomes.get(_OUTCOMES[self.name], 0)

    def count_issues(self, issues: Mapping[int, int]) -> int:
        """The same for a threshold on issues."""
        if self.rule is not None:
            return issues.get(self.rule, 0)
        return sum(map(self.concerns, issues))

    def concerns(self, rule: int) -> bool:
        """Whether it is about the audit rule with this number."""
        from gossamer.audit.rule_catalogue import RULES  # noqa: PLC0415 - few crawls need them

        if rule == self.rule:
            return True
        known = RULES.get(rule)  # a project of another version may have others
        return known is not None and known.priority in _PRIORITIES.get(self.name, ())


def bounds_of(
    texts: Sequence[str], settings: CrawlSettings = DEFAULTS
) -> tuple[FailThreshold, ...]:
    """Parse NAME or NAME:N options; UsageError if malformed. Called before a crawl starts.

    The thresholds of `settings` are in the names of issues.
    """
    return tuple(_bound(text, settings) for text in texts)


def exceeded(
    bounds: Sequence[FailThreshold], progress: Progress, issues: Mapping[int, int] | None = None
) -> list[str]:
    """A sentence for each exceeded threshold."""
    counted = ((bound, bound.count(progress, issues or {})) for bound in bounds)
    return [
        f"--fail-on {bound.name}: {number(count)} found, {number(bound.most)} allowed."
        for bound, count in counted
        if count > bound.most
    ]


def _bound(text: str, settings: CrawlSettings) -> FailThreshold:
    found = parse_bound(text, settings, {*_TOTALS, *_OUTCOMES, *_PRIORITIES}.__contains__)
    if found is None:
        raise UsageError(_unknown(text, settings))
    return found


def parse_bound(
    text: str, settings: CrawlSettings, is_known: Callable[[str], bool]
) -> FailThreshold | None:
    """Parse NAME or NAME:N, where NAME is an issue or one that `is_known`; None for another.

    Known names have underscores and no capitals. UsageError if N is not a number.
    """
    if ":" in text and (rule := _rule(text, settings)) is not None:
        return FailThreshold(text.strip(), rule=rule.number)
    name, colon, most = text.rpartition(":") if ":" in text else (text, "", "")
    key = name.strip().lower().replace("-", "_")
    rule = None if is_known(key) else _rule(name, settings)
    if rule is None and not is_known(key):
        return None
    if colon and not most.strip().isdecimal():
        raise UsageError(f"--fail-on {text!r} needs a whole number after the colon.")
    allowed = int(most) if colon else 0
    if rule is not None:
        return FailThreshold(name.strip(), allowed, rule.number)
    return FailThreshold(key, allowed)


def _rule(name: str, settings: CrawlSettings) -> "SiteRule | None":
    """The audit rule with this full name, or that of its page or file."""
    from gossamer.audit.rule_catalogue import rule_named  # noqa: PLC0415 - few crawls need them

    return rule_named(name, settings)


def _unknown(text: str, settings: CrawlSettings) -> str:
    known = [*_TOTALS, *_PRIORITIES]
    sentence = (
        f"--fail-on takes {listed(known, 'or')}, an outcome such as client_error, server_error or"
        f" timeout, or the name of an issue such as 'H1: Missing', not {text!r}"
    )
    if ":" not in text:
        return f"{sentence}."
    from gossamer.audit.rule_catalogue import nearest_names  # noqa: PLC0415 - few crawls need them

    return f"{sentence}; did you mean {listed(nearest_names(text, settings), 'or')}?"
