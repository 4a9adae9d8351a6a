"""Detects CAPTCHAs and other bot challenges served in place of a page.

Words such as "captcha" or "access denied" are no sign: honest pages have them too. Neither is what
a service puts into honest pages as well, such as its scripts. Most signs are documented; public
tools recognise such pages by the others.
"""

import re
from collections.abc import Mapping

from msgspec import Struct

from gossamer.fetch.http_statuses import SUCCESS
from gossamer.model.lazy_pattern import lazy_pattern

SMALL_PAGE_BYTES = 16_384
"""A 2xx response larger than this is no challenge: such pages have a script and a few words."""

_HEADERS: tuple[tuple[str, frozenset[str], str], ...] = (
    # Cloudflare documents it under "Detect a Challenge Page response",
    ("cf-mitigated", frozenset({"challenge"}), "Cloudflare"),
    # Amazon under "CAPTCHA and Challenge action behavior".
    ("x-amzn-waf-action", frozenset({"challenge", "captcha"}), "AWS WAF"),
    ("x-vercel-mitigated", frozenset({"challenge"}), "Vercel"),
)


class _Sign(Struct, frozen=True):
    """A page of `service`: all of `texts` stand in it, and `markup` matches.

    `texts` are quick to look for; `markup` keeps an article that quotes them from matching, as
    an article has to write "<" otherwise. `statuses` empty means any, 2xx included.
    """

    service: str
    statuses: frozenset[int]
    texts: tuple[bytes, ...]
    markup: re.Pattern[bytes]


_SIGNS = (
    _Sign(
        "Cloudflare",
        frozenset({403, 429, 503}),
        (b"_cf_chl_opt",),
        lazy_pattern(rb"<script[^<>]*>[^<]*\b_cf_chl_opt\b"),
    ),
    _Sign(
        "Cloudflare",
        frozenset({403, 429, 503}),
        (b"challenge-form", b"__cf_chl_"),
        lazy_pattern(rb"<form[^<>]*\bid=[\"']challenge-form[\"']"),
    ),
    _Sign(
        "DataDome",
        frozenset({401, 403, 405, 429}),
        (b"captcha-delivery.com/",),
        lazy_pattern(rb"<script[^<>]*>[^<]*\bvar dd\s*="),
    ),
    _Sign(
        "HUMAN",
        frozenset({403, 429}),
        (b"_pxAppId", b"px-captcha"),
        lazy_pattern(rb"<script[^<>]*>[^<]*\bwindow\._pxAppId\s*="),
    ),
    _Sign(
        "Imperva",
        frozenset(),
        (b"_Incapsula_Resource", b"Incapsula incident ID"),
        lazy_pattern(rb"<(?:iframe|script)[^<>]*\bsrc=[\"']?/_Incapsula_Resource\?"),
    ),
    _Sign(
        "Akamai",
        frozenset(),
        (b"sec-if-cpt-container",),
        lazy_pattern(rb"<div[^<>]*\bid=[\"']sec-if-cpt-container[\"']"),
    ),
    _Sign(
        "Akamai",
        frozenset({428}),
        (b"/_sec/cp_challenge/",),
        lazy_pattern(rb"<(?:iframe|script)[^<>]*\bsrc=[\"'][^\"'<>]*/_sec/cp_challenge/"),
    ),
    _Sign(
        "Anubis",
        frozenset(),
        (b"anubis_challenge",),
        lazy_pattern(rb"<script[^<>]*\bid=[\"']anubis_challenge[\"']"),
    ),
)
_OF_ANY_STATUS = tuple(sign for sign in _SIGNS if not sign.statuses)


def challenge_in_headers(headers: Mapping[str, str]) -> str:
    """The service that says in `headers` (of any case) that this is a test; "" if none does."""
    for name, values, service in _HEADERS:
        if name in headers and headers[name].strip().lower() in values:
            return service
    return ""


def challenge_in_page(status: int, body: bytes | bytearray) -> str:
    """The service whose test the HTML page `body` is; "" if it is none that is known."""
    is_success = status // 100 == SUCCESS
    if is_success and len(body) > SMALL_PAGE_BYTES:
        return ""
    for sign in _OF_ANY_STATUS if is_success else _SIGNS:
        if sign.texts[0] in body and _is_sign(sign, status, body):
            return sign.service
    return ""


def _is_sign(sign: _Sign, status: int, body: bytes | bytearray) -> bool:
    return (
        (not sign.statuses or status in sign.statuses)
        and all(text in body for text in sign.texts)
        and sign.markup.search(body) is not None
    )
