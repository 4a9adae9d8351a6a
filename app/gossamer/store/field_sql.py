"""Maps declared fields to columns and the SQL that reads them.

Aliases are `u` for a URL, `v` for its visit, `n` for its inlink counts, `a` for the results of the
site audit, `nd` and `dp` for the URLs they name, `r` for what rendering found out, `ch`, `fu` and
`fv` for the end of its redirects (see `chain_ends`), `l` for a link, `s` and `sv` for the URL and
visit that it is on; `visit_language` and the like for pooled texts.
"""

import re
from collections.abc import Callable, Container, Iterable, Mapping
from enum import IntEnum, StrEnum
from functools import cache, partial
from typing import Any, Final

from msgspec import Struct

from gossamer.model.fields.audit_fields import AuditFields
from gossamer.model.fields.field_declaration import DeclaredField, declared_fields
from gossamer.model.fields.link_record import LINK_FIELDS
from gossamer.model.fields.page_facts import PageFields
from gossamer.model.fields.page_load_fields import PageLoadFields
from gossamer.model.fields.url_record import URL_FIELDS
from gossamer.model.outcome_details import Detail, detail_of, detail_text
from gossamer.model.response_warnings import Warnings, codes, from_codes, known_codes
from gossamer.model.timestamps import LATEST_S
from gossamer.store.bulk_insert import listed
from gossamer.store.redirect_chains import CHAIN_JOINS


class Storage(Struct, frozen=True):
    """How the values of a type are stored.

    `check` is what holds for each value `{0}` that is not NULL. `encode` makes of a value what
    SQLite takes; `decode` is the reverse, as far as `msgspec.convert` does not do it, and raises
    ValueError; `salvage` likewise of a damaged file, None for what is no value.
    """

    sql_type: str
    check: str = ""
    pooled: bool = False
    encode: Callable[[Any], Any] | None = None
    decode: Callable[[Any], Any] | None = None
    salvage: Callable[[Any], Any] | None = None


def storage_of(each: DeclaredField) -> Storage:
    """How the values of a field are stored."""
    of_type = each.type
    if of_type is str and each.field.pooled:
        return Storage("INTEGER", pooled=True)
    if of_type in _STORAGES:
        return _STORAGES[of_type]
    if issubclass(of_type, StrEnum):
        salvage = partial(_member, of_type)
        return Storage("INTEGER", pooled=True, encode=str, salvage=salvage)
    if issubclass(of_type, IntEnum):
        check = f"{{0}} IN ({listed(of_type)})"
        return Storage("INTEGER", check, encode=int, salvage=partial(_member, of_type))
    return Storage("INTEGER", f"{{0}} BETWEEN 0 AND {each.field.most}")


def _flag(value: int | None) -> bool | None:
    if value not in {None, 0, 1}:
        raise ValueError(f"{value} is no flag")
    return None if value is None else bool(value)


def _member(of: Callable[[Any], Any], value: object) -> Any:  # noqa: ANN401 - of any enum
    try:
        return of(value)
    except ValueError:
        return None


_STORAGES: Final[dict[Any, Storage]] = {
    str: Storage("TEXT"),
    bytes: Storage("BLOB"),
    float: Storage("REAL", f"{{0}} BETWEEN 0 AND {LATEST_S}"),
    bool: Storage("INTEGER", "{0} IN (0, 1)", encode=int, decode=_flag, salvage=_flag),
    Detail: Storage("TEXT", encode=detail_text, decode=detail_of, salvage=detail_of),
    Warnings: Storage("INTEGER", pooled=True, encode=codes, decode=from_codes, salvage=known_codes),
}


class StoredColumn(Struct, frozen=True):
    """A column of `visit`, `link`, `url_audit` or `rendering` that a declared field fills."""

    table: str
    field: DeclaredField
    storage: Storage

    @property
    def name(self) -> str:
        """Its name."""
        return self.field.name

    @property
    def definition(self) -> str:
        """Itself in CREATE TABLE."""
        if self.storage.pooled:
            return f"{self.name} INTEGER REFERENCES text (id)"
        return f"{self.name} {self.storage.sql_type}{' NOT NULL' * self.field.field.always}"

    @property
    def text(self) -> str:
        """The alias of its pooled text."""
        return f"{self.table}_{self.name}"

    @property
    def sql(self) -> str:
        """What reads the value as it is stored."""
        if self.storage.pooled:
            return f"{self.text}.value"
        return f"{_ALIASES[self.table]}.{self.name}"

    @property
    def join(self) -> str:
        """What joins its pooled text."""
        column = f"{_ALIASES[self.table]}.{self.name}"
        return f" LEFT JOIN text {self.text} ON {self.text}.id = {column}"


_ALIASES: Final = {"visit": "v", "link": "l", "url_audit": "a", "rendering": "r"}


def _stored(table: str, fields: Iterable[DeclaredField]) -> tuple[StoredColumn, ...]:
    return tuple(StoredColumn(table, each, storage_of(each)) for each in fields if each.is_stored)


_OF_PAGES: Final = frozenset(PageFields.__struct_fields__)
AUDIT_COLUMNS: Final = _stored("url_audit", declared_fields(AuditFields))
RENDERING_COLUMNS: Final = _stored("rendering", declared_fields(PageLoadFields))
_ELSEWHERE: Final = {each.name for each in (*AUDIT_COLUMNS, *RENDERING_COLUMNS)}
# What most queries want stands first in a row.
VISIT_COLUMNS: Final = _stored(
    "visit",
    sorted(
        (each for each in URL_FIELDS if each.name not in _ELSEWHERE),
        key=lambda each: each.name in _OF_PAGES,
    ),
)
LINK_TEXTS: Final = _stored("link", LINK_FIELDS)
"""The columns of a link's texts, all of them pooled."""
_COLUMNS: Final = {
    each.name: each for each in (*LINK_TEXTS, *AUDIT_COLUMNS, *RENDERING_COLUMNS, *VISIT_COLUMNS)
}


def is_of_page(column: StoredColumn) -> bool:
    """Whether a column has a fact of a page; others have one of any response."""
    return column.name in _OF_PAGES


_VISIT_TEXTS: Final = {each.text: each.join for each in VISIT_COLUMNS if each.storage.pooled}
URL_JOINS: Final[dict[str, str]] = {
    "v": " LEFT JOIN visit v ON v.id = u.id",
    **_VISIT_TEXTS,
    "url_detail": " LEFT JOIN text url_detail ON url_detail.id = u.detail",
    "n": " LEFT JOIN inlink_count n ON n.id = u.id",
    "a": " LEFT JOIN url_audit a ON a.id = u.id",
    "nd": " LEFT JOIN url nd ON nd.id = a.near_duplicate_id",
    "dp": " LEFT JOIN url dp ON dp.id = a.duplicate_id",
    "r": " LEFT JOIN rendering r ON r.id = u.id",
    **CHAIN_JOINS,
}
"""What can be joined to a URL, in the order in which it has to be."""
LINK_JOINS: Final[dict[str, str]] = {
    "s": " CROSS JOIN url s ON s.id = l.source",
    "u": " CROSS JOIN url u ON u.id = l.target",
    **URL_JOINS,
    "v": " LEFT JOIN visit v ON v.id = l.target",
    "n": " LEFT JOIN inlink_count n ON n.id = l.target",
    "sv": " LEFT JOIN visit sv ON sv.id = l.source",
    **{each.text: each.join for each in LINK_TEXTS},
}
"""What can be joined to a link."""
_NEEDS: Final = {
    **dict.fromkeys(_VISIT_TEXTS, "v"),
    "fu": "ch",
    "fv": "ch",
    "ch": "u",
    "nd": "a",
    "dp": "a",
    "a": "u",
    "r": "u",
}


def joins_of(sql: str) -> frozenset[str]:
    """The aliases that an expression needs."""
    return with_needed(LINK_JOINS.keys() & set(re.findall(r"\b([a-z_]+)\.", sql)))


def with_needed(joins: Iterable[str]) -> frozenset[str]:
    """These joins, and those that they build on."""
    needed = set(joins)
    while more := {_NEEDS[name] for name in needed if name in _NEEDS} - needed:
        needed |= more
    return frozenset(needed)


@cache
def read_sql(each: DeclaredField) -> str:
    """What reads a field."""
    if each.field.sql or each.made:
        return each.field.sql
    return _COLUMNS[each.name].sql


def columns_sql(
    record: type[Struct],
    fields: Iterable[DeclaredField],
    known: Mapping[str, str],
    late: Container[str] = (),
) -> tuple[str, str]:
    """What is selected for a record, in the order of its fields, and the joins that takes.

    The joins are among those `known`; fields that need one of the `late` ones are NULL.
    """
    declared = {each.name: read_sql(each) for each in fields}
    selected = [declared[name] for name in record.__struct_fields__]
    needed = [joins_of(sql) for sql in selected]
    columns = [
        "NULL" if any(name in late for name in joins) else sql
        for sql, joins in zip(selected, needed, strict=True)
    ]
    wanted = frozenset[str]().union(*needed)
    while columns[-1] == "NULL":
        columns.pop()  # it is so by default
    return ", ".join(columns), "".join(
        sql for name, sql in known.items() if name in wanted and name not in late
    )
