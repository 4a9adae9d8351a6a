"""Lists that are too long for a cell: the first entries, and how many others there are."""

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

_SHORTENED: Final = re.compile(
    r"(?P<shown>.*\S) and (?P<others>[0-9]{1,3}(?:,[0-9]{3})*) more", re.DOTALL
)


class ShortenedListing(NamedTuple):
    """The entries that are shown as one text, and the number of others."""

    shown: str
    others: int = 0

    def __str__(self) -> str:
        """As files keep it, whatever the language of the user."""
        return f"{self.shown} and {self.others:,} more" if self.others else self.shown


def shortened(entries: Sequence[str], most: int, count: int, between: str) -> ShortenedListing:
    """The first `most` of the entries, which are the first of `count`."""
    shown = entries[:most]
    return ShortenedListing(between.join(shown), count - len(shown))


def read_listing(text: str) -> ShortenedListing:
    """What has been written by `str`, for a listing whose last entry is not of that form.

    >>> read_listing("de /de, fr /fr and 1,234 more")
    ShortenedListing(shown='de /de, fr /fr', others=1234)
    """
    found = _SHORTENED.fullmatch(text)
    if found is None:
        return ShortenedListing(text)
    return ShortenedListing(found["shown"], int(found["others"].replace(",", "")))
