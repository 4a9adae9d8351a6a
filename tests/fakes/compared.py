"""Compares projects that were filled by hand, and tells the differences by paths."""

from pathlib import Path
from typing import Any

from gossamer.audit.rule_catalogue import RULES
from gossamer.comparison.project_comparison import ComparisonOptions, compare
from gossamer.model.comparison_field_choice import COMPARABLE
from gossamer.model.comparison_filters import ISSUE_SECTION
from gossamer.model.comparison_results import ComparisonFilter, FilterCounts, PageChange
from gossamer.model.settings.crawl_settings import DEFAULTS
from gossamer.store.comparing.comparison_reader import ComparisonReader
from tests.fakes.crawled import SITE

CHANGES = frozenset({PageChange.NEW, PageChange.MISSING, PageChange.CHANGED})
Difference = tuple[str, str, str, Any, Any]
"""Path, change, field or issue, before, after."""


def compared(
    before: Path, after: Path, options: ComparisonOptions | None = None
) -> set[Difference]:
    """All differences, those of issues with False and True."""
    result = after.with_suffix(".comparison")
    compare(before, after, result, options or ComparisonOptions())
    return differences(result)


def differences(result: Path) -> set[Difference]:
    """Those in a comparison file."""
    found: set[Difference] = set()
    with ComparisonReader(result) as reader:
        for page in reader.iterate(ComparisonFilter(CHANGES)):
            path, change = page.url.removeprefix(SITE), page.change.label
            if page.change is not PageChange.CHANGED:
                found.add((path, change, "", None, None))
                continue
            for each in page.fields:
                heading = COMPARABLE[each.field].field.export
                found.add((path, change, heading, each.before, each.after))
            for rule, move in page.issues:
                name = RULES[rule].full_name(DEFAULTS)
                found.add((path, change, name, not move.is_in, move.is_in))
    return found


def counts(result: Path) -> dict[tuple[str, Any], FilterCounts]:
    """The counts of each filter; of issues by their names."""
    with ComparisonReader(result) as reader:
        return {
            (
                each.section,
                RULES[int(each.value)].full_name(DEFAULTS)
                if each.section == ISSUE_SECTION
                else each.value,
            ): each
            for each in reader.filters()
        }
