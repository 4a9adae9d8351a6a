"""Decides which requests of a recrawl are conditional, and what a 304 or other response means.

Pure functions of values; `engine.revisits` makes the requests.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import UTC
from email.utils import parsedate_to_datetime
from typing import Final

from msgspec.structs import replace

from gossamer.model.discovery_rank import SitemapRole
from gossamer.model.freshness import NO_CONDITIONS, NO_VALIDATORS, Conditions, Freshness, Validators
from gossamer.model.messages.worker_messages import FetchKind
from gossamer.model.outcome import INCOMPLETE, PAGES, Outcome
from gossamer.model.previous_crawl import PreviousResponse, PreviousText
from gossamer.model.response_cookies import set_cookie
from gossamer.model.response_warnings import ResponseWarning
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.visit import Visit

_OK: Final = 200
_REDIRECTION: Final = 3
_HOUR_S: Final = 3_600
_WHOLE_PAGES: Final = PAGES - INCOMPLETE
_HARMLESS: Final = frozenset({ResponseWarning.INVALID_CERTIFICATE})
"""Warnings about the connection, not about the response."""
_ETAG: Final = re.compile(r'(?:W/)?"[!#-~]*"|(?!\*$)[!#-+\--~]+')
"""As the standard defines it, or without quotes, as some servers send and compare it. Not `*`: as a
condition, that matches whatever the server has."""
_LONGEST: Final = 1_024
_CODINGS: Final = re.compile(r'(?:-|;|--)(?:gzip|br|deflate|zstd)"$')
"""What servers append to the ETag of a compressed response. Some, such as older versions of Apache,
recognise only the ETag without it."""
_STRONG_AFTER_S: Final = 1.0
"""A response must be this much later than its Last-Modified, or the page may have changed again
within that second (RFC 9110, section 8.8.2.2)."""
_EARLIEST_S: Final = 315_532_800.0
"""The beginning of 1980: earlier dates are those of clocks that were never set."""
_OF_BODY: Final = frozenset(
    {
        *("content-length", "content-encoding", "content-range", "transfer-encoding"),
        *("connection", "keep-alive", "trailer", "content-type", "set-cookie"),
    }
)
"""Headers of a 304 that say nothing about the page; those of the page stay."""
_TOLD: Final = (
    *("content-type", "link", "x-robots-tag", "refresh", "content-language", "set-cookie"),
    "location",
    *("content-security-policy", "referrer-policy", "strict-transport-security"),
    *("x-content-type-options", "x-frame-options"),
)
"""Headers that facts of a page are derived from."""
_NONCE: Final = re.compile(r"'nonce-[^']*'")


def conditions_for(known: PreviousResponse, kind: FetchKind) -> Conditions:
    """The conditions for which a 304 would tell all that a request of this kind needs to know.

    None if the earlier response was incomplete, was something else, or has no reliable validator.
    """
    if not (_is_sound(known) and _is_read_alike(known, kind)):
        return NO_CONDITIONS
    found = _conditions(validators(known.headers, known.fetched_at))
    return replace(found, referred=known.referred) if found else found


def text_conditions(known: PreviousText) -> Conditions:
    """The conditions for which a 304 would say that a text file is unchanged."""
    found = _conditions(validators(known.visit.headers, known.visit.fetched_at))
    return replace(found, referred=known.referred) if found else found


def _is_sound(known: PreviousResponse) -> bool:
    """Whether the response is complete."""
    return known.status is not None and _HARMLESS.issuperset(known.warnings)


def _is_read_alike(known: PreviousResponse, kind: FetchKind) -> bool:
    """Whether the earlier response was read as it would be now."""
    if known.status != _OK:
        return _is_lasting_redirect(known)
    was_sitemap = known.listed is SitemapRole.READ
    if kind is FetchKind.SITEMAP:
        return was_sitemap and known.outcome is Outcome.FILE
    if was_sitemap:
        return False
    if known.outcome is Outcome.FILE:
        return _is_file_told_by(known, kind)
    if kind is FetchKind.CHECK:
        return known.outcome is Outcome.CHECKED
    is_page = known.outcome in _WHOLE_PAGES or known.location is not None
    return is_page and known.content_hash is not None


def _is_lasting_redirect(known: PreviousResponse) -> bool:
    """Whether it is a redirect that sets no cookie: others may lead on only with the cookie."""
    is_redirect = known.location is not None and (known.status or 0) // 100 == _REDIRECTION
    return is_redirect and not known.values("set-cookie")


def _is_file_told_by(known: PreviousResponse, kind: FetchKind) -> bool:
    """Whether a file tells the same, whether it was requested in this way or the other.

    A page request reads the contents of small files, and their Link headers; a check reads only the
    head, if that states the size of the file.
    """
    if kind is FetchKind.CHECK:
        is_kept = known.referred is not None  # checks of what is kept request the body, too
        is_kept |= known.content_type == "text/css"  # read either way, for what it loads
        was_checked = is_kept or not known.raw_bytes or not known.values("content-length")
        return was_checked and not known.values("link")
    was_read = known.raw_bytes > 0 and bool(known.content_type)
    return not known.as_file or (was_read and not known.values("link"))


def is_due(known: PreviousResponse, settings: CrawlSettings, now_s: float) -> bool:
    """Whether a page is due for a request, by how long it had been unchanged at the last one.

    `now_s` is Unix time. A page requested in the future, because a clock was wrong, is due.
    """
    if not settings.adaptive_interval or not is_whole_page(known) or known.fetched_at > now_s:
        return True
    half_s = (known.fetched_at - known.since) / 2
    longest_s, shortest_s = settings.max_interval_h * _HOUR_S, settings.min_interval_h * _HOUR_S
    return now_s >= known.fetched_at + max(min(half_s, longest_s), shortest_s)


def may_be_page(known: PreviousResponse) -> bool:
    """Whether the response has a body that is read as a page: neither a redirect nor a file."""
    return known.status == _OK and known.outcome is not Outcome.FILE


def is_whole_page(known: PreviousResponse) -> bool:
    """Whether the response is a complete page, whatever validators it has."""
    is_page = known.outcome in _WHOLE_PAGES and known.status == _OK
    return is_page and _is_sound(known) and _is_read_alike(known, FetchKind.PAGE)


def validators(headers: Sequence[tuple[str, str]], received_at: float) -> Validators:
    """The validators in the headers of a response; "" for each that it lacks.

    `received_at` is Unix time by our clock, for servers that send no Date. Last-Modified is exactly
    as sent.
    """
    return Validators(_etag(headers), _last_modified(headers, received_at))


def text_validators(visit: Visit) -> Validators:
    """The validators of a text file: none if it is incomplete."""
    is_sound = visit.status == _OK and _HARMLESS.issuperset(visit.warnings)
    if visit.outcome is not Outcome.FILE or not is_sound:
        return NO_VALIDATORS
    return validators(visit.headers, visit.fetched_at)


def _etag(headers: Sequence[tuple[str, str]]) -> str:
    values = _values(headers, "etag")
    if len(values) != 1:
        return ""
    etag = values[0].strip()
    return etag if len(etag) <= _LONGEST and _ETAG.fullmatch(etag) else ""


def _last_modified(headers: Sequence[tuple[str, str]], received_at: float) -> str:
    values = _values(headers, "last-modified")
    if len(values) != 1:
        return ""
    modified_s, dates = _moment(values[0]), _values(headers, "date")
    responded_s = _moment(dates[0]) if len(dates) == 1 else None
    if responded_s is None:
        responded_s = received_at
    if modified_s is None or not _EARLIEST_S <= modified_s <= responded_s - _STRONG_AFTER_S:
        return ""
    return values[0]


def _conditions(validators: Validators) -> Conditions:
    """The values of If-None-Match and If-Modified-Since."""
    etag = validators.etag
    plain = _CODINGS.sub('"', etag)
    return Conditions(etag if plain == etag else f"{etag}, {plain}", validators.last_modified)


def _moment(text: str) -> float | None:
    """An HTTP-date as Unix time; None for anything else."""
    if not text.isascii() or not text.isprintable():
        return None
    try:
        moment = parsedate_to_datetime(text)
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
    except (ValueError, TypeError, OverflowError, IndexError):
        return None


def contradicts(known: PreviousResponse, response: Visit, conditions: Conditions) -> bool:
    """Whether the headers of a 304 show that it is not about the known response.

    Its ETag is none of those sent, or a header that facts are derived from has changed.
    """
    return is_of_another(response, conditions) or any(
        _is_changed(name, known, response.headers) for name in _TOLD
    )


def is_of_another(response: Visit, conditions: Conditions) -> bool:
    """Whether a 304 has validators of something other than what was requested."""
    sent = {_opaque(each) for each in conditions.etags.split(", ")}
    if conditions.etags:
        return any(_opaque(each) not in sent for each in _values(response.headers, "etag"))
    return _is_newer(response, conditions)


def _is_newer(response: Visit, conditions: Conditions) -> bool:
    modified = _values(response.headers, "last-modified")
    return bool(modified) and modified[0] != conditions.modified_since


def _opaque(etag: str) -> str:
    """The part of an ETag to compare: If-None-Match ignores whether it is weak."""
    return etag.strip().removeprefix("W/")


def _is_changed(name: str, known: PreviousResponse, headers: Sequence[tuple[str, str]]) -> bool:
    now = _values(headers, name)
    if not now:  # a server may leave it out: RFC 9110, section 15.4.5
        return False
    then = known.values(name)
    if name == "set-cookie":
        return not set(map(_cookie, now)) <= set(map(_cookie, then))
    return list(map(_without_nonces, now)) != list(map(_without_nonces, then))


def _cookie(header: str) -> tuple[str, bool, bool, bool]:
    cookie = set_cookie(header)
    return cookie.name, cookie.secure, cookie.http_only, bool(cookie.same_site)


def _without_nonces(value: str) -> str:
    return _NONCE.sub("'nonce'", value)


def _values(headers: Iterable[tuple[str, str]], name: str) -> list[str]:
    """The values of the headers of that name, which is in lower case, in order."""
    return [value for each, value in headers if each.lower() == name]


def not_modified(known: PreviousResponse, before: Visit, response: Visit) -> Visit:
    """The visit `before`, which `known` is about, as a 304 confirms it.

    Headers are those of the earlier response, with the newer values of the 304 (RFC 9111, section
    3.2).
    """
    return replace(
        before,
        headers=_updated(before.headers, response.headers),
        http_version=response.http_version,
        ttfb_ms=response.ttfb_ms,
        elapsed_ms=response.elapsed_ms,
        fetched_at=response.fetched_at,
        # In a complete response, they concern the certificate or the way it redirects.
        detail=before.detail if before.warnings == response.warnings else response.detail,
        warnings=response.warnings,
        says_new=_still_new(before),
        freshness=Freshness.NOT_MODIFIED,
        unchanged_since=known.since,
        archived=[*before.archived, *response.archived],
        archive_errno=before.archive_errno or response.archive_errno,
    )


def not_due(known: PreviousResponse, before: Visit) -> Visit:
    """The visit `before`, taken over without a request."""
    says_new = _still_new(before)
    return replace(
        before, freshness=Freshness.NOT_DUE, unchanged_since=known.since, says_new=says_new
    )


def _still_new(before: Visit) -> bool | None:
    """Whether it says something new, as judged by the earlier crawl from the page's phrases.

    The phrases are not kept; everything else is judged as usual.
    """
    return None if before.facts is None else before.says_new


def _updated(
    headers: Sequence[tuple[str, str]], newer: Sequence[tuple[str, str]]
) -> list[tuple[str, str]]:
    """The headers, updated in place with the values of newer ones; additional ones at the end.

    If the number of headers of a name has changed, all of that name come at the end.
    """
    taken = [pair for pair in newer if pair[0].lower() not in _OF_BODY]
    then, now = (Counter(name.lower() for name, _ in pairs) for pairs in (headers, taken))
    same = {name for name in now if now[name] == then[name]}
    values = {name: iter(_values(taken, name)) for name in same}
    updated = []
    for name, value in headers:
        lower = name.lower()
        if lower in values:
            updated.append((name, next(values[lower])))
        elif lower not in now:
            updated.append((name, value))
    return updated + [pair for pair in taken if pair[0].lower() not in same]


def same_text(before: Visit, response: Visit) -> Visit:
    """The visit `before` of a text file, as a 304 confirms it."""
    return replace(
        before,
        archived=[*before.archived, *response.archived],
        archive_errno=before.archive_errno or response.archive_errno,
        http_version=response.http_version,
        ttfb_ms=response.ttfb_ms,
        elapsed_ms=response.elapsed_ms,
        fetched_at=response.fetched_at,
    )


def compared(known: PreviousResponse | None, response: Visit) -> Visit:
    """The fetched visit, with how it compares with the known response."""
    if known is None:
        return replace(response, freshness=Freshness.NEW)
    now = None if response.facts is None else response.facts.content_hash
    is_same = (known.status, known.location) == (response.status, response.location) and (
        known.content_hash == now
        if known.content_hash is not None and now is not None
        else known.size_bytes == response.size_bytes
    )
    if not is_same:
        return replace(response, freshness=Freshness.CHANGED)
    return replace(response, freshness=Freshness.SAME, unchanged_since=known.since)
