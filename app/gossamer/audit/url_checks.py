"""What rules look for in a serialised http or https URL without fragment."""

import re
from functools import lru_cache
from typing import Final
from urllib.parse import unquote

_BEYOND_ASCII: Final = re.compile(r"%[89A-Fa-f][0-9A-Fa-f]|[^\x00-\x7f]")
_UPPERCASE: Final = re.compile(r"(?<!%)(?<!%[0-9A-Fa-f])[A-Z]")
_SEARCH_PARAMETERS: Final = frozenset({"q", "s", "query", "search"})
_TRACKING_PARAMETERS: Final = re.compile(
    r"utm_\w+|gad_\w+|_ga|_gl|gclid|gclsrc|dclid|gbraid|wbraid|srsltid"
)
"""What Google Analytics, Ads and Merchant Center add to URLs, as their documentation has it."""


@lru_cache(maxsize=1)  # many rules look at one URL
def path_of(url: str) -> str:
    """The path, percent-encoded, from its first slash on."""
    address = url.partition("?")[0]
    return address[address.index("/", address.index("//") + 2) :]


def parameter_names(url: str) -> list[str]:
    """The names of the parameters of the query, in order; [] without any."""
    query = url.partition("?")[2]
    return [each.partition("=")[0] for each in query.split("&") if each] if query else []


def has_non_ascii(url: str) -> bool:
    """Whether it has a character beyond ASCII, percent-encoded or not; not in the host's name."""
    return ("%" in url or not url.isascii()) and bool(_BEYOND_ASCII.search(url))


def has_underscore(url: str) -> bool:
    """Whether the path has an underscore."""
    return "_" in url and "_" in path_of(url)


def has_uppercase(url: str) -> bool:
    """Whether the path has a capital letter; hexadecimal digits of an escape are none."""
    return url != url.lower() and bool(_UPPERCASE.search(path_of(url)))


def has_multiple_slashes(url: str) -> bool:
    """Whether the path has two slashes in a row."""
    return url.rfind("//") > len("https:") and "//" in path_of(url)


def has_repeated_segment(url: str) -> bool:
    """Whether a segment stands in the path twice, next to itself or not."""
    segments = list(filter(None, path_of(url).split("/")))
    return len(set(segments)) < len(segments)


def has_space(url: str) -> bool:
    """Whether there is a space in it; a "+", which means one in queries, is none."""
    return "%20" in url or " " in url


def is_internal_search(url: str) -> bool:
    """Whether it looks like a page with the results of a site's own search."""
    if "/search/" not in url and "?" not in url:  # as nearly all are
        return False
    return "/search/" in path_of(url) or not _SEARCH_PARAMETERS.isdisjoint(parameter_names(url))


def has_tracking_parameter(url: str) -> bool:
    """Whether a parameter is one by which Google Analytics knows a campaign or visitor."""
    return "?" in url and any(map(_TRACKING_PARAMETERS.fullmatch, parameter_names(url)))


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
