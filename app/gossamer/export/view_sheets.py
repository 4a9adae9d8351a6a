"""Builds the sheet of a selection: of a view of a project, a table, or the links of some URLs."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial

from gossamer.export.custom_columns import joined_cell, rows_with
from gossamer.export.export_columns import COLUMN_HEADINGS, URL_HEADINGS, url_rows
from gossamer.export.export_selection import Check, ExportSelection, ExportView
from gossamer.export.link_sheets import links_sheet, sheet_of_links
from gossamer.export.sheet import Cell, Row, Sheet, containing, narrowed
from gossamer.export.url_cells import UrlCell
from gossamer.model.custom_definitions import name_in, number_in
from gossamer.model.errors import UsageError
from gossamer.model.facets import concerns
from gossamer.model.fields.url_record import UrlRecord
from gossamer.model.project_queries import Column, Filter, LinksOf, Table, View
from gossamer.model.search_excerpts import Excerpt
from gossamer.model.search_query import EXCERPT, Search
from gossamer.store.reading.reader import Reader

_AT_ONCE = 1000
SNIPPET_HEADING = "Found text"
"""The heading of the additional column in exports of searched pages."""


def sheet(reader: Reader, selection: ExportSelection, check: Check) -> Sheet:
    """The sheet of a selection. UsageError for unknown columns."""
    return narrowed(whole_sheet(reader, selection, check), shown_columns(selection))


def shown_columns(selection: ExportSelection) -> tuple[str, ...]:
    """The requested columns; none means all of them."""
    if selection.columns or not isinstance(selection.source, Table):
        return selection.columns
    shown = selection.source.columns
    return tuple(heading for column in shown if (heading := _heading_of(column)))


def _heading_of(column: Column) -> str:
    """The heading of a column of a table; "" if it is not exported."""
    if column == EXCERPT:
        return SNIPPET_HEADING
    if number_in(column) is None:
        return COLUMN_HEADINGS.get(column, "")
    name = name_in(column)
    return f"{name} (2)" if name in URL_HEADINGS else name


def whole_sheet(reader: Reader, selection: ExportSelection, check: Check) -> Sheet:
    """As `sheet`, with all columns."""
    return replace(_sheet(reader, selection, check), name=selection.name)


def _sheet(reader: Reader, selection: ExportSelection, check: Check) -> Sheet:
    source, text = selection.source, selection.text
    if isinstance(source, Table):
        return _table(reader, source)
    view = source if isinstance(source, ExportView) else _links_of(source)
    if selection.filter_ != Filter() and not view.has_facets:
        raise UsageError("The view {view} has no facets; use the view all.", view=view.name)
    for facet, _ in selection.filter_.facets:
        if not (view.is_of_links or concerns(facet, View.ALL)):
            raise UsageError(
                "The facet {facet} is about links, and the rows of {view} are URLs; use the view "
                "links.",
                facet=facet,
                view=view.name,
            )
    if view.build is None:
        raise UsageError("{view} is a document and has no rows.", view=view.name)
    whole = view.build(reader, selection, check)
    return containing(whole, text) if text and not view.has_text else whole


def _links_of(urls: LinksOf) -> ExportView:
    return ExportView(urls.end.value, "Links", lambda reader, *_: links_sheet(reader, urls))


def _table(reader: Reader, table: Table) -> Sheet:
    """The rows that a table shows now: what is committed later is not among them."""
    ids = reader.ids(table.view, table.filter_, table.order)
    if table.view.is_of_links:
        return _table_of_links(reader, ids)
    records = (record for chunk in _chunks(ids) for record in reader.records(chunk))
    custom = {
        _heading_of(column): partial(joined_cell, number)
        for column in table.columns
        if (number := number_in(column)) is not None
    }
    cells, headings = tuple(custom.values()), (*URL_HEADINGS, *custom)
    if (search := table.filter_.search) is not None and SNIPPET_HEADING not in custom:
        rows = _found_rows(reader, ids, cells, search)
        headings = (*headings, SNIPPET_HEADING)
    else:
        rows = rows_with(records, cells) if custom else url_rows(records)
    return Sheet(headings, rows, len(ids), is_exact=True)


def _chunks(ids: Sequence[int]) -> Iterator[Sequence[int]]:
    return (ids[start : start + _AT_ONCE] for start in range(0, len(ids), _AT_ONCE))


def _found_rows(
    reader: Reader, ids: Sequence[int], cells: Sequence[UrlCell], search: Search
) -> Iterator[Row]:
    """The rows of URLs that were searched for, each with the part of its text with the words."""
    for chunk in _chunks(ids):
        cell = partial(_excerpt_cell, reader.excerpts(chunk, search))
        yield from rows_with(reader.records(chunk), (*cells, cell))


def _excerpt_cell(found: Mapping[int, Excerpt], record: UrlRecord) -> Cell:
    shown = found.get(record.id)
    return None if shown is None else shown.text


def _table_of_links(reader: Reader, ids: Sequence[int]) -> Sheet:
    links = (link for chunk in _chunks(ids) for link in reader.link_records(chunk))
    return sheet_of_links(links, len(ids), is_exact=True)
