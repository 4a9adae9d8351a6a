"""The type of timestamps: Unix time in seconds, range-checked as it is read."""

from typing import Annotated, TypeAlias

from msgspec import Meta

LATEST_S = 10**11
"""In the year 5138."""
Time: TypeAlias = Annotated[float, Meta(ge=0, le=LATEST_S)]
"""Unix time in seconds, in a row that is checked as it is read."""
