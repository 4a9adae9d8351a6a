"""The head of a response: status and headers as safe text, and what they imply."""

import re
from collections.abc import Iterable, Sequence
from datetime import UTC
from email.utils import parsedate_to_datetime
from enum import Enum
from functools import lru_cache
from http import HTTPStatus
from operator import itemgetter

from aiohttp.http import RawResponseMessage
from msgspec import Struct
from multidict import CIMultiDictProxy

from gossamer.fetch.bot_challenges import challenge_in_headers
from gossamer.fetch.http_statuses import NO_CONTENT, SUCCESS, WITH_RETRY_AFTER
from gossamer.fetch.mime_sniffing import SniffPolicy, sniff_of
from gossamer.model.crawl_clock import CLOCK
from gossamer.model.lazy_pattern import lazy_pattern
from gossamer.model.text_cleaning import clean_text, one_line
from gossamer.urls.meta_robots import robots_directives

_MOST_S = 1e15
_SECONDS = lazy_pattern(r"[+-]?[0-9]+(?:\.[0-9]*)?")


def retry_after_s(value: str, date: str, now_s: float) -> float | None:
    """The seconds to wait by a Retry-After header; None if it says nothing.

    Not negative, and as long as the server likes. A moment is relative to the response's `date`
    header, as the server's clock may be wrong, or to `now_s` (Unix time) without one.
    """
    value = value.strip()
    if _SECONDS.fullmatch(value):
        return min(max(float(value), 0.0), _MOST_S)
    until_s = _moment(value)
    if until_s is None:
        return None
    from_s = _moment(date)
    return max(until_s - (now_s if from_s is None else from_s), 0.0)


def _moment(text: str) -> float | None:
    """An HTTP-date as Unix time; None where it is none."""
    try:
        moment = parsedate_to_datetime(text)
        if moment.tzinfo is None:  # "-0000"
            moment = moment.replace(tzinfo=UTC)
        return moment.timestamp()
    except (ValueError, TypeError, OverflowError, IndexError):
        return None


MAX_VALUE_CHARACTERS = 16_384
MAX_HEAD_CHARACTERS = 262_144
"""Headers beyond this many characters in all are not kept."""
SMALL_BODY_BYTES = 65_536
"""Reading a body of this size costs less than opening another connection."""

_HTML_TYPES = frozenset({"text/html", "application/xhtml+xml"})
_DOUBTED_TYPES = frozenset({"", "unknown/unknown", "application/unknown", "*/*", "text/plain"})
_MAX_ROBOTS = 2_000
_MAX_ROBOTS_TAGS = 100
_FAMILIAR_REASONS = frozenset(status.phrase for status in HTTPStatus)
_COOKIE_SETTERS = frozenset({"set-cookie", "set-cookie2"})
_FAMILIAR_CHARACTERS = 64
"""Longer values are not worth remembering."""
_raw_name = itemgetter(0)
_FAMILIAR_HEADERS = 50
"""Nor are the names of more headers."""
_MIME_TYPE = re.compile(r"[!#$%&'*+.^_`|~0-9a-z-]+/[!#$%&'*+.^_`|~0-9a-z-]+")
_TEXT = lazy_pattern(r"|text/.*|.*[/+](?:xml|json|javascript|ecmascript|x-javascript)")
_LOADED = lazy_pattern(r"image/.*|font/.*|text/css|.*/(?:x-)?(?:java|ecma)script")
_CHARSET = re.compile(
    r""";\s*charset\s*=\s*["']?\s*([^\s"';,\ud800-\udfff]{1,64})""", re.IGNORECASE
)
_MAX_LENGTH = 2**63 - 1


class BodyHandling(Enum):
    """How to handle the body of a response."""

    PAGE = "read it up to the caps, it is a page"
    SNIFFED = "its first bytes tell whether it is a page"
    ERROR_PAGE = "read what is small of it, for the title of the error page"
    WHOLE = "read it up to the caps, whatever it is"
    STYLE_SHEET = "read it up to the caps, for what it loads"
    UNREAD_PAGE = "it is a page, and only its address is being checked"
    ARCHIVED = "read it for the archive alone"
    NONE = "read it only when that keeps the connection"


class ResponseHead(Struct, frozen=True):
    """Status line and headers. Texts are clean (see `gossamer.model.text_cleaning`).

    `headers` are in order, as spelled, long ones cut. `content_type` is the MIME type alone in
    lower case, "" where there is none or nonsense. `codings` lists those of the body in the order
    in which they were applied. `length` is the Content-Length. `location` is None without that
    header; bytes in it that are not UTF-8 are percent-encoded. `sniff` says how to treat the
    content type. `challenge` is the service that declares this a bot challenge, `refresh` the value
    of the Refresh header, each "" if there is none. `robots` and `retry_after_s` are as in `Visit`.
    """

    status: int
    reason: str
    headers: list[tuple[str, str]]
    content_type: str
    charset: str | None
    codings: str
    length: int | None
    location: str | None
    sniff: SniffPolicy
    challenge: str
    refresh: str
    robots: str
    retry_after_s: float | None
    content_type_header: str
    """As sent, all of them."""
    http_version: str
    cookies: str
    """The names of the cookies that it sets."""

    @property
    def is_html(self) -> bool:
        """Whether it is of a type that is read as a page."""
        return self.content_type in _HTML_TYPES

    @property
    def is_of_unknown_size(self) -> bool:
        """Whether its size matters, as pages load it, but only reading it can tell.

        Servers that generate a response while sending it state no length; others state 0 for any
        HEAD.
        """
        has_content = self.status // 100 == SUCCESS and self.status not in NO_CONTENT
        return has_content and not self.length and _LOADED.fullmatch(self.content_type) is not None


def head_of(message: RawResponseMessage, robot: str = "") -> ResponseHead:
    """The head of a parsed response.

    `robot` is the crawler's name in X-Robots-Tag headers, in lower case.
    """
    headers = message.headers
    content_type, charset = _content_type(headers.getall("Content-Type", ()))
    length = headers.get("Content-Length", "")
    return ResponseHead(
        status=message.code,
        reason=_reason(message.reason or ""),
        headers=_kept(message),
        content_type=content_type,
        charset=charset,
        codings=_codings(headers),
        length=min(int(length), _MAX_LENGTH) if length.isdecimal() and len(length) < 20 else None,  # noqa: PLR2004 - digits of a 64-bit number
        location=_text(message.raw_headers, b"location") if "Location" in headers else None,
        sniff=_sniff(content_type, headers) if content_type in _DOUBTED_TYPES else SniffPolicy.NOT,
        challenge=challenge_in_headers(headers),
        refresh=_text(message.raw_headers, b"refresh") if "Refresh" in headers else "",
        robots=_robots(headers, robot) if "X-Robots-Tag" in headers else "",
        retry_after_s=_retry_after_s(headers) if message.code in WITH_RETRY_AFTER else None,
        content_type_header=_clean_type(headers.get("Content-Type", "")),
        http_version="{}.{}".format(*message.version),
        cookies=_cookie_names(headers.getall("Set-Cookie", ())) if "Set-Cookie" in headers else "",
    )


@lru_cache(maxsize=1_000)
def _clean_type(header: str) -> str:
    """A Content-Type header as the project keeps it."""
    return one_line(header, MAX_VALUE_CHARACTERS)


def _cookie_names(set_cookies: Iterable[str]) -> str:
    """The names in Set-Cookie headers, each once."""
    names = (each.partition(";")[0].partition("=")[0].strip() for each in set_cookies)
    return one_line("; ".join(dict.fromkeys(filter(None, names))), MAX_VALUE_CHARACTERS)


def reading_of(head: ResponseHead) -> BodyHandling:
    """How to handle the body, by the head."""
    if head.status in NO_CONTENT:
        return BodyHandling.NONE
    match head.status // 100:
        case 2:
            if head.sniff is not SniffPolicy.NOT:
                return BodyHandling.SNIFFED
            return BodyHandling.PAGE if head.is_html else BodyHandling.NONE
        case 4 | 5:
            return BodyHandling.ERROR_PAGE if head.is_html else BodyHandling.NONE
    return BodyHandling.NONE


def checked_reading_of(head: ResponseHead) -> BodyHandling:
    """How to handle a body that was not requested, by the head."""
    is_page = reading_of(head) is BodyHandling.PAGE
    return BodyHandling.UNREAD_PAGE if is_page else BodyHandling.NONE


def is_style_sheet(head: ResponseHead) -> bool:
    """Whether a style sheet was received, or would have been with GET."""
    has_content = head.status // 100 == SUCCESS and head.status not in NO_CONTENT
    return has_content and head.content_type == "text/css"


def whole_reading_of(head: ResponseHead) -> BodyHandling:
    """How to handle a body that is read whatever its type, by the head."""
    return BodyHandling.WHOLE if head.status // 100 == SUCCESS else BodyHandling.NONE


def resource_reading_of(head: ResponseHead) -> BodyHandling:
    """How to handle a body that a rendered page requested, whatever the status."""
    is_empty = head.status in NO_CONTENT or head.location is not None
    return BodyHandling.NONE if is_empty else BodyHandling.WHOLE


def text_reading_of(head: ResponseHead) -> BodyHandling:
    """How to handle a body that a user wants to read, whatever the status."""
    is_text = _TEXT.fullmatch(head.content_type) is not None
    return BodyHandling.WHOLE if is_text and head.status not in NO_CONTENT else BodyHandling.NONE


def _kept(message: RawResponseMessage) -> list[tuple[str, str]]:
    values = [*message.headers.values()]
    names = _familiar_names(tuple(map(_raw_name, message.raw_headers[:_FAMILIAR_HEADERS])))
    written = "".join(values)
    if (
        names is not None
        and len(names) == len(values)
        and written.isprintable()
        and len(written) <= MAX_VALUE_CHARACTERS
    ):
        return [*zip(names, values, strict=True)]
    return _kept_one_by_one(message)


def _kept_one_by_one(message: RawResponseMessage) -> list[tuple[str, str]]:
    kept: list[tuple[str, str]] = []
    room = MAX_HEAD_CHARACTERS
    # Parsed values are those bytes as UTF-8, with surrogates, unprintable, for what is none.
    for (raw_name, raw), parsed in zip(message.raw_headers, message.headers.values(), strict=True):
        name, sets_cookie = _name(raw_name)
        is_safe = parsed.isprintable() and len(parsed) <= MAX_VALUE_CHARACTERS
        value = parsed if is_safe else _safe(raw)
        if sets_cookie:
            value = _without_value(value)
        room -= len(name) + len(value)
        if room < 0:
            break
        kept.append((name, value))
    return kept


def _without_value(set_cookie: str) -> str:
    """A Set-Cookie header without the cookie's value: whoever has that is logged in."""
    cookie, semicolon, attributes = set_cookie.partition(";")
    if not cookie.strip():
        return set_cookie
    name, equals, _ = cookie.partition("=")
    return f"{name if equals else ''}{equals}…{semicolon}{attributes}"


@lru_cache(maxsize=1_000)
def _familiar_names(raw: Sequence[bytes]) -> Sequence[str] | None:
    """The names of headers, as most responses of a site have the same; None if one is unusual.

    It is if it is long, or sets a cookie.
    """
    names = [_name(each) for each in raw if len(each) <= _FAMILIAR_CHARACTERS]
    is_usual = len(names) == len(raw) and not any(sets_cookie for _, sets_cookie in names)
    return [name for name, _ in names] if is_usual else None


def _name(raw: bytes) -> tuple[str, bool]:
    """A header's name, and whether it sets a cookie."""
    name = _safe(raw)
    return name, name.lower() in _COOKIE_SETTERS


def _safe(raw: bytes) -> str:
    """UTF-8, which servers mean nowadays, else ISO-8859-1, which the standard once meant."""
    try:
        text = raw.decode()
    except UnicodeDecodeError:
        text = raw.decode("latin-1")
    if len(text) <= MAX_VALUE_CHARACTERS and text.isprintable():
        return text
    return clean_text(text, MAX_VALUE_CHARACTERS)


def _content_type(values: Sequence[str]) -> tuple[str, str | None]:
    if len(values) == 1 and len(values[0]) <= _FAMILIAR_CHARACTERS:
        return _familiar_type(values[0])
    return _last_type(values)


@lru_cache(maxsize=1_000)
def _familiar_type(value: str) -> tuple[str, str | None]:
    """The same few types come again and again."""
    return _last_type((value,))


def _last_type(values: Iterable[str]) -> tuple[str, str | None]:
    """MIME type and charset label; the last valid one counts (Fetch Standard §2.2.2)."""
    found: tuple[str, str | None] = ("", None)
    for value in values:
        for part in value.split(","):
            essence = part.partition(";")[0].strip().lower()
            if _MIME_TYPE.fullmatch(essence):
                charset = _CHARSET.search(part)
                found = (essence, charset[1] if charset else None)
    return found


def _reason(text: str) -> str:
    return text if text in _FAMILIAR_REASONS else one_line(text, 200)


def _sniff(content_type: str, headers: CIMultiDictProxy[str]) -> SniffPolicy:
    no_sniff = headers.get("X-Content-Type-Options", "").strip().lower() == "nosniff"
    header = headers.getall("Content-Type", [""])[-1]
    return sniff_of(content_type, header, no_sniff=no_sniff)


def _codings(headers: CIMultiDictProxy[str]) -> str:
    """Content codings, then those that some servers apply for the transfer, "chunked" included."""
    if "Transfer-Encoding" in headers:
        both = (*headers.getall("Content-Encoding", ()), *headers.getall("Transfer-Encoding"))
        return ", ".join(both)
    return ", ".join(headers.getall("Content-Encoding", ()))


def _robots(headers: CIMultiDictProxy[str], robot: str) -> str:
    values = [value[:_MAX_ROBOTS] for value in headers.getall("X-Robots-Tag")[:_MAX_ROBOTS_TAGS]]
    return clean_text(robots_directives(values, robot), _MAX_ROBOTS)


def _retry_after_s(headers: CIMultiDictProxy[str]) -> float | None:
    if "Retry-After" not in headers:
        return None
    return retry_after_s(headers["Retry-After"], headers.get("Date", ""), CLOCK.now())


def _text(raw_headers: Iterable[tuple[bytes, bytes]], wanted: bytes) -> str:
    """The first header of that name, as part of a URL."""
    raw = next((value for name, value in raw_headers if name.lower() == wanted), b"")
    try:
        return raw.decode().strip()
    except UnicodeDecodeError:
        # As browsers do it: the server gets back the bytes it wrote.
        return "".join(chr(b) if b < 0x80 else f"%{b:02X}" for b in raw).strip()  # noqa: PLR2004 - where ASCII ends
