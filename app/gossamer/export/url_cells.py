"""The cells of reports on URLs, by their headings: declared fields, and what is made of them."""

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Final, TypeAlias

from gossamer.export.export_columns import cell_of
from gossamer.export.sheet import Cell, Sheet
from gossamer.model.fields.url_record import URL_EXPORTS, UrlRecord

_OCCURRENCES: Final = "Occurrences"
UrlCell: TypeAlias = Callable[[UrlRecord], Cell]


def url_sheet(
    records: Iterable[UrlRecord],
    headings: Sequence[str],
    expected: int,
    custom: Iterable[tuple[str, UrlCell]] = (),
    after: str = "",
) -> Sheet:
    """A row for each URL with the columns under these headings.

    Those that are `custom` follow `after`, or come last. How often an element occurs is under
    "Occurrences", without the element's name.
    """
    columns = [(heading, CELLS.get(heading)) for heading in headings]
    place = headings.index(after) + 1 if after else len(columns)
    columns[place:place] = custom
    cells = [cell for _, cell in columns]
    rows = (tuple([cell and cell(record) for cell in cells]) for record in records)
    shown = [_OCCURRENCES if each.endswith(f" {_OCCURRENCES}") else each for each, _ in columns]
    return Sheet(tuple(shown), rows, expected)


def _cookies(record: UrlRecord) -> int | None:
    return None if not record.cookies else len(record.cookies.split("; "))


def _pixels(name: str, record: UrlRecord) -> int:
    pixels: int | None = getattr(record, name)
    return pixels or 0


_MADE: Final[dict[str, UrlCell]] = {
    "Content Type": lambda record: record.content_type_header or record.content_type,
    "Cookies": _cookies,
    "Title 1 Pixel Width": partial(_pixels, "title_pixels"),
    "Meta Description 1 Pixel Width": partial(_pixels, "description_pixels"),
    "Outlinks": lambda record: record.internal_outlinks,
    "Unique JS Inlinks": lambda record: record.unique_js_inlinks or 0,
    "Unique JS Outlinks": lambda record: record.unique_js_outlinks or 0,
    "Unique External JS Outlinks": lambda record: record.unique_external_js_outlinks or 0,
}
"""Cells that no field declares, and those that reports have otherwise than the view of pages."""
CELLS: Final[dict[str, UrlCell]] = {
    **{each.field.export: cell_of(each) for each in URL_EXPORTS},
    **_MADE,
}
"""What makes the cell under each heading; headings that are not here have empty cells."""
