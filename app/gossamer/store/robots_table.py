"""Writes and reads the robots.txt files of a crawl."""

import sqlite3
from collections.abc import Iterable
from typing import Final

from gossamer.model.outcome_details import detail_of, detail_text
from gossamer.model.store_batch import RobotsRow

_COLUMNS: Final = RobotsRow.__struct_fields__
_NAMES: Final = ", ".join(_COLUMNS)
_PUT: Final = f"INSERT OR REPLACE INTO robots ({_NAMES}) VALUES ({', '.join('?' * len(_COLUMNS))})"  # noqa: S608 - our own names


def write_robots(connection: sqlite3.Connection, rows: Iterable[RobotsRow]) -> None:
    """Write these in the place of those that are there of the same origin."""
    values = (
        [detail_text(row.detail) if name == "detail" else getattr(row, name) for name in _COLUMNS]
        for row in rows
    )
    connection.executemany(_PUT, values)


def read_robots_rows(connection: sqlite3.Connection) -> list[RobotsRow]:
    """All of them."""
    rows = connection.execute(f"SELECT {_NAMES} FROM robots")  # noqa: S608 - our own names
    return [
        RobotsRow(site, status, text, detail_of(detail), *more)
        for site, status, text, detail, *more in rows
    ]
