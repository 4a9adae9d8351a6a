"""What axe-core finds in a rendered page: violations of rules, and the nodes concerned."""

from collections import Counter
from collections.abc import Sequence
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from gossamer.model.axe_rules import AXE_RULES, HTML_FLAGS, AxeRule, Guideline, Impact
from gossamer.model.fields.page_facts import PageFacts
from gossamer.model.fields.rendering_fields import AccessibilityOutcome

MAX_NODES: Final = 20
"""Nodes per violation."""
MAX_NODES_OF_PAGE: Final = 500
MAX_SELECTOR: Final = 300
MAX_SNIPPET: Final = 300
MAX_MESSAGE: Final = 300


class ViolationNode(Struct, frozen=True, array_like=True, omit_defaults=True):
    """A node of a page that breaks a rule, and its position in the screenshot, in pixels."""

    selector: str
    """A CSS selector; ` >>> ` leads into a shadow root."""
    html: str = ""
    """Its start tag, or a part of it."""
    message: str = ""
    """What is wrong with it, in the words of axe."""
    left: int = 0
    top: int = 0
    width: int = 0
    height: int = 0


class Violation(Struct, frozen=True, array_like=True, omit_defaults=True):
    """A rule that a page breaks, by its id; `impact` is one of `Impact`, 0 if unknown.

    `count` covers all nodes that break it, `nodes` has the first of them.
    """

    rule: str
    impact: int = 0
    count: int = 0
    nodes: list[ViolationNode] = []


def impact_of(violation: Violation, rule: AxeRule) -> Impact:
    """How much a violation hinders visitors: as axe reports it, else by its rule."""
    return Impact(violation.impact) if violation.impact in set(Impact) else rule.impact


class AccessibilityReport(Struct, frozen=True):
    """The result of checking a page for `rules`, by their ids."""

    outcome: AccessibilityOutcome
    rules: tuple[str, ...] = ()
    violations: list[Violation] = []

    @property
    def is_checked(self) -> bool:
        """Whether the violations are known."""
        return self.outcome <= AccessibilityOutcome.WITHOUT_CONTRAST


_COUNTS: Final = {
    Guideline.A_20: "violations_20_a",
    Guideline.AA_20: "violations_20_aa",
    Guideline.AAA_20: "violations_20_aaa",
    Guideline.A_21: "violations_21_a",
    Guideline.AA_21: "violations_21_aa",
    Guideline.AA_22: "violations_22_aa",
    Guideline.BEST_PRACTICE: "violations_of_practice",
}


def accessibility_values(report: AccessibilityReport | None) -> dict[str, Any]:
    """What the check found out about a page, by the names of the fields of `Rendering`."""
    if report is None:
        return {}
    counts = _counts(report.violations) if report.is_checked else {}
    return {"accessibility": report.outcome, **counts}


def _counts(violations: Sequence[Violation]) -> dict[str, int]:
    counts = Counter(
        AXE_RULES[each.rule].guideline for each in violations if each.rule in AXE_RULES
    )
    return {
        "violations": counts.total(),
        **{name: counts[guideline] for guideline, name in _COUNTS.items()},
    }


def with_violations(facts: PageFacts, report: AccessibilityReport | None) -> PageFacts:
    """The facts of a page with the rules it breaks.

    What the HTML alone decided about the rules that were checked no longer counts.
    """
    if report is None or not report.is_checked:
        return facts
    decided = sum(HTML_FLAGS[rule] for rule in report.rules if rule in HTML_FLAGS)
    markup = None if facts.markup is None else facts.markup & ~decided
    violated = ", ".join(sorted(each.rule for each in report.violations))
    return replace(facts, markup=markup, violated_rules=violated)
