"""Tells which crawls are of one site: those that start from the same URLs."""

from collections.abc import Iterable
from hashlib import blake2b

from gossamer.urls.url_parsing import parse_root, without_userinfo


def site_series_id(roots: Iterable[str]) -> str:
    """The id of the series that crawls from these URLs belong to by default: 32 hexadecimal digits.

    Their order does not matter, nor do scheme and "www.": a site that moves to https stays itself.
    UsageError for what is no URL.
    """
    names = sorted({_name(root) for root in roots})
    return blake2b("\n".join(names).encode(), digest_size=16, person=b"gossamer series").hexdigest()


def _name(root: str) -> str:
    address = without_userinfo(parse_root(root))[0]
    return address.partition("://")[2].removeprefix("www.")
