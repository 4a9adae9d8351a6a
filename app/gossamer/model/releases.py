"""What is known of releases of Gossamer: where their list is, what it says, which is newer."""

import re
from collections.abc import Mapping
from typing import Final
from urllib.parse import urlsplit

import msgspec

from gossamer.model.errors import UpdateCheckError

RELEASES_URL: Final = "https://gossamer.example/releases.json"
"""The list of releases. Requested only by those who want to know of newer versions."""
RELEASES_VARIABLE: Final = "GOSSAMER_RELEASES"
"""The environment variable that names another list. Empty: none, as set by packages that their
system updates."""
LARGEST_LIST: Final = 65_536
"""In bytes. The list has a few hundred."""
LIMIT_S: Final = 10.0
"""Until there is a response."""
FORMAT: Final = 1
_VERSION: Final = re.compile(r"[0-9]{1,6}(\.[0-9]{1,6}){0,3}")


class LatestRelease(msgspec.Struct, frozen=True):
    """The latest release: its version, such as 1.2.0, and the page to get it from."""

    latest: str
    page: str
    format: int = FORMAT


def releases_source(environment: Mapping[str, str]) -> str:
    """The URL of the list of releases; "" if it is not to be read."""
    return environment.get(RELEASES_VARIABLE, RELEASES_URL)


def read_releases(document: bytes, source: str) -> LatestRelease:
    """What the list from the URL `source` says; UpdateCheckError if it is none.

    People are never sent to a page on another host than the list.
    """
    try:
        found = msgspec.json.decode(document, type=LatestRelease)
        page = urlsplit(found.page)
    except (msgspec.DecodeError, ValueError):
        raise _not_understood() from None
    is_ours = page.scheme in {"https", "http"} and page.netloc == urlsplit(source).netloc
    is_printable = found.page.isascii() and found.page.isprintable() and " " not in found.page
    is_known = found.format == FORMAT
    if not (is_known and is_ours and is_printable and _VERSION.fullmatch(found.latest)):
        raise _not_understood()
    return found


def _not_understood() -> UpdateCheckError:
    return UpdateCheckError("The response about newer versions cannot be read; try again later.")


def is_newer(version: str, than: str) -> bool:
    """Whether a version is later than another. Neither of 1.2 and 1.2.0 is."""
    return _numbers(version) > _numbers(than)


def _numbers(version: str) -> tuple[int, ...]:
    """Its numbers, without zeros at the end; what follows them, as in 1.2rc1, does not count."""
    matched = _VERSION.match(version)
    numbers = [int(each) for each in matched.group().split(".")] if matched else []
    while numbers and not numbers[-1]:
        numbers.pop()
    return tuple(numbers)
