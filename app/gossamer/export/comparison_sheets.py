"""The tables of a comparison: summary, issues, changes, redirects, structure."""

from collections.abc import Callable, Iterator
from typing import Any, Final

from gossamer.audit.rule_catalogue import RULES
from gossamer.export.comparison_issues import compared_issues
from gossamer.export.comparison_links import broken_link_cells, outlink_cells
from gossamer.export.comparison_site_files import difference_of
from gossamer.export.export_columns import moment, value_cell
from gossamer.export.sheet import Cell, Row, Sheet
from gossamer.model.comparison_field_choice import COMPARABLE
from gossamer.model.comparison_filter_names import SECTION_NAMES, filter_name, in_order
from gossamer.model.comparison_filters import ISSUE_SECTION, VIEW
from gossamer.model.comparison_notes import comparison_notes
from gossamer.model.comparison_results import (
    ComparedPage,
    ComparedSide,
    ComparisonFilter,
    FieldChange,
    FilterCounts,
    FilterMove,
    PageChange,
)
from gossamer.model.fields.comparison_only_fields import OUTLINKS, SIMILARITY
from gossamer.model.fields.indexability import Indexability
from gossamer.model.missing_pages import fate_of
from gossamer.model.project_queries import View
from gossamer.model.translatable import Sentence
from gossamer.store.comparing.comparison_reader import ComparisonReader

CHANGE_HEADINGS: Final = ("Address", "Change", "Field", "Before", "After")
UNKNOWN_HEADINGS: Final = frozenset(each.label for each in FilterMove if not each.is_known)
COUNT_HEADINGS: Final = ("Before", "After", *(each.label for each in FilterMove))
_NO_MOVES: Final = (None,) * len(FilterMove)
_REDIRECT: Final = "redirect"
_CELLS: Final[dict[str, Callable[[Any], Cell] | None]] = {
    name: value_cell(each) for name, each in COMPARABLE.items()
}
_REDIRECT_CHANGES: Final[dict[tuple[bool, bool], Sentence]] = {
    (False, True): "Redirects now",
    (True, False): "Redirects no more",
    (True, True): "Leads elsewhere",
}
"""By whether it redirected before, and does after."""
_STATUS, _STATUS_TEXT, _REASON = (
    COMPARABLE[name].field.export for name in ("status", "status_text", "indexability_status")
)
_NOT_BY_STATUS: Final = frozenset({Indexability.NOINDEX, Indexability.CANONICALISED})


def changed_cell(field: str, value: Any) -> Cell:  # noqa: ANN401 - of any field
    """A value of a changed field as in exports."""
    cell = _CELLS[field]
    return value if value is None or cell is None else cell(value)


def changes_sheet(reader: ComparisonReader, filter_: ComparisonFilter | None = None) -> Sheet:
    """A row for each difference: one for a new or missing page, for a changed one one per field."""
    wanted = filter_ or ComparisonFilter()
    summary = reader.summary()
    names = {number: rule.full_name(summary.after.settings) for number, rule in RULES.items()}
    expected = summary.new + summary.missing + sum(summary.fields.values())

    def rows() -> Iterator[Row]:
        for page in reader.iterate(wanted):
            yield from _rows_of(page, names)

    return Sheet(CHANGE_HEADINGS, rows(), expected, name="Changes")


def _rows_of(page: ComparedPage, names: dict[int, str]) -> Iterator[Row]:
    label = page.change.label
    if page.change is PageChange.NEW:
        yield from ((page.url, label, *found) for found in _found(page))
    if page.change is PageChange.MISSING:
        yield page.url, label, _STATUS_TEXT, None, str(fate_of(page))
    if page.change in {PageChange.NEW, PageChange.MISSING}:
        return
    for change in page.fields:
        field, before, after = change
        heading = COMPARABLE[field].field.export
        if field == OUTLINKS.name:
            yield page.url, label, heading, *outlink_cells(page, change)
            continue
        was = None if field == SIMILARITY.name else changed_cell(field, before)
        yield page.url, label, heading, was, changed_cell(field, after)
    for rule, move in page.issues:
        if rule in names:
            yield page.url, label, names[rule], *move.held


def _found(page: ComparedPage) -> Iterator[tuple[str, None, Cell]]:
    """How a new page was found: its status, and what else keeps it out of search engines."""
    if page.status is not None or page.reason is None:
        yield _STATUS, None, page.status
    if page.reason is not None and (page.status is None or page.reason in _NOT_BY_STATUS):
        yield _REASON, None, page.reason.value


def issues_sheet(reader: ComparisonReader) -> Sheet:
    """How many URLs each issue has before and after, and how many have gained or lost it."""
    rows: list[Row] = [
        (each.name, each.kind, each.priority, *_counts(each.counts))
        for each in compared_issues(reader)
    ]
    headings = ("Issue Name", "Issue Type", "Issue Priority", *COUNT_HEADINGS)
    return Sheet(headings, iter(rows), len(rows), is_exact=True, name="Issues")


def _counts(counts: FilterCounts) -> tuple[int, ...]:
    return counts.before, counts.after, *counts.moves


def compared_filters(reader: ComparisonReader) -> list[FilterCounts]:
    """The filters except for issues, section by section."""
    return sorted(
        (each for each in reader.filters() if each.section != ISSUE_SECTION), key=in_order
    )


def summary_sheet(reader: ComparisonReader) -> Sheet:
    """The crawls, what makes the result doubtful, numbers of changes, and filters."""
    summary = reader.summary()
    rows: list[Row] = [
        ("Crawl", name, before, after, *_NO_MOVES)
        for (name, before), (_, after) in zip(
            _side_rows(summary.before), _side_rows(summary.after), strict=True
        )
    ]
    rows += [("Note", str(note), None, None, *_NO_MOVES) for note in comparison_notes(summary)]
    rows += [
        ("URLs", name, None, count, *_NO_MOVES)
        for name, count in (
            *(("New", summary.new), ("Missing", summary.missing), ("Changed", summary.changed)),
        )
    ]
    rows += [
        ("Changed field", COMPARABLE[name].field.export, None, count, *_NO_MOVES)
        for name, count in summary.fields.items()
    ]
    rows += [
        (SECTION_NAMES[each.section], str(filter_name(each)), *_counts(each))
        for each in compared_filters(reader)
    ]
    headings = ("Section", "Name", *COUNT_HEADINGS)
    return Sheet(headings, iter(rows), len(rows), is_exact=True, name="Summary")


def _side_rows(side: ComparedSide) -> list[tuple[str, Cell]]:
    return [
        ("Project", side.path),
        ("Started from", side.root),
        ("Crawled on", moment(side.created_at)),
        ("State", side.state.value),
        ("URLs", side.urls),
        ("HTML pages", side.pages),
    ]


def redirects_sheet(reader: ComparisonReader) -> Sheet:
    """The redirects whose target has changed, and URLs that began or ceased to redirect."""

    def rows() -> Iterator[Row]:
        for page in reader.iterate(ComparisonFilter(field=_REDIRECT)):
            found = next(each for each in page.fields if each.field == _REDIRECT)
            yield page.url, redirect_change(found), found.before, found.after

    count = reader.summary().fields.get(_REDIRECT, 0)
    headings = ("Address", "Change", "Redirect URL Before", "Redirect URL After")
    return Sheet(headings, rows(), count, is_exact=True, name="Redirects")


def redirect_change(change: FieldChange) -> Sentence:
    """What has become of a redirect, in a few words."""
    return _REDIRECT_CHANGES[change.before is not None, change.after is not None]


def structure_sheet(reader: ComparisonReader) -> Sheet:
    """How many URLs each folder has before and after, with everything below it."""
    folders = reader.folders()
    rows = ((each.address, each.before, each.after, each.after - each.before) for each in folders)
    headings = ("Folder", "URLs Before", "URLs After", "Difference")
    return Sheet(headings, rows, len(folders), is_exact=True, name="Structure")


def broken_links_sheet(reader: ComparisonReader) -> Sheet:
    """The new links to broken URLs, and those that are gone."""
    rows = map(broken_link_cells, reader.iterate_broken_links())
    moved = [x for x in reader.filters((VIEW,)) if x.value == View.BROKEN_LINKS]
    count = sum(sum(each.moves) for each in moved)
    headings = ("Source", "Target", "Change", "Status Code Before", "Status Code After")
    return Sheet(headings, rows, count, is_exact=True, name="Broken Links")


def moved_sheet(reader: ComparisonReader) -> Sheet:
    """The pages that have probably moved, and how that is known."""

    def rows() -> Iterator[Row]:
        for page in reader.iterate(ComparisonFilter(has_moved=True)):
            if page.moved_by is not None:
                yield page.before_url or page.url, page.moved_url, page.moved_by.label

    count = reader.summary().moved
    headings = ("Address Before", "Address After", "Reason")
    return Sheet(headings, rows(), count, is_exact=True, name="Moved")


def site_files_sheet(reader: ComparisonReader) -> Sheet:
    """The robots.txt files and sitemaps that differ, with their differences."""
    files = reader.site_files()
    rows = (
        (
            *(each.url, each.before_status, each.after_status, each.before_urls, each.after_urls),
            "\n".join(difference_of(each)[2:]) or None,
        )
        for each in files
    )
    headings = (
        *("File", "Status Code Before", "Status Code After", "URLs Before", "URLs After"),
        "Difference",
    )
    return Sheet(headings, rows, len(files), is_exact=True, name="Robots and Sitemaps")


COMPARISON_TABLES: Final[dict[str, Callable[[ComparisonReader], Sheet]]] = {
    "summary": summary_sheet,
    "issues": issues_sheet,
    "changes": changes_sheet,
    "redirects": redirects_sheet,
    "broken-links": broken_links_sheet,
    "moved": moved_sheet,
    "site-files": site_files_sheet,
    "structure": structure_sheet,
}
"""The tables of a comparison, by their names on the command line; in this order."""
