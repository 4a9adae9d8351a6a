"""The limits of an SQL query: its time and its memory."""

from msgspec import Struct


class QueryLimits(Struct, frozen=True, array_like=True):
    """What a query may take: seconds until its last row, and bytes of memory in SQLite."""

    time_s: float = 60.0
    memory_bytes: int = 256 * 1024 * 1024
