"""Rules that one flag of a page decides."""

from typing import Any, Final, TypeAlias

from gossamer.audit.rule_catalogue import RULES, rule_named
from gossamer.audit.site_rule import PageRule, RuleGroup
from gossamer.model.fields.page_flags import ContentFlag, Directive, MarkupFlag, RenderFlag
from gossamer.model.settings.crawl_settings import DEFAULTS
from tests.cases import each_case
from tests.fakes.audited_pages import issues_of, page_with

Flag: TypeAlias = MarkupFlag | ContentFlag | Directive | RenderFlag

_CONSOLE: Final = RenderFlag.ERRORS | RenderFlag.WARNINGS
"""Either will do."""
_FLAGS: Final[dict[str, Flag]] = {
    "Page Titles: Multiple": MarkupFlag.MULTIPLE_TITLES,
    "Page Titles: Outside <head>": MarkupFlag.TITLE_OUTSIDE_HEAD,
    "Meta Description: Multiple": MarkupFlag.MULTIPLE_DESCRIPTIONS,
    "Meta Description: Outside <head>": MarkupFlag.DESCRIPTION_OUTSIDE_HEAD,
    "H1: Multiple": MarkupFlag.MULTIPLE_H1,
    "H1: Alt Text in h1": MarkupFlag.H1_ALT_TEXT,
    "H1: Non-Sequential": MarkupFlag.H1_NON_SEQUENTIAL,
    "H2: Multiple": MarkupFlag.MULTIPLE_H2,
    "H2: Non-Sequential": MarkupFlag.H2_NON_SEQUENTIAL,
    "Security: Mixed Content": ContentFlag.MIXED_CONTENT,
    "Security: Form URL Insecure": ContentFlag.INSECURE_FORM,
    "Security: Unsafe Cross-Origin Links": ContentFlag.UNSAFE_CROSS_ORIGIN,
    "Security: Protocol-Relative Resource Links": ContentFlag.PROTOCOL_RELATIVE,
    "Security: Missing Content-Security-Policy Header": ContentFlag.MISSING_CSP,
    "Security: Missing X-Content-Type-Options Header": ContentFlag.MISSING_CONTENT_TYPE_OPTIONS,
    "Security: Missing X-Frame-Options Header": ContentFlag.MISSING_FRAME_OPTIONS,
    "Security: Missing Secure Referrer-Policy Header": ContentFlag.MISSING_REFERRER_POLICY,
    "Security: Cookie Without Secure, HttpOnly or SameSite": ContentFlag.INSECURE_COOKIE,
    "Content: Lorem Ipsum Placeholder": ContentFlag.LOREM_IPSUM,
    "Directives: Outside <head>": MarkupFlag.ROBOTS_OUTSIDE_HEAD,
    "Directives: Index": Directive.INDEX,
    "Directives: Noindex": Directive.NOINDEX,
    "Directives: Follow": Directive.FOLLOW,
    "Directives: Nofollow": Directive.NOFOLLOW,
    "Directives: None": Directive.NONE,
    "Directives: NoArchive": Directive.NOARCHIVE,
    "Directives: NoSnippet": Directive.NOSNIPPET,
    "Directives: Max-Snippet": Directive.MAX_SNIPPET,
    "Directives: Max-Image-Preview": Directive.MAX_IMAGE_PREVIEW,
    "Directives: Max-Video-Preview": Directive.MAX_VIDEO_PREVIEW,
    "Directives: NoODP": Directive.NOODP,
    "Directives: NoYDIR": Directive.NOYDIR,
    "Directives: NoImageIndex": Directive.NOIMAGEINDEX,
    "Directives: NoTranslate": Directive.NOTRANSLATE,
    "Directives: Unavailable_After": Directive.UNAVAILABLE_AFTER,
    "Directives: Refresh": Directive.REFRESH,
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
    "Mobile: Target Size": RenderFlag.SMALL_TARGETS,
    "Mobile: Content Not Sized Correctly": RenderFlag.WIDE_CONTENT,
    "Mobile: Illegible Font Size": RenderFlag.SMALL_TEXT,
    "Mobile: Intrusive Overlay": RenderFlag.OVERLAY,
    "JavaScript: Noindex Only in Original HTML": RenderFlag.NOINDEX_ONLY_IN_HTML,
    "JavaScript: Nofollow Only in Original HTML": RenderFlag.NOFOLLOW_ONLY_IN_HTML,
    "JavaScript: Canonical Only in Rendered HTML": RenderFlag.CANONICAL_ONLY_IN_RENDERED,
    "JavaScript: Canonical Mismatch": RenderFlag.CANONICAL_MISMATCH,
    "JavaScript: Page Title Only in Rendered HTML": RenderFlag.TITLE_ONLY_IN_RENDERED,
    "JavaScript: Page Title Updated by JavaScript": RenderFlag.TITLE_UPDATED,
    "JavaScript: Meta Description Only in Rendered HTML": RenderFlag.DESCRIPTION_ONLY_IN_RENDERED,
    "JavaScript: Meta Description Updated by JavaScript": RenderFlag.DESCRIPTION_UPDATED,
    "JavaScript: H1 Only in Rendered HTML": RenderFlag.H1_ONLY_IN_RENDERED,
    "JavaScript: H1 Updated by JavaScript": RenderFlag.H1_UPDATED,
    "JavaScript: Contains JavaScript Links": RenderFlag.LINKS,
    "JavaScript: Contains JavaScript Content": RenderFlag.CONTENT,
    "JavaScript: Pages with Blocked Resources": RenderFlag.BLOCKED_RESOURCES,
    "JavaScript: Pages with Chrome Console Log Errors/Warnings": _CONSOLE,
    "JavaScript: Uses WebSockets": RenderFlag.WEB_SOCKETS,
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
_FIELDS: Final[dict[type, str]] = {
    MarkupFlag: "markup",
    ContentFlag: "content",
    Directive: "directives",
    RenderFlag: "javascript",
}
_OF_EVERY_PAGE: Final = {RuleGroup.CANONICALS, RuleGroup.PAGINATION, RuleGroup.DIRECTIVES}
"""Groups that are about pages which are not indexable, too."""
_ON_CANONICALS: Final = (1402, 1403)
"""Rules about pages that scripts give another canonical, which keeps them from being indexed."""
_ON_HEADERS: Final = range(206, 213)
"""The rules of Security that are about them, too."""
_NOT_INDEXABLE: Final[list[Flag]] = [
    *(MarkupFlag.CONFLICTING_CANONICALS, Directive.NOINDEX, Directive.NONE)
]
"""What makes a page one that is not indexable."""


def _facts(*flags: Flag) -> dict[str, Any]:
    """The facts of a page with these flags."""
    facts: dict[str, int] = {}
    for flag in flags:
        field = _FIELDS[type(flag)]
        facts[field] = facts.get(field, 0) | flag
    return facts


@each_case(("name", "flag"), _FLAGS.items())
def test_a_rule_holds_for_a_page_with_its_flag_and_for_none_with_all_others(
    name: str, flag: Flag
) -> None:
    every: list[Flag] = [*MarkupFlag, *ContentFlag, *Directive, *RenderFlag]
    others = [
        each
        for each in every
        if not (type(each) is type(flag) and each & flag) and each not in _NOT_INDEXABLE
    ]
    assert name in issues_of(**_facts(flag))
    assert name not in issues_of(**_facts(*others))


@each_case(("name", "flag"), _FLAGS.items())
def test_only_some_rules_are_about_pages_that_are_not_indexable(name: str, flag: Flag) -> None:
    rule = rule_named(name)
    assert rule is not None
    expected = (
        rule.group in _OF_EVERY_PAGE or rule.number in _ON_HEADERS or rule.number in _ON_CANONICALS
    )
    found = issues_of(**_facts(flag, Directive.NOINDEX))
    assert (name in found) is (expected and flag is not Directive.REFRESH)


def test_every_rule_that_a_flag_decides_is_tried_and_its_check_says_the_same() -> None:
    tried = set()
    for rule in RULES.values():
        if isinstance(rule.decision, PageRule) and rule.decision.flag:
            field, bit = rule.decision.flag
            assert rule.decision.check(page_with(**{field: bit}), DEFAULTS)
            assert not rule.decision.check(page_with(**{field: ~bit}), DEFAULTS)
            assert not rule.decision.check(page_with(**{field: None}), DEFAULTS)
            tried.add(rule.full_name(DEFAULTS))
    assert tried == set(_FLAGS)
