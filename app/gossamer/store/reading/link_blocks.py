"""Reads all links of a project in large blocks.

To join both ends and four texts to each of twenty million links takes longer than all else that an
export does: so each URL and each text is read once, and the cells made of it are kept for the next.
"""

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from functools import cache, lru_cache, partial
from itertools import chain, compress
from typing import Any, Final, NamedTuple, TypeAlias, get_type_hints

from msgspec import Struct, convert, defstruct, structs

from gossamer.model.fields.field_declaration import DeclaredField
from gossamer.model.fields.link_record import LINK_FIELDS, LinkRecord
from gossamer.model.fields.url_record import URL_FIELDS, UrlRecord
from gossamer.store.bulk_insert import chunks, marks
from gossamer.store.field_sql import LINK_TEXTS, URL_JOINS, joins_of, read_sql

LinkField: TypeAlias = tuple[str, Callable[[Any], Any]]
"""The name of a field of `LinkRecord`, and the function that makes a cell of its value.

After `OF_TARGET`, that of a field of `UrlRecord`: of the target.
"""
LinkBlock: TypeAlias = Sequence[Sequence[Any]]
"""Links that follow each other, as columns: one for each field that was asked for."""

OF_TARGET: Final = "target."
_AT_ONCE: Final = 2000
_REPEATED: Final = frozenset({"target_outcome", "target_status"})
"""Fields that have the same few values under different keys."""
_FEW: Final = lru_cache(1000, typed=True)
_CHARACTERS: Final = 128
"""How many the cells of a key may have, on the average of the keys that are kept."""
_STORED: Final = (
    *("source", "position", "target", "kind", "action", "traits"),
    *(each.name for each in LINK_TEXTS),
)
_LINKS: Final = f"""
    SELECT {", ".join(_STORED)} FROM link
    WHERE (source, position) > (?, ?) ORDER BY source, position LIMIT ?
"""  # noqa: S608 - our own words

_Row: TypeAlias = tuple[Any, ...]
_Find: TypeAlias = Callable[[sqlite3.Connection, set[Any]], dict[Any, _Row]]
"""The fields of each of some keys; without those that are not there."""


class _Column(Struct, frozen=True):
    """A column of `link`: the values of its keys, how to find them, and how many to cache."""

    fields: tuple[str, ...]
    find: _Find
    most: int = 50_000


def link_blocks(
    connection: sqlite3.Connection,
    reading: Callable[[], AbstractContextManager[None]],
    fields: Sequence[LinkField],
) -> Iterator[LinkBlock]:
    """These fields of all links, by source and position; `reading` is entered for each block.

    The function of a field is called once for a value, or once in a long while. Left out are links
    whose source or target is not there, as may be in a damaged file. Inside `reading`, ValueError
    is raised for what is no number that we write.
    """
    of_targets = sorted({name for name, _ in fields if name.startswith(OF_TARGET)})
    columns = [_KeyTexts(column, fields) for column in _link_columns(tuple(of_targets))]
    after = (0, -1)
    while True:
        with reading():
            rows = connection.execute(_LINKS, (*after, _AT_ONCE))
            keys = _columns(rows, len(_STORED))
            if not keys[0]:
                return
            for column, of in zip(columns, keys, strict=True):
                column.look(connection, of)
        after = (keys[0][-1], keys[1][-1])
        keys = _there(columns, keys)
        if keys[0]:
            block: list[Sequence[Any]] = [()] * len(fields)
            for column, of in zip(columns, keys, strict=True):
                column.tell(of, block)
            yield block


def each_link(
    connection: sqlite3.Connection, reading: Callable[[], AbstractContextManager[None]]
) -> Iterator[LinkRecord]:
    """The same, one by one."""
    fields = [(name, _itself) for name in LinkRecord.__struct_fields__]
    for block in link_blocks(connection, reading, fields):
        yield from map(LinkRecord, *block)


def _itself(value: object) -> object:
    return value


def _there(columns: "list[_KeyTexts]", keys: list[list[Any]]) -> list[list[Any]]:
    """These links without those that have a key of which nothing was found."""
    for place, column in enumerate(columns):
        if column.lost:
            known = [key not in column.lost for key in keys[place]]
            keys = [list(compress(each, known)) for each in keys]
    return keys


def _columns(rows: Iterable[_Row], width: int) -> list[list[Any]]:
    """Rows as columns; no row is kept, for the collector of garbage to look at each again."""
    cells = list(chain.from_iterable(rows))
    return [cells[place::width] for place in range(width)]


def _is_repeated(name: str) -> bool:
    return name in _REPEATED or name.startswith(OF_TARGET)


class _KeyTexts:
    """A cache of the values of a column's keys, as long as there is room."""

    def __init__(self, column: _Column, fields: Sequence[LinkField]) -> None:
        self.lost: frozenset[Any] = frozenset()
        """Those of the keys looked for last of which nothing was found."""
        self._column = column
        self._wanted = [
            (place, column.fields.index(name), _FEW(tell) if _is_repeated(name) else tell)
            for place, (name, tell) in enumerate(fields)
            if name in column.fields
        ]
        self._cells: dict[Any, Any] = {}
        self._characters = 0
        self._found: dict[Any, _Row] = {}

    def look(self, connection: sqlite3.Connection, keys: Sequence[Any]) -> None:
        """Find those of these keys that are not known."""
        most = self._column.most
        if len(self._cells) > most or self._characters > most * _CHARACTERS:
            self._cells, self._characters = {}, 0
        asked = set(keys).difference(self._cells)
        self._found = self._column.find(connection, asked) if asked else {}
        self.lost = frozenset(asked.difference(self._found))

    def tell(self, keys: Sequence[Any], block: list[Sequence[Any]]) -> None:
        """Put the cells of these keys, which were looked for, into their places of a block."""
        for key, values in self._found.items():
            cells = [tell(values[place]) for _, place, tell in self._wanted]
            self._cells[key] = tuple(cells) if len(cells) != 1 else cells[0]
            self._characters += sum([len(each) for each in cells if isinstance(each, str | bytes)])
        wanted = map(self._cells.__getitem__, keys)
        columns = _columns(wanted, len(self._wanted)) if len(self._wanted) != 1 else [list(wanted)]
        for (place, _, _), column in zip(self._wanted, columns, strict=True):
            block[place] = column


class _Text(Struct, frozen=True, array_like=True):
    key: int
    value: str


def _by_id(query: str, checked: Callable[[_Row], Struct]) -> _Find:
    """Finds what a query gives beside the id."""

    def find(connection: sqlite3.Connection, ids: set[Any]) -> dict[Any, _Row]:
        found: dict[Any, _Row] = {}
        for chunk in chunks(sorted(ids)):
            rows = connection.execute(f"{query} IN ({marks(len(chunk))})", chunk)
            for row in rows:
                key, *values = structs.astuple(checked(row))
                found[key] = tuple(values)
        return found

    return find


_FIND_TEXTS: Final = _by_id("SELECT id, value FROM text WHERE id", partial(convert, type=_Text))


def _texts(connection: sqlite3.Connection, ids: set[Any]) -> dict[Any, _Row]:
    """The texts with these ids; "" for one that is not there, or that a link does not have."""
    return dict.fromkeys(ids, ("",)) | _FIND_TEXTS(connection, ids - {None})


def _numbers(meaning: Callable[[int], object]) -> _Find:
    return lambda _, numbers: {number: (meaning(number),) for number in numbers}


_SOURCE_JOINS: Final = {"sv": " LEFT JOIN visit sv ON sv.id = s.id"}


class _EndField(NamedTuple):
    """A field of the URLs at one end of links: its SQL and its name."""

    name: str
    sql: str
    hint: Any


def _find_ends(alias: str, joins: Mapping[str, str], fields: Sequence[_EndField]) -> _Find:
    """Finds what is read of the URLs at one end of links; SQLite keeps any value in any column."""
    selected = [f"{alias}.id", *(each.sql for each in fields)]
    needed = frozenset[str]().union(*map(joins_of, selected))
    joined = "".join(sql for name, sql in joins.items() if name in needed)
    columns = [(f"field_{place}", each.hint) for place, each in enumerate(fields)]
    row = defstruct("Row", [("key", int), *columns], array_like=True)
    return _by_id(
        f"SELECT {', '.join(selected)} FROM url {alias}{joined} WHERE {alias}.id",  # noqa: S608 - our own words
        partial(convert, type=row),
    )


def _end_fields(alias: str, fields: Iterable[DeclaredField]) -> list[_EndField]:
    hints = get_type_hints(LinkRecord)
    return [
        _EndField(
            each.name,
            f"{alias}.id" if each.field.sql in _ENDS else each.field.sql,
            hints[each.name],
        )
        for each in fields
    ]


def _target_fields(names: Iterable[str]) -> list[_EndField]:
    """Fields of `UrlRecord`, named after OF_TARGET."""
    hints = get_type_hints(UrlRecord)
    declared = {each.name: each for each in URL_FIELDS}
    found = [(name, declared[name.removeprefix(OF_TARGET)]) for name in names]
    return [_EndField(name, read_sql(each), hints[each.name]) for name, each in found]


_ENDS: Final = frozenset({"l.source", "l.target"})


def _key_of(each: DeclaredField) -> str:
    """The column of `link` that a field of a link is found by."""
    if each.is_stored:
        return each.name
    if each.field.sql.startswith("l."):
        return each.field.sql.removeprefix("l.")
    return "source" if joins_of(each.field.sql) <= {"s", "sv"} else "target"


def _column(key: str, of_targets: Sequence[str]) -> _Column:
    fields = [each for each in LINK_FIELDS if each.made is None and _key_of(each) == key]
    if key == "source":  # links come by their source: it does not come again
        return _end_column(_end_fields("s", fields), "s", _SOURCE_JOINS, most=0)
    if key == "target":  # of a site of as many URLs, all are kept
        ends = [*_end_fields("u", fields), *_target_fields(of_targets)]
        return _end_column(ends, "u", URL_JOINS, most=250_000)
    names = tuple(each.name for each in fields)
    (declared,) = fields
    return _Column(names, _texts if declared.is_stored else _numbers(declared.type))


def _end_column(
    fields: Sequence[_EndField], alias: str, joins: Mapping[str, str], most: int
) -> _Column:
    names = tuple(each.name for each in fields)
    return _Column(names, _find_ends(alias, joins, fields), most)


@cache
def _link_columns(of_targets: tuple[str, ...]) -> tuple[_Column, ...]:
    """Those of `_STORED`. Few programs read all links: they are made when they are needed."""
    return tuple(_column(key, of_targets) for key in _STORED)
