"""Checks and compiles the regular expressions of include and exclude patterns.

Python's engine tries one way after the other and has no time limit: `(a+)+$` would take years on
some URL of forty characters, and strangers write the URLs. What bounds a search:

- Patterns that can match one text in exponentially many ways are refused (see
  `gossamer.urls.regex_safety`), and those that would take long to check.
- What is left is polynomial: a pattern with k times `.*` in a row takes up to the (k+1)th power of
  the URL's length. Where that is much, the engine of `regex` searches, which has a time limit. See
  docs/adr/0087-searches-of-urls-have-a-time-limit.md.
"""

import re
from collections.abc import Callable
from functools import partial
from typing import Final

from msgspec.structs import replace

from gossamer.model.errors import UsageError
from gossamer.model.messages.crawl_messages import BulkAction, BulkActionKind, UrlSelection
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.settings.folder_priority import QueuePriority, decided
from gossamer.model.text_cleaning import one_line

PatternSearch = Callable[[str], object]
"""Says by a true value whether a pattern is found in a URL."""
SEARCH_S: Final = 0.5
"""The time limit of a search."""
_QUICK_STEPS: Final = 10**8
"""Of Python's engine: tenths of a second."""


def folder_pattern(folder: str) -> str:
    """The pattern for all that stands below a folder, given as the start of its URLs."""
    return f"^{re.escape(folder)}"


def compile_search(pattern: str, *, undecided: bool = False) -> PatternSearch:
    """The search function of `pattern`; UsageError where it is wrong or may never end.

    Of a URL that takes too long it says what `undecided` says.
    """
    from gossamer.urls.regex_safety import (  # noqa: PLC0415 - most crawls have no pattern
        TooComplexPatternError,
        search_cost,
        without_idle_start,
    )

    quoted = f'"{one_line(pattern, 80)}"'
    try:
        re.compile(pattern)
        pattern = without_idle_start(pattern)
        compiled = re.compile(pattern)
        cost = search_cost(pattern)
    except (re.error, OverflowError, RecursionError) as e:
        raise UsageError(
            "The pattern {pattern} is not a regular expression: {why}; correct or remove it.",
            pattern=quoted,
            why=str(e),
        ) from e
    except TooComplexPatternError as e:
        raise UsageError(
            "The pattern {pattern} is too long to check whether it could take forever on some "
            "URLs; divide it into several.",
            pattern=quoted,
        ) from e
    if cost.is_exponential:
        raise UsageError(
            "The pattern {pattern} could take forever on some URLs: it has a repetition that can "
            "match the same text in several ways, such as (a+)+; avoid nested repetitions.",
            pattern=quoted,
        )
    if cost.degree == 1:
        return compiled.search
    longest = int(_QUICK_STEPS ** (1 / cost.degree))
    return _LimitedSearch(compiled, longest, undecided=undecided)


class _LimitedSearch:
    """Searches URLs of up to `longest` characters as they are, longer ones with a time limit."""

    def __init__(self, pattern: re.Pattern[str], longest: int, *, undecided: bool) -> None:
        self._pattern = pattern.pattern
        self._search: PatternSearch = pattern.search
        self._longest = longest
        self._undecided = undecided
        self._slow_search: Callable[[str], object] | None = None

    def __call__(self, url: str) -> object:
        if len(url) <= self._longest:
            return self._search(url)
        if self._slow_search is None:
            self._slow_search = self._limited()
        try:
            return self._slow_search(url)
        except TimeoutError:
            return self._undecided

    def _limited(self) -> PatternSearch:
        import regex  # noqa: PLC0415 - few URLs are so long

        try:
            return partial(regex.compile(self._pattern, regex.VERSION0).search, timeout=SEARCH_S)
        except regex.error:  # what Python alone understands
            return self._search


_TURNS = {
    BulkActionKind.HOLD: QueuePriority.HELD,
    BulkActionKind.RELEASE: QueuePriority.USUAL,
    BulkActionKind.FIRST: QueuePriority.FIRST,
}


def settings_after(settings: CrawlSettings, action: BulkAction) -> CrawlSettings:
    """The settings with what `action` decides about URLs found later in its folder, if it has one.

    A selection of everything is the folder of all folders.
    A pattern for what is excluded, a turn for what is held back, released, or to be asked first.
    """
    folder = action.selection.folder
    if action.kind is BulkActionKind.EXCLUDE and folder:
        exclude = dict.fromkeys((*settings.exclude, folder_pattern(folder)))
        return replace(settings, exclude=tuple(exclude))
    if action.kind is BulkActionKind.INCLUDE:
        pattern = folder_pattern(folder)
        return replace(settings, exclude=tuple(p for p in settings.exclude if p != pattern))
    if action.kind in _TURNS and action.selection == UrlSelection(folder=folder):
        return replace(settings, turns=decided(settings.turns, folder, _TURNS[action.kind]))
    return settings
