"""The regular expressions people type, checked before they meet millions of URLs.

Python's engine tries one way after the other and cannot be interrupted: `(a+)+$` would take
years on some URL of forty characters, and strangers write the URLs. What bounds a search:

- Patterns that can match one text in exponentially many ways are refused (see
  `gossamer.urls.regex_safety`); all patterns known to hang programs for good are of this kind.
- What is left is polynomial: a pattern with k times `.*` in a row takes up to the (k+1)th power
  of the URL's length, which `CrawlSettings.max_url_length` bounds.
"""

import re
from collections.abc import Callable

from gossamer.model.errors import UsageError
from gossamer.model.text_cleaning import one_line

Search = Callable[[str], re.Match[str] | None]


def folder_pattern(folder: str) -> str:
    """The pattern for all that stands below a folder, given as the start of its URLs."""
    return f"^{re.escape(folder)}"


def compile_search(pattern: str) -> Search:
    """The search function of `pattern`; UsageError where it is wrong or may never end."""
    from gossamer.urls.regex_safety import is_explosive  # noqa: PLC0415 - most crawls have no pattern

    quoted = f'"{one_line(pattern, 80)}"'
    try:
        compiled = re.compile(pattern)
        explosive = is_explosive(pattern)
    except (re.error, OverflowError, RecursionError) as e:
        raise UsageError(
            "The pattern {pattern} is not a regular expression: {why}; correct it or leave it out.",
            pattern=quoted,
            why=str(e),
        ) from e
    if explosive:
        raise UsageError(
            "The pattern {pattern} could take for ever on some addresses: it repeats "
            "something that can match the same text in several ways, such as (a+)+; write "
            "it without a repetition inside the repetition.",
            pattern=quoted,
        )
    return compiled.search
