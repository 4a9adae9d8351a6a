"""What the filters of a comparison are called, and whether they got worse or better."""

from typing import Final

from gossamer.audit.audit_rule import RulePriority
from gossamer.audit.rule_catalogue import RULES
from gossamer.audit.site_rule import SiteRule
from gossamer.export.comparison_issues import ComparedIssue, IssueTrend
from gossamer.gui.issues.rule_texts import full_rule_name
from gossamer.gui.text.local_formatting import translator
from gossamer.gui.text.translated_sentences import spoken
from gossamer.model import comparison_filter_names
from gossamer.model.comparison_filter_names import SECTION_NAMES
from gossamer.model.comparison_filters import (
    INDEXABILITY,
    ISSUE_SECTION,
    STATUS,
    STATUS_CLASS,
    VIEW,
)
from gossamer.model.comparison_results import FilterCounts
from gossamer.model.fields.indexability import IndexableOrNot
from gossamer.model.project_queries import NO_RESPONSE, Facet, View
from gossamer.model.settings.crawl_settings import DEFAULTS, CrawlSettings
from gossamer.model.translatable import Translatable

_tr = translator("ComparisonFilters")

_PRIORITIES: Final = (RulePriority.HIGH, RulePriority.MEDIUM, RulePriority.LOW, None)
_TRENDS: Final = (*IssueTrend, None)


def section_name(section: Facet) -> str:
    """What the filters of a section are."""
    if section == ISSUE_SECTION:
        return _tr("Issues")
    return spoken(Translatable(SECTION_NAMES[section]))


def filter_name(counts: FilterCounts, settings: CrawlSettings = DEFAULTS) -> str:
    """The name of a filter or issue within its section."""
    if counts.section != ISSUE_SECTION:
        return spoken(comparison_filter_names.filter_name(counts))
    rule = rule_of(counts)
    return str(counts.value) if rule is None else full_rule_name(rule, settings)


def rule_of(counts: FilterCounts) -> SiteRule | None:
    """The rule, if that is an issue."""
    return RULES.get(int(counts.value)) if counts.section == ISSUE_SECTION else None


def trend(counts: FilterCounts) -> IssueTrend | None:
    """What has become of an issue, or of a filter that it is better to have no URL in."""
    rule = rule_of(counts)
    if rule is not None:
        return ComparedIssue(rule, "", counts).trend
    if not counts.is_changed or not _is_bad(counts) or counts.after == counts.before:
        return None
    return IssueTrend.WORSE if counts.after > counts.before else IssueTrend.BETTER


def urgency(counts: FilterCounts) -> tuple[int, int, bool, int]:
    """What got worse comes first, by priority; on URLs that were there before others; by number."""
    rule = rule_of(counts)
    way = trend(counts)
    follows = rule is not None and way is IssueTrend.WORSE and not counts.added
    return _TRENDS.index(way), priority_place(counts), follows, -sum(counts.moves)


def priority_place(counts: FilterCounts) -> int:
    """The place of an issue's priority, high ones first; filters come last."""
    rule = rule_of(counts)
    return len(_PRIORITIES) if rule is None else _PRIORITIES.index(rule.priority)


def _is_bad(counts: FilterCounts) -> bool:
    section, value = counts.section, counts.value
    return {
        VIEW: value in {View.ERRORS, View.BROKEN_LINKS},
        STATUS_CLASS: value in {NO_RESPONSE, 4, 5},
        STATUS: isinstance(value, int) and (value == NO_RESPONSE or value >= 400),  # noqa: PLR2004 - errors
        INDEXABILITY: value == IndexableOrNot.NON_INDEXABLE,
    }.get(section, False)
