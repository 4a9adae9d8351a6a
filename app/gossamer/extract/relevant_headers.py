"""Picks the headers that facts and links are read from."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from operator import itemgetter
from typing import Final, TypeAlias

_JUDGED: Final = frozenset(
    {
        *("content-security-policy", "referrer-policy", "strict-transport-security"),
        *("x-content-type-options", "x-frame-options"),
        *("content-type", "link", "refresh", "set-cookie", "x-robots-tag"),
    }
)
_MOST_CHARACTERS: Final = 2_000
_MOST_HEADERS: Final = 100
"""Longer lists of names are not remembered."""
JudgedHeaders: TypeAlias = Mapping[str, Sequence[str]]
"""Values by names in lower case, in order."""

_name: Final = itemgetter(0)


def judged_headers(headers: Sequence[tuple[str, str]]) -> JudgedHeaders:
    """Those headers, of these names and values, that facts and links are read from."""
    names = tuple(map(_name, headers))
    is_short = len(names) <= _MOST_HEADERS and sum(map(len, names)) <= _MOST_CHARACTERS
    found: dict[str, list[str]] = {}
    for place, name in _familiar_places(names) if is_short else _places(names):
        found.setdefault(name, []).append(headers[place][1])
    return found


@lru_cache(maxsize=1_000)
def _familiar_places(names: tuple[str, ...]) -> list[tuple[int, str]]:
    """As `_places`: most responses of a site have headers of the same names."""
    return _places(names)


def _places(names: tuple[str, ...]) -> list[tuple[int, str]]:
    lowered = ((place, name.lower()) for place, name in enumerate(names))
    return [(place, name) for place, name in lowered if name in _JUDGED]
