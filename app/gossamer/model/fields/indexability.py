"""Decides whether search engines may list a URL: in Python for page workers, in SQL for projects.

A test ensures that both agree.
"""

import re
from functools import lru_cache
from typing import Final

from gossamer.model.fields.page_facts import PageFields
from gossamer.model.fields.page_flags import Directive, MarkupFlag
from gossamer.model.outcome import KEPT_BY_ROBOTS, REFUSED_STATUSES, Outcome, UrlState
from gossamer.model.translatable import Word, word


class Indexability(Word):
    """Whether search engines may list a URL, or the first reason why not."""

    INDEXABLE = word("Indexable")
    NO_RESPONSE = word("No Response")
    BLOCKED_BY_ROBOTS = word("Blocked by Robots.txt")
    REDIRECTED = word("Redirected")
    CLIENT_ERROR = word("Client Error")
    SERVER_ERROR = word("Server Error")
    HASH_ROUTE = word("Hash Route")
    """Search engines list its document alone."""
    NOINDEX = word("noindex")
    CANONICALISED = word("Canonicalised")
    UNKNOWN = word("Unknown")
    """Not requested yet, never requested, or a bot challenge."""


class IndexableOrNot(Word):
    """Whether search engines may list a URL."""

    INDEXABLE = word("Indexable")
    NON_INDEXABLE = word("Non-Indexable")


def indexable_or_not(reason: Indexability) -> IndexableOrNot | None:
    """Whether search engines may list a URL; None if that is not known."""
    if reason is Indexability.UNKNOWN:
        return None
    if reason is Indexability.INDEXABLE:
        return IndexableOrNot.INDEXABLE
    return IndexableOrNot.NON_INDEXABLE


def why_not_indexable(reason: Indexability) -> Indexability | None:
    """Why search engines may not list a URL; None if they may, or that is not known."""
    return None if reason in {Indexability.INDEXABLE, Indexability.UNKNOWN} else reason


_FAILED: Final = frozenset(
    each for each in Outcome if each.state is UrlState.FAILED and each is not Outcome.LOGIN_REQUIRED
)
_REDIRECTS: Final = frozenset(each for each in Outcome if each.is_redirect)
_READ: Final = frozenset(each for each in Outcome if each.state is UrlState.DONE)
_NOINDEX: Final = int(Directive.NOINDEX | Directive.NONE)
_CONFLICTING: Final = int(MarkupFlag.CONFLICTING_CANONICALS)
_WEB: Final = re.compile(r"https?://[^/ ][^ ]*/[^ ]*").fullmatch
"""Distinguishes URLs from texts kept as written because they are none: those have a host and no
spaces."""


def _of_outcome(outcome: Outcome) -> Indexability:
    if outcome in KEPT_BY_ROBOTS:
        return Indexability.BLOCKED_BY_ROBOTS
    if outcome in _FAILED:
        return Indexability.NO_RESPONSE
    if outcome in _REDIRECTS:
        return Indexability.REDIRECTED
    return Indexability.INDEXABLE if outcome in _READ else Indexability.UNKNOWN


_BY_OUTCOME: Final = {outcome: _of_outcome(outcome) for outcome in Outcome}


@lru_cache(maxsize=1_000)
def indexability_of_response(outcome: Outcome, status: int | None) -> Indexability:
    """The decision by outcome and status; INDEXABLE if it depends on the response itself."""
    found = _BY_OUTCOME[outcome]
    return _of_status(outcome, status or 0) if found is Indexability.INDEXABLE else found


_REFUSED: Final = tuple(sorted(each for each in REFUSED_STATUSES if each >= 500))  # noqa: PLR2004 - beyond 4xx
"""Statuses that turn robots away as 401 and 403 do, whatever their class."""
_BY_LEAST_STATUS: Final = (
    (500, Indexability.SERVER_ERROR),
    (400, Indexability.CLIENT_ERROR),
    (300, Indexability.REDIRECTED),
    (200, Indexability.INDEXABLE),
)


def _of_status(outcome: Outcome, status: int) -> Indexability:
    """RFC 9110, section 15: what is 600 or higher is a server error, as 5xx is."""
    if status in _REFUSED:
        return Indexability.CLIENT_ERROR
    for least, reason in _BY_LEAST_STATUS:
        if status >= least:
            is_hidden = outcome is Outcome.CHALLENGE and reason is Indexability.INDEXABLE
            return Indexability.UNKNOWN if is_hidden else reason
    return Indexability.NO_RESPONSE


def is_of_hash_route(url: str) -> bool:
    """Whether this is the URL of a hash route: no other URL has a fragment."""
    return "#" in url


def says_noindex(directives: int | None, robots: str | None, robots_header: str | None) -> bool:
    """Whether a response forbids that it be listed.

    `directives` are those of meta elements and headers; None for anything but a page.
    """
    if directives is not None:
        return bool(directives & _NOINDEX)
    # What follows a colon is the value of another directive: `max-image-preview: none`.
    said = f"{robots or ''},{robots_header or ''}".lower().replace(": ", ":")
    words = said.replace(";", ",").replace(",", " ").split()
    return not {"noindex", "none"}.isdisjoint(words)


def is_canonicalised(url: str, facts: PageFields) -> bool:
    """Whether a canonical of the page at `url` names another URL; of two that differ, one does."""
    if (facts.markup or 0) & _CONFLICTING:
        return True
    canonical, header = facts.canonical, facts.canonical_header
    if not (canonical or header):
        return False
    return _names_another(url, canonical) or _names_another(url, header)


def _names_another(url: str, canonical: str | None) -> bool:
    if not canonical or canonical == url:
        return False
    return _WEB(canonical) is not None and canonical.partition("#")[0] != url


def _listed(outcomes: frozenset[Outcome]) -> str:
    return ", ".join(str(int(outcome)) for outcome in sorted(outcomes))


def _text(reason: Indexability) -> str:
    return f"'{reason.value}'"


_R: Final = Indexability
_SAID: Final = (
    "(',' || lower(replace(replace(replace("
    "coalesce((SELECT value FROM text WHERE id = {v}.robots), '') || ',' ||"
    " coalesce((SELECT value FROM text WHERE id = {v}.robots_header), ''),"
    " ': ', ':'), ' ', ','), ';', ',')) || ',')"
)
_NAMES_ANOTHER: Final = (
    "{v}.{name} <> {u}.url"  # most are equal, which is quick to check
    " AND ({v}.{name} GLOB 'http://[^/]*/*' OR {v}.{name} GLOB 'https://[^/]*/*')"
    " AND instr({v}.{name}, ' ') = 0"
    " AND substr({v}.{name} || '#', 1, instr({v}.{name} || '#', '#') - 1) <> {u}.url"
)
NOINDEX_SQL: Final = (
    f"CASE WHEN {{v}}.directives IS NOT NULL THEN {{v}}.directives & {_NOINDEX} <> 0"
    # Files seldom have any, and looking into texts takes half of the time that the decision takes.
    " WHEN coalesce({v}.robots, {v}.robots_header) IS NULL THEN 0"
    f" ELSE instr({_SAID}, ',noindex,') OR instr({_SAID}, ',none,') END"
)
CANONICALISED_SQL: Final = (
    f"(coalesce({{v}}.markup, 0) & {_CONFLICTING}"
    f" OR coalesce({_NAMES_ANOTHER.replace('{name}', 'canonical')}, 0)"
    f" OR coalesce({_NAMES_ANOTHER.replace('{name}', 'canonical_header')}, 0))"
)
_INDEXABILITY: Final = (
    f"CASE WHEN {{u}}.outcome IN ({_listed(KEPT_BY_ROBOTS)}) THEN {_text(_R.BLOCKED_BY_ROBOTS)}"
    f" WHEN {{u}}.outcome IN ({_listed(_FAILED)}) THEN {_text(_R.NO_RESPONSE)}"
    f" WHEN {{u}}.outcome IN ({_listed(_REDIRECTS)})"
    f" THEN {_text(_R.REDIRECTED)}"
    f" WHEN {{u}}.outcome NOT IN ({_listed(_READ)}) THEN {_text(_R.UNKNOWN)}"
    f" WHEN {{v}}.status IN ({', '.join(map(str, _REFUSED))}) THEN {_text(_R.CLIENT_ERROR)}"
    f" WHEN {{v}}.status >= 500 THEN {_text(_R.SERVER_ERROR)}"
    f" WHEN {{v}}.status >= 400 THEN {_text(_R.CLIENT_ERROR)}"
    f" WHEN {{v}}.status >= 300 THEN {_text(_R.REDIRECTED)}"
    f" WHEN coalesce({{v}}.status, 0) < 200 THEN {_text(_R.NO_RESPONSE)}"
    f" WHEN {{u}}.outcome = {int(Outcome.CHALLENGE)} THEN {_text(_R.UNKNOWN)}"
    f" WHEN instr({{u}}.url, '#') THEN {_text(_R.HASH_ROUTE)}"
    f" WHEN {NOINDEX_SQL} THEN {_text(_R.NOINDEX)}"
    f" WHEN {CANONICALISED_SQL} THEN {_text(_R.CANONICALISED)}"
    f" ELSE {_text(_R.INDEXABLE)} END"
)


def indexability_sql(u: str = "u", v: str = "v") -> str:
    """The SQL of the value of Indexability for a URL and its visit, under these aliases."""
    return _INDEXABILITY.format(u=u, v=v)


def indexable_sql(u: str = "u", v: str = "v") -> str:
    """The SQL of `indexable_or_not`; NULL if that is not known."""
    return (
        f"CASE {indexability_sql(u, v)} WHEN {_text(_R.UNKNOWN)} THEN NULL"
        f" WHEN {_text(_R.INDEXABLE)} THEN '{IndexableOrNot.INDEXABLE.value}'"
        f" ELSE '{IndexableOrNot.NON_INDEXABLE.value}' END"
    )


def reason_sql(u: str = "u", v: str = "v") -> str:
    """The SQL of `why_not_indexable`."""
    return f"nullif(nullif({indexability_sql(u, v)}, {_text(_R.INDEXABLE)}), {_text(_R.UNKNOWN)})"
