"""Formats a comparison: as tables for people, as JSON for programs."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Final

from gossamer.audit.rule_catalogue import RULES
from gossamer.cli.terminal import counted, printable
from gossamer.export.comparison_issues import ComparedIssue, by_trend, compared_issues
from gossamer.export.comparison_links import response_cell
from gossamer.export.comparison_sheets import (
    COUNT_HEADINGS,
    UNKNOWN_HEADINGS,
    compared_filters,
)
from gossamer.export.comparison_site_files import difference_of, what_changed
from gossamer.export.export_columns import moment
from gossamer.model.comparison_field_choice import COMPARABLE
from gossamer.model.comparison_filter_names import SECTION_NAMES, filter_name, page_counts
from gossamer.model.comparison_filters import VIEW
from gossamer.model.comparison_notes import comparison_notes, rewrite_hints
from gossamer.model.comparison_results import (
    BrokenLinkChange,
    ComparedPage,
    ComparedSide,
    ComparisonFilter,
    ComparisonSummary,
    FilterCounts,
    FilterMove,
    PageChange,
)
from gossamer.model.missing_pages import fate_of
from gossamer.model.number_format import number
from gossamer.model.outcome import Outcome
from gossamer.store.comparing.comparison_reader import ComparisonReader

_MOMENT: Final = "%Y-%m-%d %H:%M"
_SHOWN: Final = 10
"""URLs that are listed."""
_LINES: Final = 40
"""Lines of a robots.txt that differ."""
_LISTED: Final = 1_000
"""Rows of a list in JSON."""
_UNKNOWN: Final = (
    " Unknown are those that had an issue, where nothing shows whether they still have it; "
    "Unknown before, those that have it, where nothing shows whether they had it."
)
_MOST_NAMES: Final = 3
"""Changes of a URL that are listed."""


def comparison_text(reader: ComparisonReader, where: Sequence[str] = ()) -> str:
    """What got worse, what got better, all counts that changed, then the first URLs that did."""
    summary = reader.summary()
    trends = by_trend(compared_issues(reader))
    sections = [
        [*_head(summary), *(f"Only:   {each}" for each in where)],
        [f"Note: {note}" for note in comparison_notes(summary)],
        *(_issues(trend.value, issues) for trend, issues in trends.items()),
        _fates(summary),
        _fields(summary),
        _broken_links(reader),
        _moved(reader, summary),
        _site_files(reader),
        _filters([each for each in compared_filters(reader) if each.is_changed]),
        _urls(reader, summary),
        [
            _conclusion(
                summary,
                page_counts(reader.filters((VIEW,))),
                has_unknown=any(each.has_unknown for each in reader.issues().values()),
            )
        ],
    ]
    lines = [line for section in sections if section for line in (*section, "")]
    return "".join(f"{printable(line)}\n" for line in lines[:-1])


def _head(summary: ComparisonSummary) -> list[str]:
    return [
        f"Before: {_side(summary.before)}",
        f"After:  {_side(summary.after)}",
        *(f"Mapped: {before} to {after}" for before, after in summary.mapping),
    ]


def _side(side: ComparedSide) -> str:
    begun = datetime.fromtimestamp(side.created_at, UTC)
    return (
        f"{side.root}, crawled on {begun:{_MOMENT}} UTC, {counted(side.urls, 'URL')},"
        f" {counted(side.pages, 'HTML page')} ({side.path})"
    )


def _issues(title: str, issues: Sequence[ComparedIssue]) -> list[str]:
    rows = [(each.name, each.priority, *_counts(each.counts)) for each in issues]
    return _table((title, "Priority", *COUNT_HEADINGS), rows, texts=2)


def _fields(summary: ComparisonSummary) -> list[str]:
    found = sorted(summary.fields.items(), key=lambda each: -each[1])
    rows = [(COMPARABLE[name].field.export, number(count)) for name, count in found if count]
    return _table(("What changed on pages", "URLs"), rows, texts=1)


def _fates(summary: ComparisonSummary) -> list[str]:
    rows = [(Outcome(fate).sentence, number(count)) for fate, count in summary.fates.items()]
    return _table(("What became of missing URLs", "URLs"), rows, texts=1)


def _filters(filters: Sequence[FilterCounts]) -> list[str]:
    rows = [
        (SECTION_NAMES[each.section], str(filter_name(each)), *_counts(each)) for each in filters
    ]
    return _table(("URLs by filter", "", *COUNT_HEADINGS), rows, texts=2)


def _broken_links(reader: ComparisonReader) -> list[str]:
    """New ones first, then mended ones."""
    ids = reader.broken_link_ids()
    rows = [
        (each.move.label, each.source, each.target, _response(each))
        for each in reader.broken_links(ids[:_SHOWN])
    ]
    more = len(ids) - len(rows)
    hint = f"{number(more)} more: --export broken-links=links.csv writes all."
    table = _table(("Broken links", "On page", "To", "Status"), rows, texts=4)
    return [*table, hint] if more else table


def _moved(reader: ComparisonReader, summary: ComparisonSummary) -> list[str]:
    ids = reader.ids(ComparisonFilter(has_moved=True))[:_SHOWN]
    rows = [
        (each.before_url or each.url, each.moved_url or "", each.moved_by.label)
        for each in reader.pages(ids)
        if each.moved_by is not None
    ]
    table = _table(("Pages that have probably moved", "To", "Reason"), rows, texts=3)
    if summary.moved > len(rows):
        more = number(summary.moved - len(rows))
        table.append(f"{more} more: --export moved=moved.csv writes all.")
    return table + [str(each) for each in rewrite_hints(summary)]


def _site_files(reader: ComparisonReader) -> list[str]:
    lines: list[str] = []
    for each in reader.site_files()[:_SHOWN]:
        difference = difference_of(each)
        lines += [f"{each.url}: {what_changed(each)}", *difference[2:_LINES]]
        if len(difference) > _LINES:
            lines.append("... --export site-files=files.csv writes all.")
    return ["What changed in robots.txt and sitemaps", *lines] if lines else []


def _response(link: BrokenLinkChange) -> str:
    sides = ((link.before, link.before_status), (link.after, link.after_status))
    was, now = (response_cell(*each) for each in sides)
    return f"{'-' if was is None else was} -> {'-' if now is None else now}"


def _urls(reader: ComparisonReader, summary: ComparisonSummary) -> list[str]:
    total = summary.new + summary.missing + summary.changed
    names = {number: rule.full_name(summary.after.settings) for number, rule in RULES.items()}
    pages = reader.pages(reader.ids()[:_SHOWN])
    rows = [(each.change.label, _url(each, names)) for each in pages]
    left = f"{number(total - len(rows))} more: " if total > len(rows) else ""
    hint = f"{left}-o changes.csv writes all changes with their values, -o report.html a report."
    return [*_table(("Changes", "URL"), rows, texts=2), hint] if rows else []


def _url(page: ComparedPage, names: Mapping[int, str]) -> str:
    """The address, and a few words on what has changed."""
    if page.change is not PageChange.CHANGED:
        found = [] if page.status is None else [f"status {page.status}"]
        what = [str(fate_of(page))] if page.change is PageChange.MISSING else found
    else:
        what = [COMPARABLE[each.field].field.export for each in page.fields]
        what += [
            f"{_sign(each.move)} {names[each.rule]}" for each in page.issues if each.rule in names
        ]
    more = f" and {len(what) - _MOST_NAMES} more" if len(what) > _MOST_NAMES else ""
    return f"{page.url} ({', '.join(what[:_MOST_NAMES])}{more})" if what else page.url


def _sign(move: FilterMove) -> str:
    if not move.is_known:
        return "?"
    return "+" if move.is_in else "-"


def _conclusion(summary: ComparisonSummary, pages: FilterCounts, *, has_unknown: bool) -> str:
    if summary.is_empty:
        return "The crawls do not differ."
    return (
        f"{number(summary.new)} new{_of_which(summary.new, pages.new)},"
        f" {number(summary.missing)} missing{_of_which(summary.missing, pages.missing)} and"
        f" {number(summary.changed)} changed URLs. Added and Removed count URLs that both"
        " crawls have; New and Missing, URLs that only one has. Ended counts URLs that are no"
        " longer indexable pages, so that the issue does not apply to them any more; Began, URLs"
        " that have become indexable pages."
        f"{_UNKNOWN if has_unknown else ''}"
    )


def _of_which(urls: int, pages: int) -> str:
    """How many of some URLs are pages, if not all of them."""
    return "" if urls == pages else f" ({counted(pages, 'page')})"


def _counts(counts: FilterCounts) -> tuple[str, ...]:
    return tuple(map(number, _numbers(counts)))


def _numbers(counts: FilterCounts) -> tuple[int, ...]:
    return counts.before, counts.after, *counts.moves


def _table(headings: Sequence[str], rows: Sequence[Sequence[str]], texts: int) -> list[str]:
    """Aligned lines, of which the first columns are texts; nothing without rows.

    Columns for unknown moves are there if any are unknown.
    """
    if not rows:
        return []
    columns = [
        column
        for column in zip(headings, *rows, strict=True)
        if column[0] not in UNKNOWN_HEADINGS or set(column[1:]) != {"0"}
    ]
    widths = [max(map(len, column)) for column in columns]
    return [_line(row, widths, texts).rstrip() for row in zip(*columns, strict=True)]


def _line(row: Sequence[str], widths: Sequence[int], texts: int) -> str:
    cells = zip(row, widths, range(len(row)), strict=True)
    return "  ".join(
        f"{text:{width}}" if place < texts else f"{text:>{width}}" for text, width, place in cells
    )


def comparison_object(reader: ComparisonReader, where: Sequence[str] = ()) -> dict[str, object]:
    """The comparison with the keys that docs/command-line.md lists."""
    summary = reader.summary()
    return {
        "before": _side_object(summary.before),
        "after": _side_object(summary.after),
        "mapping": [list(each) for each in summary.mapping],
        "where": list(where),
        "notes": [str(each) for each in comparison_notes(summary)],
        "settings": {each.name: [each.before, each.after] for each in summary.settings},
        "new": summary.new,
        "missing": summary.missing,
        "changed": summary.changed,
        "fields": {COMPARABLE[name].field.export: count for name, count in summary.fields.items()},
        "fates": {Outcome(each).name.lower(): urls for each, urls in summary.fates.items()},
        "issues": [
            {
                "name": each.name,
                "group": str(each.rule.group),
                "type": each.kind,
                "priority": each.priority,
                **_count_object(each.counts),
            }
            for each in compared_issues(reader)
        ],
        "filters": [
            {
                "section": each.section,
                "value": each.value,
                "name": str(filter_name(each)),
                **_count_object(each),
            }
            for each in compared_filters(reader)
        ],
        "moved": [
            {
                "before": each.before_url or each.url,
                "after": each.moved_url,
                "reason": _reason(each),
            }
            for each in reader.pages(reader.ids(ComparisonFilter(has_moved=True))[:_LISTED])
        ],
        "suggested_mapping": [[each.before, each.after] for each in summary.rewrites],
        "site_files": [
            {
                "url": each.url,
                "status": [each.before_status, each.after_status],
                "urls": [each.before_urls, each.after_urls],
                "difference": difference_of(each),
            }
            for each in reader.site_files()
        ],
        "broken_links": [
            {
                "source": each.source,
                "target": each.target,
                "change": each.move.label,
                "before": response_cell(each.before, each.before_status),
                "after": response_cell(each.after, each.after_status),
            }
            for each in reader.broken_links(reader.broken_link_ids()[:_LISTED])
        ],
    }


def _reason(page: ComparedPage) -> str:
    return "" if page.moved_by is None else page.moved_by.name.lower()


def _side_object(side: ComparedSide) -> dict[str, object]:
    return {
        "project": side.path,
        "root": side.root,
        "crawled_at": moment(side.created_at),
        "state": side.state.value,
        "urls": side.urls,
        "pages": side.pages,
        "waiting": side.pending,
        "audited": side.is_audited,
        "unseen": side.unseen,
    }


def _count_object(counts: FilterCounts) -> dict[str, int]:
    return dict(_pairs(counts))


def _pairs(counts: FilterCounts) -> Iterator[tuple[str, int]]:
    names = (heading.lower().replace(" ", "_") for heading in COUNT_HEADINGS)
    return zip(names, _numbers(counts), strict=True)
