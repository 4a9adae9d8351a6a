"""Checks and compiles the regular expressions of include and exclude patterns.

Python's engine tries one way after the other and cannot be interrupted: `(a+)+$` would take
years on some URL of forty characters, and strangers write the URLs. What bounds a search:

- Patterns that can match one text in exponentially many ways are refused (see
  `gossamer.urls.regex_safety`), and those that would take long to check.
- What is left is polynomial, as far as that goes: a pattern with k times `.*` in a row takes up to
  the (k+1)th power of the URL's length, which `CrawlSettings.max_url_length` bounds.
"""

import re
from collections.abc import Callable

from msgspec.structs import replace

from gossamer.model.errors import UsageError
from gossamer.model.messages.crawl_messages import BulkAction, BulkActionKind, UrlSelection
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.settings.folder_priority import QueuePriority, decided
from gossamer.model.text_cleaning import one_line

Search = Callable[[str], re.Match[str] | None]


def folder_pattern(folder: str) -> str:
    """The pattern for all that stands below a folder, given as the start of its URLs."""
    return f"^{re.escape(folder)}"


def compile_search(pattern: str) -> Search:
    """The search function of `pattern`; UsageError where it is wrong or may never end."""
    from gossamer.urls.regex_safety import TooComplexPatternError, is_explosive  # noqa: PLC0415 - most crawls have no pattern

    quoted = f'"{one_line(pattern, 80)}"'
    try:
        compiled = re.compile(pattern)
        explosive = is_explosive(pattern)
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
    if explosive:
        raise UsageError(
            "The pattern {pattern} could take forever on some URLs: it has a repetition that can "
            "match the same text in several ways, such as (a+)+; avoid nested repetitions.",
            pattern=quoted,
        )
    return compiled.search


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
