"""Rules that the facts of one page decide: pages that have the issue, and pages that do not."""

from typing import Any, Final, NamedTuple

from msgspec.structs import replace

from gossamer.audit.rule_catalogue import RULES, rule_named
from gossamer.audit.site_rule import PageRule
from gossamer.model.fields.page_facts import PageFacts
from gossamer.model.fields.page_flags import ContentFlag, Directive, MarkupFlag
from gossamer.model.outcome import Outcome
from gossamer.model.settings.crawl_settings import DEFAULTS
from gossamer.model.settings.limit_settings import MIB
from gossamer.model.text_errors import ErrorKind, TextError, encode_errors
from tests.cases import each_case
from tests.fakes.audited_pages import ADDRESS, issues_of

_HOST: Final = "https://site.example"


class Case(NamedTuple):
    """A rule, pages that have the issue, and pages close to the line that do not."""

    name: str
    found: list[dict[str, Any]]
    not_found: list[dict[str, Any]]


def _texts(field: str, *texts: str | None) -> list[dict[str, Any]]:
    return [{field: text} for text in texts]


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
]
_HEADINGS: Final = [
    Case("H1: Missing", _texts("h1", None, ""), [{"h1": "x"}, {"h1": "", "h1_2": "x"}]),
    Case("H1: Over 70 Characters", _texts("h1", "x" * 71), _texts("h1", "x" * 70, None)),
    Case("H2: Missing", _texts("h2", None, ""), [{"h2": "x"}, {"h2": "", "h2_2": "x"}]),
    Case("H2: Over 70 Characters", _texts("h2", "x" * 71), _texts("h2", "x" * 70, None)),
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
    Case(
        "Security: Form on HTTP URL",
        [{"url": _HTTP, "content": ContentFlag.HAS_FORM}],
        [{"url": _HTTP, "content": 0}, {"content": ContentFlag.HAS_FORM}],
    ),
    Case(
        "Security: Missing HSTS Header",
        [{"content": ContentFlag.MISSING_HSTS}],
        [{"content": 0}, {"url": _HTTP, "content": ContentFlag.MISSING_HSTS}],
    ),
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
_OTHER: Final = "https://site.example/other"
_NO_CANONICAL: Final = {"canonical": None}
_CANONICALS: Final = [
    Case(
        "Canonicals: Contains Canonical",
        [{"canonical": _OTHER}, {"canonical": None, "canonical_header": _OTHER}],
        [_NO_CANONICAL, {"canonical": ""}],
    ),
    Case(
        "Canonicals: Self Referencing",
        [
            *({"canonical": ADDRESS}, {"canonical": None, "canonical_header": ADDRESS}),
            {"canonical": _OTHER, "markup": MarkupFlag.LATER_SELF_CANONICAL},
        ],
        [{"canonical": _OTHER}, _NO_CANONICAL],
    ),
    Case(
        "Canonicals: Canonicalised",
        [
            *({"canonical": _OTHER}, {"canonical_header": _OTHER}),
            {"markup": MarkupFlag.CONFLICTING_CANONICALS},
            {"canonical": _OTHER, "directives": Directive.NOINDEX},
        ],
        [
            *({"canonical": ADDRESS}, {"canonical": ""}, {"canonical_header": ADDRESS}),
            {"markup": MarkupFlag.MULTIPLE_CANONICALS},
        ],
    ),
    Case(
        "Canonicals: Missing",
        [_NO_CANONICAL, {"canonical": ""}],
        [
            *({"canonical": ADDRESS}, {"canonical": None, "canonical_header": ADDRESS}),
            {"canonical": None, "directives": Directive.NOINDEX},
        ],
    ),
]
_PAGINATION: Final = [
    Case(
        "Pagination: First Page",
        [{"next_url": _OTHER}, {"next_header": _OTHER}],
        [
            {"next_url": _OTHER, "prev_url": _OTHER},
            {"next_header": _OTHER, "prev_header": _OTHER},
        ],
    ),
    Case(
        "Pagination: Paginated 2+ Pages",
        [{"prev_url": _OTHER}, {"prev_header": _OTHER}],
        [{"next_url": _OTHER}, {"next_header": _OTHER}],
    ),
    Case(
        "Pagination: Non-Indexable",
        [
            {"next_url": _OTHER, "canonical": _OTHER},
            {"prev_url": _OTHER, "directives": Directive.NONE},
        ],
        [{"next_url": _OTHER}, {"directives": Directive.NONE}],
    ),
]
_SPELLING: Final = TextError(ErrorKind.SPELLING, "teh")
_GRAMMAR: Final = TextError(ErrorKind.GRAMMAR, "an", rule="EN_A_VS_AN")
_PROOFREADING: Final = [
    Case(
        "Content: Spelling Errors",
        [{"text_errors": encode_errors([_GRAMMAR, _SPELLING])}],
        _texts("text_errors", None, "", "[]", "broken", encode_errors([_GRAMMAR])),
    ),
    Case(
        "Content: Grammar Errors",
        [{"text_errors": encode_errors([_GRAMMAR])}],
        _texts("text_errors", None, "", encode_errors([_SPELLING])),
    ),
]
_OTHERS: Final = [
    Case(
        "Mobile: Viewport Not Set",
        [{"viewport": None}, {"viewport": " "}, {"viewport": "user-scalable=no"}],
        [{"viewport": "initial-scale=1"}, {"viewport": "Width=device-width"}],
    ),
    Case("Mobile: Mobile Alternate Link", [{"mobile_url": _OTHER}], [{"mobile_url": ""}]),
    Case(
        "Structured Data: Contains Structured Data",
        [
            {"content": flag}
            for flag in (ContentFlag.JSON_LD, ContentFlag.MICRODATA, ContentFlag.RDFA)
        ],
        [{"content": ContentFlag.RICH_RESULT_ERROR}, {"content": 0}],
    ),
    Case(
        "Structured Data: Missing",
        [{"content": 0}, {"content": ContentFlag.LOREM_IPSUM}],
        [
            {"content": flag}
            for flag in (ContentFlag.JSON_LD, ContentFlag.MICRODATA, ContentFlag.RDFA)
        ],
    ),
    Case(
        "Validation: HTML Document Over 2MB",
        [{"size_bytes": 2 * MIB + 1}],
        [{"size_bytes": 2 * MIB}],
    ),
    Case("Validation: High Carbon Rating", [{"raw_bytes": 2_440_000}], [{"raw_bytes": 2_400_000}]),
]
_CASES: Final = [
    *(*_TITLES, *_DESCRIPTIONS, *_HEADINGS, *_URLS),
    *(*_SECURITY, *_KEYWORDS, *_CONTENT, *_CANONICALS, *_PAGINATION, *_OTHERS, *_PROOFREADING),
]


def test_a_good_page_has_no_issues() -> None:
    counts = {rule.full_name(DEFAULTS) for rule in RULES.values() if rule.priority is None}
    assert issues_of() - counts == set()


@each_case("case", _CASES, ids=lambda case: case.name)
def test_an_issue_is_found_where_it_is_and_nowhere_else(case: Case) -> None:
    assert case.found
    assert case.not_found
    assert [page for page in case.found if case.name not in issues_of(**page)] == []
    assert [page for page in case.not_found if case.name in issues_of(**page)] == []


def test_every_page_rule_that_no_flag_decides_is_tried() -> None:
    rules = {
        rule.full_name(DEFAULTS)
        for rule in RULES.values()
        if isinstance(rule.decision, PageRule) and not rule.decision.flag
    }
    assert rules == {case.name for case in _CASES}


@each_case(
    "page",
    [
        {"directives": Directive.NOINDEX},
        {"directives": Directive.NONE},
        {"canonical": _OTHER},
        {"canonical_header": _OTHER},
        {"status": 404},
    ],
)
def test_a_page_that_is_not_indexable_has_none_of_the_issues_of_pages(page: dict[str, Any]) -> None:
    assert "Page Titles: Missing" in issues_of(title=None)
    assert not any(name.startswith("Page Titles") for name in issues_of(title=None, **page))


def test_what_a_page_lacks_is_not_said_where_its_transfer_broke_off() -> None:
    texts = ("title", "description", "h1", "h2", "viewport", "canonical", "word_count")
    page: dict[str, Any] = dict.fromkeys(texts)
    flags: dict[str, Any] = {
        "content": 0,
        "markup": MarkupFlag.MISSING_HEAD | MarkupFlag.MISSING_BODY,
    }
    assert len(issues_of(**page, **flags)) == len(texts) + 3
    assert issues_of(outcome=Outcome.PAGE_INCOMPLETE, **page, **flags) == set()
    present: dict[str, Any] = {"title": "x" * 61, "markup": MarkupFlag.MULTIPLE_H1}
    found = {"Page Titles: Over 60 Characters", "H1: Multiple"}
    assert issues_of(outcome=Outcome.PAGE_INCOMPLETE, **present) >= found


@each_case("case", _CASES, ids=lambda case: case.name)
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
