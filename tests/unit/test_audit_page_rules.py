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
from gossamer.model.settings.limit_settings import MIB
from gossamer.model.visit import Visit

URL = "https://site.example/page"
OTHER = "https://site.example/other"
CLEAN: dict[str, Any] = {"title": "A page", "canonical": URL, "viewport": "width=device-width"}
"""The facts of an ordinary page."""


def issues_of(*, size_bytes: int = 1000, **facts: Any) -> set[str]:
    """The full names of the rules that hold for a page with these facts."""
    page = PageFacts(**{**CLEAN, **facts})
    visit = Visit(Outcome.PAGE, status=200, facts=page, size_bytes=size_bytes)
    return {RULES[number].full_name(DEFAULTS) for number in page_issues(URL, visit, DEFAULTS)}


def flags(flag: MarkupFlag | ContentFlag) -> dict[str, int]:
    """The facts of a page with this flag."""
    return {"content" if isinstance(flag, ContentFlag) else "markup": int(flag)}


BY_FLAG: dict[str, MarkupFlag | ContentFlag] = {
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
    "JavaScript: Uses Old AJAX Crawling Scheme": MarkupFlag.AJAX_FRAGMENT,
    "Links: Outlinks To Localhost": ContentFlag.LOCALHOST_LINK,
    "Links: Pages With Uncrawlable Internal Outlinks": ContentFlag.UNCRAWLABLE_LINK,
    "Links: Internal Nofollow Outlinks": ContentFlag.NOFOLLOW_LINK,
    "Links: Internal Outlinks With No Anchor Text": ContentFlag.NO_ANCHOR_TEXT,
    "Links: Non-Descriptive Anchor Text In Internal Outlinks": ContentFlag.GENERIC_ANCHOR_TEXT,
    "Accessibility: Images Must Have Alternative Text": MarkupFlag.MISSING_ALT,
    "Accessibility: Form Elements Must Have Labels": MarkupFlag.MISSING_LABEL,
    "Accessibility: <html> Element Must Have A lang Attribute": MarkupFlag.NO_LANGUAGE,
    "Accessibility: Heading Levels Should Only Increase By One": MarkupFlag.HEADING_SKIPPED,
    "Accessibility: Links Must Have Discernible Text": MarkupFlag.EMPTY_LINK,
    "Accessibility: Buttons Must Have Discernible Text": MarkupFlag.EMPTY_BUTTON,
    "Structured Data: JSON-LD URLs": ContentFlag.JSON_LD,
    "Structured Data: Microdata URLs": ContentFlag.MICRODATA,
    "Structured Data: RDFa URLs": ContentFlag.RDFA,
    "Structured Data: Parse Errors": ContentFlag.STRUCTURED_DATA_PARSE_ERROR,
    "Structured Data: Validation Errors": ContentFlag.STRUCTURED_DATA_ERROR,
    "Structured Data: Validation Warnings": ContentFlag.STRUCTURED_DATA_WARNING,
    "Structured Data: Rich Result Validation Errors": ContentFlag.RICH_RESULT_ERROR,
    "Structured Data: Rich Result Validation Warnings": ContentFlag.RICH_RESULT_WARNING,
    "Structured Data: Rich Result Feature Detected": ContentFlag.RICH_RESULT_FEATURE,
    "Validation: Invalid HTML Elements In <head>": MarkupFlag.INVALID_IN_HEAD,
    "Validation: <body> Element Preceding <html>": MarkupFlag.BODY_BEFORE_HTML,
    "Validation: <head> Not First In <html> Element": MarkupFlag.HEAD_NOT_FIRST,
    "Validation: Missing <head> Tag": MarkupFlag.MISSING_HEAD,
    "Validation: Multiple <head> Tags": MarkupFlag.MULTIPLE_HEADS,
    "Validation: Missing <body> Tag": MarkupFlag.MISSING_BODY,
    "Validation: Multiple <body> Tags": MarkupFlag.MULTIPLE_BODIES,
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
    ("Validation: HTML Document Over 2MB", {"size_bytes": 2 * MIB + 1}, {"size_bytes": 2 * MIB}),
    ("Mobile: Viewport Not Set", {"viewport": None}, {"viewport": "initial-scale=1"}),
    ("Mobile: Viewport Not Set", {"viewport": " "}, {"viewport": "Width=device-width"}),
    ("Mobile: Viewport Not Set", {"viewport": "user-scalable=no"}, {}),
    ("Mobile: Mobile Alternate Link", {"mobile_url": OTHER}, {"mobile_url": ""}),
    (
        "Structured Data: Contains Structured Data",
        flags(ContentFlag.JSON_LD),
        flags(ContentFlag.RICH_RESULT_ERROR),
    ),
    ("Structured Data: Contains Structured Data", flags(ContentFlag.RDFA), {}),
    ("Structured Data: Contains Structured Data", flags(ContentFlag.MICRODATA), {}),
    ("Structured Data: Missing", {}, flags(ContentFlag.STRUCTURED_DATA_PARSE_ERROR)),
    ("Structured Data: Missing", {"content": 0}, flags(ContentFlag.MICRODATA)),
    ("Structured Data: Missing", flags(ContentFlag.LOREM_IPSUM), flags(ContentFlag.RDFA)),
]
EVERY_PAGE = {RuleGroup.CANONICALS, RuleGroup.PAGINATION}
"""Groups that are about pages which are not indexable, too."""
TRIED_HERE = {
    RuleGroup.CANONICALS,
    RuleGroup.PAGINATION,
    RuleGroup.HREFLANG,
    RuleGroup.JAVASCRIPT,
    RuleGroup.LINKS,
    RuleGroup.MOBILE,
    RuleGroup.ACCESSIBILITY,
    RuleGroup.STRUCTURED_DATA,
    RuleGroup.VALIDATION,
}


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
        if rule.group in TRIED_HERE and isinstance(rule.decision, PageRule)
    }
    assert tried == declared
