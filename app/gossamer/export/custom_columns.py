"""The columns and views of custom searches and extractions."""

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import Final, NamedTuple

from gossamer.export.export_columns import url_rows
from gossamer.export.export_selection import Check, ExportSelection, ExportView
from gossamer.export.sheet import Cell, Row, Sheet, free_headings
from gossamer.export.url_cells import UrlCell, url_sheet
from gossamer.export.url_reports import (
    INTERNAL,
    INTERNAL_ALL_HEADINGS,
    ReportUrls,
    SelectRecords,
    internal_pages,
)
from gossamer.export.url_views import size_of
from gossamer.export.view_rows import ViewUrls
from gossamer.model.custom_definitions import (
    FAILURE_NAMES,
    CustomDefinition,
    CustomExtraction,
    CustomResult,
    CustomSearch,
)
from gossamer.model.fields.url_record import UrlRecord
from gossamer.model.project_queries import View
from gossamer.model.series_contents import NoteSubject
from gossamer.model.translatable import Sentence
from gossamer.store.reading.reader import Reader

JOINED_BY: Final = " | "
"""Separates the values of an extraction in a single cell."""
_CUSTOM_AFTER: Final = "HTTP Version"
_ADDED: Final = ("Since Last Crawl", "Unchanged Since", "Segments", "Notes")
"""Columns that not every project has."""
_FACTS: Final = (
    *("Address", "Content Type", "Status Code", "Status", "Indexability"),
    "Indexability Status",
)


class CustomColumn(NamedTuple):
    """A column that is not declared: its heading, and the function for its cells."""

    heading: str
    cell: UrlCell


def custom_columns(
    reader: Reader, definitions: Iterable[CustomDefinition], taken: Sequence[str] = ()
) -> list[CustomColumn]:
    """A column for each search, and one for each value of each extraction: "NAME 1", "NAME 2".

    A heading that is `taken` gets a number in parentheses.
    """
    most = reader.most_custom_values()
    names: list[str] = []
    cells: list[UrlCell] = []
    for each in definitions:
        count = most.get(each.number, 1) if isinstance(each, CustomExtraction) else 1
        for place in range(count):
            names.append(
                f"{each.name} {place + 1}" if isinstance(each, CustomExtraction) else each.name
            )
            cells.append(partial(_value, each.number, place))
    return list(map(CustomColumn, free_headings(names, taken), cells))


def joined_cell(number: int, record: UrlRecord) -> Cell:
    """All values of a definition in one cell."""
    result = _result(number, record)
    if result is None:
        return None
    if result.failure is not None:
        return FAILURE_NAMES[result.failure]
    if len(result.values) == 1:
        return result.values[0]
    return JOINED_BY.join(map(str, result.values)) or None


def rows_with(records: Iterable[UrlRecord], cells: Sequence[UrlCell]) -> Iterator[Row]:
    """The rows of `url_rows`, each with these cells at its end."""
    for record in records:
        (row,) = url_rows([record])
        yield (*row, *(cell(record) for cell in cells))


def _value(number: int, place: int, record: UrlRecord) -> Cell:
    result = _result(number, record)
    if result is None:
        return None
    if result.failure is not None:
        return None if place else FAILURE_NAMES[result.failure]
    return result.values[place] if place < len(result.values) else None


def _result(number: int, record: UrlRecord) -> CustomResult | None:
    return None if record.custom is None else record.custom.results.get(number)


def _sheet(
    kind: type[CustomSearch] | type[CustomExtraction],
    reader: Reader,
    selection: ExportSelection,
    check: Check,
) -> Sheet:
    wanted = [each for each in reader.summary().settings.definitions if isinstance(each, kind)]
    found = internal_pages(reader, selection.filter_, check)
    columns = custom_columns(reader, wanted, _FACTS)
    return url_sheet(found, _FACTS, size_of(reader, View.PAGES), columns)


def internal_view(name: str, label: Sentence, urls: ReportUrls) -> ExportView:
    """The internal URLs among these with all that is known of them."""
    build = partial(_internal, urls.select)
    rows = ViewUrls(urls.condition, (*INTERNAL_ALL_HEADINGS, *_ADDED))
    return ExportView(name, label, build, has_facets=True, needs_audit=True, rows=rows)


def _internal(
    records: SelectRecords, reader: Reader, selection: ExportSelection, check: Check
) -> Sheet:
    summary = reader.summary()
    settings, is_recrawl = summary.settings, summary.previous is not None
    found = records(reader, selection.filter_, check)
    noted = any(note.subject is NoteSubject.URL for note in reader.notes())
    added = zip(_ADDED, (is_recrawl, is_recrawl, bool(settings.segments), noted), strict=True)
    headings = (*INTERNAL_ALL_HEADINGS, *(name for name, is_there in added if is_there))
    custom = custom_columns(reader, settings.definitions, headings) if settings.definitions else ()
    return url_sheet(found, headings, size_of(reader, View.ALL), custom, _CUSTOM_AFTER)


INTERNAL_ALL: Final = internal_view("internal_all", "All internal URLs", INTERNAL)
CUSTOM_SEARCH: Final = ExportView(
    "custom_search", "Custom search", partial(_sheet, CustomSearch), has_facets=True
)
CUSTOM_EXTRACTION: Final = ExportView(
    "custom_extraction", "Custom extraction", partial(_sheet, CustomExtraction), has_facets=True
)
