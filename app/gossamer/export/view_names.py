"""Finds views by name, as people and scripts write them: also by other crawlers' names.

Only the letters and digits of a name count: `Page Titles:Missing`, `page_titles_missing` and
`issue: page titles: missing` are one.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from difflib import get_close_matches
from functools import cache, lru_cache
from typing import Final

from gossamer.audit.rule_catalogue import RULES, name_key, nearest_names, rule_named
from gossamer.audit.site_rule import SiteRule
from gossamer.export.export_selection import ExportView
from gossamer.export.issue_views import INLINKS_PREFIX, ISSUE_PREFIX, issue_inlinks_view, issue_view
from gossamer.export.view_catalogue import VIEWS
from gossamer.model.errors import UsageError
from gossamer.model.settings.crawl_settings import DEFAULTS, CrawlSettings

_OF_ISSUES: Final = {ISSUE_PREFIX: issue_view, INLINKS_PREFIX: issue_inlinks_view}
_PREFIX: Final = re.compile(r"\s*issue(?P<inlinks>[_\s-]*inlinks)?\s*:", re.IGNORECASE)
_INLINKS: Final = "_inlinks"
OTHER_NAMES: Final[Mapping[str, str]] = {
    "internal": "internal_all",
    "response_codes_all": "response_codes",
    "images_all": "images",
    "canonicals_all": "canonicals",
    "pagination_all": "pagination",
    "structured_data_all": "structured_data",
    "links_all_inlinks": "all_inlinks",
    "links_all_outlinks": "all_outlinks",
    "redirects_all_redirects": "all_redirects",
    "redirects_redirect_chains": "redirect_chains",
    "redirect_canonical_chains": "redirect_and_canonical_chains",
    "redirects_redirect_canonical_chains": "redirect_and_canonical_chains",
    "redirects_redirect_and_canonical_chains": "redirect_and_canonical_chains",
    "canonicals_canonical_chains": "canonical_chains",
    "canonicals_non_indexable_canonicals": "canonicals_non_indexable_canonical",
    "issues_overview_report": "issues_overview",
    "insecure_content_report": "insecure_content",
    "hreflang_all_hreflang_urls": "hreflang_all",
    "all_hreflang_urls": "hreflang_all",
    "non_200_hreflang_urls": "hreflang_non_200",
    "unlinked_hreflang_urls": "hreflang_unlinked",
    "hreflang_missing_hreflang_return_links": "hreflang_missing_return",
    "missing_hreflang_return_links": "hreflang_missing_return",
    "missing_return_links": "hreflang_missing_return",
    "inconsistent_language_return_links": "hreflang_inconsistent",
    "hreflang_inconsistent_language_return_links": "hreflang_inconsistent",
    "non_canonical_return_links": "hreflang_non_canonical",
    "noindex_return_links": "hreflang_noindex",
    "sitemaps_orphan_pages": "orphan_pages",
    "http_header_summary": "http_headers",
    "http_headers_http_header_summary": "http_headers",
    "cookies_cookie_summary": "cookie_summary",
    "spelling_grammar_errors": "spelling_and_grammar",
    "content_spelling_grammar_errors": "spelling_and_grammar",
    "spelling_grammar_errors_report_summary": "spelling_and_grammar_summary",
}
"""The names of views in other crawlers' menus, commands and files, each by its key."""


def view_named(name: str, settings: Callable[[], CrawlSettings] = lambda: DEFAULTS) -> ExportView:
    """The view with this name. UsageError, with similar names, if there is none.

    `settings` returns those of the project, whose thresholds are in the names of issues.
    """
    if prefix := _PREFIX.match(name):
        of_issue = issue_inlinks_view if prefix["inlinks"] else issue_view
        return _of_issue(name[prefix.end() :], settings(), of_issue)
    key = name_key(name)
    key = OTHER_NAMES.get(key, key)
    found = _views_by_key().get(key) or _view_of_rule(key, settings())
    return found or _refuse(name, settings())


@cache
def _views_by_key() -> Mapping[str, ExportView]:
    return {name_key(view.name): view for view in VIEWS.values()}


def _view_of_rule(key: str, settings: CrawlSettings) -> ExportView | None:
    """The URLs of the issue whose name or file has this key, or the links to them."""
    if rule := _rule_with_key(key, settings):
        return issue_view(rule, settings)
    if key.endswith(_INLINKS) and (rule := _rule_with_key(key.removesuffix(_INLINKS), settings)):
        return issue_inlinks_view(rule, settings)
    return None


def _rule_with_key(key: str, settings: CrawlSettings) -> SiteRule | None:
    """The rule with this name, which may lack its group if no other group has the same."""
    short = _rules_by_short_name(settings).get(key, ())
    return short[0] if len(short) == 1 else rule_named(key, settings)


@lru_cache(maxsize=2)  # with the thresholds of a project, and the default ones
def _rules_by_short_name(settings: CrawlSettings) -> Mapping[str, Sequence[SiteRule]]:
    found: dict[str, list[SiteRule]] = {}
    for rule in RULES.values():
        found.setdefault(name_key(rule.short_name(settings)), []).append(rule)
    return found


def _of_issue(
    name: str,
    settings: CrawlSettings,
    view: Callable[[SiteRule, CrawlSettings], ExportView],
) -> ExportView:
    rule = rule_named(name, settings)
    if rule is not None:
        return view(rule, settings)
    near = ", ".join(nearest_names(name, settings))
    raise UsageError("There is no issue {name!r}; similar names: {near}.", name=name, near=near)


def _refuse(name: str, settings: CrawlSettings) -> ExportView:
    """Raise UsageError, with the names of similar views."""
    names = {name_key(each): each for each in (*VIEWS, *(f"{each}NAME" for each in _OF_ISSUES))}
    near = [names[each] for each in get_close_matches(name_key(name), names, cutoff=0.4)]
    if ":" in name:
        near += [f"{ISSUE_PREFIX}{each}" for each in nearest_names(name, settings)]
    known = ", ".join(near or names.values())
    raise UsageError("Unknown view {name!r}; choose {known}.", name=name, known=known)
