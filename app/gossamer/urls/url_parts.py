"""Parts of a serialised http or https URL without fragment, as they are shown beside it."""

from collections.abc import Callable, Mapping
from enum import StrEnum, auto
from functools import partial
from typing import Final, TypeAlias
from urllib.parse import unquote

from gossamer.model.lazy_pattern import lazy_pattern

UPPERCASE: Final = lazy_pattern(r"(?<!%)(?<!%[0-9A-Fa-f])[A-Z]")
SEARCH_PARAMETERS: Final = frozenset({"q", "s", "query", "search"})
TRACKING_PARAMETERS: Final = lazy_pattern(
    r"utm_\w+|gad_\w+|_ga|_gl|gclid|gclsrc|dclid|gbraid|wbraid|srsltid"
)
"""What Google Analytics, Ads and Merchant Center add to URLs, as their documentation has it."""


class UrlPart(StrEnum):
    """What is shown of a URL, and can be sorted by."""

    NON_ASCII = auto()
    UNDERSCORES = auto()
    UPPERCASE = auto()
    PATH = auto()
    REPEATED = auto()
    SEARCH = auto()
    PARAMETERS = auto()
    TRACKING = auto()
    LENGTH = auto()

    def of(self, url: str) -> str | int:
        """That part of a URL."""
        return _READ[self](url)


def path_of(url: str) -> str:
    """The path, percent-encoded, from its first slash on."""
    address = url.partition("?")[0]
    return address[address.index("/", address.index("//") + 2) :]


def parameter_names(url: str) -> list[str]:
    """The names of the parameters of the query, in order; [] without any."""
    query = url.partition("?")[2]
    return [each.partition("=")[0] for each in query.split("&") if each] if query else []


def segments_with(text: str, url: str) -> str:
    """The segments of the path that have this text."""
    return ", ".join(each for each in path_of(url).split("/") if text in each)


def uppercase_segments(url: str) -> str:
    """The segments of the path with capital letters."""
    return ", ".join(each for each in path_of(url).split("/") if UPPERCASE.search(each))


def repeated_segments(url: str) -> str:
    """The segments that the path has more than once."""
    segments = [each for each in path_of(url).split("/") if each]
    return ", ".join(dict.fromkeys(each for each in segments if segments.count(each) > 1))


def non_ascii_part(url: str) -> str:
    """The characters beyond ASCII, decoded."""
    return "".join(dict.fromkeys(each for each in unquote(url) if not each.isascii()))


def search_part(url: str) -> str:
    """The parameter or the folder by which it is an internal search."""
    found = [name for name in parameter_names(url) if name in SEARCH_PARAMETERS]
    return ", ".join(f"?{name}=" for name in dict.fromkeys(found)) or "/search/"


def tracking_part(url: str) -> str:
    """The parameters that analytics add."""
    found = [name for name in parameter_names(url) if TRACKING_PARAMETERS.fullmatch(name)]
    return ", ".join(dict.fromkeys(found))


_Read: TypeAlias = Callable[[str], str | int]
_READ: Final[Mapping[UrlPart, _Read]] = {
    UrlPart.NON_ASCII: non_ascii_part,
    UrlPart.UNDERSCORES: partial(segments_with, "_"),
    UrlPart.UPPERCASE: uppercase_segments,
    UrlPart.PATH: path_of,
    UrlPart.REPEATED: repeated_segments,
    UrlPart.SEARCH: search_part,
    UrlPart.PARAMETERS: lambda url: ", ".join(dict.fromkeys(parameter_names(url))),
    UrlPart.TRACKING: tracking_part,
    UrlPart.LENGTH: len,
}
