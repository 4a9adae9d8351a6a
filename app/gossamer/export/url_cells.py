"""The cells of reports on URLs, by their headings: declared fields and derived values."""

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Final, NamedTuple, TypeAlias

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
    shown = tuple(shown_heading(each) for each, _ in columns)
    return Sheet(shown, rows, expected, counts=_COUNTS.intersection(shown))


def shown_heading(heading: str) -> str:
    """The heading of a column in a report."""
    return _OCCURRENCES if heading.endswith(f" {_OCCURRENCES}") else heading


class MadeCell(NamedTuple):
    """A cell derived from fields of a URL: their names, and the function; also in SQL."""

    fields: tuple[str, ...]
    make: Callable[..., Cell]
    sql: str

    def of(self, record: UrlRecord) -> Cell:
        """The cell of a record."""
        return self.make(*(getattr(record, name) for name in self.fields))


def _content_type(header: str | None, content_type: str | None) -> str | None:
    return header or content_type


def _cookies(names: str | None) -> int | None:
    return None if not names else len(names.split("; "))


def _itself(number: int | None) -> int | None:
    return number


def _or_zero(number: int | None) -> int:
    return number or 0


def _status(status: int | None, text: str | None, reason: str | None) -> str | None:
    return reason if status is None else text


def _as_number(flag: bool | None) -> int:  # noqa: FBT001 - the value of a field
    return int(flag or 0)


def _type_count(types: str | None) -> int:
    return len(types.split(_BETWEEN_TYPES)) if types else 0


def _type_at(place: int, types: str | None) -> str | None:
    return dict(enumerate((types or "").split(_BETWEEN_TYPES))).get(place) or None


_BETWEEN_TYPES: Final = ", "
TYPES: Final = tuple(f"Type-{number}" for number in range(1, 11))
"""The headings of the first types of structured data of a page."""
_TYPE_LIST: Final = "'[' || replace(json_quote(nullif({0}, '')), ', ', '\",\"') || ']'"
_COUNT_TYPES: Final = f"CASE WHEN {{0}} <> '' THEN json_array_length({_TYPE_LIST}) ELSE 0 END"
_TYPES: Final = ("structured_types",)
_COUNT_COOKIES: Final = (
    "CASE WHEN {0} <> '' THEN 1 + (length({0}) - length(replace({0}, '; ', ''))) / 2 END"
)
_OR_ZERO: Final = "coalesce({0}, 0)"
_NUMBER: Final = "coalesce(({0}) <> 0, 0)"
_FLAGS: Final = {
    "Errors": "validation_errors",
    "Warnings": "validation_warnings",
    "Rich Result Errors": "rich_result_errors",
    "Rich Result Warnings": "rich_result_warnings",
    "Rich Result Features": "rich_results",
}
"""Numbers for scripts: only whether a page has any is known, and then it is 1."""
MADE_CELLS: Final[dict[str, MadeCell]] = {
    "Content Type": MadeCell(
        ("content_type_header", "content_type"), _content_type, "coalesce(nullif({0}, ''), {1})"
    ),
    "Status Code": MadeCell(("status",), _or_zero, _OR_ZERO),
    "Status": MadeCell(
        ("status", "status_text", "indexability_status"),
        _status,
        "CASE WHEN {0} IS NULL THEN {2} ELSE {1} END",
    ),
    "Cookies": MadeCell(("cookies",), _cookies, _COUNT_COOKIES),
    "Title 1 Pixel Width": MadeCell(("title_pixels",), _or_zero, _OR_ZERO),
    "Meta Description 1 Pixel Width": MadeCell(("description_pixels",), _or_zero, _OR_ZERO),
    **{heading: MadeCell((name,), _as_number, _NUMBER) for heading, name in _FLAGS.items()},
    "Total Types": MadeCell(("structured_type_count",), _or_zero, _OR_ZERO),
    "Unique Types": MadeCell(_TYPES, _type_count, _COUNT_TYPES),
    **{
        heading: MadeCell(
            _TYPES, partial(_type_at, place), f"json_extract({_TYPE_LIST}, '$[{place}]')"
        )
        for place, heading in enumerate(TYPES)
    },
    "Outlinks": MadeCell(("internal_outlinks",), _itself, "{0}"),
    "Unique JS Inlinks": MadeCell(("unique_js_inlinks",), _or_zero, _OR_ZERO),
    "Unique JS Outlinks": MadeCell(("unique_js_outlinks",), _or_zero, _OR_ZERO),
    "Unique External JS Outlinks": MadeCell(("unique_external_js_outlinks",), _or_zero, _OR_ZERO),
}
"""Cells that no field declares, and those that differ in reports from the view of pages."""
_COUNTS: Final = frozenset(MADE_CELLS) - {"Content Type", "Status", *TYPES}
"""Those of them that are numbers."""
CELLS: Final[dict[str, UrlCell]] = {
    **{each.field.export: cell_of(each) for each in URL_EXPORTS},
    **{heading: made.of for heading, made in MADE_CELLS.items()},
}
"""The function for the cell under each heading; headings that are not here have empty cells."""
