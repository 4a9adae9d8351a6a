"""Views are found by their names however they are spelled, and by those of other crawlers."""

import pytest

from gossamer.audit.rule_catalogue import RULES
from gossamer.audit.site_rule import SiteRule
from gossamer.export.issue_views import issue_inlinks_view, issue_view
from gossamer.export.view_bundles import BUNDLES, bundle_named
from gossamer.export.view_catalogue import VIEWS
from gossamer.export.view_names import OTHER_NAMES, view_named
from gossamer.model.errors import UsageError
from gossamer.model.settings.crawl_settings import DEFAULTS, CrawlSettings
from tests.cases import each_case


@each_case(
    ("spelled", "name"),
    [
        ("Internal:All", "internal_all"),
        ("INTERNAL-ALL", "internal_all"),
        ("internal_html", "internal_html"),
        ("Internal:HTML", "internal_html"),
        ("External:All", "external_all"),
        ("Response Codes:All", "response_codes"),
        ("Page Titles:All", "page_titles_all"),
        ("Page Titles:Missing", "issue:Page Titles: Missing"),
        ("page_titles_missing", "issue:Page Titles: Missing"),
        ("page-titles-missing", "issue:Page Titles: Missing"),
        ("issue:page titles:missing", "issue:Page Titles: Missing"),
        ("Issue :  PAGE TITLES :  Missing ", "issue:Page Titles: Missing"),
        ("page_titles_over_60_characters", "issue:Page Titles: Over 60 Characters"),
        ("page_titles_over_characters", "issue:Page Titles: Over 60 Characters"),
        ("h1_nonsequential", "issue:H1: Non-Sequential"),
        (
            "security_missing_contentsecuritypolicy_header_inlinks",
            "issue_inlinks:Security: Missing Content-Security-Policy Header",
        ),
        ("redirect_&_canonical_chains", "redirect_and_canonical_chains"),
        ("issue_inlinks:h1: missing", "issue_inlinks:H1: Missing"),
        ("Issue Inlinks: H1: Missing", "issue_inlinks:H1: Missing"),
        (
            "internal_client_error_(4xx)_inlinks",
            "issue_inlinks:Response Codes: Internal Client Error (4xx)",
        ),
        (
            "Response Codes:Internal:Internal Client Error (4xx) Inlinks",
            "issue_inlinks:Response Codes: Internal Client Error (4xx)",
        ),
        ("Links:All Inlinks", "all_inlinks"),
        ("All Outlinks", "all_outlinks"),
        ("Redirects:All Redirects", "all_redirects"),
        ("Redirects:Redirect Chains", "redirect_chains"),
        ("Redirects:Redirect & Canonical Chains", "redirect_and_canonical_chains"),
        ("SERP Summary", "serp_summary"),
        ("Hreflang:All hreflang URLs", "hreflang_all"),
        ("non_200_hreflang_urls", "hreflang_non_200"),
        ("Hreflang:Non-200 hreflang URLs", "issue:Hreflang: Non-200 Hreflang URLs"),
        ("HTTP Headers:HTTP Header Summary", "http_headers"),
        ("Cookies:Cookie Summary", "cookie_summary"),
        ("Issues Overview", "issues_overview"),
        ("Crawl Overview", "crawl_overview"),
        ("broken_links", "broken-links"),
    ],
)
def test_a_view_is_found_however_its_name_is_spelled(spelled: str, name: str) -> None:
    assert view_named(spelled).name == name


@each_case("name", VIEWS)
def test_every_view_is_found_by_its_name(name: str) -> None:
    assert view_named(name) is VIEWS[name]


@each_case("rule", RULES.values(), ids=lambda rule: rule.slug)
def test_every_issue_is_found_by_its_names_and_the_names_of_its_files(rule: SiteRule) -> None:
    for view in (issue_view(rule, DEFAULTS), issue_inlinks_view(rule, DEFAULTS)):
        assert view_named(view.name) == view
        if view.file_name not in VIEWS:
            assert view_named(view.file_name) == view


def test_a_threshold_of_the_project_is_in_the_name() -> None:
    changed = CrawlSettings(roots=(), title_max_length=50)
    view = view_named("Page Titles:Over 50 Characters", lambda: changed)
    assert view.name == "issue:Page Titles: Over 50 Characters"


@each_case("other", OTHER_NAMES)
def test_every_other_name_stands_for_a_view_and_hides_none(other: str) -> None:
    assert view_named(other).name != other
    assert other not in VIEWS


@each_case(
    ("name", "near"),
    [
        ("issue:H1: Mising", "H1: Missing"),
        ("issue:Foo: Bar", "similar names: "),
        ("H1:Mising", "issue:H1: Missing"),
        ("internal_al", "internal_all"),
        ("issue", "issue:NAME"),
        ("", "pages"),
    ],
)
def test_an_unknown_name_is_refused_with_those_that_are_like_it(name: str, near: str) -> None:
    with pytest.raises(UsageError) as refused:
        view_named(name)
    assert near in str(refused.value)


def test_bundles_are_found_like_views_and_hide_none() -> None:
    assert bundle_named("All Reports") is BUNDLES["all_reports"]
    assert bundle_named("all") is None
    assert not BUNDLES.keys() & VIEWS.keys()
