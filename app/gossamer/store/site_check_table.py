"""Writes and reads the results of the site checks of a crawl."""

import sqlite3
from collections.abc import Iterable
from typing import Final

from msgspec import structs

from gossamer.model.outcome import Outcome
from gossamer.model.outcome_details import detail_of, detail_text
from gossamer.model.site_checks import SiteCheck, SiteCheckRow
from gossamer.model.text_cleaning import clean_text

_COLUMNS: Final = SiteCheckRow.__struct_fields__
_NAMES: Final = ", ".join(_COLUMNS)
_PUT: Final = (
    f"INSERT OR REPLACE INTO site_check ({_NAMES}) VALUES ({', '.join('?' * len(_COLUMNS))})"  # noqa: S608 - our own names
)
_READ: Final = f"SELECT {_NAMES} FROM site_check ORDER BY origin, kind"  # noqa: S608 - our own names
_READ_KNOWN: Final = "SELECT origin, kind, url, outcome FROM site_check ORDER BY origin, kind"


def write_site_checks(connection: sqlite3.Connection, rows: Iterable[SiteCheckRow]) -> None:
    """Write these in the place of those that are there of the same host and kind."""
    connection.executemany(_PUT, (_values(row) for row in rows))


def read_site_checks(connection: sqlite3.Connection) -> list[SiteCheckRow]:
    """All of them, by origin."""
    return [_row(values) for values in connection.execute(_READ)]


def read_known_checks(connection: sqlite3.Connection) -> tuple[SiteCheckRow, ...]:
    """All of them, without their results."""
    return tuple(
        SiteCheckRow(origin, SiteCheck(kind), url, None if outcome is None else Outcome(outcome))
        for origin, kind, url, outcome in connection.execute(_READ_KNOWN)
    )


def _values(row: SiteCheckRow) -> list[object]:
    values = structs.asdict(row)
    values["detail"] = detail_text(row.detail)
    return [_storable(value) for value in values.values()]


def _storable(value: object) -> object:
    return clean_text(value, len(value) + 1) if isinstance(value, str) else value


def _row(values: tuple[object, ...]) -> SiteCheckRow:
    row = SiteCheckRow(*values)  # type: ignore[arg-type] # the columns are its fields
    return structs.replace(
        row,
        kind=SiteCheck(row.kind),
        outcome=None if row.outcome is None else Outcome(row.outcome),
        detail=detail_of(values[_COLUMNS.index("detail")]),
    )
