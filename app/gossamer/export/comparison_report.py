"""Writes the report on a comparison: one self-contained HTML file without scripts."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from html import escape
from typing import Final
from urllib.parse import urlsplit

from gossamer.export.comparison_issues import ComparedIssue, IssueTrend, by_trend, compared_issues
from gossamer.export.comparison_lists import (
    broken_link_lists,
    changes_list,
    folders_list,
    moved_list,
    redirects_list,
    site_files_list,
)
from gossamer.export.comparison_sheets import compared_filters
from gossamer.export.report_charts import ChartShare, bars
from gossamer.export.report_issues import issue_name, priority_badge
from gossamer.export.report_markup import (
    Say,
    document,
    heading,
    html_text,
    section,
    table,
)
from gossamer.model.comparison_field_choice import COMPARABLE
from gossamer.model.comparison_filter_names import SECTION_NAMES, filter_name
from gossamer.model.comparison_filters import VIEW
from gossamer.model.comparison_notes import comparison_notes
from gossamer.model.comparison_results import (
    ComparedSide,
    ComparisonSummary,
    FilterCounts,
    FilterMove,
)
from gossamer.model.project_queries import View
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.translatable import Sentence, Translatable, said
from gossamer.store.comparing.comparison_reader import ComparisonReader

_COUNTS: Final[tuple[Sentence, ...]] = (
    *("Before", "After"),
    *(each.label for each in FilterMove),
)
_KNOWN_COUNTS: Final[tuple[Sentence, ...]] = (
    *("Before", "After"),
    *(each.label for each in FilterMove if each.is_known),
)
_MOMENT: Final = "%Y-%m-%d %H:%M"


def comparison_page(reader: ComparisonReader, written_at: datetime, say: Say = str) -> str:
    """The whole page, in the language of `say`. `written_at` is when, with a time zone."""
    summary = reader.summary()
    trends = by_trend(compared_issues(reader))
    settings = summary.after.settings
    filters = compared_filters(reader)
    host = urlsplit(summary.after.root).netloc.rpartition("@")[2] or summary.after.root
    parts = [
        _head(host, summary, written_at, say),
        _notes(summary, say),
        _tiles(summary, trends, filters, say),
        *(_issue_table(trend, issues, settings, say) for trend, issues in trends.items()),
        _fields(summary, say),
        _filters(filters, say),
        changes_list(reader, summary, say),
        broken_link_lists(reader, say),
        moved_list(reader, summary, say),
        redirects_list(reader, summary, say),
        site_files_list(reader, say),
        folders_list(reader, say),
    ]
    return document(say, said("Comparison of {host}", host=host), "".join(parts))


def _head(host: str, summary: ComparisonSummary, written_at: datetime, say: Say) -> str:
    facts = [
        (said("Before"), _side(summary.before, say)),
        (said("After"), _side(summary.after, say)),
        *((said("Mapped"), f"{before} → {after}") for before, after in summary.mapping),
    ]
    listed = "".join(
        f"<div><dt>{html_text(say, name)}</dt><dd>{escape(text)}</dd></div>" for name, text in facts
    )
    return (
        f"<header><p class='kicker'>{html_text(say, said('Comparison of two crawls'))}</p>"
        f"<h1>{escape(host)}</h1><dl>{listed}</dl>"
        f"<p class='written'>{written_at:{_MOMENT}}</p></header>"
    )


def _side(side: ComparedSide, say: Say) -> str:
    begun = datetime.fromtimestamp(side.created_at, UTC)
    return say(
        said(
            "{root}, crawled on {time} UTC: {urls} URLs, {pages} HTML pages",
            root=side.root,
            time=f"{begun:{_MOMENT}}",
            urls=f"{side.urls:,}",
            pages=f"{side.pages:,}",
        )
    )


def _notes(summary: ComparisonSummary, say: Say) -> str:
    notes = "".join(f"<li>{html_text(say, each)}</li>" for each in comparison_notes(summary))
    if not notes:
        return ""
    return section(html_text(say, said("Please note")), f"<ul class='notes'>{notes}</ul>")


def _tiles(
    summary: ComparisonSummary,
    trends: Mapping[IssueTrend, Sequence[ComparedIssue]],
    filters: Sequence[FilterCounts],
    say: Say,
) -> str:
    worse, better = trends[IssueTrend.WORSE], trends[IssueTrend.BETTER]
    errors = next((x for x in filters if (x.section, x.value) == (VIEW, View.ERRORS)), None)
    before, after = (errors.before, errors.after) if errors else (0, 0)
    tiles = [
        (f"{len(worse):,}", said("issues got worse"), "error" if worse else ""),
        (f"{len(better):,}", said("issues got better"), "ok" if better else ""),
        (f"{before:,} → {after:,}", said("errors"), "error" if after > before else ""),
        (f"{summary.new:,}", said("new URLs"), ""),
        (f"{summary.missing:,}", said("missing URLs"), ""),
        (f"{summary.changed:,}", said("changed URLs"), ""),
    ]
    return (
        '<section class="tiles">'
        + "".join(
            f'<div><strong class="{colour}">{number}</strong>'
            f"<span>{html_text(say, what)}</span></div>"
            for number, what, colour in tiles
        )
        + "</section>"
    )


def _count_headings(say: Say, names: Sequence[Sentence] = _KNOWN_COUNTS) -> str:
    return "".join(heading(html_text(say, Translatable(x)), is_number=True) for x in names)


def _count_cells(counts: FilterCounts, say: Say, names: Sequence[Sentence] = _KNOWN_COUNTS) -> str:
    numbers = (counts.before, counts.after, *counts.moves)
    return "".join(
        f"<td class='number' data-label='{html_text(say, Translatable(name))}: '>{number:,}</td>"
        for name, number in zip(names, numbers, strict=False)  # the unknown come last
    )


def _issue_table(
    trend: IssueTrend, issues: Sequence[ComparedIssue], settings: CrawlSettings, say: Say
) -> str:
    name = html_text(say, Translatable(trend.value))
    if not issues and trend in {IssueTrend.WORSE, IssueTrend.BETTER}:
        return section(name, f"<p class='nothing'>{html_text(say, said('Nothing.'))}</p>")
    if not issues:
        return ""
    names = _COUNTS if any(each.counts.has_unknown for each in issues) else _KNOWN_COUNTS
    rows = [
        f"<tr><td>{issue_name(each.rule, settings, say)}</td>"
        f"<td>{priority_badge(each.rule, say)}</td>{_count_cells(each.counts, say, names)}</tr>"
        for each in issues
    ]
    headings = (
        heading(html_text(say, said("Issue")))
        + heading(html_text(say, said("Priority")))
        + _count_headings(say, names)
    )
    explained = said(
        "Added and Removed count URLs that both crawls have; New and Missing, URLs that only one "
        "has. Ended counts URLs that are no longer indexable pages, so that the issue does not "
        "apply to them any more; Began, URLs that have become indexable pages."
    )
    note = html_text(say, explained) if trend is IssueTrend.WORSE else ""
    return section(name, table(headings, rows, is_short=True), note)


def _fields(summary: ComparisonSummary, say: Say) -> str:
    shares = [
        ChartShare(say(Translatable(COMPARABLE[name].field.label)), count, "accent")
        for name, count in sorted(summary.fields.items(), key=lambda each: -each[1])
        if count
    ]
    if not shares:
        return ""
    return section(html_text(say, said("What changed on pages")), bars(shares))


def _filters(filters: Sequence[FilterCounts], say: Say) -> str:
    rows = [
        f"<tr><td>{html_text(say, Translatable(SECTION_NAMES[each.section]))}</td>"
        f"<td>{html_text(say, filter_name(each))}</td>{_count_cells(each, say)}</tr>"
        for each in filters
    ]
    headings = (
        heading(html_text(say, said("Group")))
        + heading(html_text(say, said("Filter")))
        + _count_headings(say)
    )
    return section(html_text(say, said("URLs by filter")), table(headings, rows))
