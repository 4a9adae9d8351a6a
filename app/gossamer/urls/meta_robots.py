"""Parses directives for robots: those of X-Robots-Tag headers, and those for single crawlers."""

import re
from collections.abc import Iterable, Iterator
from typing import Final

from gossamer.model.lazy_pattern import lazy_pattern

_NAMED = lazy_pattern(r"\s*([!#$%&'+.^_`|~0-9A-Za-z-]+|\*)\s*:(.*)", re.DOTALL)
_WITH_VALUE = frozenset(
    {"unavailable_after", "max-snippet", "max-image-preview", "max-video-preview"}
)
"""Directives that have a colon themselves."""
_SPACED_COLON: Final = lazy_pattern(r"\s+:\s*|:\s+")
_BEFORE_VALUE: Final = lazy_pattern(rf"\b({'|'.join(sorted(_WITH_VALUE))})\s*:\s*")

_BETWEEN: Final = str.maketrans(",;", "  ")


def directive_words(text: str) -> list[str]:
    """The directives in a text, in lower case, parted by commas, semicolons or spaces.

    Search engines' documents have commas. Parsers that are known are not strict about it. A value
    belongs to its directive: in `max-image-preview: none`, the last word does not mean noindex.

    >>> directive_words("NoIndex; nofollow, max-snippet: 20")
    ['noindex', 'nofollow', 'max-snippet:20']
    """
    lowered = text.lower()
    if ":" in lowered:
        lowered = _BEFORE_VALUE.sub(r"\1:", lowered)
    return lowered.translate(_BETWEEN).split()


def robots_directives(values: Iterable[str], token: str) -> str:
    """The directives of all header `values` for everybody or for the crawler `token`.

    Joined with ", ", in lower case; of spaces beside a colon, one behind it is left. A robot's name
    with a colon holds for what follows it in the same header, up to the next name. `token` is in
    lower case; "" is nobody.
    """
    return ", ".join(directive for value in values for directive in _of_header(value, token))


def joined_directives(directives: Iterable[tuple[str, str]]) -> str:
    """Names of crawlers, and what each is told, in one text.

    >>> joined_directives([("bingbot", "nosnippet"), ("googlebot", "noindex, nofollow")])
    'bingbot: nosnippet; googlebot: noindex, nofollow'
    """
    return "; ".join(f"{name}: {said.replace(';', ',')}" for name, said in directives)


def named_directives(text: str) -> list[tuple[str, str]]:
    """What `joined_directives` made one text of."""
    pairs = (each.partition(":") for each in text.split(";"))
    return [(name.strip(), said.strip()) for name, colon, said in pairs if colon]


def _of_header(value: str, token: str) -> Iterator[str]:
    concerns_us = True
    for part in value.split(","):
        directive = part.strip().lower()
        named = _NAMED.fullmatch(directive)
        if named is not None and named[1] not in _WITH_VALUE:
            concerns_us = named[1] == "*" or (named[1] == token and token != "")
            directive = named[2].strip()
        directive = _SPACED_COLON.sub(": ", directive)
        if concerns_us and directive:
            yield directive
