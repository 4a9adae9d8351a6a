"""Sites that make up addresses without end: calendars, facet mazes, growing paths, session ids.

A budget holds each back without holding back the site. What counts is how a URL is found: ten
thousand products linked from category pages are a shop, ten thousand pages that only pages of
their own kind lead to are a machine. So a *pattern* (the address with what varies taken out) has
a budget for URLs found from within the pattern, and none for those found from outside it.
"""

import re

from app.model.forgetting import drop_oldest
from app.model.outcome import Outcome

DEEP_SEGMENTS = 12
"""Paths with more segments share one budget per first folder, whatever their words."""
DESCENT_SEGMENTS = 6
"""From so many segments on, what is found in a folder above shares one budget per first folder."""
DESCENT_BUDGETS = 10
"""That budget, in budgets of a pattern: real trees are large, those made up have no end."""
_STEPS_DOWN = 2
SESSION_BUDGET = 25
"""Addresses of one page that differ in a session id."""
MAX_PATTERNS = 100_000
"""Patterns counted; beyond that the oldest are forgotten, which only gives them a new budget."""

_DIGITS = re.compile(r"\d+")
_TOKEN = re.compile(r"(?=[^/]*\d)[0-9a-f]{8,}(?:-[0-9a-f]{4,})*", re.IGNORECASE)
_SESSION = re.compile(
    r"[?&;](?:jsessionid|phpsessid|aspsessionid\w*|sessionid|session_id|sessid|sid|cfid|cftoken)=",
    re.IGNORECASE,
)


class TrapBudgets:
    """Counts URLs found from within their own pattern."""

    def __init__(self, budget: int) -> None:
        """Take the budget of a pattern."""
        self._budget = budget
        self._spent: dict[str, int] = {}

    def refusal(self, url: str, source: str) -> Outcome | None:
        """OVER_BUDGET if `url`, found on the page `source`, is one too many of its pattern.

        Otherwise it is counted, if it counts at all.
        """
        for key, budget in self._keys(url, source):
            spent = self._spent.get(key, 0)
            if spent >= budget:
                return Outcome.OVER_BUDGET
            if not spent and len(self._spent) >= MAX_PATTERNS:
                drop_oldest(self._spent)
            self._spent[key] = spent + 1
        return None

    def exhausted(self, url: str, source: str) -> bool:
        """Whether `refusal` would refuse; counts nothing."""
        return any(self._spent.get(key, 0) >= budget for key, budget in self._keys(url, source))

    def _keys(self, url: str, source: str) -> list[tuple[str, int]]:
        pattern = pattern_of(url)
        keys = []
        if pattern == pattern_of(source):
            keys.append((pattern, self._budget))
        if url.count("/") > DEEP_SEGMENTS + 2:
            keys.append((f"deep {first_folder(url)}", self._budget))
        elif _is_descent(url, source):
            keys.append((f"descent {first_folder(url)}", self._budget * DESCENT_BUDGETS))
        session = _SESSION.search(url)
        if session is not None:
            keys.append((f"session {url[: session.start()]}", SESSION_BUDGET))
        return keys


def pattern_of(url: str) -> str:
    """What stays of a serialised URL when numbers, tokens, repetitions and queries are taken out.

    >>> pattern_of("https://example.com/calendar/2026-11?view=month&day=3")
    'https://example.com/calendar/0-0?'
    >>> pattern_of("https://example.com/a/b/a/b/a/")
    'https://example.com/a/b'
    """
    address, question, _ = url.partition("?")
    site, slash, path = _split(address)
    segments = [_DIGITS.sub("0", _TOKEN.sub("~", segment)) for segment in path.split("/")]
    seen = dict.fromkeys(segment for segment in segments if segment)
    return f"{site}{slash}{'/'.join(seen)}{question}"


def first_folder(url: str) -> str:
    """The site and the first segment of the path."""
    site, slash, path = _split(url.partition("?")[0])
    return f"{site}{slash}{path.partition('/')[0]}"


def _is_descent(url: str, source: str) -> bool:
    """Whether `url` is far down, and just below the folder of the page it was found on.

    An index that stands far above is no machine: it is written once.
    """
    address = url.partition("?")[0]
    found_on = source.partition("?")[0]
    slashes = address.count("/")
    return (
        slashes >= DESCENT_SEGMENTS + 2
        and 1 <= slashes - found_on.count("/") <= _STEPS_DOWN
        and address.startswith(found_on[: found_on.rindex("/") + 1])
    )


def _split(address: str) -> tuple[str, str, str]:
    """Site, "/", and the rest of a serialised URL without query."""
    scheme, colon, rest = address.partition("://")
    host, slash, path = rest.partition("/")
    return f"{scheme}{colon}{host}", slash, path
