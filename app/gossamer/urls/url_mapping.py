"""Maps the addresses of one copy of a site to those of another, by their beginnings."""

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Final, NamedTuple, Self

from gossamer.model.errors import UsageError
from gossamer.urls.url_parsing import is_http, parse_root

_BETWEEN: Final = re.compile(r"=(?=https?://)", re.IGNORECASE)
_ENDS: Final = ("", "/", "?", "#")


class MappedPrefix(NamedTuple):
    """Addresses that begin with `before` are those that begin with `after` on the other side."""

    before: str
    after: str

    @property
    def backwards(self) -> "MappedPrefix":
        """The other way round."""
        return MappedPrefix(self.after, self.before)


class UrlMapping:
    """Maps addresses of the earlier side to those of the later one.

    A prefix ends where a host or a segment of a path does: `https://example.com/a` is one of
    `https://example.com/a/b` and of `https://example.com/a?b`, not of `https://example.com/ab`. Of
    several, the longest counts.
    """

    def __init__(self, prefixes: Iterable[MappedPrefix] = ()) -> None:
        """Take prefixes; a slash at their end does not matter."""
        found = {each.before.rstrip("/"): each.after.rstrip("/") for each in prefixes}
        self._prefixes = sorted(found.items(), key=lambda each: -len(each[0]))

    @classmethod
    def parsed(cls, texts: Iterable[str]) -> Self:
        """Of texts such as `https://staging.example.com/=https://www.example.com/`; UsageError."""
        return cls(map(_prefix, texts))

    @property
    def prefixes(self) -> tuple[MappedPrefix, ...]:
        """What is mapped, the longest first."""
        return tuple(MappedPrefix(*each) for each in self._prefixes)

    def with_prefix(self, before: str, after: str) -> "UrlMapping":
        """This, and what begins with `before` on the earlier side begins with `after`."""
        return UrlMapping((*self.prefixes, MappedPrefix(before, after)))

    def unmap(self, url: str) -> str:
        """The address on the earlier side."""
        return UrlMapping(each.backwards for each in self.prefixes).map(url)

    def __bool__(self) -> bool:
        """Whether anything is mapped."""
        return bool(self._prefixes)

    def map(self, url: str) -> str:
        """The address on the later side."""
        for before, after in self._prefixes:
            if url.startswith(before) and url[len(before) : len(before) + 1] in _ENDS:
                rest = url[len(before) :]
                if not rest.startswith("/") and after.count("/") == 2:  # noqa: PLR2004 - no path
                    return f"{after}/{rest}"
                return after + rest
        return url

    def directed(self, before: Sequence[str], after: Sequence[str]) -> "UrlMapping":
        """The mapping from a side with the roots `before` to one with the roots `after`.

        A prefix that fits no root of the first, but one of the second, was meant the other way
        round: so it does not matter which copy of a site is named first.
        """
        return UrlMapping(
            each.backwards if _fits(each, after) and not _fits(each, before) else each
            for each in self.prefixes
        )

    def turned(self, is_known: Callable[[str], bool]) -> "UrlMapping":
        """The mapping, of which a prefix is turned round that only so is of the earlier side.

        `is_known` tells whether the earlier side has an address that begins so: of folders of one
        host, roots do not tell which side has which.
        """
        return UrlMapping(
            each.backwards if not is_known(each.before) and is_known(each.after) else each
            for each in self.prefixes
        )


NO_MAPPING: Final = UrlMapping()


def _fits(prefix: MappedPrefix, roots: Sequence[str]) -> bool:
    only = UrlMapping([prefix])
    return any(only.map(root) != root for root in roots)


def _prefix(text: str) -> MappedPrefix:
    parts = _BETWEEN.split(text.strip())
    if len(parts) != 2 or not all(map(_is_address, parts)):  # noqa: PLR2004 - two sides
        raise UsageError(
            "{text!r} maps no addresses; write two that begin with http:// or https://, with = "
            "between them, such as https://staging.example.com/=https://www.example.com/.",
            text=text,
        )
    before, after = map(parse_root, parts)
    return MappedPrefix(before, after)


def _is_address(text: str) -> bool:
    try:
        return is_http(parse_root(text)) and "?" not in text and "#" not in text
    except UsageError:
        return False
