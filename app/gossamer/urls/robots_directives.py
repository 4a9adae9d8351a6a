"""Parses X-Robots-Tag headers: the directives for everybody or for a certain crawler."""

import re
from collections.abc import Iterable, Iterator

from gossamer.model.lazy_pattern import lazy_pattern

_NAMED = lazy_pattern(r"\s*([!#$%&'+.^_`|~0-9A-Za-z-]+|\*)\s*:(.*)", re.DOTALL)
_WITH_VALUE = frozenset(
    {"unavailable_after", "max-snippet", "max-image-preview", "max-video-preview"}
)
"""Directives that have a colon themselves."""


def robots_directives(values: Iterable[str], token: str) -> str:
    """The directives of all header `values` for everybody or for the crawler `token`.

    Joined with ", ", in lower case. A robot's name with a colon holds for what follows it in the
    same header, up to the next name. `token` is in lower case; "" is nobody.
    """
    return ", ".join(directive for value in values for directive in _of_header(value, token))


def _of_header(value: str, token: str) -> Iterator[str]:
    concerns_us = True
    for part in value.split(","):
        directive = part.strip().lower()
        named = _NAMED.fullmatch(directive)
        if named is not None and named[1] not in _WITH_VALUE:
            concerns_us = named[1] == "*" or (named[1] == token and token != "")
            directive = named[2].strip()
        if concerns_us and directive:
            yield directive
