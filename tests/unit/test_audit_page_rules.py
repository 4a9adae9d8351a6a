"""Page rules, each on a page that it reports and on one that it does not."""

from typing import Any

import pytest

from gossamer.audit.page_audit import page_issues
from gossamer.audit.rule_catalogue import RULES, rule_named
from gossamer.audit.site_rule import PageRule, RuleGroup
from gossamer.model.fields.page_facts import PageFacts
from gossamer.model.outcome import Outcome
from gossamer.model.page_flags import ContentFlag, Directive, MarkupFlag
from gossamer.model.settings.crawl_settings import DEFAULTS
from gossamer.model.visit import Visit

URL = "https://site.example/page"
OTHER = "https://site.example/other"
CLEAN: dict[str, Any] = {"title": "A page", "canonical": URL, "viewport": "width=device-width"}
"""The facts of an ordinary page."""
CANONICALS = RuleGroup.CANONICALS
PAGINATION = RuleGroup.PAGINATION
HREFLANG = RuleGroup.HREFLANG


def issues_of(**facts: Any) -> set[str]:
    """The full names of the rules that hold for a page with these facts."""
    page = PageFacts(**{**CLEAN, **facts})
    visit = Visit(Outcome.PAGE, status=200, facts=page)
    return {RULES[number].full_name(DEFAULTS) for number in page_issues(URL, visit, DEFAULTS)}


BY_FLAG = {
    "Canonicals: Multiple": MarkupFlag.MULTIPLE_CANONICALS,
    "Canonicals: Multiple Conflicting": MarkupFlag.CONFLICTING_CANONICALS,
    "Canonicals: Canonical Is Relative": MarkupFlag.CANONICAL_RELATIVE,
    "Canonicals: Contains Fragment URL": MarkupFlag.CANONICAL_FRAGMENT,
    "Canonicals: Invalid Attribute In Annotation": MarkupFlag.CANONICAL_INVALID_ATTRIBUTE,
    "Canonicals: Outside <head>": MarkupFlag.CANONICAL_OUTSIDE_HEAD,
    "Pagination: Contains Pagination": MarkupFlag.PAGINATION,
    "Pagination: Multiple Pagination URLs": MarkupFlag.MULTIPLE_PAGINATION,
    "Hreflang: Contains Hreflang": MarkupFlag.HREFLANG,
    "Hreflang: Incorrect Language & Region Codes": MarkupFlag.HREFLANG_INVALID_CODE,
    "Hreflang: Outside <head>": MarkupFlag.HREFLANG_OUTSIDE_HEAD,
}
BY_FACT: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
    ("Canonicals: Contains Canonical", {"canonical": OTHER}, {"canonical": ""}),
    (
        "Canonicals: Contains Canonical",
        {"canonical": None, "canonical_header": OTHER},
        {"canonical": None},
    ),
    ("Canonicals: Self Referencing", {"canonical": URL}, {"canonical": OTHER}),
    (
        "Canonicals: Self Referencing",
        {"canonical": None, "canonical_header": URL},
        {"canonical": None},
    ),
    ("Canonicals: Canonicalised", {"canonical": OTHER}, {"canonical": URL}),
    ("Canonicals: Canonicalised", {"canonical_header": OTHER}, {"canonical_header": URL}),
    (
        "Canonicals: Canonicalised",
        {"markup": MarkupFlag.CONFLICTING_CANONICALS},
        {"markup": MarkupFlag.MULTIPLE_CANONICALS},
    ),
    (
        "Canonicals: Canonicalised",
        {"canonical": OTHER, "directives": Directive.NOINDEX},
        {"canonical": ""},
    ),
    ("Canonicals: Missing", {"canonical": ""}, {"canonical": URL}),
    ("Canonicals: Missing", {"canonical": None}, {"canonical": None, "canonical_header": URL}),
    (
        "Canonicals: Missing",
        {"canonical": None},
        {"canonical": None, "directives": Directive.NOINDEX},
    ),
    ("Pagination: First Page", {"next_url": OTHER}, {"next_url": OTHER, "prev_url": OTHER}),
    (
        "Pagination: First Page",
        {"next_header": OTHER},
        {"next_header": OTHER, "prev_header": OTHER},
    ),
    ("Pagination: Paginated 2+ Pages", {"prev_url": OTHER}, {"next_url": OTHER}),
    ("Pagination: Paginated 2+ Pages", {"prev_header": OTHER}, {"next_header": OTHER}),
    ("Pagination: Non-Indexable", {"next_url": OTHER, "canonical": OTHER}, {"next_url": OTHER}),
    (
        "Pagination: Non-Indexable",
        {"prev_url": OTHER, "directives": Directive.NONE},
        {"directives": Directive.NONE},
    ),
]
EVERY_PAGE = {CANONICALS, PAGINATION}
"""Groups that are about pages which are not indexable, too."""
DECLARED_HERE = {CANONICALS, PAGINATION, HREFLANG}


def flags(flag: MarkupFlag | ContentFlag) -> dict[str, int]:
    """The facts of a page with this flag."""
    return {"content" if isinstance(flag, ContentFlag) else "markup": int(flag)}


@pytest.mark.parametrize(("name", "flag"), BY_FLAG.items())
def test_a_rule_holds_for_a_page_with_its_flag_alone(
    name: str, flag: MarkupFlag | ContentFlag
) -> None:
    others = {
        field: sum(set(kind) - {flag, MarkupFlag.CONFLICTING_CANONICALS})
        for field, kind in (("markup", MarkupFlag), ("content", ContentFlag))
    }
    assert name in issues_of(**flags(flag))
    assert name not in issues_of(**others)


@pytest.mark.parametrize(("name", "holds", "holds_not"), BY_FACT)
def test_a_rule_holds_for_the_one_page_and_not_for_the_other(
    name: str, holds: dict[str, Any], holds_not: dict[str, Any]
) -> None:
    assert name in issues_of(**holds)
    assert name not in issues_of(**holds_not)


@pytest.mark.parametrize("name", BY_FLAG)
def test_pages_that_are_not_indexable_are_reported_by_the_rules_on_every_page(name: str) -> None:
    rule = rule_named(name)
    assert rule is not None
    found = issues_of(**flags(BY_FLAG[name]), directives=Directive.NOINDEX)
    assert (name in found) is (rule.group in EVERY_PAGE)


def test_each_page_rule_of_these_groups_is_tried() -> None:
    tried = {*BY_FLAG, *(name for name, _, _ in BY_FACT)}
    declared = {
        rule.full_name(DEFAULTS)
        for rule in RULES.values()
        if rule.group in DECLARED_HERE and isinstance(rule.decision, PageRule)
    }
    assert tried == declared
