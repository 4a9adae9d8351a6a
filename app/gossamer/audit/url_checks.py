"""The properties of a serialised http or https URL without fragment that rules check."""

from collections.abc import Sequence
from enum import IntFlag, auto
from functools import lru_cache
from typing import Final

from gossamer.model.lazy_pattern import lazy_pattern
from gossamer.urls.url_parts import (
    SEARCH_PARAMETERS,
    TRACKING_PARAMETERS,
    UPPERCASE,
    parameter_names,
    path_of,
)

_BEYOND_ASCII: Final = lazy_pattern(r"%[89A-Fa-f][0-9A-Fa-f]|[^\x00-\x7f]")


class UrlTrait(IntFlag):
    """The properties that rules check."""

    NON_ASCII = auto()
    """A character beyond ASCII, percent-encoded or not; not in the host's name."""
    UNDERSCORE = auto()
    """An underscore in the path."""
    UPPERCASE = auto()
    """A capital letter in the path; hexadecimal digits of an escape do not count."""
    MULTIPLE_SLASHES = auto()
    """Two slashes in a row in the path."""
    REPEATED_SEGMENT = auto()
    """A segment that occurs in the path twice, adjacent or not."""
    SPACE = auto()
    """A space; a "+", which means one in queries, does not count."""
    INTERNAL_SEARCH = auto()
    """It looks like a page with the results of a site's own search."""
    PARAMETERS = auto()
    """Parameters of any name."""
    TRACKING = auto()
    """A parameter by which Google Analytics recognises a campaign or visitor."""


_NON_ASCII: Final = int(UrlTrait.NON_ASCII)
_UNDERSCORE: Final = int(UrlTrait.UNDERSCORE)
_CAPITAL: Final = int(UrlTrait.UPPERCASE)
_MULTIPLE_SLASHES: Final = int(UrlTrait.MULTIPLE_SLASHES)
_REPEATED_SEGMENT: Final = int(UrlTrait.REPEATED_SEGMENT)
_SPACE: Final = int(UrlTrait.SPACE)
_INTERNAL_SEARCH: Final = int(UrlTrait.INTERNAL_SEARCH)
_PARAMETERS: Final = int(UrlTrait.PARAMETERS)
_TRACKING: Final = int(UrlTrait.TRACKING)


@lru_cache(maxsize=1)  # rules that are decided one by one look at one URL in turn
def url_traits(url: str) -> int:
    """All properties that rules are about, as bits of UrlTrait."""
    traits = _traits_of_path(path_of(url))
    if "%" in url or not url.isascii():
        traits |= _NON_ASCII if _BEYOND_ASCII.search(url) else 0
        traits |= _SPACE if "%20" in url else 0
    if " " in url:
        traits |= _SPACE
    return traits | _traits_of_parameters(parameter_names(url)) if "?" in url else traits


def _traits_of_path(path: str) -> int:
    traits = _UNDERSCORE if "_" in path else 0
    if path != path.lower() and UPPERCASE.search(path):  # hexadecimal digits of escapes are not
        traits |= _CAPITAL
    if "//" in path:
        traits |= _MULTIPLE_SLASHES
    if "/search/" in path:
        traits |= _INTERNAL_SEARCH
    segments = path.split("/")
    if len(set(segments)) < len(segments):  # perhaps empty ones alone
        segments = list(filter(None, segments))
        traits |= _REPEATED_SEGMENT if len(set(segments)) < len(segments) else 0
    return traits


def _traits_of_parameters(names: Sequence[str]) -> int:
    traits = _PARAMETERS if names else 0
    if not SEARCH_PARAMETERS.isdisjoint(names):
        traits |= _INTERNAL_SEARCH
    if any(map(TRACKING_PARAMETERS.fullmatch, names)):
        traits |= _TRACKING
    return traits
