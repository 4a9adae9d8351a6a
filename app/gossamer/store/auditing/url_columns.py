"""Reads what the site audit asks about URLs: a column of numbers for each question."""

import sqlite3
from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np

from gossamer.model.fields.indexability import indexability_sql
from gossamer.model.outcome import Outcome
from gossamer.model.outcome_counts import REDIRECTS, TRUNCATED
from gossamer.model.page_flags import Indexability
from gossamer.store.auditing.columns import Flags, Numbers
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


_IS_TYPE: Final = (
    "value LIKE '%_/_%' AND trim(substr(value, 1, instr(value || ';', ';') - 1)) NOT LIKE '% %'"
)


def _has_type(*patterns: str) -> str:
    """SQL: whether the content type is like one of these patterns."""
    like = " OR ".join(f"t.value LIKE '{pattern}'" for pattern in patterns)
    types = f"SELECT t.id FROM type_count c JOIN text t ON t.id = c.content_type WHERE {like}"  # noqa: S608 - our own words
    return f"coalesce(v.content_type IN ({types}), 0)"


_COLUMNS: Final[dict[str, tuple[str, str]]] = {
    "outcome": ("u1", "u.outcome"),
    "depth": ("i4", "u.depth"),
    "listed": ("u1", "u.listed"),
    "is_root": ("?", "u.parent IS NULL AND u.depth = 0"),
    "is_web": ("?", "u.url LIKE 'http://%' OR u.url LIKE 'https://%'"),
    "is_plain_http": ("?", "u.url LIKE 'http://%'"),
    "is_external": ("?", EXTERNAL),
    "status": ("i2", "coalesce(v.status, 0)"),
    "redirect_kind": ("u1", "coalesce(v.redirect_kind, 0)"),
    "size_bytes": ("i8", "coalesce(v.size_bytes, 0)"),
    "raw_bytes": ("i8", "coalesce(v.raw_bytes, 0)"),
    "markup": ("i8", "coalesce(v.markup, 0)"),
    "directives": ("i4", "coalesce(v.directives, 0)"),
    "content": ("i8", "coalesce(v.content, 0)"),
    "is_truncated": (
        "?",
        f"""
        coalesce(v.warnings IN (
            SELECT id FROM text WHERE id IN (SELECT warnings FROM visit WHERE warnings IS NOT NULL)
            AND ({_TRUNCATED})
        ), 0)
        """,  # noqa: S608 - our own words
    ),
    "has_facts": ("?", "v.word_count IS NOT NULL"),
    "indexability": ("u1", _INDEXABILITY),
    "is_image_type": ("?", _has_type("image/%")),
    "is_script_type": ("?", _has_type("%/javascript", "%/x-javascript", "%/ecmascript")),
    "is_style_type": ("?", _has_type("text/css")),
    "is_type_guessed": (
        "?",
        f"""
        CASE WHEN {_has_type("text/plain", "application/octet-stream")} THEN
            NOT coalesce((SELECT {_IS_TYPE} FROM text WHERE id = v.content_type_header), 0)
        ELSE 0 END
        """,  # noqa: S608 - our own words
    ),
}
"""The type of each column, and the SQL that reads it."""
_READ: Final = (
    f"SELECT u.id, {', '.join(sql for _, sql in _COLUMNS.values())}"  # noqa: S608 - our own words
    " FROM url u LEFT JOIN visit v ON v.id = u.id ORDER BY u.id"
)


@dataclass(frozen=True, eq=False)
class UrlColumns:
    """What is known of URLs; ids are the places in each column, which begin with an unused 0."""

    outcome: Numbers
    depth: Numbers
    listed: Numbers
    is_root: Flags
    is_web: Flags
    is_plain_http: Flags
    is_external: Flags
    status: Numbers
    """0 without a usable answer."""
    redirect_kind: Numbers
    size_bytes: Numbers
    raw_bytes: Numbers
    markup: Numbers
    directives: Numbers
    content: Numbers
    is_truncated: Flags
    """Not read to its end."""
    has_facts: Flags
    indexability: Numbers
    is_image_type: Flags
    is_script_type: Flags
    is_style_type: Flags
    is_type_guessed: Flags
    """No pages, and without a Content-Type header that names a type."""

    def __len__(self) -> int:
        return len(self.outcome)

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


def read_urls(connection: sqlite3.Connection) -> UrlColumns:
    """All URLs. `is_external` must be a function of the connection.

    MalformedContentError if ids are not those that a crawl gives.
    """
    last, count = connection.execute("SELECT coalesce(max(id), 0), count(*) FROM url").fetchone()
    if not 0 <= last < min(MOST_IDS, 10 * count + _GAPS):
        raise MalformedContentError("ids of URLs that no crawl gives")
    columns = {name: np.zeros(last + 1, dtype) for name, (dtype, _) in _COLUMNS.items()}
    columns["depth"][:] = -1
    rows = connection.execute(_READ)
    while part := rows.fetchmany(_ROWS):
        ids, *values = zip(*part, strict=True)
        places = np.array(ids)
        for column, value in zip(columns.values(), values, strict=True):
            column[places] = value
    return UrlColumns(**columns)
