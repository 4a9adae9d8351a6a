"""Sites that make up addresses without end: calendars, facet mazes, growing paths, session ids.

A budget holds each back without holding back the site. What counts is how a URL is found: ten
thousand products linked from category pages are a shop, ten thousand pages that only pages of
their own kind lead to are a machine. So a *pattern* (the address with what varies taken out) has
a budget for URLs found from within the pattern, and none for those found from outside it.

Machines of several patterns, months that lead to days and days to months, are found out by how far
they lead away: few of a site's pages are thirty clicks from its root, whatever its size.

Where the words of an address are made up too, nothing but the pages tells: those that a person
would take for the same page, by the hundreds, lead to more of them. The pages of a wiki differ.
"""

import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from hashlib import blake2b
from operator import itemgetter

from gossamer.model.forgetting import drop_oldest
from gossamer.model.outcome import Outcome
from gossamer.model.page import PageFacts

DEEP_SEGMENTS = 12
"""Paths with more segments share one budget per first folder, whatever their words."""
DESCENT_SEGMENTS = 6
"""From so many segments on, what is found in a folder above shares one budget per first folder."""
DESCENT_BUDGETS = 10
"""That budget, in budgets of a pattern: real trees are large, those made up have no end."""
_STEPS_DOWN = 2
FAR_CLICKS = 30
"""From so many clicks on, all addresses of a pattern share a budget, wherever they are found."""
FAR_BUDGETS = 10
"""That budget, in budgets of a pattern: an archive may be as long, and its pages numbered."""
_FEWEST_WORDS = 4
"""Paths of fewer segments may be in any order: what is compared, or from where to where."""
SESSION_BUDGET = 25
"""Addresses of one page that differ in a session id."""
MAX_PATTERNS = 100_000
"""Patterns counted; beyond that the oldest are forgotten, which only gives them a new budget."""

ALIKE_BUDGETS = 10
"""Pages that look alike, in budgets of a pattern: the lists of a shop may well do."""
MAX_LOOKS = 50_000
"""Looks of pages remembered, those seen last."""
_FEWEST_ALIKE = 10
"""From so many pages alike on, their number is kept in the project file."""

_ALIKE = "alike "
_DIGITS = re.compile(r"\d+")
_TOKEN = re.compile(r"(?=[^/]*\d)[0-9a-f]{8,}(?:-[0-9a-f]{4,})*", re.IGNORECASE)
_SESSION = re.compile(
    r"[?&;](?:jsessionid|phpsessid|aspsessionid\w*|sessionid|session_id|sessid|sid|cfid|cftoken)=",
    re.IGNORECASE,
)
_SESSION_FOLDER = re.compile(r"/\((?:[A-Z]\([^()/]*\))+\)(?=/|$)")
"""What ASP.NET puts into paths where there are no cookies: `/(S(lit3py55t21z5v55vlm25s55))/`."""


def _knows_none(_url: str) -> None:
    """For who knows no URLs."""


class TrapBudgets:
    """Counts URLs found from within their own pattern, and pages that look alike."""

    def __init__(self, budget: int) -> None:
        """Take the budget of a pattern."""
        self._budget = budget
        self._spent: dict[str, int] = {}
        self._alike: dict[str, int] = {}
        self._changed: dict[str, int] = {}

    def set_budget(self, budget: int) -> None:
        """Go on with another budget; what was refused stays so."""
        self._budget = budget

    def restore(self, spent: dict[str, int]) -> None:
        """Go on from what was spent before; what is nearly used up is forgotten last."""
        for key, number in sorted(spent.items(), key=itemgetter(1)):
            looks = key.startswith(_ALIKE)
            (self._alike if looks else self._spent)[key.removeprefix(_ALIKE)] = number

    def changed(self) -> dict[str, int]:
        """What is spent of each budget that changed since this was last asked, by its key."""
        changed, self._changed = self._changed, {}
        return changed

    def looks_made_up(self, url: str, facts: PageFacts | None) -> bool:
        """Whether the page at `url` is one too many of those that look just like it."""
        if facts is None:
            return False
        look = _look(url, facts)
        pages = self._alike.pop(look, 0) + 1
        if len(self._alike) >= MAX_LOOKS:
            drop_oldest(self._alike)
        self._alike[look] = pages
        if pages >= _FEWEST_ALIKE:
            self._changed[_ALIKE + look] = pages
        return pages > self._budget * ALIKE_BUDGETS

    def refusal(
        self, url: str, source: str, depth: int = 0, known: Callable[[str], object] = _knows_none
    ) -> Outcome | None:
        """OVER_BUDGET if `url`, found on the page `source`, is one too many of its pattern.

        Otherwise it is counted, if it counts at all. `depth` is how many clicks away it is,
        `known` tells whether a URL is, by another answer than None.
        """
        for key, budget in self._keys(url, source, depth, known):
            spent = self._spent.get(key, 0)
            if spent >= budget:
                return Outcome.OVER_BUDGET
            if not spent and len(self._spent) >= MAX_PATTERNS:
                drop_oldest(self._spent)
            self._spent[key] = self._changed[key] = spent + 1
        return None

    def exhausted(
        self, url: str, source: str, depth: int = 0, known: Callable[[str], object] = _knows_none
    ) -> bool:
        """Whether `refusal` would refuse; counts nothing."""
        keys = self._keys(url, source, depth, known)
        return any(self._spent.get(key, 0) >= budget for key, budget in keys)

    def _keys(
        self, url: str, source: str, depth: int, known: Callable[[str], object]
    ) -> list[tuple[str, int]]:
        pattern = pattern_of(url)
        keys = []
        if pattern == _pattern_of_source(source):
            keys.append((pattern, self._budget))
        if depth >= FAR_CLICKS and (key := _far_key(url, pattern, source)):
            keys.append((key, self._budget * FAR_BUDGETS))
        if url.count("/") > DEEP_SEGMENTS + 2:
            keys.append((f"deep {first_folder(url)}", self._budget))
        elif _is_descent(url, source):
            keys.append((f"descent {first_folder(url)}", self._budget * DESCENT_BUDGETS))
        if url.startswith(source) and any(
            known(other) is not None for other in _reordered(url, source)
        ):
            keys.append((f"order {first_folder(url)}", self._budget))
        if page := _page_in_session(url):
            keys.append((f"session {page}", SESSION_BUDGET))
        return keys


def pattern_of(url: str) -> str:
    """What stays of a serialised URL when numbers, tokens, repetitions and queries are taken out.

    >>> pattern_of("https://example.com/calendar/2026-11?view=month&day=3")
    'https://example.com/calendar/0-0?'
    >>> pattern_of("https://example.com/a/b/a/b/a/")
    'https://example.com/a/b'
    """
    address, question, _ = url.partition("?")
    folder, _, name = address.rpartition("/")
    if "://" not in folder:  # no path
        return f"{address}{question}"
    pattern, segments = _folder_pattern(folder)
    segment = _without_variation(name)
    if not segment or segment in segments:
        return f"{pattern}{question}"
    return f"{pattern}{'/' if segments else ''}{segment}{question}"


_pattern_of_source = lru_cache(maxsize=1)(pattern_of)
"""Likewise, for the page whose links are looked at."""


@lru_cache(maxsize=4096)  # where one page is, others are
def _folder_pattern(folder: str) -> tuple[str, frozenset[str]]:
    """What stays of a serialised URL up to the last slash of its path, and the segments of that."""
    site, _, path = _split(folder)
    segments = dict.fromkeys(_without_variation(name) for name in path.split("/") if name)
    return f"{site}/{'/'.join(segments)}", frozenset(segments)


def _without_variation(segment: str) -> str:
    """A segment of a path with numbers and tokens taken out. Most have no digit."""
    if _DIGITS.search(segment) is None:
        return segment
    return _DIGITS.sub("0", _TOKEN.sub("~", segment))


def first_folder(url: str) -> str:
    """The site and the first segment of the path."""
    site, slash, path = _split(url.partition("?")[0])
    return f"{site}{slash}{path.partition('/')[0]}"


def _look(url: str, facts: PageFacts) -> str:
    """What a person sees of a page, as far as we know it, and its site, in few characters."""
    site = _split(url.partition("?")[0])[0]
    seen = (site, facts.title, facts.h1, facts.description, facts.word_count)
    return blake2b(repr(seen).encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


def _is_descent(url: str, source: str) -> bool:
    """Whether `url` is far down, and just below the folder of the page it was found on.

    An index that stands far above is no machine: it is written once.
    """
    if url.count("/") < DESCENT_SEGMENTS + 2:  # as nearly all
        return False
    address = url.partition("?")[0]
    found_on = source.partition("?")[0]
    slashes = address.count("/")
    return (
        slashes >= DESCENT_SEGMENTS + 2
        and 1 <= slashes - found_on.count("/") <= _STEPS_DOWN
        and address.startswith(found_on[: found_on.rindex("/") + 1])
    )


def _far_key(url: str, pattern: str, source: str) -> str:
    """What `url` far away shares a budget with; "" if it is the only one of its pattern.

    Hosts that lead to hosts without end share one.
    """
    site, slash, path = _split(pattern)
    if source.startswith(f"{site}{slash}"):
        return f"far {pattern}" if pattern != url.rstrip("/") else ""
    return f"far {path}"


def _reordered(url: str, source: str) -> Iterator[str]:
    """If `url` adds a segment to the path of `source`, the addresses that have it farther up.

    Filters that are folders can be chosen in any order.
    """
    if url.count("/") < _FEWEST_WORDS + 2 or "?" in url:
        return
    end = "/" if url.endswith("/") else ""
    site, slash, path = _split(url.removesuffix("/"))
    *above, last = path.split("/")
    if (
        len(above) < _FEWEST_WORDS - 1
        or source.rstrip("/") != url.removesuffix(end)[: -len(last) - 1]
    ):
        return
    for place in range(1, len(above)):
        yield f"{site}{slash}{'/'.join([*above[:place], last, *above[place:]])}{end}"


def _page_in_session(url: str) -> str:
    """What a URL with a session id has in common with those that have another; "" without one."""
    found = _SESSION.search(url)
    if found is not None:
        return url[: found.start()]
    found = _SESSION_FOLDER.search(url) if "(" in url else None
    return f"{url[: found.start()]}{url[found.end() :]}" if found is not None else ""


def _split(address: str) -> tuple[str, str, str]:
    """Site, "/", and the rest of a serialised URL without query."""
    scheme, colon, rest = address.partition("://")
    host, slash, path = rest.partition("/")
    return f"{scheme}{colon}{host}", slash, path
