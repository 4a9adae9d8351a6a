"""The issues of a comparison: what got worse, what got better."""

from collections.abc import Iterable
from typing import Final, NamedTuple

from gossamer.audit.audit_rule import RuleKind, RulePriority
from gossamer.audit.rule_catalogue import RULES
from gossamer.audit.site_rule import SiteRule
from gossamer.model.comparison_results import FilterCounts
from gossamer.model.translatable import Word, word
from gossamer.store.comparing.comparison_reader import ComparisonReader


class IssueTrend(Word):
    """The trend of an issue: the titles of its tables, in their order."""

    WORSE = word("What got worse")
    """More URLs have gained it than lost it, not counting those that are no longer indexable
    pages."""
    BETTER = word("What got better")
    """It was mended on URLs that are still there."""
    ELSEWHERE = word("What is on other URLs now")
    """It only disappeared with its URLs, or as many gained it as lost it."""
    UNKNOWN = word("What cannot be compared")
    """It is unknown whether any URL has gained or lost it."""
    COUNTED = word("For information")
    """It is not a problem."""


_PRIORITIES: Final = {priority: place for place, priority in enumerate(RulePriority)}


class ComparedIssue(NamedTuple):
    """A rule that holds for some URLs before or after; `name` is its full name."""

    rule: SiteRule
    name: str
    counts: FilterCounts

    @property
    def kind(self) -> str:
        """Such as "Issue"."""
        return self.rule.kind.value.capitalize()

    @property
    def priority(self) -> str:
        """Such as "High"; "" for what is only counted."""
        return "" if self.rule.priority is None else self.rule.priority.value.capitalize()

    @property
    def gained(self) -> int:
        """How many URLs have gained it: added, new, or indexable since."""
        return self.counts.gained

    @property
    def lost(self) -> int:
        """How many URLs have lost it: removed, missing and ended."""
        return self.counts.lost

    @property
    def only_follows(self) -> bool:
        """Whether no URL has gained it that was there before."""
        return not self.counts.added

    @property
    def trend(self) -> IssueTrend | None:
        """The trend; None if the same URLs have it."""
        if not self.counts.is_changed:
            return None
        if self.rule.kind is RuleKind.COUNT:
            return IssueTrend.COUNTED
        if not self.gained and not self.lost:
            return IssueTrend.UNKNOWN
        # It was mended only on URLs that are still there, and that it could still concern.
        added, mended = self.counts.added, self.counts.removed
        if self.gained > self.lost or added > mended + self.counts.missing:
            return IssueTrend.WORSE
        if self.gained < self.lost and mended > added:
            return IssueTrend.BETTER
        return IssueTrend.ELSEWHERE


def compared_issues(reader: ComparisonReader) -> list[ComparedIssue]:
    """All issues, by priority; those that only new URLs brought come last, then by URLs moved."""
    settings = reader.summary().after.settings
    found = [
        ComparedIssue(RULES[number], RULES[number].full_name(settings), counts)
        for number, counts in reader.issues().items()
        if number in RULES
    ]
    return sorted(found, key=_order)


def by_trend(issues: Iterable[ComparedIssue]) -> dict[IssueTrend, list[ComparedIssue]]:
    """Those of each trend in their order."""
    found: dict[IssueTrend, list[ComparedIssue]] = {trend: [] for trend in IssueTrend}
    for issue in issues:
        if issue.trend is not None:
            found[issue.trend].append(issue)
    return found


def _order(issue: ComparedIssue) -> tuple[bool, int, bool, int, str]:
    rule = issue.rule
    priority = len(_PRIORITIES) if rule.priority is None else _PRIORITIES[rule.priority]
    moved = issue.gained + issue.lost
    follows = issue.trend is IssueTrend.WORSE and issue.only_follows
    return rule.kind is RuleKind.COUNT, priority, follows, -moved, issue.name
