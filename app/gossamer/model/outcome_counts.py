"""Declares each count of a crawl once, as a group of outcomes.

Engine, project file, window, command line, reports and exports count by these, so they agree.
Warnings are counted one by one; groups of them are declared here too.
"""

from collections.abc import Mapping
from itertools import repeat
from typing import Final, TypeAlias

from gossamer.model.outcome import (
    ERROR_OUTCOMES,
    FILES,
    FORMER_PAGES,
    KEPT_BY_ROBOTS,
    PAGES,
    Outcome,
    UrlState,
)
from gossamer.model.response_warnings import ResponseWarning, Warnings

_FEWEST_EMPTY: Final = 3
_EMPTY_OF: Final = 4
"""A quarter of all pages: a few widgets do not make a site that needs JavaScript."""
Count: TypeAlias = frozenset[Outcome]


def _in(*states: UrlState) -> Count:
    return frozenset(outcome for outcome in Outcome if outcome.state in states)


KNOWN: Final = frozenset(Outcome) - FORMER_PAGES
"""URLs ever seen by this crawl, skipped ones included."""
QUEUED: Final = _in(UrlState.QUEUED)
"""To do: not fetched yet, those in flight included."""
DONE: Final = _in(UrlState.DONE, UrlState.FAILED)
"""Requests done: responded, or failed for good."""
REQUESTED: Final = DONE | QUEUED
"""URLs that are requested sooner or later."""
REPORTED: Final = DONE | KEPT_BY_ROBOTS
"""What reports have a row for: what was requested, or would have been but for robots.txt."""
LEFT_OUT: Final = _in(UrlState.SKIPPED, UrlState.CANCELLED) - FORMER_PAGES
"""Known and never requested: by a rule, or because the user cancelled them."""
FORMER: Final = FORMER_PAGES
"""Known only to the previous crawl of a recrawl."""
IN_NO_FOLDER: Final = _in(UrlState.SKIPPED) | FORMER
"""What the folder tree lacks until it is requested, or found again."""
REDIRECTS: Final = frozenset(outcome for outcome in Outcome if outcome.is_redirect)
"""By a status, a header or a page; those that lead nowhere, or into a loop, are errors too."""
LEADING_ON: Final = REDIRECTS - {
    Outcome.REDIRECT_WITHOUT_LOCATION,
    Outcome.REDIRECT_BAD_LOCATION,
}
"""Redirects to an address, whether it is requested or not."""
ERRORS: Final = ERROR_OUTCOMES
RESOURCES: Final = FILES | {Outcome.CHECKED}
"""Addresses that work and are not pages that were read."""
GOT: Final = PAGES | RESOURCES
"""The results that a crawl is made for."""
TRUNCATED: Final = frozenset(
    {
        ResponseWarning.SIZE_LIMIT,
        ResponseWarning.LINK_LIMIT,
        ResponseWarning.ELEMENT_LIMIT,
        ResponseWarning.SITEMAP_INCOMPLETE,
        ResponseWarning.INCOMPLETE,
        ResponseWarning.PARTIAL_CONTENT,
    }
)
"""Warnings of what was not read to its end: cut by a limit of ours, or by server or network."""


def is_truncated(warnings: Warnings) -> bool:
    """Whether what has these warnings was not read to its end."""
    return not TRUNCATED.isdisjoint(warnings)


def count(outcomes: Mapping[Outcome, int], counted: Count) -> int:
    """How many URLs are in a count, by how many have each outcome."""
    return sum(map(outcomes.get, counted, repeat(0)))


def got_nothing(outcomes: Mapping[int, int]) -> bool:
    """Whether a crawl that made requests, or wanted to, has no results."""
    if not any(outcomes.values()):
        return False
    return not any(outcomes.get(outcome) for outcome in GOT)


def needs_scripts(outcomes: Mapping[int, int], *, is_over: bool = False) -> bool:
    """Whether many of the pages that were read are empty without JavaScript.

    When the crawl `is_over`, a few are many if there are no others: an empty start page leads to
    none.
    """
    empty = outcomes.get(Outcome.PAGE_NEEDS_SCRIPTS, 0)
    pages = sum(outcomes.get(outcome, 0) for outcome in PAGES)
    if empty < _FEWEST_EMPTY:
        return is_over and 0 < empty == pages
    return empty * _EMPTY_OF >= pages


def why_nothing(outcomes: Mapping[Outcome, int]) -> Outcome | None:
    """What became of most URLs of a crawl without results; None if it has some.

    Failures explain more than what was left out, and a redirect less than its target.
    """
    if not got_nothing({int(outcome): number for outcome, number in outcomes.items()}):
        return None
    for telling in (ERRORS, LEFT_OUT, KNOWN):
        found = [outcome for outcome in sorted(telling) if outcomes.get(outcome)]
        if found:
            return max(found, key=lambda outcome: outcomes[outcome])
    return None
