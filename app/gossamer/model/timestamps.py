"""The type of timestamps: Unix time in seconds, range-checked as it is read."""

from typing import Annotated, TypeAlias

from msgspec import Meta

LATEST_S = 10**11
"""In the year 5138."""
Time: TypeAlias = Annotated[float, Meta(ge=0, le=LATEST_S)]
"""Unix time in seconds, in a row that is checked as it is read."""


def is_time(value: object) -> bool:
    """Whether it is a `Time`. A project may be a stranger's."""
    return isinstance(value, int | float) and 0 <= value <= LATEST_S
