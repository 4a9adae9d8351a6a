"""What all groups of audit rules have in common."""

from typing import Any

import pytest

from gossamer.audit.audit_rule import AuditRule, RuleKind
from gossamer.audit.empty_crawl_hints import CrawlFinding, HintAction
from gossamer.audit.sitemap_export_rules import SitemapCheck, SitemapRule, sitemap_finding
from gossamer.model.outcome import Outcome
from tests.cases import each_case
from tests.fakes.project_rows import FakeRows

GROUPS = (CrawlFinding, SitemapRule, SitemapCheck)


def test_an_id_belongs_to_one_rule_of_all_groups() -> None:
    ids = [rule.value for group in GROUPS for rule in group]
    assert len(ids) == len(set(ids))


@pytest.mark.parametrize("group", GROUPS)
def test_no_two_rules_of_a_group_are_called_the_same(group: type[AuditRule]) -> None:
    names = [rule.declaration.name for rule in group]
    assert len(names) == len(set(names))


def test_a_hint_has_a_button_if_and_only_if_there_is_something_to_do() -> None:
    for finding in CrawlFinding:
        has_action = finding.declaration.action is not HintAction.NONE
        assert bool(finding.declaration.button) is has_action


@each_case(
    ("outcome", "facts", "is_named", "finding"),
    [
        (Outcome.PAGE, {"status": 200}, True, None),
        (Outcome.PAGE, {"status": 200}, False, SitemapCheck.NOT_LISTED),
        (Outcome.PAGE, {"status": 200, "robots": "noindex"}, False, None),
        (Outcome.PAGE, {"status": 200, "robots": "noindex"}, True, SitemapRule.NOINDEX),
        (Outcome.REDIRECT, {"status": 301, "robots": "noindex"}, True, SitemapRule.REDIRECTS),
        (Outcome.CLIENT_ERROR, {"status": 404}, True, SitemapRule.ERRORS),
        (Outcome.CLIENT_ERROR, {"status": 404}, False, None),
        (Outcome.PENDING, {"status": 200}, True, SitemapCheck.NO_PAGE),
    ],
)
def test_url_and_sitemaps_are_compared(
    outcome: Outcome, facts: dict[str, Any], is_named: bool, finding: AuditRule | None
) -> None:
    rows = FakeRows()
    rows.add("https://a.example/", outcome, **facts)
    [record] = rows.records([1])
    assert sitemap_finding(record, is_named=is_named) is finding


def test_reasons_for_an_empty_crawl_are_issues_not_warnings() -> None:
    issues = {rule for rule in CrawlFinding if rule.declaration.kind is RuleKind.ISSUE}
    assert {CrawlFinding.UNKNOWN_HOST, CrawlFinding.NO_CONNECTION} < issues
    assert CrawlFinding.REFUSED not in issues
