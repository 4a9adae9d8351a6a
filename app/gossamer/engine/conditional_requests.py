"""Decides which requests of a recrawl are conditional, and what a 304 and other answers amount to.

Pure functions of values; `engine.revisits` asks.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import UTC
from email.utils import parsedate_to_datetime
from typing import Final

from msgspec.structs import replace

from gossamer.model.freshness import NO_CONDITIONS, NO_VALIDATORS, Conditions, Freshness, Validators
from gossamer.model.messages.worker_messages import FetchKind
from gossamer.model.outcome import INCOMPLETE, PAGES, Outcome
from gossamer.model.previous_crawl import PreviousResponse, PreviousText
from gossamer.model.rank import SitemapRole
from gossamer.model.response_cookies import set_cookie
from gossamer.model.response_warnings import ResponseWarning
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.visit import Visit

_OK: Final = 200
_REDIRECTION: Final = 3
_HOUR_S: Final = 3_600
_WHOLE_PAGES: Final = PAGES - INCOMPLETE
_HARMLESS: Final = frozenset({ResponseWarning.INVALID_CERTIFICATE})
"""Warnings about the connection, not about what came."""
_ETAG: Final = re.compile(r'(?:W/)?"[!#-~]*"|(?!\*$)[!#-+\--~]+')
"""As the standard has it, or without quotes, as some servers send and compare it. Not `*`: as a
condition that stands for whatever the server has."""
_LONGEST: Final = 1_024
_CODINGS: Final = re.compile(r'(?:-|;|--)(?:gzip|br|deflate|zstd)"$')
"""What servers append to the ETag of a compressed answer. Some, such as Apache for long, do not
recognise it then, and know the one without."""
_STRONG_AFTER_S: Final = 1.0
"""So much later than its Last-Modified has an answer to be, or it may have changed once more in
that second (RFC 9110, section 8.8.2.2)."""
_EARLIEST_S: Final = 315_532_800.0
"""The beginning of 1980: earlier dates are those of clocks that were never set."""
_OF_BODY: Final = frozenset(
    {
        *("content-length", "content-encoding", "content-range", "transfer-encoding"),
        *("connection", "keep-alive", "trailer", "content-type", "set-cookie"),
    }
)
"""Headers of a 304 that say nothing of the page; those of the page stay."""
_TOLD: Final = (
    *("content-type", "link", "x-robots-tag", "refresh", "content-language", "set-cookie"),
    "location",
    *("content-security-policy", "referrer-policy", "strict-transport-security"),
    *("x-content-type-options", "x-frame-options"),
)
"""Headers from which facts of a page are made."""
_NONCE: Final = re.compile(r"'nonce-[^']*'")


def conditions_for(known: PreviousResponse, kind: FetchKind) -> Conditions:
    """The conditions on which a 304 would tell all that a request of this kind is for.

    None where the earlier answer was not complete, was something else, or names no validator that
    can be relied on.
    """
    if not (_is_sound(known) and _is_told_by(known, kind)):
        return NO_CONDITIONS
    found = _conditions(validators(known.headers, known.fetched_at))
    return replace(found, referred=known.referred) if found else found


def text_conditions(known: PreviousText) -> Conditions:
    """The conditions on which a 304 would say that a text file is as it was."""
    found = _conditions(validators(known.visit.headers, known.visit.fetched_at))
    return replace(found, referred=known.referred) if found else found


def _is_sound(known: PreviousResponse) -> bool:
    """Whether the answer came whole."""
    return known.status is not None and _HARMLESS.issuperset(known.warnings)


def _is_told_by(known: PreviousResponse, kind: FetchKind) -> bool:
    """Whether the earlier answer was read as it would be now."""
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
    """Whether it is a redirect that sets no cookie: others lead on only with the cookie."""
    is_redirect = known.location is not None and (known.status or 0) // 100 == _REDIRECTION
    return is_redirect and not known.values("set-cookie")


def _is_file_told_by(known: PreviousResponse, kind: FetchKind) -> bool:
    """Whether a file that was asked for in this way or the other says the same.

    A page's request reads what small files hold, and their Link headers; a check the head alone,
    if that says how large the file is.
    """
    if kind is FetchKind.CHECK:
        is_kept = known.referred is not None  # checks of what is kept ask for the body, too
        is_kept |= known.content_type == "text/css"  # read for what it loads in either way
        was_checked = is_kept or not known.raw_bytes or not known.values("content-length")
        return was_checked and not known.values("link")
    was_read = known.raw_bytes > 0 and bool(known.content_type)
    return not known.as_file or (was_read and not known.values("link"))


def is_due(known: PreviousResponse, settings: CrawlSettings, now_s: float) -> bool:
    """Whether a page is to be asked for again, by how long it had been unchanged when it was.

    `now_s` is Unix time. One that was asked for in the future, as a clock was wrong, is due.
    """
    if not settings.adaptive_interval or not is_whole_page(known) or known.fetched_at > now_s:
        return True
    half_s = (known.fetched_at - known.since) / 2
    longest_s, shortest_s = settings.max_interval_h * _HOUR_S, settings.min_interval_h * _HOUR_S
    return now_s >= known.fetched_at + max(min(half_s, longest_s), shortest_s)


def may_be_page(known: PreviousResponse) -> bool:
    """Whether the answer has a body that is read as a page: it is no redirect and no file."""
    return known.status == _OK and known.outcome is not Outcome.FILE


def is_whole_page(known: PreviousResponse) -> bool:
    """Whether the answer is a page that came whole, whatever validators it has."""
    is_page = known.outcome in _WHOLE_PAGES and known.status == _OK
    return is_page and _is_sound(known) and _is_told_by(known, FetchKind.PAGE)


def validators(headers: Sequence[tuple[str, str]], answered_at: float) -> Validators:
    """What an answer with these headers can be asked for again by; "" for what it lacks.

    `answered_at` is Unix time by our clock, for servers that do not tell theirs. Last-Modified is
    exactly as sent.
    """
    return Validators(_etag(headers), _last_modified(headers, answered_at))


def text_validators(visit: Visit) -> Validators:
    """What a text file can be asked for again by: none of one that did not come whole."""
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


def _last_modified(headers: Sequence[tuple[str, str]], answered_at: float) -> str:
    values = _values(headers, "last-modified")
    if len(values) != 1:
        return ""
    modified_s, dates = _moment(values[0]), _values(headers, "date")
    answered_s = _moment(dates[0]) if len(dates) == 1 else None
    if answered_s is None:
        answered_s = answered_at
    if modified_s is None or not _EARLIEST_S <= modified_s <= answered_s - _STRONG_AFTER_S:
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


def contradicts(known: PreviousResponse, answer: Visit, conditions: Conditions) -> bool:
    """Whether the headers of a 304 say that it is not about the answer that is known.

    Its ETag is none of those that were sent, or a header from which facts are made has changed.
    """
    return is_of_another(answer, conditions) or any(
        _is_told_anew(name, known, answer.headers) for name in _TOLD
    )


def is_of_another(answer: Visit, conditions: Conditions) -> bool:
    """Whether a 304 has validators of something else than what was asked for."""
    sent = {_opaque(each) for each in conditions.etags.split(", ")}
    if conditions.etags:
        return any(_opaque(each) not in sent for each in _values(answer.headers, "etag"))
    return _is_newer(answer, conditions)


def _is_newer(answer: Visit, conditions: Conditions) -> bool:
    modified = _values(answer.headers, "last-modified")
    return bool(modified) and modified[0] != conditions.modified_since


def _opaque(etag: str) -> str:
    """What two ETags are compared by: If-None-Match does not ask whether they are weak."""
    return etag.strip().removeprefix("W/")


def _is_told_anew(name: str, known: PreviousResponse, headers: Sequence[tuple[str, str]]) -> bool:
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


def not_modified(known: PreviousResponse, before: Visit, answer: Visit) -> Visit:
    """The visit `before`, which `known` is about, as a 304 confirms it.

    Headers are those of the earlier answer, with the newer values of the 304 (RFC 9111, section
    3.2).
    """
    return replace(
        before,
        headers=_updated(before.headers, answer.headers),
        http_version=answer.http_version,
        ttfb_ms=answer.ttfb_ms,
        elapsed_ms=answer.elapsed_ms,
        fetched_at=answer.fetched_at,
        # Of a whole answer they are about the certificate, or say how it redirects.
        detail=before.detail if before.warnings == answer.warnings else answer.detail,
        warnings=answer.warnings,
        says_new=_still_new(before),
        freshness=Freshness.NOT_MODIFIED,
        unchanged_since=known.since,
        archived=[*before.archived, *answer.archived],
        archive_errno=before.archive_errno or answer.archive_errno,
    )


def not_due(known: PreviousResponse, before: Visit) -> Visit:
    """The visit `before`, taken over without a request."""
    says_new = _still_new(before)
    return replace(
        before, freshness=Freshness.NOT_DUE, unchanged_since=known.since, says_new=says_new
    )


def _still_new(before: Visit) -> bool | None:
    """Whether it says something new, as the earlier crawl judged by the phrases of a page.

    Those are not kept; what else tells is judged as ever.
    """
    return None if before.facts is None else before.says_new


def _updated(
    headers: Sequence[tuple[str, str]], newer: Sequence[tuple[str, str]]
) -> list[tuple[str, str]]:
    """The headers with the values that newer ones have, in their places; others at the end.

    Where there are not as many of a name as before, all of that name come at the end.
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


def same_text(before: Visit, answer: Visit) -> Visit:
    """The visit `before` of a text file, as a 304 confirms it."""
    return replace(
        before,
        archived=[*before.archived, *answer.archived],
        archive_errno=before.archive_errno or answer.archive_errno,
        http_version=answer.http_version,
        ttfb_ms=answer.ttfb_ms,
        elapsed_ms=answer.elapsed_ms,
        fetched_at=answer.fetched_at,
    )


def compared(known: PreviousResponse | None, answer: Visit) -> Visit:
    """The visit, which was fetched, and how it compares with the answer that is known."""
    if known is None:
        return replace(answer, freshness=Freshness.NEW)
    now = None if answer.facts is None else answer.facts.content_hash
    is_same = (known.status, known.location) == (answer.status, answer.location) and (
        known.content_hash == now
        if known.content_hash is not None and now is not None
        else known.size_bytes == answer.size_bytes
    )
    if not is_same:
        return replace(answer, freshness=Freshness.CHANGED)
    return replace(answer, freshness=Freshness.SAME, unchanged_since=known.since)
