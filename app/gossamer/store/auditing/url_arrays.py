"""Reads the URL data of the site audit: an array of numbers for each property."""

import sqlite3
from collections.abc import Callable, Collection
from contextlib import AbstractContextManager
from functools import cached_property
from typing import Final

import numpy as np

from gossamer.model.fields.indexability import Indexability, indexability_sql
from gossamer.model.outcome import Outcome
from gossamer.model.outcome_counts import REDIRECTS, TRUNCATED
from gossamer.store.auditing.number_arrays import Flags, Numbers
from gossamer.store.database import MalformedContentError
from gossamer.store.reading.filter_conditions import EXTERNAL

MOST_IDS: Final = 2**31
"""Ids are below this. A crawl gives them without gaps."""
_GAPS: Final = 1_000_000
_ROWS: Final = 50_000

_NUMBERS: Final = {each: number for number, each in enumerate(Indexability)}
_INDEXABILITY: Final = (
    f"CASE {indexability_sql()}"
    + "".join(f" WHEN '{each.value}' THEN {number}" for each, number in _NUMBERS.items())
    + " END"
)
_TRUNCATED: Final = " OR ".join(
    f"instr(' ' || value || ' ', ' {warning.value} ')" for warning in sorted(TRUNCATED)
)


def _has_type(*patterns: str) -> str:
    """SQL: whether the content type is like one of these patterns."""
    like = " OR ".join(f"t.value LIKE '{pattern}'" for pattern in patterns)
    types = f"SELECT t.id FROM type_count c JOIN text t ON t.id = c.content_type WHERE {like}"  # noqa: S608 - our own words
    return f"coalesce(v.content_type IN ({types}), 0)"


class UrlArray:
    """A number or flag of each URL, read when it is first needed."""

    def __init__(self, dtype: str, sql: str, missing: int = 0) -> None:
        """`sql` tells it of the URL `u` with the visit `v`; ids without a URL have `missing`."""
        self.dtype = dtype
        self.sql = sql
        self.missing = missing

    def __set_name__(self, owner: type["UrlArrays"], name: str) -> None:
        self._name = name

    def __get__(self, urls: "UrlArrays", owner: type["UrlArrays"] | None = None) -> Numbers:
        """The column, which `read` puts where Python looks first."""
        urls.read((self._name,))
        column: Numbers = vars(urls)[self._name]
        return column


class UrlArrays:
    """The data of URLs; ids are the indexes in each column, which begin with an unused 0."""

    outcome = UrlArray("u1", "u.outcome")
    depth = UrlArray("i4", "u.depth", missing=-1)
    listed = UrlArray("u1", "u.listed")
    is_root = UrlArray("?", "u.parent IS NULL AND u.depth = 0")
    is_web = UrlArray(
        "?",
        "(u.url LIKE 'http://%' OR u.url LIKE 'https://%')"
        f" AND u.outcome <> {int(Outcome.MALFORMED_URL)}",
    )
    is_plain_http = UrlArray("?", "u.url LIKE 'http://%'")
    is_external = UrlArray("?", EXTERNAL)
    status = UrlArray("i2", "coalesce(v.status, 0)")
    """0 without a usable response."""
    redirect_kind = UrlArray("u1", "coalesce(v.redirect_kind, 0)")
    size_bytes = UrlArray("i8", "coalesce(v.size_bytes, 0)")
    markup = UrlArray("i8", "coalesce(v.markup, 0)")
    directives = UrlArray("i4", "coalesce(v.directives, 0)")
    content = UrlArray("i8", "coalesce(v.content, 0)")
    is_truncated = UrlArray(
        "?",
        f"""
        coalesce(v.warnings IN (
            SELECT id FROM text WHERE id IN (SELECT warnings FROM visit WHERE warnings IS NOT NULL)
            AND ({_TRUNCATED})
        ), 0)
        """,  # noqa: S608 - our own words
    )
    """Not read to its end."""
    has_facts = UrlArray("?", "v.word_count IS NOT NULL")
    indexability = UrlArray("u1", _INDEXABILITY)
    is_image_type = UrlArray("?", _has_type("image/%"))
    is_script_type = UrlArray("?", _has_type("%/javascript", "%/x-javascript", "%/ecmascript"))
    is_style_type = UrlArray("?", _has_type("text/css"))
    names_no_type = UrlArray(
        "?",
        """
        v.word_count IS NULL AND coalesce(v.status = 200, 0) AND coalesce(
            v.content_type_header NOT IN (
                SELECT id FROM text WHERE names_type(value)
                AND id IN (SELECT content_type_header FROM visit)
            ), 1)
        """,
    )
    """Files without a Content-Type header that names a type, whatever they were taken for."""

    def __init__(self, reading: Callable[[], AbstractContextManager[sqlite3.Connection]]) -> None:
        """`reading` opens a connection that has the functions of `SqlFunctions`.

        MalformedContentError if ids are not those that a crawl gives.
        """
        self._reading = reading
        with reading() as connection:
            found = connection.execute("SELECT coalesce(max(id), 0), count(*) FROM url").fetchone()
        last, count = found
        if not 0 <= last < min(MOST_IDS, 10 * count + _GAPS):
            raise MalformedContentError("ids of URLs that no crawl gives")
        self._length = int(last) + 1

    def read(self, names: Collection[str]) -> None:
        """Read these columns at once, which takes less time than one by one.

        URLs that are found later stay unknown.
        """
        missing = [name for name in names if name not in vars(self)]
        if not missing:
            return
        columns = [_COLUMNS[name] for name in missing]
        arrays = [np.full(self._length, each.missing, each.dtype) for each in columns]
        selected = ", ".join(("u.id", *(each.sql for each in columns)))
        with self._reading() as connection:
            rows = connection.execute(
                f"SELECT {selected} FROM url u LEFT JOIN visit v ON v.id = u.id"  # noqa: S608 - our own words
                " WHERE u.id < ? ORDER BY u.id",
                (self._length,),
            )
            while part := rows.fetchmany(_ROWS):
                ids, *values = zip(*part, strict=True)
                places = np.array(ids)
                for array, value in zip(arrays, values, strict=True):
                    array[places] = value
        vars(self).update(zip(missing, arrays, strict=True))

    def __len__(self) -> int:
        return self._length

    def has_outcome(self, outcomes: Collection[Outcome]) -> Flags:
        """Which URLs have one of these outcomes."""
        return _table_of(outcomes)[self.outcome] & self.is_known

    @cached_property
    def is_known(self) -> Flags:
        """Which ids are those of URLs."""
        flags: Flags = self.depth >= 0
        return flags

    @cached_property
    def is_internal(self) -> Flags:
        """Web addresses in the scope of the crawl."""
        flags: Flags = self.is_web & ~self.is_external
        return flags

    @cached_property
    def is_html(self) -> Flags:
        """Internal pages that were read."""
        flags: Flags = self.is_internal & self.has_facts & (self.status // 100 == 2)  # noqa: PLR2004 - a class of statuses
        return flags

    @cached_property
    def is_indexable(self) -> Flags:
        """Those of them that search engines may list."""
        return self.is_html & self.has_indexability(Indexability.INDEXABLE)

    @property
    def is_whole(self) -> Flags:
        """Those that did not break off: of others, nobody knows what they lack."""
        return ~self.has_outcome({Outcome.PAGE_INCOMPLETE})

    def has_indexability(self, *reasons: Indexability) -> Flags:
        """Which URLs search engines may list, or may not for one of these reasons."""
        return np.isin(self.indexability, [_NUMBERS[each] for each in reasons])

    @cached_property
    def is_asked(self) -> Flags:
        """What was asked, and what robots.txt forbids to ask."""
        return ~self.has_indexability(Indexability.UNKNOWN)

    @cached_property
    def is_redirect(self) -> Flags:
        """What leads visitors on at once."""
        return self.has_outcome(REDIRECTS)


def _table_of(outcomes: Collection[Outcome]) -> Flags:
    table = np.zeros(256, np.bool_)
    table[[int(outcome) for outcome in outcomes]] = True
    return table


_COLUMNS: Final = {
    name: each for name, each in vars(UrlArrays).items() if isinstance(each, UrlArray)
}
ALL_COLUMNS: Final = tuple(_COLUMNS)
OF_INDEXABLE: Final = ("is_web", "is_external", "has_facts", "status", "indexability")
"""What `is_indexable` is made of."""
