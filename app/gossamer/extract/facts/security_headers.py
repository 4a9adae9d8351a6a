"""Checks the headers of a page: protection they should enable, content type, cookies."""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Final

from gossamer.extract.facts.topic_facts import NOTHING, TopicFacts
from gossamer.extract.relevant_headers import JudgedHeaders
from gossamer.model.fields.page_flags import ContentFlag
from gossamer.model.lazy_pattern import lazy_pattern
from gossamer.model.response_cookies import set_cookie

_MISSING_HSTS: Final = int(ContentFlag.MISSING_HSTS)
_MISSING_CSP: Final = int(ContentFlag.MISSING_CSP)
_MISSING_CONTENT_TYPE_OPTIONS: Final = int(ContentFlag.MISSING_CONTENT_TYPE_OPTIONS)
_MISSING_FRAME_OPTIONS: Final = int(ContentFlag.MISSING_FRAME_OPTIONS)
_MISSING_REFERRER_POLICY: Final = int(ContentFlag.MISSING_REFERRER_POLICY)
_BAD_CONTENT_TYPE: Final = int(ContentFlag.BAD_CONTENT_TYPE)
_INSECURE_COOKIE: Final = int(ContentFlag.INSECURE_COOKIE)

_FRAME_OPTIONS: Final = frozenset({"deny", "sameorigin"})
_UNSAFE: Final = "unsafe-url"
_REFERRER_POLICIES: Final = frozenset(
    {
        *("no-referrer", "no-referrer-when-downgrade", "origin", "origin-when-cross-origin"),
        *("same-origin", "strict-origin", "strict-origin-when-cross-origin", _UNSAFE),
    }
)
_HTML_TYPE: Final = re.compile(
    r"\s*(?:text/html|application/xhtml\+xml)\s*"
    r"(?:;\s*(?:[\w!#$&^.+-]+\s*=\s*(?:[^\s\";,]+|\"[^\"]*\")\s*)?)*",
    re.IGNORECASE,
)
"""RFC 9110, section 5.6.6: a parameter may be empty."""
_OTHER_CONTENT: Final = (
    *(b"%PDF-", b"\x89PNG", b"GIF8", b"\xff\xd8\xff", b"PK\x03\x04", b"\x1f\x8b", b"RIFF"),
    *(b"<?xml", b"<svg", b"{", b"["),
)
"""How bodies begin that are usually not HTML."""
_MOST_LOOKED_AT: Final = 1024
_HTML_TAG: Final = lazy_pattern(rb"<(?:!doctype\s+html|html|head|body)\b", re.IGNORECASE)


def security_header_facts(headers: JudgedHeaders, url: str) -> TopicFacts:
    """Which protection the headers do not enable; `<meta>` elements do not count."""
    content = _missing_protection(
        tuple(headers.get("content-security-policy", ())),
        tuple(headers.get("x-content-type-options", ())),
        tuple(headers.get("x-frame-options", ())),
        tuple(headers.get("referrer-policy", ())),
    )
    if url.startswith("https:") and "strict-transport-security" not in headers:
        content |= _MISSING_HSTS
    return TopicFacts({}, 0, content)


@lru_cache(maxsize=100)  # the pages of a site have the same headers, except for nonces
def _missing_protection(
    security: Sequence[str],
    sniffing: Sequence[str],
    framing: Sequence[str],
    referrer: Sequence[str],
) -> int:
    """The flags of the protections that policies of each kind, as written, do not enable."""
    content = 0
    policies = "".join(security).lower()
    if not policies.strip(" ;,"):
        content |= _MISSING_CSP
    if not _is_no_sniff(sniffing):
        content |= _MISSING_CONTENT_TYPE_OPTIONS
    frame_options = ",".join(framing).lower().split(",")
    is_framed = _FRAME_OPTIONS.isdisjoint(map(str.strip, frame_options))
    if is_framed and "frame-ancestors" not in policies:
        content |= _MISSING_FRAME_OPTIONS
    if not _is_secure_policy(referrer):
        content |= _MISSING_REFERRER_POLICY
    return content


def content_type_facts(values: Sequence[str], body: bytes) -> TopicFacts:
    """Whether the Content-Type headers of a page are those of HTML, and `body` looks like it."""
    is_good = len(values) == 1 and is_html_type(values[0]) and not _is_other_content(body)
    return TopicFacts({}, 0, 0 if is_good else _BAD_CONTENT_TYPE)


def cookie_facts(headers: Iterable[str]) -> TopicFacts:
    """Whether one of the cookies lacks Secure, HttpOnly or SameSite."""
    for cookie in map(set_cookie, headers):
        if not (cookie.secure and cookie.http_only and cookie.same_site):
            return TopicFacts({}, 0, _INSECURE_COOKIE)
    return NOTHING


@lru_cache(maxsize=1_000)
def is_html_type(value: str) -> bool:
    """Whether a Content-Type header is a well-formed one of HTML."""
    return _HTML_TYPE.fullmatch(value) is not None


def _is_no_sniff(values: Sequence[str]) -> bool:
    return bool(values) and values[0].partition(",")[0].strip().lower() == "nosniff"


def _is_secure_policy(values: Sequence[str]) -> bool:
    """Whether the last policy that browsers know is not `unsafe-url` (Referrer Policy §8.1)."""
    tokens = [token.strip() for value in values for token in value.lower().split(",")]
    known = [token for token in tokens if token in _REFERRER_POLICIES]
    return bool(known) and known[-1] != _UNSAFE


def _is_other_content(body: bytes) -> bool:
    start = body[:_MOST_LOOKED_AT].lstrip()
    return start.startswith(_OTHER_CONTENT) and _HTML_TAG.search(start) is None
