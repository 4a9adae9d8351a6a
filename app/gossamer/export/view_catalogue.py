"""All views of a project that can be exported, by name, in the order of lists."""

from typing import Final

from gossamer.export import hreflang_reports as hreflang
from gossamer.export.access_reports import CERTIFICATES, CRAWLER_ACCESS, LLMS_TXT, MADE_UP
from gossamer.export.chain_reports import (
    ALL_REDIRECTS,
    CANONICAL_CHAINS,
    REDIRECT_AND_CANONICAL_CHAINS,
    REDIRECT_CHAINS,
)
from gossamer.export.custom_columns import CUSTOM_EXTRACTION, CUSTOM_SEARCH, INTERNAL_ALL
from gossamer.export.formats import REPORT
from gossamer.export.group_views import EXTERNAL_ALL, GROUP_VIEWS, INTERNAL_VIEWS
from gossamer.export.header_reports import COOKIE_SUMMARY, HTTP_HEADERS
from gossamer.export.issue_views import (
    CRAWL_OVERVIEW,
    IGNORED_ISSUES,
    ISSUES_BY_SEGMENT,
    ISSUES_OVERVIEW,
)
from gossamer.export.link_reports import ALL_INLINKS, ALL_OUTLINKS, INSECURE_CONTENT
from gossamer.export.link_sheets import BROKEN_LINKS, LINKS
from gossamer.export.note_reports import NOTES
from gossamer.export.proofreading_reports import (
    SPELLING_AND_GRAMMAR,
    SPELLING_AND_GRAMMAR_SUMMARY,
)
from gossamer.export.redirect_views import REDIRECTS
from gossamer.export.rendering_reports import (
    ACCESSIBILITY_VIOLATIONS,
    BLOCKED_RESOURCES,
    JAVASCRIPT_CONSOLE,
)
from gossamer.export.sitemap_sheet import SITEMAP
from gossamer.export.url_reports import (
    CANONICALS,
    IMAGES,
    ORPHAN_PAGES,
    PAGINATION,
    RESPONSE_CODES,
    SERP_SUMMARY,
    STRUCTURED_DATA,
)
from gossamer.export.url_views import (
    ALL,
    ERRORS,
    EXTERNAL,
    FORMER,
    PAGES,
    RESOURCES,
    SITEMAP_CHECK,
    SKIPPED,
)

REPORTS: Final = (
    *(
        CRAWL_OVERVIEW,
        ISSUES_OVERVIEW,
        IGNORED_ISSUES,
        ISSUES_BY_SEGMENT,
        INTERNAL_ALL,
        RESPONSE_CODES,
    ),
    *(ALL_INLINKS, ALL_OUTLINKS),
    *(ALL_REDIRECTS, REDIRECT_CHAINS, REDIRECT_AND_CANONICAL_CHAINS, CANONICAL_CHAINS),
    *(CANONICALS, PAGINATION),
    *(hreflang.ALL, hreflang.NON_200, hreflang.UNLINKED, hreflang.MISSING_RETURN),
    *(hreflang.INCONSISTENT, hreflang.NON_CANONICAL, hreflang.NOINDEX, ORPHAN_PAGES),
    *(SERP_SUMMARY, STRUCTURED_DATA, IMAGES, INSECURE_CONTENT, HTTP_HEADERS, COOKIE_SUMMARY),
    *(BLOCKED_RESOURCES, JAVASCRIPT_CONSOLE, ACCESSIBILITY_VIOLATIONS),
    *(CRAWLER_ACCESS, LLMS_TXT, MADE_UP, CERTIFICATES),
    *(SPELLING_AND_GRAMMAR, SPELLING_AND_GRAMMAR_SUMMARY, CUSTOM_SEARCH, CUSTOM_EXTRACTION),
    NOTES,
)
"""The views that people know from other crawlers, by the names of their files."""
TABS: Final = (*INTERNAL_VIEWS, EXTERNAL_ALL, *GROUP_VIEWS)
"""The URLs of each element tab that is not a report, by the names of their files."""
VIEWS: Final = {
    view.name: view
    for view in (
        *(PAGES, REDIRECTS, LINKS, ERRORS, BROKEN_LINKS, RESOURCES, EXTERNAL, SKIPPED, ALL, FORMER),
        *(SITEMAP_CHECK, REPORT, SITEMAP),
        *REPORTS,
        *TABS,
    )
}
