"""The kinds of redirects and the types of redirect chains."""

from collections.abc import Collection, Iterable
from enum import IntEnum, StrEnum
from typing import Final

from gossamer.model.outcome import Outcome

PERMANENT_STATUSES: Final = frozenset({301, 308})


class RedirectKind(IntEnum):
    """How a server or page sends visitors on. Stored in `visit.redirect_kind`."""

    HTTP = 1
    REFRESH_HEADER = 2
    META_REFRESH = 3
    JAVASCRIPT = 4


class ChainType(StrEnum):
    """The type of a chain. What breaks a chain takes precedence."""

    LOOP = "loop"
    LIMIT = "limit"
    """Longer than the crawl's redirect limit."""
    BROKEN = "broken"
    """A redirect without a usable Location."""
    PERMANENT = "permanent"
    """301 and 308 only."""
    TEMPORARY = "temporary"
    """None of these."""
    MIXED = "mixed"


BREAKS: Final[tuple[tuple[ChainType, frozenset[Outcome]], ...]] = (
    (ChainType.LOOP, frozenset({Outcome.REDIRECT_LOOP})),
    (ChainType.LIMIT, frozenset({Outcome.REDIRECT_LIMIT})),
    (
        ChainType.BROKEN,
        frozenset({Outcome.REDIRECT_WITHOUT_LOCATION, Outcome.REDIRECT_BAD_LOCATION}),
    ),
)
"""Outcomes that decide the type of a chain with such a URL; the first that occurs counts."""
BAD_TYPES: Final = frozenset(kind for kind, _ in BREAKS)


def chain_type(outcomes: Collection[Outcome], redirects: Iterable[int | None]) -> ChainType:
    """The type of a chain, by the outcomes of its URLs and the statuses of the redirecting ones."""
    for kind, breaking in BREAKS:
        if not breaking.isdisjoint(outcomes):
            return kind
    permanent = {status in PERMANENT_STATUSES for status in redirects}
    if len(permanent) > 1:
        return ChainType.MIXED
    return ChainType.PERMANENT if True in permanent else ChainType.TEMPORARY
