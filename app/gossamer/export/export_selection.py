"""Describes what to export: a view of a project, or a table as the window shows it."""

from dataclasses import dataclass, field
from enum import StrEnum

from gossamer.audit.sitemap_rules import SitemapRule
from gossamer.model.project_queries import Filter, LinksOf, Table


class ExportView(StrEnum):
    """The views that can be exported."""

    PAGES = "pages"
    """Web pages, a row each, with all that is known of them."""
    REDIRECTS = "redirects"
    """Redirect chains, a row each, with every hop."""
    LINKS = "links"
    """Links of all pages, a row each, with both ends."""
    BROKEN_LINKS = "broken-links"
    """Links to what does not work, a row each, with both ends."""
    ERRORS = "errors"
    """URLs that do not work, with the page each was first found on."""
    RESOURCES = "resources"
    """Addresses that work and are no pages: images, style sheets, downloads."""
    EXTERNAL = "external"
    """URLs of other sites than the one that was crawled, checked or not."""
    ALL = "all"
    """Every known URL."""
    SITEMAP = "sitemap"
    """Pages that search engines may list."""
    SITEMAP_CHECK = "sitemap-check"
    """Where the sitemaps that were read and the links of the site disagree."""
    REPORT = "report"
    """The crawl at a glance, with charts: a document, no table."""


@dataclass(frozen=True, slots=True)
class ExportSelection:
    """The selection of a project's data to export.

    `columns` are names of columns, case does not matter; none are all of them, of a table those
    that it shows. `text` keeps the rows with it in address or title; where there are no such
    columns, in any; a table has its own filter. `lifted` are the rules that a sitemap is not to
    keep; `alternates` gives it what pages say of their versions in other languages. `filter_` has
    facets for views whose rows are URLs.
    """

    source: ExportView | Table | LinksOf
    columns: tuple[str, ...] = ()
    text: str = ""
    lifted: frozenset[SitemapRule] = frozenset()
    alternates: bool = False
    filter_: Filter = field(default_factory=Filter)
