"""All views of a project that can be exported, by name, in the order of lists."""

from collections.abc import Callable
from difflib import get_close_matches
from typing import Final

from gossamer.audit.rule_catalogue import nearest_names, rule_named
from gossamer.export import hreflang_reports as hreflang
from gossamer.export.chain_reports import (
    CANONICAL_CHAINS,
    REDIRECT_AND_CANONICAL_CHAINS,
    REDIRECT_CHAINS,
)
from gossamer.export.export_selection import ExportView
from gossamer.export.formats import REPORT
from gossamer.export.header_reports import COOKIE_SUMMARY, HTTP_HEADERS
from gossamer.export.issue_views import (
    CRAWL_OVERVIEW,
    INLINKS_PREFIX,
    ISSUE_PREFIX,
    ISSUES_OVERVIEW,
    issue_inlinks_view,
    issue_view,
)
from gossamer.export.link_reports import ALL_INLINKS, ALL_OUTLINKS, INSECURE_CONTENT
from gossamer.export.link_sheets import BROKEN_LINKS, LINKS
from gossamer.export.redirect_views import REDIRECTS
from gossamer.export.sitemap_sheet import SITEMAP
from gossamer.export.url_reports import (
    CANONICALS,
    IMAGES,
    INTERNAL_ALL,
    ORPHAN_PAGES,
    PAGINATION,
    RESPONSE_CODES,
    SERP_SUMMARY,
    STRUCTURED_DATA,
)
from gossamer.export.url_views import ALL, ERRORS, EXTERNAL, PAGES, RESOURCES, SITEMAP_CHECK
from gossamer.model.errors import UsageError
from gossamer.model.settings.crawl_settings import DEFAULTS, CrawlSettings

REPORTS: Final = (
    *(CRAWL_OVERVIEW, ISSUES_OVERVIEW, INTERNAL_ALL, RESPONSE_CODES, ALL_INLINKS, ALL_OUTLINKS),
    *(REDIRECT_CHAINS, REDIRECT_AND_CANONICAL_CHAINS, CANONICAL_CHAINS, CANONICALS, PAGINATION),
    *(hreflang.ALL, hreflang.NON_200, hreflang.UNLINKED, hreflang.MISSING_RETURN),
    *(hreflang.INCONSISTENT, hreflang.NON_CANONICAL, hreflang.NOINDEX, ORPHAN_PAGES),
    *(SERP_SUMMARY, STRUCTURED_DATA, IMAGES, INSECURE_CONTENT, HTTP_HEADERS, COOKIE_SUMMARY),
)
"""The views that people know from other crawlers, by the names of their files."""
VIEWS: Final = {
    view.name: view
    for view in (
        *(PAGES, REDIRECTS, LINKS, ERRORS, BROKEN_LINKS, RESOURCES, EXTERNAL, ALL, SITEMAP_CHECK),
        *(REPORT, SITEMAP),
        *REPORTS,
    )
}
_OF_ISSUES: Final = {ISSUE_PREFIX: issue_view, INLINKS_PREFIX: issue_inlinks_view}


def view_named(name: str, settings: Callable[[], CrawlSettings] = lambda: DEFAULTS) -> ExportView:
    """The view with this name. UsageError, with the names that are like it, if there is none.

    `settings` gives those of the project, whose thresholds are in the names of issues.
    """
    for prefix, view in _OF_ISSUES.items():
        if name.startswith(prefix):
            return _of_issue(name.removeprefix(prefix), settings(), view)
    if name in VIEWS:
        return VIEWS[name]
    near = get_close_matches(name, [*VIEWS, *_OF_ISSUES], cutoff=0.4)
    known = ", ".join(near or [*VIEWS, *(f"{prefix}NAME" for prefix in _OF_ISSUES)])
    raise UsageError("Unknown view {name!r}; choose {known}.", name=name, known=known)


def _of_issue(
    name: str,
    settings: CrawlSettings,
    view: Callable[..., ExportView],
) -> ExportView:
    rule = rule_named(name, settings)
    if rule is not None:
        return view(rule, settings)
    near = ", ".join(nearest_names(name, settings)) or "those of 'gossamer audit'"
    raise UsageError("There is no issue {name!r}; similar names: {near}.", name=name, near=near)
