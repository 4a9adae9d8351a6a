"""What rules look for in a serialised http or https URL without fragment."""

from collections.abc import Sequence
from enum import IntFlag, auto
from functools import lru_cache
from typing import Final
from urllib.parse import unquote

from gossamer.model.lazy_pattern import lazy_pattern

_BEYOND_ASCII: Final = lazy_pattern(r"%[89A-Fa-f][0-9A-Fa-f]|[^\x00-\x7f]")
_UPPERCASE: Final = lazy_pattern(r"(?<!%)(?<!%[0-9A-Fa-f])[A-Z]")
_SEARCH_PARAMETERS: Final = frozenset({"q", "s", "query", "search"})
_TRACKING_PARAMETERS: Final = lazy_pattern(
    r"utm_\w+|gad_\w+|_ga|_gl|gclid|gclsrc|dclid|gbraid|wbraid|srsltid"
)
"""What Google Analytics, Ads and Merchant Center add to URLs, as their documentation has it."""


class UrlTrait(IntFlag):
    """What rules look for."""

    NON_ASCII = auto()
    """A character beyond ASCII, percent-encoded or not; not in the host's name."""
    UNDERSCORE = auto()
    """An underscore in the path."""
    UPPERCASE = auto()
    """A capital letter in the path; hexadecimal digits of an escape are none."""
    MULTIPLE_SLASHES = auto()
    """Two slashes in a row in the path."""
    REPEATED_SEGMENT = auto()
    """A segment that stands in the path twice, next to itself or not."""
    SPACE = auto()
    """A space; a "+", which means one in queries, is none."""
    INTERNAL_SEARCH = auto()
    """It looks like a page with the results of a site's own search."""
    PARAMETERS = auto()
    """Parameters of any name."""
    TRACKING = auto()
    """A parameter by which Google Analytics knows a campaign or visitor."""


_NON_ASCII: Final = int(UrlTrait.NON_ASCII)
_UNDERSCORE: Final = int(UrlTrait.UNDERSCORE)
_CAPITAL: Final = int(UrlTrait.UPPERCASE)
_MULTIPLE_SLASHES: Final = int(UrlTrait.MULTIPLE_SLASHES)
_REPEATED_SEGMENT: Final = int(UrlTrait.REPEATED_SEGMENT)
_SPACE: Final = int(UrlTrait.SPACE)
_INTERNAL_SEARCH: Final = int(UrlTrait.INTERNAL_SEARCH)
_PARAMETERS: Final = int(UrlTrait.PARAMETERS)
_TRACKING: Final = int(UrlTrait.TRACKING)


def path_of(url: str) -> str:
    """The path, percent-encoded, from its first slash on."""
    address = url.partition("?")[0]
    return address[address.index("/", address.index("//") + 2) :]


def parameter_names(url: str) -> list[str]:
    """The names of the parameters of the query, in order; [] without any."""
    query = url.partition("?")[2]
    return [each.partition("=")[0] for each in query.split("&") if each] if query else []


@lru_cache(maxsize=1)  # rules that are decided one by one look at one URL in turn
def url_traits(url: str) -> int:
    """All of it that rules are about, as bits of UrlTrait."""
    traits = _traits_of_path(path_of(url))
    if "%" in url or not url.isascii():
        traits |= _NON_ASCII if _BEYOND_ASCII.search(url) else 0
        traits |= _SPACE if "%20" in url else 0
    if " " in url:
        traits |= _SPACE
    return traits | _traits_of_parameters(parameter_names(url)) if "?" in url else traits


def _traits_of_path(path: str) -> int:
    traits = _UNDERSCORE if "_" in path else 0
    if path != path.lower() and _UPPERCASE.search(path):  # hexadecimal digits of escapes are not
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
    if not _SEARCH_PARAMETERS.isdisjoint(names):
        traits |= _INTERNAL_SEARCH
    if any(map(_TRACKING_PARAMETERS.fullmatch, names)):
        traits |= _TRACKING
    return traits


def segments_with(text: str, url: str) -> str:
    """The segments of the path that have this text."""
    return ", ".join(each for each in path_of(url).split("/") if text in each)


def uppercase_segments(url: str) -> str:
    """The segments of the path with capital letters."""
    return ", ".join(each for each in path_of(url).split("/") if _UPPERCASE.search(each))


def repeated_segments(url: str) -> str:
    """The segments that the path has more than once."""
    segments = [each for each in path_of(url).split("/") if each]
    return ", ".join(dict.fromkeys(each for each in segments if segments.count(each) > 1))


def non_ascii_part(url: str) -> str:
    """The characters beyond ASCII, decoded."""
    return "".join(dict.fromkeys(each for each in unquote(url) if not each.isascii()))


def search_part(url: str) -> str:
    """The parameter or the folder by which it is an internal search."""
    found = [name for name in parameter_names(url) if name in _SEARCH_PARAMETERS]
    return ", ".join(f"?{name}=" for name in dict.fromkeys(found)) or "/search/"


def tracking_part(url: str) -> str:
    """The parameters that analytics add."""
    found = [name for name in parameter_names(url) if _TRACKING_PARAMETERS.fullmatch(name)]
    return ", ".join(dict.fromkeys(found))
