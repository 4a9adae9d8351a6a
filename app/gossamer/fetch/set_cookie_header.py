"""Parses Set-Cookie headers by RFC 6265 §5.2 and §5.3.

Malformed cookies are dropped silently, as browsers do.
"""

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Final
from urllib.parse import urlsplit

from gossamer.model.cookie import Cookie
from gossamer.model.lazy_pattern import lazy_pattern
from gossamer.urls.domains import is_address, port_of, registrable_domain
from gossamer.urls.url_parsing import origin

MAX_COOKIES: Final = 100
"""Set-Cookie headers read per response."""
MAX_COOKIE_BYTES: Final = 4096
"""Name and value (RFC 6265 §6.1)."""
_MAX_ATTRIBUTE: Final = 1024
_CONTROL = lazy_pattern(r"[\x00-\x08\x0a-\x1f\x7f]")
_SECONDS = lazy_pattern(r"-?[0-9]{1,18}")
_DELIMITERS = lazy_pattern(r"[\x09\x20-\x2f\x3b-\x40\x5b-\x60\x7b-\x7e]+")
_TIME = lazy_pattern(r"([0-9]{1,2}):([0-9]{1,2}):([0-9]{1,2})(?:[^0-9].*)?")
_DAY = lazy_pattern(r"([0-9]{1,2})(?:[^0-9].*)?")
_YEAR = lazy_pattern(r"([0-9]{2,4})(?:[^0-9].*)?")
_MONTHS: Final = (
    "jan",
    "feb",
    "mar",
    "apr",
    "may",
    "jun",
    "jul",
    "aug",
    "sep",
    "oct",
    "nov",
    "dec",
)
_NINETEEN: Final = 70
_CENTURY: Final = 100
_FIRST_YEAR: Final = 1601


class CookieHeaders:
    """The cookies of one fetch: those to send, and those that the server sets."""

    # No Struct: what is sent is secret, and must not appear in its repr.

    def __init__(self, sent: str = "") -> None:
        """`sent` is the value of the Cookie header, decoded as ISO-8859-1."""
        self.sent = sent
        self.received: list[Cookie] = []


def cookies_set(url: str, raw_headers: Iterable[tuple[bytes, bytes]], now_s: float) -> list[Cookie]:
    """The cookies that a response to the serialised `url` sets or deletes, in order."""
    values = [value for name, value in raw_headers if name.lower() == b"set-cookie"]
    setting = _Setting(url, now_s)
    found = (setting.cookie(value.decode("latin-1")) for value in values[:MAX_COOKIES])
    return [cookie for cookie in found if cookie is not None]


class _Setting:
    """A response that sets cookies."""

    def __init__(self, url: str, now_s: float) -> None:
        site = origin(url)
        self._host, self._port = port_of(site)
        self._is_https = site.startswith("https:")
        path = urlsplit(url).path
        self._default_path = path[: path.rindex("/")] or "/"
        self._now_s = now_s

    def cookie(self, header: str) -> Cookie | None:
        if _CONTROL.search(header):
            return None
        pair, _, rest = header.partition(";")
        name, equals, value = pair.partition("=")
        name, value = name.strip(), value.strip()
        if not equals or not name or len(name) + len(value) > MAX_COOKIE_BYTES:
            return None
        attributes = _attributes(rest)
        domain = self._domain(attributes.get("domain", ""))
        if domain is None:
            return None
        path = attributes.get("path", "")
        cookie = Cookie(
            name,
            value,
            domain or self._host,
            host_only=not domain,
            port=self._port,
            path=path if path.startswith("/") else self._default_path,
            secure="secure" in attributes,
            from_https=self._is_https,
            expires_s=self._expires_s(attributes),
            is_http_only="httponly" in attributes,
        )
        return cookie if _is_credible(cookie) else None

    def _domain(self, attribute: str) -> str | None:
        """The domain of a cookie, "" for this host alone, None if the host may not set it."""
        domain = attribute.removeprefix(".").lower()
        if not domain:
            return ""
        if domain == self._host:
            return "" if is_address(domain) or registrable_domain(domain) is None else domain
        is_below = self._host.endswith(f".{domain}") and not is_address(self._host)
        if not is_below or registrable_domain(domain) is None:
            return None
        return domain

    def _expires_s(self, attributes: dict[str, str]) -> float | None:
        seconds = attributes.get("max-age", "")
        if _SECONDS.fullmatch(seconds):
            return self._now_s + float(seconds) if float(seconds) > 0 else 0.0
        return _date(attributes.get("expires", ""))


def _attributes(text: str) -> dict[str, str]:
    """By name in lower case; the last of a name counts."""
    found = {}
    for part in text.split(";"):
        name, _, value = part.partition("=")
        if len(value) <= _MAX_ATTRIBUTE:
            found[name.strip().lower()] = value.strip()
    return found


def _is_credible(cookie: Cookie) -> bool:
    """Whether it meets the requirements of `Secure` and of its name prefix (RFC 6265bis §5.7)."""
    name = cookie.name.lower()
    if cookie.secure and not cookie.from_https:
        return False
    if name.startswith("__secure-"):
        return cookie.secure
    if name.startswith("__host-"):
        return cookie.secure and cookie.host_only and cookie.path == "/"
    return True


def _date(text: str) -> float | None:
    """Unix time of a date in any spelling that RFC 6265 §5.1.1 takes; None where it is none."""
    time: tuple[int, int, int] | None = None
    day = month = year = None
    for token in _DELIMITERS.split(text):
        if time is None and (found := _TIME.fullmatch(token)):
            time = (int(found[1]), int(found[2]), int(found[3]))
        elif day is None and (found := _DAY.fullmatch(token)):
            day = int(found[1])
        elif month is None and token[:3].lower() in _MONTHS:
            month = _MONTHS.index(token[:3].lower()) + 1
        elif year is None and (found := _YEAR.fullmatch(token)):
            year = _with_century(int(found[1]))
    if time is None or day is None or month is None or year is None or year < _FIRST_YEAR:
        return None
    try:
        return datetime(year, month, day, time[0], time[1], time[2], tzinfo=UTC).timestamp()
    except ValueError:
        return None


def _with_century(year: int) -> int:
    if _NINETEEN <= year < _CENTURY:
        return year + 1900
    return year + 2000 if year < _NINETEEN else year
