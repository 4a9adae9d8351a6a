"""Writes and reads the certificates that https servers showed."""

import sqlite3
from collections.abc import Iterable
from typing import Final

from msgspec import structs

from gossamer.model.outcome_details import detail_of, detail_text
from gossamer.model.server_certificate import ServerCertificate
from gossamer.model.text_cleaning import clean_text

_NAMES: Final = ", ".join(ServerCertificate.__struct_fields__)
_PUT: Final = (
    f"INSERT OR REPLACE INTO certificate ({_NAMES})"  # noqa: S608 - our own names
    f" VALUES ({', '.join('?' * len(ServerCertificate.__struct_fields__))})"
)
_READ: Final = f"SELECT {_NAMES} FROM certificate ORDER BY origin"  # noqa: S608 - our own names
_READ_ONE: Final = f"SELECT {_NAMES} FROM certificate WHERE origin = ?"  # noqa: S608 - our own names
_MAX_NAMES: Final = 40_000
"""Characters of the host names of one."""


def write_certificates(
    connection: sqlite3.Connection, certificates: Iterable[ServerCertificate]
) -> None:
    """Write these in the place of those of the same origins. Host names are joined by spaces."""
    connection.executemany(
        _PUT,
        (
            (
                *(clean_text(each.origin), each.seen_at, each.not_before, each.not_after),
                *(clean_text(each.subject), clean_text(each.issuer)),
                clean_text(" ".join(each.host_names), _MAX_NAMES),
                *(each.fingerprint, detail_text(each.detail)),
            )
            for each in certificates
        ),
    )


def read_certificates(connection: sqlite3.Connection) -> list[ServerCertificate]:
    """All of them, by origin."""
    return [_certificate(values) for values in connection.execute(_READ)]


def read_certificate(connection: sqlite3.Connection, origin: str) -> ServerCertificate | None:
    """That of an origin; None if none was seen."""
    row = connection.execute(_READ_ONE, (origin,)).fetchone()
    return None if row is None else _certificate(row)


def _certificate(values: tuple[object, ...]) -> ServerCertificate:
    row = ServerCertificate(*values)  # type: ignore[arg-type] # the columns are its fields
    return structs.replace(
        row,
        host_names=tuple(str(row.host_names).split()),
        detail=detail_of(row.detail),
    )
