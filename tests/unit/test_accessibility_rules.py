"""The rules of axe-core as issues: all of them declared, and decided by what axe has found."""

import json
import re
from collections import Counter

import pytest

from gossamer.audit.live_page_issues import page_issues
from gossamer.audit.rule_catalogue import RULES
from gossamer.audit.site_rule import AccessibilityCheck, RuleGroup
from gossamer.model.accessibility_report import (
    AccessibilityReport,
    Violation,
    accessibility_values,
    with_violations,
)
from gossamer.model.axe_rules import (
    AXE_RULES,
    HTML_FLAGS,
    AccessibilityLevel,
    Guideline,
    rules_of_level,
    violated_numbers,
)
from gossamer.model.fields.page_facts import PageFacts
from gossamer.model.fields.page_flags import Directive, MarkupFlag
from gossamer.model.fields.rendering_fields import AccessibilityOutcome
from gossamer.model.outcome import Outcome
from gossamer.model.rendering import Rendering
from gossamer.model.settings.crawl_settings import DEFAULTS
from gossamer.model.visit import Visit
from gossamer.render.accessibility_check import axe_source
from tests.fakes.axe import NEEDS_AXE

LEFT_OUT = {"deprecated", "experimental", "review-item"}
CHECKED = AccessibilityOutcome.CHECKED
URL = "https://site.test/"


def rules_in_axe() -> dict[str, set[str]]:
    """The tags of the rules of axe-core, by their ids, as its file has them."""
    found = re.findall(r'\{id:"([a-z-]+)"(?:(?!\{id:").)*?tags:(\[[^\]]*\])', axe_source())
    return {name: set(json.loads(tags)) for name, tags in found}


def issues_of(facts: PageFacts) -> list[int]:
    return page_issues(URL, Visit(outcome=Outcome.PAGE, status=200, facts=facts), DEFAULTS)


@NEEDS_AXE
def test_every_active_rule_of_axe_is_declared_and_none_that_it_lacks() -> None:
    in_axe = rules_in_axe()
    assert len(in_axe) > 90
    active = {name for name, tags in in_axe.items() if not tags & LEFT_OUT}
    assert set(AXE_RULES) == active


@NEEDS_AXE
def test_the_guideline_of_each_rule_is_the_one_that_axe_names() -> None:
    tags = {
        Guideline.A_20: "wcag2a",
        Guideline.AA_20: "wcag2aa",
        Guideline.AAA_20: "wcag2aaa",
        Guideline.A_21: "wcag21a",
        Guideline.AA_21: "wcag21aa",
        Guideline.AA_22: "wcag22aa",
        Guideline.BEST_PRACTICE: "best-practice",
    }
    in_axe = rules_in_axe()
    wrong = [rule.id for rule in AXE_RULES.values() if tags[rule.guideline] not in in_axe[rule.id]]
    assert wrong == []


def test_every_rule_of_axe_is_one_issue() -> None:
    issues = {number for number, rule in RULES.items() if rule.group is RuleGroup.ACCESSIBILITY}
    assert issues == {rule.number for rule in AXE_RULES.values()}
    by_axe = {
        rule.decision.axe_id
        for rule in RULES.values()
        if isinstance(rule.decision, AccessibilityCheck)
    }
    assert by_axe == set(AXE_RULES) - set(HTML_FLAGS)


def test_the_names_of_accessibility_issues_are_distinct() -> None:
    names = Counter(rule.slug for rule in RULES.values() if rule.group is RuleGroup.ACCESSIBILITY)
    assert [name for name, times in names.items() if times > 1] == []


@pytest.mark.parametrize(
    ("level", "has", "has_not"),
    [
        (AccessibilityLevel.A, "image-alt", "color-contrast"),
        (AccessibilityLevel.AA, "color-contrast", "color-contrast-enhanced"),
        (AccessibilityLevel.AAA, "color-contrast-enhanced", "region"),
        (AccessibilityLevel.BEST_PRACTICE, "region", "color-contrast-enhanced"),
    ],
)
def test_a_level_has_the_rules_up_to_it(level: AccessibilityLevel, has: str, has_not: str) -> None:
    rules = rules_of_level(level)
    assert has in rules
    assert has_not not in rules


def test_off_checks_nothing_and_all_everything() -> None:
    assert rules_of_level(AccessibilityLevel.OFF) == ()
    assert set(rules_of_level(AccessibilityLevel.ALL)) == set(AXE_RULES)


def test_what_axe_finds_is_listed_also_on_pages_that_are_not_indexable() -> None:
    facts = PageFacts(violated_rules="color-contrast, image-alt", directives=Directive.NOINDEX)
    found = {RULES[each].name for each in issues_of(facts)}
    assert "Images Must Have Alternative Text" in found
    assert "Elements Must Meet Minimum Color Contrast Ratio" in found


def test_where_axe_ran_its_rule_decides_and_the_html_does_not() -> None:
    facts = PageFacts(markup=int(MarkupFlag.MISSING_ALT | MarkupFlag.EMPTY_BUTTON))
    report = AccessibilityReport(CHECKED, tuple(AXE_RULES), [Violation("button-name", 4, 1)])
    numbers = issues_of(with_violations(facts, report))
    assert numbers.count(AXE_RULES["button-name"].number) == 1
    assert AXE_RULES["image-alt"].number not in numbers


def test_the_html_decides_about_rules_that_were_not_checked() -> None:
    facts = PageFacts(markup=int(MarkupFlag.HEADING_SKIPPED))
    report = AccessibilityReport(CHECKED, rules_of_level(AccessibilityLevel.AA))
    assert AXE_RULES["heading-order"].number in issues_of(with_violations(facts, report))


@pytest.mark.parametrize(
    "report", [None, AccessibilityReport(AccessibilityOutcome.FAILED)], ids=["off", "failed"]
)
def test_the_html_decides_where_axe_did_not(report: AccessibilityReport | None) -> None:
    facts = PageFacts(markup=int(MarkupFlag.MISSING_ALT))
    checked = with_violations(facts, report)
    assert checked == facts
    assert AXE_RULES["image-alt"].number in issues_of(checked)


def test_a_page_without_violations_has_no_rules_rather_than_none_known() -> None:
    checked = with_violations(PageFacts(markup=0), AccessibilityReport(CHECKED, tuple(AXE_RULES)))
    assert checked.violated_rules == ""
    assert PageFacts().violated_rules is None


def test_rules_are_counted_by_guideline() -> None:
    found = [Violation(rule) for rule in ("image-alt", "label", "color-contrast", "region")]
    rendering = Rendering(**accessibility_values(AccessibilityReport(CHECKED, (), found)))
    assert rendering.violations == 4
    assert rendering.violations_20_a == 2
    assert rendering.violations_20_aa == 1
    assert rendering.violations_22_aa == 0
    assert rendering.violations_of_practice == 1


def test_a_failed_check_counts_nothing() -> None:
    rendering = Rendering(**accessibility_values(AccessibilityReport(AccessibilityOutcome.FAILED)))
    assert rendering.accessibility is AccessibilityOutcome.FAILED
    assert rendering.violations is None


def test_rules_of_a_newer_version_are_no_issues() -> None:
    assert violated_numbers("image-alt, unheard-of") == (AXE_RULES["image-alt"].number,)


def test_the_numbers_of_rules_stay_as_they_are() -> None:
    numbers = [rule.number for rule in AXE_RULES.values() if rule.id not in HTML_FLAGS]
    assert numbers == list(range(2100, 2187))
    assert AXE_RULES["accesskeys"].number == 2100
    assert AXE_RULES["color-contrast"].number == 2131
    assert AXE_RULES["video-caption"].number == 2186
