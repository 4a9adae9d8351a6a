"""Each rule that one page decides, on both sides: a page that has the issue, and one without."""

from typing import Any, Final, NamedTuple

import pytest
from msgspec.structs import replace

from gossamer.audit.rule_catalogue import RULES, rule_named
from gossamer.audit.site_rule import PageRule, RuleGroup
from gossamer.model.fields.page_facts import PageFacts
from gossamer.model.outcome import Outcome
from gossamer.model.page_flags import ContentFlag, Directive, MarkupFlag
from gossamer.model.settings.crawl_settings import DEFAULTS
from tests.fakes.audited_pages import ADDRESS, issues_of, page_with

_HOST: Final = "https://site.example"


class Case(NamedTuple):
    """A rule, pages that have the issue, and pages close to the line that do not."""

    name: str
    found: list[dict[str, Any]]
    not_found: list[dict[str, Any]]


def _texts(field: str, *texts: str | None) -> list[dict[str, Any]]:
    return [{field: text} for text in texts]


def _flag(name: str, flag: MarkupFlag) -> Case:
    others = ~MarkupFlag.CONFLICTING_CANONICALS & ~flag
    return Case(name, [{"markup": flag}, {"markup": flag | others}], [{"markup": others}])


def _content(name: str, flag: ContentFlag) -> Case:
    return Case(name, [{"content": flag}, {"content": ~ContentFlag(0)}], [{"content": ~flag}])


def _directive(name: str, directive: Directive) -> Case:
    return Case(name, [{"directives": directive}], [{"directives": ~directive}])


def _paths(name: str, path: str, other: str) -> Case:
    return Case(name, [{"url": _HOST + path}], [{"url": _HOST + other}])


_TITLES: Final = [
    Case(
        "Page Titles: Missing",
        _texts("title", None, ""),
        [{"title": "x"}, {"title": "", "title_2": "x"}],
    ),
    Case(
        "Page Titles: Over 60 Characters", _texts("title", "x" * 61), _texts("title", "x" * 60, "")
    ),
    Case(
        "Page Titles: Below 30 Characters",
        _texts("title", "x" * 29, "x"),
        _texts("title", "x" * 30, "", None),
    ),
    Case(
        "Page Titles: Over 561 Pixels",
        [{"title_pixels": 562}],
        [{"title_pixels": 561}, {"title_pixels": None}],
    ),
    Case(
        "Page Titles: Below 200 Pixels",
        [{"title_pixels": 199}],
        [{"title_pixels": 200}, {"title_pixels": 0}, {"title_pixels": None}],
    ),
    Case(
        "Page Titles: Same as H1",
        [{"title": "Shoes", "h1": "Shoes"}],
        [{"title": "Shoes", "h1": "shoes"}, {"title": "", "h1": ""}, {"title": None, "h1": None}],
    ),
    _flag("Page Titles: Multiple", MarkupFlag.MULTIPLE_TITLES),
    _flag("Page Titles: Outside <head>", MarkupFlag.TITLE_OUTSIDE_HEAD),
]
_DESCRIPTIONS: Final = [
    Case(
        "Meta Description: Missing",
        _texts("description", None, ""),
        [{"description": "x"}, {"description": "", "description_2": "x"}],
    ),
    Case(
        "Meta Description: Over 155 Characters",
        _texts("description", "x" * 156),
        _texts("description", "x" * 155, None),
    ),
    Case(
        "Meta Description: Below 70 Characters",
        _texts("description", "x" * 69),
        _texts("description", "x" * 70, "", None),
    ),
    Case(
        "Meta Description: Over 985 Pixels",
        [{"description_pixels": 986}],
        [{"description_pixels": 985}, {"description_pixels": None}],
    ),
    Case(
        "Meta Description: Below 400 Pixels",
        [{"description_pixels": 399}],
        [{"description_pixels": 400}, {"description_pixels": 0}, {"description_pixels": None}],
    ),
    _flag("Meta Description: Multiple", MarkupFlag.MULTIPLE_DESCRIPTIONS),
    _flag("Meta Description: Outside <head>", MarkupFlag.DESCRIPTION_OUTSIDE_HEAD),
]
_HEADINGS: Final = [
    Case("H1: Missing", _texts("h1", None, ""), [{"h1": "x"}, {"h1": "", "h1_2": "x"}]),
    Case("H1: Over 70 Characters", _texts("h1", "x" * 71), _texts("h1", "x" * 70, None)),
    _flag("H1: Multiple", MarkupFlag.MULTIPLE_H1),
    _flag("H1: Alt Text in h1", MarkupFlag.H1_ALT_TEXT),
    _flag("H1: Non-Sequential", MarkupFlag.H1_NON_SEQUENTIAL),
    Case("H2: Missing", _texts("h2", None, ""), [{"h2": "x"}, {"h2": "", "h2_2": "x"}]),
    Case("H2: Over 70 Characters", _texts("h2", "x" * 71), _texts("h2", "x" * 70, None)),
    _flag("H2: Multiple", MarkupFlag.MULTIPLE_H2),
    _flag("H2: Non-Sequential", MarkupFlag.H2_NON_SEQUENTIAL),
]
_URLS: Final = [
    _paths("URL: Non ASCII Characters", "/caf%C3%A9", "/cafe"),
    _paths("URL: Underscores", "/red_shoes", "/red-shoes"),
    _paths("URL: Uppercase", "/Shoes", "/shoes"),
    _paths("URL: Multiple Slashes", "/a//b", "/a/b"),
    _paths("URL: Repetitive Path", "/a/b/a", "/a/b/c"),
    _paths("URL: Contains A Space", "/red%20shoes", "/red+shoes"),
    _paths("URL: Internal Search", "/search/shoes", "/research/shoes"),
    _paths("URL: Parameters", "/shoes?size=9", "/shoes?"),
    _paths("URL: GA Tracking Parameters", "/shoes?utm_source=mail", "/shoes?source=mail"),
    _paths("URL: Over 115 Characters", "/".ljust(96, "x"), "/".ljust(95, "x")),
]
_HTTP: Final = "http://site.example/shoes"
_SECURITY: Final = [
    _content("Security: Mixed Content", ContentFlag.MIXED_CONTENT),
    _content("Security: Form URL Insecure", ContentFlag.INSECURE_FORM),
    Case(
        "Security: Form on HTTP URL",
        [{"url": _HTTP, "content": ContentFlag.HAS_FORM}],
        [{"url": _HTTP, "content": 0}, {"content": ContentFlag.HAS_FORM}],
    ),
    _content("Security: Unsafe Cross-Origin Links", ContentFlag.UNSAFE_CROSS_ORIGIN),
    _content("Security: Protocol-Relative Resource Links", ContentFlag.PROTOCOL_RELATIVE),
    Case(
        "Security: Missing HSTS Header",
        [{"content": ContentFlag.MISSING_HSTS}],
        [{"content": 0}, {"url": _HTTP, "content": ContentFlag.MISSING_HSTS}],
    ),
    _content("Security: Missing Content-Security-Policy Header", ContentFlag.MISSING_CSP),
    _content(
        "Security: Missing X-Content-Type-Options Header", ContentFlag.MISSING_CONTENT_TYPE_OPTIONS
    ),
    _content("Security: Missing X-Frame-Options Header", ContentFlag.MISSING_FRAME_OPTIONS),
    _content(
        "Security: Missing Secure Referrer-Policy Header", ContentFlag.MISSING_REFERRER_POLICY
    ),
    _content("Security: Bad Content Type", ContentFlag.BAD_CONTENT_TYPE),
    _content("Security: Cookie Without Secure, HttpOnly or SameSite", ContentFlag.INSECURE_COOKIE),
]
_WITH_KEYWORDS: Final = replace(DEFAULTS, audit_meta_keywords=True)
_KEYWORDS: Final = [
    Case(
        "Meta Keywords: Missing",
        [{"settings": _WITH_KEYWORDS}, {"settings": _WITH_KEYWORDS, "keywords": ""}],
        [{}, {"settings": _WITH_KEYWORDS, "keywords": "shoes"}],
    ),
    Case(
        "Meta Keywords: Multiple",
        [{"settings": _WITH_KEYWORDS, "markup": MarkupFlag.MULTIPLE_KEYWORDS}],
        [{"settings": _WITH_KEYWORDS}, {"markup": MarkupFlag.MULTIPLE_KEYWORDS}],
    ),
]


def _readability(*syllables: int, **facts: Any) -> list[dict[str, Any]]:
    """Pages of 200 words in 20 sentences, so that 396 syllables make a score of 29.2."""
    counts = {"word_count": 200, "sentence_count": 20}
    return [{**counts, "syllable_count": count, **facts} for count in syllables]


_CONTENT: Final = [
    Case(
        "Content: Low Content Pages",
        [{"word_count": 199}, {"word_count": 0}, {"word_count": None}],
        [{"word_count": 200}],
    ),
    Case(
        "Content: Soft 404 Pages",
        [{"outcome": Outcome.PAGE_SOFT_ERROR}],
        [{}, {"outcome": Outcome.PAGE_INCOMPLETE}, {"outcome": Outcome.PAGE_NEEDS_SCRIPTS}],
    ),
    _content("Content: Lorem Ipsum Placeholder", ContentFlag.LOREM_IPSUM),
    Case(
        "Content: Readability Difficult",
        [
            *_readability(347, 394),
            *_readability(347, language="en-GB"),
            *_readability(347, language=None),
        ],
        [
            *_readability(346, 395),
            *_readability(347, language="de"),
            *_readability(347, settings=replace(DEFAULTS, reading_ease_difficult=49)),
        ],
    ),
    Case(
        "Content: Readability Very Difficult",
        _readability(395, 600),
        [
            *_readability(394),
            *_readability(600, language="zh-CN"),
            *_readability(395, settings=replace(DEFAULTS, reading_ease_very_difficult=29)),
            {"word_count": 0, "sentence_count": 0, "syllable_count": 0},
            {"word_count": 9, "sentence_count": None},
        ],
    ),
]
_DIRECTIVES: Final = [
    *(
        _directive(f"Directives: {name}", directive)
        for name, directive in (
            ("Index", Directive.INDEX),
            ("Noindex", Directive.NOINDEX),
            ("Follow", Directive.FOLLOW),
            ("Nofollow", Directive.NOFOLLOW),
            ("None", Directive.NONE),
            ("NoArchive", Directive.NOARCHIVE),
            ("NoSnippet", Directive.NOSNIPPET),
            ("Max-Snippet", Directive.MAX_SNIPPET),
            ("Max-Image-Preview", Directive.MAX_IMAGE_PREVIEW),
            ("Max-Video-Preview", Directive.MAX_VIDEO_PREVIEW),
            ("NoODP", Directive.NOODP),
            ("NoYDIR", Directive.NOYDIR),
            ("NoImageIndex", Directive.NOIMAGEINDEX),
            ("NoTranslate", Directive.NOTRANSLATE),
            ("Unavailable_After", Directive.UNAVAILABLE_AFTER),
        )
    ),
    Case(
        "Directives: Refresh",
        [{"directives": Directive.REFRESH}],
        [{"directives": 0}, {"directives": Directive.REFRESH | Directive.NOINDEX}],
    ),
    _flag("Directives: Outside <head>", MarkupFlag.ROBOTS_OUTSIDE_HEAD),
]
_CASES: Final = [
    *(*_TITLES, *_DESCRIPTIONS, *_HEADINGS, *_URLS),
    *(*_SECURITY, *_KEYWORDS, *_CONTENT, *_DIRECTIVES),
]


def test_a_good_page_has_no_issues() -> None:
    counts = {rule.full_name(DEFAULTS) for rule in RULES.values() if rule.priority is None}
    assert issues_of() - counts == set()


@pytest.mark.parametrize("case", _CASES, ids=lambda case: case.name)
def test_an_issue_is_found_where_it_is_and_nowhere_else(case: Case) -> None:
    assert case.found
    assert case.not_found
    assert [page for page in case.found if case.name not in issues_of(**page)] == []
    assert [page for page in case.not_found if case.name in issues_of(**page)] == []


def test_every_page_rule_of_these_groups_is_tested_here() -> None:
    groups = {RuleGroup(case.name.partition(":")[0]) for case in _CASES}
    rules = {
        rule.full_name(DEFAULTS)
        for rule in RULES.values()
        if isinstance(rule.decision, PageRule) and rule.group in groups
    }
    assert rules == {case.name for case in _CASES}


@pytest.mark.parametrize(
    "page",
    [
        {"directives": Directive.NOINDEX},
        {"directives": Directive.NONE},
        {"canonical": _HOST + "/other"},
        {"canonical_header": _HOST + "/other"},
        {"status": 404},
    ],
)
def test_a_page_that_is_not_indexable_has_none_of_the_issues_of_pages(page: dict[str, Any]) -> None:
    assert "Page Titles: Missing" in issues_of(title=None)
    assert not any(name.startswith("Page Titles") for name in issues_of(title=None, **page))


def test_rules_on_headers_and_directives_are_about_pages_that_are_not_indexable_too() -> None:
    headers = {
        rule.full_name(DEFAULTS)
        for rule in RULES.values()
        if rule.group is RuleGroup.SECURITY and 206 <= rule.number <= 212
    }
    found = issues_of(
        content=~ContentFlag(0), directives=Directive.NOINDEX, markup=MarkupFlag.ROBOTS_OUTSIDE_HEAD
    )
    security = {name for name in found if name.startswith("Security")}
    assert security == headers
    assert {"Directives: Noindex", "Directives: Outside <head>"} <= found


def test_the_check_of_a_rule_with_a_flag_says_the_same_as_the_flag() -> None:
    tried = 0
    for rule in RULES.values():
        if isinstance(rule.decision, PageRule) and rule.decision.flag:
            field, bit = rule.decision.flag
            assert rule.decision.check(page_with(**{field: bit}), DEFAULTS)
            assert not rule.decision.check(page_with(**{field: ~bit}), DEFAULTS)
            assert not rule.decision.check(page_with(**{field: None}), DEFAULTS)
            tried += 1
    assert tried > 50


@pytest.mark.parametrize("case", _CASES, ids=lambda case: case.name)
def test_what_a_rule_with_a_threshold_reads_is_among_its_fields(case: Case) -> None:
    """When thresholds change, no other facts of pages are read again than these and the flags."""
    rule = rule_named(case.name)
    assert rule is not None
    if rule.limit:
        read = {"canonical", "markup", "directives", *rule.fields}
        others = {field: None for field in PageFacts.__struct_fields__ if field not in read}
        del others["phrases"]
        for page in case.found:
            assert case.name in issues_of(**{**page, **others})
        for page in case.not_found:
            assert case.name not in issues_of(**{**page, **others})


def test_thresholds_are_those_of_the_settings() -> None:
    settings = replace(DEFAULTS, title_max_length=20, url_max_length=len(ADDRESS) - 1)
    found = issues_of(settings=settings, title="x" * 21)
    assert {"Page Titles: Over 20 Characters", f"URL: Over {len(ADDRESS) - 1} Characters"} <= found
