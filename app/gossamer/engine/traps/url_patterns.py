"""Groups similar URLs by pattern, folder, site and session id."""

import re
from functools import lru_cache

_FEWEST_WORDS = 4
"""Paths of fewer segments may be in any order: what is compared, or from where to where."""

_DIGITS = re.compile(r"\d+")
_TOKEN = re.compile(r"(?=[^/]*\d)[0-9a-f]{8,}(?:-[0-9a-f]{4,})*", re.IGNORECASE)
_BETWEEN_ITEMS = re.compile(r"[+,;|]|%(?:2[BCbc0]|3[Bb]|7[Cc])")
"""In a segment that is a list of what is filtered by, in any order."""
_SESSION = re.compile(
    r"[?&;](?:jsessionid|phpsessid|aspsessionid\w*|sessionid|session_id|sessid|sid|cfid|cftoken)=",
    re.IGNORECASE,
)
_SESSION_FOLDER = re.compile(r"/\((?:[A-Z]\([^()/]*\))+\)(?=/|$)")
"""What ASP.NET puts into paths where there are no cookies: `/(S(lit3py55t21z5v55vlm25s55))/`."""


def pattern_of(url: str) -> str:
    """A serialised URL without its numbers, tokens, repetitions and query values.

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


@lru_cache(maxsize=4096)  # where one page is, others are
def _folder_pattern(folder: str) -> tuple[str, frozenset[str]]:
    """The pattern of a serialised URL up to the last slash of its path, and its segments."""
    end = _end_of_site(folder)
    names = folder[end + 1 :].split("/")
    segments = dict.fromkeys(_without_variation(name) for name in names if name)
    return f"{folder[:end]}/{'/'.join(segments)}", frozenset(segments)


def _without_variation(segment: str) -> str:
    """A segment of a path with numbers, tokens and lists taken out. Most have none."""
    if segment.isalpha():
        return segment
    if _BETWEEN_ITEMS.search(segment):
        return "+"
    if _DIGITS.search(segment) is None:
        return segment
    return _DIGITS.sub("0", _TOKEN.sub("~", segment))


def folder_of(url: str) -> str:
    """The site and the first folder of the path; what stands in no folder is in "/"."""
    address = url.partition("?")[0]
    end = _end_of_site(address)
    folder = address.find("/", end + 1)
    return address[: folder + 1] if folder >= 0 else address[: end + 1]


def site_of(url: str) -> str:
    """Scheme and host of a serialised URL."""
    return url[: _end_of_site(url)]


def choice_of(url: str, source: str) -> int:
    """A hash that `url`, a folder below the page `source`, shares with those in another order.

    Filters that are folders can be chosen in any order. 0 where it is no such address.
    """
    if url.count("/") < _FEWEST_WORDS + 2 or "?" in url or not url.startswith(source):
        return 0
    return hash(tuple(sorted(url.rstrip("/").split("/"))))


def page_in_session(url: str) -> str:
    """A URL without its session id, to compare it with others; "" if it has none."""
    found = _SESSION.search(url)
    if found is not None:
        return url[: found.start()]
    found = _SESSION_FOLDER.search(url) if "(" in url else None
    return f"{url[: found.start()]}{url[found.end() :]}" if found is not None else ""


def _end_of_site(url: str) -> int:
    """Where the path of a serialised URL begins."""
    end = url.find("/", url.find("://") + 3)
    return end if end >= 0 else len(url)
