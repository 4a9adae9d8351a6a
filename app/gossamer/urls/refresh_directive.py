"""Parses Refresh headers and `<meta http-equiv="refresh">` by the HTML Standard."""

import re

from gossamer.model.lazy_pattern import lazy_pattern
from gossamer.model.visit import Refresh
from gossamer.urls.url_parsing import is_http, join

MAX_DELAY_S = 2**31 - 1
"""68 years; longer delays are given as this one."""
MAX_REDIRECT_DELAY_S = 1
"""A refresh that waits longer is no redirect: search engines take the page for one of its own."""
_MAX_DIGITS = 10

# HTML Standard §4.2.5.3, "shared declarative refresh steps". Its steps 2 to 8 read the delay,
# of which the fraction is ignored; step 10 what parts it from the URL; step 11 the URL, whose
# "url", "=" and quotation mark may each be missing, but each only if what precedes it is there.
_DELAY = lazy_pattern(r"[ \t\n\f\r]*(?:([0-9]+)|(?=\.))[0-9.]*")
_SEPARATOR = lazy_pattern(r"(?=[;, \t\n\f\r])[ \t\n\f\r]*[;,]?[ \t\n\f\r]*")
_URL_IS = lazy_pattern(r"url[ \t\n\f\r]*=[ \t\n\f\r]*", re.IGNORECASE)


def read_refresh(text: str) -> tuple[int, str | None] | None:
    """The delay in seconds and the URL as written; None where `text` is no refresh.

    The URL is None where there is none: the page is loaded again. "" is another matter: it means
    the document's base URL.
    """
    delay = _DELAY.match(text)
    if not delay:
        return None
    digits = (delay[1] or "0").lstrip("0")
    delay_s = MAX_DELAY_S if len(digits) > _MAX_DIGITS else min(int(digits or "0"), MAX_DELAY_S)
    if delay.end() == len(text):
        return delay_s, None
    separator = _SEPARATOR.match(text, delay.end())
    if not separator:
        return None
    if separator.end() == len(text):
        return delay_s, None
    return delay_s, _url(text[separator.end() :])


def parse_refresh(text: str, base: str) -> Refresh | None:
    """The refresh to a web address that `text` asks for.

    `base` is the document's base URL; for the header, the URL that responded. None where `text` is
    no refresh, loads the page again without naming a URL, or leads to no web address
    (`javascript:`, `data:`, what cannot be parsed). A refresh that names the page's own URL is
    given as any other.
    """
    read = read_refresh(text)
    if read is None:
        return None
    delay_s, href = read
    url = None if href is None else join(base, href)
    return Refresh(delay_s, url) if url is not None and is_http(url) else None


def _url(rest: str) -> str:
    url_is = _URL_IS.match(rest)
    if url_is:
        rest = rest[url_is.end() :]
    elif rest[0] in "uU":
        return rest
    quote = rest[:1]
    return rest[1:].partition(quote)[0] if quote in {'"', "'"} else rest
