"""The catalogue of audit rules: numbers, names, kinds and priorities that people rely on."""

import re
from importlib import import_module
from pkgutil import iter_modules
from string import Formatter
from typing import Final

from msgspec.structs import replace

from gossamer.audit import rules
from gossamer.audit.audit_rule import RuleKind, RulePriority
from gossamer.audit.rule_catalogue import RULES, nearest_names, rule_named
from gossamer.audit.site_rule import AccessibilityCheck, RuleGroup, SiteRule
from gossamer.model.fields.url_record import URL_FIELDS
from gossamer.model.settings.crawl_settings import DEFAULTS, SETTINGS
from tests.cases import each_case

_KINDS: Final = {
    "I": RuleKind.ISSUE,
    "W": RuleKind.WARNING,
    "O": RuleKind.OPPORTUNITY,
    "C": RuleKind.COUNT,
}
_PRIORITIES: Final = {
    "H": RulePriority.HIGH,
    "M": RulePriority.MEDIUM,
    "L": RulePriority.LOW,
    "": None,
}

_CATALOGUE: Final = {
    100: """Response Codes
        Internal Blocked by Robots.txt W-H · Internal Blocked Resource W-H
        · Internal No Response I-H · Internal Redirection (3xx) W-L
        · Internal Redirection (JavaScript) W-L · Internal Redirection (Meta Refresh) W-L
        · Internal Redirection (HTTP Refresh) W-L · Internal Redirect Chain W-M
        · Internal Redirect Loop I-H · Internal Client Error (4xx) I-H
        · Internal Server Error (5xx) I-H · Internal Refused to Robots W-M
        · Internal Unverified W-L""",
    150: """Response Codes
        External Blocked by Robots.txt W-H · External Blocked Resource W-H
        · External No Response W-L · External Redirection (3xx) W-L
        · External Redirection (JavaScript) W-L · External Redirection (Meta Refresh) W-L
        · External Redirection (HTTP Refresh) W-L · External Redirect Chain W-M
        · External Redirect Loop I-H · External Client Error (4xx) W-L
        · External Server Error (5xx) W-L · External Refused to Robots W-M
        · External Unverified W-L""",
    200: """Security
        HTTP URLs I-H · Mixed Content I-H · Form URL Insecure I-H · Form on HTTP URL I-H
        · Unsafe Cross-Origin Links W-L · Protocol-Relative Resource Links W-L
        · Missing HSTS Header W-L · Missing Content-Security-Policy Header W-L
        · Missing X-Content-Type-Options Header W-L · Missing X-Frame-Options Header W-L
        · Missing Secure Referrer-Policy Header W-L · Bad Content Type W-L
        · Cookie Without Secure, HttpOnly or SameSite W-L""",
    300: """URL
        Non ASCII Characters W-L · Underscores O-L · Uppercase W-L · Multiple Slashes I-L
        · Repetitive Path W-L · Contains A Space I-L · Internal Search W-L · Parameters W-L
        · Broken Bookmark I-L · GA Tracking Parameters W-L · Over 115 Characters O-L""",
    400: """Page Titles
        Missing I-H · Duplicate O-M · Over 60 Characters O-M · Below 30 Characters O-M
        · Over 561 Pixels O-M · Below 200 Pixels O-M · Same as H1 O-L · Multiple I-H
        · Outside <head> I-H""",
    500: """Meta Description
        Missing O-L · Duplicate O-L · Over 155 Characters O-L · Below 70 Characters O-L
        · Over 985 Pixels O-L · Below 400 Pixels O-L · Multiple I-M · Outside <head> I-M""",
    600: """Meta Keywords
        Missing C · Duplicate C · Multiple C""",
    700: """H1
        Missing I-M · Duplicate O-L · Over 70 Characters O-L · Multiple W-M · Alt Text in h1 W-L
        · Non-Sequential W-L""",
    750: """H2
        Missing W-L · Duplicate O-L · Over 70 Characters O-L · Multiple W-L
        · Non-Sequential W-L""",
    800: """Content
        Exact Duplicates I-H · Near Duplicates W-M · Low Content Pages O-M · Soft 404 Pages W-H
        · Lorem Ipsum Placeholder W-H · Spelling Errors I-M · Grammar Errors I-M
        · Readability Difficult O-L · Readability Very Difficult O-L""",
    900: """Images
        Over 100 kB O-M · Missing Alt Text I-L · Missing Alt Attribute I-L
        · Alt Text Over 100 Characters O-L · Missing Size Attributes O-L
        · Incorrectly Sized Images O-L · Background Images O-L""",
    1000: """Canonicals
        Contains Canonical C · Self Referencing C · Canonicalised W-H · Missing W-M · Multiple W-L
        · Multiple Conflicting I-H · Non-Indexable Canonical I-H · Canonical Is Relative W-L
        · Unlinked W-M · Contains Fragment URL I-M · Invalid Attribute In Annotation I-H
        · Outside <head> I-H · Canonical Chain and Loop W-M""",
    1100: """Pagination
        Contains Pagination C · First Page C · Paginated 2+ Pages C
        · Pagination URL Not In Anchor Tag I-H · Non-200 Pagination URLs I-H
        · Unlinked Pagination URLs I-M · Non-Indexable W-H · Multiple Pagination URLs I-L
        · Pagination Loop I-L · Sequence Error I-L""",
    1200: """Directives
        Index C · Noindex W-H · Follow C · Nofollow W-H · None W-H · NoArchive C · NoSnippet W-L
        · Max-Snippet C · Max-Image-Preview C · Max-Video-Preview C · NoODP C · NoYDIR C
        · NoImageIndex I-L · NoTranslate W-L · Unavailable_After W-M · Refresh C
        · Outside <head> I-H""",
    1300: """Hreflang
        Contains Hreflang C · Incorrect Language & Region Codes I-H · Non-200 Hreflang URLs I-H
        · Unlinked Hreflang URLs I-M · Missing Return Links I-H
        · Inconsistent Language & Region Return Links I-H · Non-Canonical Return Links I-H
        · Noindex Return Links I-H · Multiple Entries I-H · Missing Self Reference W-L
        · Not Using Canonical I-H · Missing X-Default W-L · Missing C · Outside <head> I-H""",
    1400: """JavaScript
        Noindex Only in Original HTML I-H · Nofollow Only in Original HTML I-H
        · Canonical Only in Rendered HTML W-M · Canonical Mismatch I-H
        · Page Title Only in Rendered HTML W-M · Page Title Updated by JavaScript W-M
        · Meta Description Only in Rendered HTML W-M · Meta Description Updated by JavaScript W-M
        · H1 Only in Rendered HTML W-M · H1 Updated by JavaScript W-M
        · Contains JavaScript Links W-M · Contains JavaScript Content W-M
        · Pages with Blocked Resources W-H · Pages with Chrome Console Log Errors/Warnings W-L
        · Uses Old AJAX Crawling Scheme C · Uses WebSockets W-L""",
    1500: """Links
        Outlinks To Localhost I-H · Pages Without Internal Outlinks W-H
        · Pages With Uncrawlable Internal Outlinks W-H · Non-Indexable Page Inlinks Only W-H
        · Pages With High Crawl Depth O-M · Pages With High Internal Outlinks W-L
        · Pages With High External Outlinks W-L · Internal Nofollow Outlinks W-L
        · Internal Nofollow Inlinks Only W-L · Follow & Nofollow Internal Inlinks To Page W-L
        · Internal Outlinks With No Anchor Text O-L
        · Non-Descriptive Anchor Text In Internal Outlinks O-L""",
    1600: """AMP
        Non-200 Response I-H · Missing Non-AMP Return Link I-H · Missing Canonical to Non-AMP I-H
        · Non-Indexable Canonical I-H · Indexable C · Non-Indexable C""",
    1650: """Mobile
        Viewport Not Set I-H · Target Size W-M · Content Not Sized Correctly W-M
        · Illegible Font Size W-M · Mobile Alternate Link C · Intrusive Overlay W-M""",
    1700: """Accessibility
        Images Must Have Alternative Text I-H · Form Elements Must Have Labels I-H
        · <html> Element Must Have A lang Attribute I-M
        · Heading Levels Should Only Increase By One W-L · Links Must Have Discernible Text I-M
        · Buttons Must Have Discernible Text I-H""",
    1800: """Structured Data
        Contains Structured Data C · JSON-LD URLs C · Microdata URLs C · RDFa URLs C · Missing O-L
        · Parse Errors I-H · Validation Errors I-H · Validation Warnings O-L
        · Rich Result Validation Errors I-H · Rich Result Validation Warnings O-L
        · Rich Result Feature Detected C""",
    1900: """Sitemaps
        URLs in Sitemap C · URLs not in Sitemap O-M · Orphan URLs I-M
        · Non-Indexable URLs in Sitemap I-M · URLs in Multiple Sitemaps W-L
        · XML Sitemap With Over 50k URLs I-H · XML Sitemap Over 50MB I-H""",
    2000: """Validation
        Invalid HTML Elements In <head> W-H · <body> Element Preceding <html> W-H
        · <head> Not First In <html> Element W-H · Missing <head> Tag I-H
        · Multiple <head> Tags I-H · Missing <body> Tag I-H · Multiple <body> Tags I-H
        · HTML Document Over 2MB I-H · Resource Over 2MB I-H · High Carbon Rating O-L""",
}
"""The first number of a group and its name; then name, kind and priority of its rules, in order."""


def _promised() -> dict[int, tuple[str, str, RuleKind, RulePriority | None]]:
    found = {}
    for first, text in _CATALOGUE.items():
        group, _, rules = text.partition("\n")
        for number, rule in enumerate(rules.split("·"), first):
            name, _, code = " ".join(rule.split()).rpartition(" ")
            kind, _, priority = code.partition("-")
            found[number] = (group, name, _KINDS[kind], _PRIORITIES[priority])
    return found


def _texts(rule: SiteRule) -> tuple[str, ...]:
    return (rule.meaning, rule.reason, rule.remedy)


def test_every_rule_of_the_catalogue_is_declared_by_its_number_kind_and_priority() -> None:
    assert {
        number: (str(rule.group), rule.short_name(DEFAULTS), rule.kind, rule.priority)
        for number, rule in RULES.items()
        if not isinstance(rule.decision, AccessibilityCheck)
    } == _promised()


def test_names_and_addresses_of_pages_are_unique() -> None:
    assert len({rule.full_name(DEFAULTS) for rule in RULES.values()}) == len(RULES)
    assert len({rule.slug for rule in RULES.values()}) == len(RULES)


def test_a_rule_has_the_same_number_for_ever_so_none_is_given_twice() -> None:
    modules = [
        import_module(f"{rules.__name__}.{each.name}") for each in iter_modules(rules.__path__)
    ]
    numbers = [
        rule.number
        for module in modules
        for value in vars(module).values()
        for rule in (value if isinstance(value, tuple) else (value,))
        if isinstance(rule, SiteRule)
    ]
    assert sorted(numbers) == sorted(RULES)


def test_groups_follow_each_other_and_their_rules_their_numbers() -> None:
    order = [(list(RuleGroup).index(rule.group), rule.number) for rule in RULES.values()]
    assert order == sorted(order)


@each_case("rule", RULES.values(), ids=lambda rule: rule.full_name(DEFAULTS))
def test_a_rule_says_what_it_means_why_it_matters_and_how_to_fix_it(rule: SiteRule) -> None:
    for text in _texts(rule):
        assert len(text) > 10
        assert text[0].isupper() or text.startswith(("<", "robots.txt"))
        assert re.search(r"[.?!]$", text)
        assert "  " not in text
    assert len(set(_texts(rule))) == 3


@each_case("rule", RULES.values(), ids=lambda rule: rule.full_name(DEFAULTS))
def test_a_rule_refers_to_a_page_fields_and_a_setting_that_there_are(rule: SiteRule) -> None:
    assert re.fullmatch(r"https://[\w.-]+\.\w+/\S*", rule.reference)
    assert set(rule.fields) <= {each.name for each in URL_FIELDS}
    assert not rule.limit or rule.limit in SETTINGS
    places = {place for _, place, *_ in Formatter().parse(rule.name) if place is not None}
    assert places <= ({"limit"} if rule.limit else set())


@each_case("rule", RULES.values(), ids=lambda rule: rule.full_name(DEFAULTS))
def test_what_is_no_problem_has_no_priority_and_every_problem_has_one(rule: SiteRule) -> None:
    assert (rule.priority is None) is (rule.kind is RuleKind.COUNT)


def test_a_rule_is_found_by_its_name_with_the_usual_threshold_and_the_one_set() -> None:
    settings = replace(DEFAULTS, title_max_length=55)
    too_long = RULES[402]
    assert too_long.slug == "page-titles-over-characters"
    assert too_long.full_name(settings) == "Page Titles: Over 55 Characters"
    assert rule_named("page titles: over 55 characters ", settings) is too_long
    assert rule_named("Page Titles: Over 60 Characters", settings) is too_long
    assert rule_named("Page Titles: Over 56 Characters", settings) is None
    assert "Page Titles: Over 55 Characters" in nearest_names("Titles: Over 56", settings)
