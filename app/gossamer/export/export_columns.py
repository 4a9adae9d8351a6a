"""Builds the columns of exported files from the declared fields."""

from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime
from operator import attrgetter
from typing import Any, Final

from gossamer.export.sheet import Cell, Row
from gossamer.model.fields.derived_rendering_fields import RenderingColumns
from gossamer.model.fields.field_declaration import DeclaredField, FieldKind, declared_fields
from gossamer.model.fields.link_record import LINK_COLUMNS, LINK_EXPORTS, LinkRecord
from gossamer.model.fields.page_load_fields import PageLoadFields
from gossamer.model.fields.url_record import URL_COLUMNS, URL_EXPORTS, UrlRecord
from gossamer.model.link_kinds import LinkAction, LinkKind
from gossamer.model.outcome import Outcome
from gossamer.model.outcome_details import Detail
from gossamer.model.response_warnings import Warnings

LINK_ACTIONS: Final = {
    LinkAction.FOLLOW: "followed",
    LinkAction.CHECK: "checked",
    LinkAction.RECORD: "recorded",
    LinkAction.NOFOLLOW: "not followed: nofollow",
}


def moment(value: float) -> str:
    """A moment in the format of exports: ISO 8601, in UTC."""
    return datetime.fromtimestamp(value, UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


def boolean_cell(holds: object) -> str:
    """A boolean in the format of exports."""
    return "true" if holds else "false"


_BY_KIND: Final[dict[FieldKind, Callable[[Any], Cell]]] = {
    FieldKind.DURATION: lambda milliseconds: milliseconds / 1000,
    FieldKind.MOMENT: moment,
    FieldKind.POSITION: lambda position: position + 1,
    FieldKind.HASH: bytes.hex,
}
_BY_TYPE: Final[dict[Any, Callable[[Any], Cell]]] = {
    Outcome: lambda outcome: outcome.sentence,
    Detail: str,
    Warnings: lambda warnings: "; ".join(warning.label for warning in warnings),
    LinkKind: lambda kind: kind.declaration.export_name,
    LinkAction: LINK_ACTIONS.__getitem__,
    bool: boolean_cell,
}


def value_cell(each: DeclaredField) -> Callable[[Any], Cell] | None:
    """The function that makes a cell of a value other than None; None if the value is one."""
    if each.kind is FieldKind.NAMED and each.type not in _BY_TYPE:
        return attrgetter("value")
    return _BY_KIND.get(each.kind) or _BY_TYPE.get(each.type)


def cell_of(each: DeclaredField) -> Callable[[Any], Cell]:
    """The function that makes the cell of a field from a record."""
    read, cell = each.of, value_cell(each)
    if cell is None:
        return read
    return lambda record: None if (value := read(record)) is None else cell(value)


_OF_RENDERING: Final = {
    each.name for fields in (PageLoadFields, RenderingColumns) for each in declared_fields(fields)
}
_ALWAYS: Final = [each for each in URL_EXPORTS if each.name not in _OF_RENDERING]
_RENDERED: Final = [each for each in URL_EXPORTS if each.name in _OF_RENDERING]
_EXPORTED: Final = (*_ALWAYS, *_RENDERED)
_NOT_RENDERED: Final = [None] * len(_RENDERED)
_values, _rendered_values = (
    attrgetter(*(each.name for each in fields)) for fields in (_ALWAYS, _RENDERED)
)
_URL_CELLS: Final = [
    (place, cell) for place, each in enumerate(_EXPORTED) if (cell := value_cell(each)) is not None
]
URL_HEADINGS: Final = tuple(each.field.export for each in _EXPORTED)
"""Sizes are in bytes, the response time is in seconds, dates are ISO 8601 in UTC."""


def url_rows(records: Iterable[UrlRecord]) -> Iterator[Row]:
    """A row for each URL, under URL_HEADINGS."""
    for record in records:
        row = [*_values(record)]
        row += _NOT_RENDERED if record.render_outcome is None else _rendered_values(record)
        for place, cell in _URL_CELLS:
            if row[place] is not None:
                row[place] = cell(row[place])
        yield tuple(row)


def _cell_of_link(each: DeclaredField) -> tuple[tuple[str, ...], Callable[..., Cell]]:
    """The fields of a link that an exported column is made from, and how."""
    cell = value_cell(each)
    if each.made is not None:
        return each.made.of, each.made.make
    if cell is None:
        return (each.name,), _itself
    return (each.name,), lambda value: None if value is None else cell(value)


def _itself(value: Cell) -> Cell:
    return value


LINK_HEADINGS: Final = tuple(each.field.export for each in LINK_EXPORTS)
"""Status code and outcome are the destination's. The position counts from 1 in the source."""
LINK_CELLS: Final = tuple(map(_cell_of_link, LINK_EXPORTS))


def link_rows(links: Iterable[LinkRecord]) -> Iterator[Row]:
    """A row for each link, under LINK_HEADINGS."""
    cells = [(attrgetter(*names), len(names) == 1, cell) for names, cell in LINK_CELLS]
    return (
        tuple([cell(get(link)) if is_one else cell(*get(link)) for get, is_one, cell in cells])
        for link in links
    )


COLUMN_HEADINGS: Final = {
    each.column: each.field.export for each in (*URL_COLUMNS, *LINK_COLUMNS) if each.field.export
}
"""The headings of the columns of tables."""
MOMENTS: Final = frozenset(
    each.field.export
    for each in (*URL_EXPORTS, *LINK_EXPORTS)
    if each.kind in {FieldKind.MOMENT, FieldKind.DATE}
) | {"Valid From", "Valid Until", "Seen At", "Ignored At", "Date"}
"""The headings of columns with a date and time, those of reports without declared fields too."""
BOOLEANS: Final = frozenset(
    each.field.export for each in (*URL_EXPORTS, *LINK_EXPORTS) if each.type is bool
)
"""The headings of boolean columns."""
_FRACTIONS: Final = frozenset({FieldKind.DECIMAL, FieldKind.PERCENT})


def _number_type(each: DeclaredField) -> type[int | float] | None:
    """The number type of a field's cells; None for others."""
    if each.kind is FieldKind.DURATION or (each.type is float and each.kind in _FRACTIONS):
        return float
    return int if each.type is int and each.kind is not FieldKind.MOMENT else None


_COUNTED: Final = (
    *("URLs", "Pages", "Count", "Nodes", "Line", "Occurrences", "Size (Bytes)"),
    *("Hreflang Inlinks", "IMG Inlinks"),
)
"""The headings of numbers that reports have and no field declares."""
NUMBER_TYPES: Final[dict[str, type[int | float | str]]] = {
    **dict.fromkeys(_COUNTED, int),
    **{
        each.field.export: found
        for each in (*URL_EXPORTS, *LINK_EXPORTS)
        if (found := _number_type(each))
    },
}
"""The number type under each heading that has numbers."""
