"""The lists of the report on a comparison: pages, links, redirects and folders that differ."""

from collections.abc import Iterator
from html import escape
from itertools import islice
from typing import Final

from gossamer.audit.rule_catalogue import RULES
from gossamer.export.comparison_links import outlink_cells, response_cell
from gossamer.export.comparison_sheets import changed_cell, redirect_change
from gossamer.export.comparison_site_files import difference_of, what_changed
from gossamer.export.report_issues import issue_name
from gossamer.export.report_markup import (
    Say,
    address,
    badge,
    heading,
    html_text,
    section,
    table,
)
from gossamer.model.comparison_field_choice import COMPARABLE
from gossamer.model.comparison_notes import rewrite_hints
from gossamer.model.comparison_results import (
    BrokenLinkFilter,
    ComparedPage,
    ComparisonFilter,
    ComparisonSummary,
    FilterMove,
    FolderCounts,
    PageChange,
)
from gossamer.model.fields.comparison_only_fields import OUTLINKS, SIMILARITY
from gossamer.model.fields.field_declaration import FieldKind
from gossamer.model.missing_pages import fate_of
from gossamer.model.outcome import Outcome
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.translatable import Translatable, said
from gossamer.store.comparing.comparison_reader import ComparisonReader

_SHOWN: Final = 100
"""Pages, redirects and folders of a list."""
_LONGEST: Final = 160
"""Characters of a value that are shown."""
_COLOURS: Final = {
    PageChange.NEW: "ok",
    PageChange.MISSING: "error",
    PageChange.CHANGED: "pending",
    PageChange.NONE: "muted",
}


def changes_list(reader: ComparisonReader, summary: ComparisonSummary, say: Say) -> str:
    """The pages that differ, each with its changes."""
    title = html_text(say, said("Changes"))
    if summary.is_empty:
        same = html_text(say, said("The crawls do not differ."))
        return section(title, f"<p class='nothing'>{same}</p>")
    total = summary.new + summary.missing + summary.changed
    pages = islice(reader.iterate(), _SHOWN)
    rows = [_page(each, summary.after.settings, say) for each in pages]
    headings = (
        heading(html_text(say, said("Change")))
        + heading(html_text(say, said("Address")))
        + heading(html_text(say, said("Before and after")))
    )
    return section(title, table(headings, rows), _first_of(total, say))


def _first_of(total: int, say: Say) -> str:
    if total <= _SHOWN:
        return ""
    counts = {"shown": f"{_SHOWN:,}", "number": f"{total:,}"}
    return html_text(say, said("The first {shown} of {number}.", **counts))


def _page(page: ComparedPage, settings: CrawlSettings, say: Say) -> str:
    label = badge(html_text(say, Translatable(page.change.label)), _COLOURS[page.change])
    changes = "".join(f"<li>{each}</li>" for each in _changes(page, settings, say))
    return f"<tr><td>{label}</td><td>{address(page.url)}</td><td><ul>{changes}</ul></td></tr>"


def _changes(page: ComparedPage, settings: CrawlSettings, say: Say) -> Iterator[str]:
    if page.change is PageChange.MISSING:
        yield html_text(say, fate_of(page))
    if page.change is PageChange.NEW and page.status is not None:
        yield f"<span class='muted'>{html_text(say, said('Status'))}:</span> {page.status}"
    if page.change in {PageChange.NEW, PageChange.MISSING}:
        return
    for change in page.fields:
        field, before, after = change
        label = html_text(say, Translatable(COMPARABLE[field].field.label))
        if field == OUTLINKS.name:
            values = [_value(field, each) for each in outlink_cells(page, change)]
            yield f"<span class='muted'>{label}:</span> {values[0]} → {values[1]}"
            continue
        was = "" if field == SIMILARITY.name else f"{_value(field, before)} → "
        yield f"<span class='muted'>{label}:</span> {was}{_value(field, after)}"
    for rule, move in page.issues:
        if rule in RULES:
            name = issue_name(RULES[rule], settings, say)
            is_fixed_or_found = move in {FilterMove.ADDED, FilterMove.REMOVED}
            why = "" if is_fixed_or_found else f" ({html_text(say, Translatable(move.label))})"
            yield f"{_sign(move)} {name}{why}"


def _sign(move: FilterMove) -> str:
    if not move.is_known:
        return "<strong class='muted'>?</strong>"
    if move.is_in:
        return "<strong class='error'>+</strong>"
    return f"<strong class='{'muted' if move is FilterMove.ENDED else 'ok'}'>-</strong>"


def _value(field: str, value: object) -> str:
    cell = value if isinstance(value, str) else changed_cell(field, value)
    if cell is None or cell == "":
        return "&ndash;"
    text = f"{cell} %" if COMPARABLE[field].kind is FieldKind.PERCENT else str(cell)
    return f"<bdi>{escape(text[:_LONGEST])}{'…' * (len(text) > _LONGEST)}</bdi>"


def redirects_list(reader: ComparisonReader, summary: ComparisonSummary, say: Say) -> str:
    """URLs that began or ceased to redirect, or lead elsewhere."""
    count = summary.fields.get("redirect", 0)
    if not count:
        return ""
    rows = []
    for page in islice(reader.iterate(ComparisonFilter(field="redirect")), _SHOWN):
        found = next(each for each in page.fields if each.field == "redirect")
        what = html_text(say, Translatable(redirect_change(found)))
        leads = "".join(
            f"<td>{address(each) if each else '&ndash;'}</td>"
            for each in (found.before, found.after)
        )
        rows.append(f"<tr><td>{address(page.url)}</td><td>{what}</td>{leads}</tr>")
    headings = "".join(
        heading(html_text(say, each))
        for each in (said("Address"), said("Change"), said("Before"), said("After"))
    )
    title = html_text(say, said("Redirects that changed"))
    return section(title, table(headings, rows), _first_of(count, say))


def broken_link_lists(reader: ComparisonReader, say: Say) -> str:
    """New ones and mended ones, each in a table of their own."""
    return "".join(
        _link_table(reader, BrokenLinkFilter(moves), html_text(say, title), say)
        for moves, title in (
            (_GAINED, said("Links that are broken now")),
            (_LOST, said("Links that are broken no more")),
        )
    )


_GAINED: Final = frozenset(each for each in FilterMove if each.is_in)
_LOST: Final = frozenset(each for each in FilterMove if each.is_out)


def _link_table(reader: ComparisonReader, filter_: BrokenLinkFilter, title: str, say: Say) -> str:
    ids = reader.broken_link_ids(filter_)
    if not ids:
        return ""
    rows = [
        f"<tr><td>{html_text(say, Translatable(each.move.label))}</td>"
        f"<td>{address(each.source)}</td><td>{address(each.target)}</td>"
        f"<td>{_response(each.before, each.before_status, say)}</td>"
        f"<td>{_response(each.after, each.after_status, say)}</td></tr>"
        for each in reader.broken_links(ids[:_SHOWN])
    ]
    names = (said("Change"), said("On page"), said("Link to"), said("Before"), said("After"))
    headings = "".join(heading(html_text(say, each)) for each in names)
    return section(title, table(headings, rows), _first_of(len(ids), say))


def _response(outcome: Outcome | None, status: int | None, say: Say) -> str:
    cell = response_cell(outcome, status)
    if cell is None:
        return "&ndash;"
    return html_text(say, Translatable(cell)) if isinstance(cell, str) else str(cell)


def moved_list(reader: ComparisonReader, summary: ComparisonSummary, say: Say) -> str:
    """Pages that have probably moved, and how to compare them."""
    ids = reader.ids(ComparisonFilter(has_moved=True))[:_SHOWN]
    rows = [
        f"<tr><td>{address(each.before_url or each.url)}</td>"
        f"<td>{address(each.moved_url or '')}</td>"
        f"<td>{html_text(say, Translatable(each.moved_by.label))}</td></tr>"
        for each in reader.pages(ids)
        if each.moved_by is not None
    ]
    if not rows:
        return ""
    names = (said("Before"), said("After"), said("Reason"))
    headings = "".join(heading(html_text(say, each)) for each in names)
    hints = "".join(f"<p>{html_text(say, each)}</p>" for each in rewrite_hints(summary))
    title = html_text(say, said("Pages that have probably moved"))
    return section(title, table(headings, rows) + hints, _first_of(summary.moved, say))


def site_files_list(reader: ComparisonReader, say: Say) -> str:
    """The robots.txt files and sitemaps that differ."""
    found = []
    for each in reader.site_files()[:_SHOWN]:
        lines = difference_of(each)[2:]
        text = f"<pre>{escape(chr(10).join(lines))}</pre>" if lines else ""
        found.append(f"<p>{address(each.url)}: {html_text(say, what_changed(each))}</p>{text}")
    title = html_text(say, said("Robots.txt and sitemaps"))
    return section(title, "".join(found)) if found else ""


def folders_list(reader: ComparisonReader, say: Say) -> str:
    """The folders that have more or fewer URLs than before."""
    folders = [each for each in reader.folders() if each.before != each.after]
    if not folders:
        return ""
    folders.sort(key=lambda each: (-abs(each.after - each.before), each.address))
    headings = heading(html_text(say, said("Folder"))) + "".join(
        heading(html_text(say, each), is_number=True)
        for each in (said("Before"), said("After"), said("Difference"))
    )
    rows = [_folder(each) for each in folders[:_SHOWN]]
    title = html_text(say, said("Site structure"))
    return section(title, table(headings, rows), _first_of(len(folders), say))


def _folder(folder: FolderCounts) -> str:
    numbers = (f"{folder.before:,}", f"{folder.after:,}", f"{folder.after - folder.before:+,}")
    cells = "".join(f"<td class='number'>{each}</td>" for each in numbers)
    return f"<tr><td>{address(folder.address)}</td>{cells}</tr>"
