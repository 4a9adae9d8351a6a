"""The cells of exports in SQL: the value of each field, as in an exported file.

Numbers stay numbers, and enums become their words. Booleans are 1 or 0, unlike in files, and a hash
is, as there, a text of hexadecimal digits. Cells that only Python can make are made by functions of
ours: `CELL_FUNCTIONS`.
"""

from collections.abc import Callable
from enum import IntEnum
from typing import Any, Final, NamedTuple

from msgspec import convert

from gossamer.audit.rule_catalogue import name_key
from gossamer.export.export_columns import boolean_cell, value_cell
from gossamer.export.link_reports import REPORT_LINK_CELLS, ReportCell, as_stored
from gossamer.export.sheet import Cell
from gossamer.export.url_cells import MADE_CELLS
from gossamer.model.fields.field_declaration import DeclaredField, FieldKind
from gossamer.model.fields.link_record import LINK_EXPORTS, LINK_FIELDS
from gossamer.model.fields.url_record import URL_EXPORTS, URL_FIELDS
from gossamer.model.link_kinds import LinkKind
from gossamer.model.outcome_counts import REDIRECTS
from gossamer.store.bulk_insert import listed
from gossamer.store.field_sql import joins_of, read_sql, storage_of
from gossamer.store.reading.filter_conditions import FACET_SQL
from gossamer.store.reading.link_blocks import OF_TARGET
from gossamer.store.redirect_chains import CHAIN_JOINS


class CellFunction(NamedTuple):
    """A function of SQL that makes a cell of stored values: their number, and what it does."""

    arguments: int
    make: Callable[..., Cell]


CELL_FUNCTIONS: Final[dict[str, CellFunction]] = {}
"""By their names in the SQL of cells."""
CHAIN_CELL: Final = "chain_cell"
"""The function that returns a field of the end of the redirects of the URL with an id."""
_URLS: Final = {each.name: each for each in URL_FIELDS}
_LINKS: Final = {each.name: each for each in LINK_FIELDS}
_BY_HEADING: Final = {each.field.export: each for each in URL_EXPORTS}
_DIGITS: Final = 3
"""Of numbers that are derived from others."""
_HEX: Final = "nullif(lower(hex({})), '')"
_OF_KIND: Final = {
    FieldKind.DURATION: "({} / 1000.0)",
    # The second that has begun, as in exports: SQLite rounds to milliseconds first.
    FieldKind.MOMENT: "strftime('%Y-%m-%dT%H:%M:%SZ', CAST({} AS INTEGER), 'unixepoch')",
    FieldKind.POSITION: "({} + 1)",
    FieldKind.HASH: _HEX,
}


def url_cell(heading: str, *, of_report: bool) -> str:
    """The SQL of the cell of a URL under a heading; that of a report may be different."""
    if of_report and (made := MADE_CELLS.get(heading)):
        return made.sql.format(*(read_sql(_URLS[name]) for name in made.fields))
    each = _BY_HEADING.get(heading)
    return "NULL" if each is None else _field_cell(each)


def _field_cell(each: DeclaredField) -> str:
    sql = read_sql(each)
    if not sql:  # filters know some, such as the verdict; the others Python makes
        return FACET_SQL[each.name][0] if each.name in FACET_SQL else _made_cell(each)
    if joins_of(sql) & CHAIN_JOINS.keys():
        chain = f"{CHAIN_CELL}('{each.name}', u.id)"
        return f"CASE WHEN u.outcome IN ({listed(REDIRECTS)}) THEN {chain} END"
    if each.kind in _OF_KIND:
        return _OF_KIND[each.kind].format(sql)
    return _by_type(each, sql)


def _by_type(each: DeclaredField, sql: str) -> str:
    """The cell of a field whose type says how its value is written."""
    if each.type is bool:
        return f"(({sql}) <> 0)"
    if each.type is float and each.made:
        return f"round({sql}, {_DIGITS})"
    cell = value_cell(each) or _itself
    if isinstance(each.type, type) and issubclass(each.type, IntEnum):
        return _case(sql, each.type, cell)
    if storage_of(each).decode is not None:
        return _called(each.name, (each,), lambda value: None if value is None else cell(value))
    return sql


def link_cells() -> dict[str, str]:
    """The SQL of the cells of a link, by their headings."""
    return {each.field.export: _link_cell(each) for each in LINK_EXPORTS}


def _link_cell(each: DeclaredField) -> str:
    """Of what is made of others, a text is told by its SQL; a number is for filters and sorting."""
    if each.made:
        is_text = each.type is str and each.field.sql
        return f"coalesce({each.field.sql}, '')" if is_text else _made_cell(each, _LINKS)
    return _argument(each) if each.type is str else _field_cell(each)


def report_link_cells() -> dict[str, str]:
    """The SQL of the cells of a link in a report, by their headings."""
    return {heading: _report_cell(heading, each) for heading, each in REPORT_LINK_CELLS.items()}


def _report_cell(heading: str, each: ReportCell) -> str:
    sql = _any_kind(heading, each)
    if len(each.kinds) == len(LinkKind):
        return sql
    otherwise = _literal(_plain(each.otherwise))
    return f"CASE WHEN l.kind IN ({listed(each.kinds)}) THEN {sql} ELSE {otherwise} END"


def _any_kind(heading: str, each: ReportCell) -> str:
    fields = tuple(_field_of(name) for name in each.fields)
    if each.sql:
        return each.sql
    if each.make is as_stored:
        return _argument(fields[0])
    if len(fields) == 1 and issubclass(fields[0].type, IntEnum):
        return _case(read_sql(fields[0]), fields[0].type, each.make)
    return _called(f"report_{heading}", fields, each.make)


def _field_of(name: str) -> DeclaredField:
    if name.startswith(OF_TARGET):
        return _URLS[name.removeprefix(OF_TARGET)]
    return _LINKS[name]


def _made_cell(each: DeclaredField, known: dict[str, DeclaredField] = _URLS) -> str:
    """The cell of a field that Python derives from others."""
    made = each.made
    if made is None:
        return "NULL"
    cell = value_cell(each) or _itself

    def make(*values: Any) -> Cell:
        value = made.make(*values)
        return None if value is None else cell(value)

    prefix = "link_" if known is _LINKS else ""
    return _called(f"{prefix}{each.name}", tuple(known[name] for name in made.of), make)


def _called(name: str, fields: tuple[DeclaredField, ...], make: Callable[..., Cell]) -> str:
    """The call of a function of ours that makes a cell from fields."""
    function = f"cell_{name_key(name)}"
    decoders = [_decoder(each) for each in fields]

    def cell(*values: Any) -> Cell:
        decoded = [
            value if decode is None or value is None else decode(value)
            for decode, value in zip(decoders, values, strict=True)
        ]
        return _plain(make(*decoded))

    CELL_FUNCTIONS[function] = CellFunction(len(fields), cell)
    return f"{function}({', '.join(map(_argument, fields))})"


def _argument(each: DeclaredField) -> str:
    """The SQL of a field as in a record: a link that has no text has an empty one."""
    sql = read_sql(each)
    return f"coalesce({sql}, '')" if each in LINK_FIELDS and each.field.pooled else sql


def _decoder(each: DeclaredField) -> Callable[[Any], Any] | None:
    stored = storage_of(each).decode
    if stored is not None:
        return stored
    if isinstance(each.type, type) and issubclass(each.type, IntEnum):
        return lambda value: convert(value, each.type)
    return None


def _case(sql: str, members: type[IntEnum], make: Callable[[Any], Cell]) -> str:
    """The cell for each member of an enum, as far as SQLite itself can make it."""
    cases = " ".join(f"WHEN {int(each)} THEN {_literal(_plain(make(each)))}" for each in members)
    return f"CASE {sql} {cases} END"


def _plain(cell: Cell) -> Cell:
    """A boolean as a number."""
    words = {boolean_cell(holds=True): 1, boolean_cell(holds=False): 0}
    return words.get(cell, cell) if isinstance(cell, str) else cell


def _literal(cell: Cell) -> str:
    if cell is None:
        return "NULL"
    return str(cell) if isinstance(cell, int | float) else "'" + cell.replace("'", "''") + "'"


def _itself(value: Any) -> Any:  # noqa: ANN401 - of any field
    return value
