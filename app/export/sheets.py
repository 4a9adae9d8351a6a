"""The views that can be exported, each as a sheet of a project."""

from collections.abc import Callable, Iterator
from enum import StrEnum
from itertools import islice

from app.export.chain_columns import chain_columns, chain_row
from app.export.columns import LINK_COLUMNS, PAGE_COLUMNS, status_text
from app.export.indexability import obstacle
from app.export.sheet import Row, Sheet
from app.model.errors import UsageError
from app.model.outcome import Outcome
from app.model.views import UrlRecord, View
from app.store.reader import Reader

_AT_ONCE = 1000


class ExportView(StrEnum):
    """What can be exported."""

    PAGES = "pages"
    """Web pages, a row each, with all that is known of them."""
    REDIRECTS = "redirects"
    """Redirect chains, a row each, with every hop."""
    LINKS = "links"
    """Links of all pages, a row each, with both ends."""
    ERRORS = "errors"
    """URLs that do not work, with the page each was first found on."""
    SITEMAP = "sitemap"
    """Pages that search engines may list."""
    SITEMAP_CHECK = "sitemap-check"
    """Where the sitemaps that were read and the links of the site disagree."""


def sheet(reader: Reader, view: ExportView, check: Callable[[], None]) -> Sheet:
    """The sheet of a view. `check` is called now and then, and may raise to end the reading."""
    return _SHEETS[view](reader, check)


def _pages(reader: Reader, _check: Callable[[], None]) -> Sheet:
    return Sheet(
        tuple(name for name, _ in PAGE_COLUMNS),
        (tuple([value(page) for _, value in PAGE_COLUMNS]) for page in reader.iterate(View.PAGES)),
        _size(reader, View.PAGES),
    )


def _redirects(reader: Reader, check: Callable[[], None]) -> Sheet:
    """As many hop columns as the longest chain has hops: that takes a first look at all."""
    longest = chains = 0
    for chain in reader.chains():
        check()
        chains += 1
        longest = max(longest, len(chain) - 1)
    return Sheet(
        chain_columns(longest),
        (chain_row(chain, longest) for chain in reader.chains()),
        chains,
    )


def _links(reader: Reader, _check: Callable[[], None]) -> Sheet:
    return Sheet(
        tuple(name for name, _ in LINK_COLUMNS),
        (tuple([value(link) for _, value in LINK_COLUMNS]) for link in reader.links()),
        reader.link_count(),
    )


def _errors(reader: Reader, _check: Callable[[], None]) -> Sheet:
    columns = (
        "Address",
        "Status Code",
        "Status",
        "Outcome",
        "Detail",
        "Verdict",
        "First Found On",
        "Crawl Depth",
        "Inlinks",
        "Unique Inlinks",
    )
    rows = (_error_row(reader, record) for record in reader.iterate(View.ERRORS))
    return Sheet(columns, rows, _size(reader, View.ERRORS))


def _error_row(reader: Reader, record: UrlRecord) -> Row:
    found_on = [] if record.parent is None else reader.nodes([record.parent])
    return (
        record.url,
        record.status,
        status_text(record.status, record.reason),
        record.outcome.sentence,
        record.detail,
        record.verdict.value,
        found_on[0].url if found_on else None,
        record.depth,
        record.inlinks,
        record.unique_inlinks,
    )


def _sitemap(reader: Reader, check: Callable[[], None]) -> Sheet:
    return Sheet(
        ("URL", "Last Modified", "Crawl Depth", "Status Code", "Title"),
        _sitemap_rows(reader, check),
        _size(reader, View.PAGES),
    )


def _sitemap_rows(reader: Reader, check: Callable[[], None]) -> Iterator[Row]:
    for page in reader.iterate(View.PAGES):
        check()
        if obstacle(page, reader.headers(page.id)) is None:
            yield page.url, page.last_modified, page.depth, page.status, page.title


def _sitemap_check(reader: Reader, check: Callable[[], None]) -> Sheet:
    if not reader.has_sitemaps():
        raise UsageError("No sitemap was read in this crawl; crawl with --use-sitemaps first.")
    return Sheet(
        ("Address", "Status Code", "Finding", "In Sitemap", "Crawl Depth", "Inlinks", "Outcome"),
        _sitemap_check_rows(reader, check),
        _size(reader, View.ALL),
    )


def _sitemap_check_rows(reader: Reader, check: Callable[[], None]) -> Iterator[Row]:
    records = reader.iterate(View.ALL)
    while some := list(islice(records, _AT_ONCE)):
        check()
        named = reader.in_sitemaps([record.id for record in some])
        for record in some:
            finding = _finding(record, is_named=record.id in named)
            if finding:
                yield (
                    record.url,
                    record.status,
                    finding,
                    "true" if record.id in named else "false",
                    record.depth,
                    record.inlinks,
                    record.outcome.sentence,
                )


def _finding(record: UrlRecord, *, is_named: bool) -> str:
    """What is wrong between a URL and the sitemaps; "" if nothing is."""
    is_page = record.outcome is Outcome.PAGE
    if is_named and not is_page:
        return "In a sitemap, but no page"
    if is_named and record.depth is None:
        return "In a sitemap, but not linked"
    return "Linked, but in no sitemap" if is_page and not is_named else ""


def _size(reader: Reader, view: View) -> int:
    outcomes = reader.counts().outcomes
    return sum(outcomes.get(outcome, 0) for outcome in view.outcomes)


_SHEETS: dict[ExportView, Callable[[Reader, Callable[[], None]], Sheet]] = {
    ExportView.PAGES: _pages,
    ExportView.REDIRECTS: _redirects,
    ExportView.LINKS: _links,
    ExportView.ERRORS: _errors,
    ExportView.SITEMAP: _sitemap,
    ExportView.SITEMAP_CHECK: _sitemap_check,
}
