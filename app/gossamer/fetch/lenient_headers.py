"""Parses malformed response heads as browsers do, and records a warning for each defect.

The rules are those of Chromium's `HttpUtil`, `HttpResponseHeaders` and `HttpStreamParser`: a page
that people can see is no error here.
"""

import re
from typing import Final

from aiohttp.http_exceptions import BadHttpMessage
from msgspec import Struct

from gossamer.model.lazy_pattern import lazy_pattern
from gossamer.model.outcome_details import Detail, DetailCode
from gossamer.model.response_warnings import ResponseWarning

MAX_HEAD_BYTES: Final = 512 * 1024
"""More than browsers take, 256 KiB (Chromium) and 384 KiB (Firefox): other clients see the page."""
MAX_LINE_BYTES: Final = 256 * 1024
MAX_HEADERS: Final = 10_000
_BEFORE_STATUS_LINE: Final = lazy_pattern(rb".{0,4}?(?=http)", re.IGNORECASE | re.DOTALL)
ENOUGH_BYTES: Final = 8
"""So many tell whether a response begins: browsers skip up to four before the status line."""
_END_OF_HEAD: Final = lazy_pattern(rb"\n\r?\n")
_VERSION: Final = lazy_pattern(rb"http/([0-9])\.([0-9])", re.IGNORECASE)
_USUAL_VERSION: Final = lazy_pattern(rb"HTTP/1\.[01]")
_LINE_END: Final = lazy_pattern(rb"\r?\n|\r")
_BARE_CR: Final = lazy_pattern(rb"\r(?!\n)")
_NAME: Final = lazy_pattern(rb"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_NUMBER: Final = lazy_pattern(rb"[0-9]+")
_STATUS_DIGITS: Final = 3
_MAX_LENGTH: Final = 2**63 - 1
_USUAL_FIELD_BYTES: Final = 64 * 1024
_USUAL_FIELDS: Final = 1000

RawHeaders = list[tuple[bytes, bytes]]


Malformed = set[ResponseWarning]
"""The violations of the standard that were found."""


class MalformedResponseError(BadHttpMessage):
    """A response that browsers reject too, or with a head larger than any browser reads."""

    def __init__(self, detail: Detail) -> None:
        super().__init__(str(detail))
        self.detail = detail


def too_large() -> MalformedResponseError:
    """For a head of more than MAX_HEAD_BYTES."""
    return MalformedResponseError(DetailCode.HTTP_HEADERS_BYTES(most=MAX_HEAD_BYTES))


class LenientHead(Struct, frozen=True):
    """Status, headers in order, and how the body is framed.

    `length` is None where the body lasts until the connection ends, or has chunks.
    """

    version: tuple[int, int]
    status: int
    reason: bytes
    headers: RawHeaders
    length: int | None
    is_chunked: bool


def may_begin(data: bytes | bytearray) -> bool:
    """Whether a response may begin like this, as far as there is enough of it to tell."""
    return len(data) < ENOUGH_BYTES or _BEFORE_STATUS_LINE.match(data) is not None


def end_of_head(data: bytes | bytearray, start: int = 0) -> int | None:
    """Where the body begins; None while the head is incomplete."""
    found = _END_OF_HEAD.search(data, start)
    return None if found is None else found.end()


def read_head(data: bytes, malformed: Malformed) -> LenientHead:
    """The head that `data` is, its empty line included.

    Violations of the standard go into `malformed`. MalformedResponseError if browsers refuse it
    too.
    """
    begins = _BEFORE_STATUS_LINE.match(data)
    if begins is None:
        raise MalformedResponseError(DetailCode.HTTP_STATUS_LINE())
    if b"\0" in data:
        malformed.add(ResponseWarning.HEADER_NUL)
        data = data.replace(b"\0", b"")
        begins = _BEFORE_STATUS_LINE.match(data)
        assert begins is not None  # noqa: S101 - what is before the status line is shorter now
    if begins.end():
        malformed.add(ResponseWarning.STATUS_LINE)
    status_line, *lines = _LINE_END.split(data[begins.end() :].rstrip(b"\r\n"))
    if _BARE_CR.search(data.rstrip(b"\r\n")):
        malformed.add(ResponseWarning.HEADER_LINE_END)
    version, status, reason = _status(status_line, malformed)
    lines = _unfolded(lines)
    if any(len(line) > MAX_LINE_BYTES for line in lines):
        raise MalformedResponseError(DetailCode.HTTP_HEADER_BYTES(most=MAX_LINE_BYTES))
    headers = _headers(lines, malformed)
    is_chunked = _is_chunked(headers, malformed)
    length = _length(headers, malformed, is_chunked=is_chunked)
    return LenientHead(version, status, reason, headers, length, is_chunked)


def _status(line: bytes, malformed: Malformed) -> tuple[tuple[int, int], int, bytes]:
    spelled, _, rest = line.partition(b" ")
    if not _USUAL_VERSION.fullmatch(spelled) or rest[:1] == b" ":
        malformed.add(ResponseWarning.STATUS_LINE)
    said = _VERSION.match(spelled)
    version = (1, 1) if said is not None and (int(said[1]), int(said[2])) >= (1, 1) else (1, 0)
    rest = rest.lstrip(b" ")
    number = _NUMBER.match(rest)
    if number is None:
        malformed.add(ResponseWarning.NO_STATUS)
        return version, 200, b""
    if len(number[0]) != _STATUS_DIGITS:
        raise MalformedResponseError(DetailCode.HTTP_STATUS_DIGITS(digits=len(number[0])))
    return version, int(number[0]), rest[_STATUS_DIGITS:].strip()


def _unfolded(lines: list[bytes]) -> list[bytes]:
    """The lines, each joined with its continuation lines."""
    found: list[bytes] = []
    parts: list[bytes] = []
    for line in lines:
        if parts and line[:1] in {b" ", b"\t"} and b":" in parts[0]:
            parts.append(line.strip(b" \t"))
            continue
        found += [b" ".join(parts)] if parts else []
        parts = [line]
    return [*found, b" ".join(parts)] if parts else found


def _headers(lines: list[bytes], malformed: Malformed) -> RawHeaders:
    headers: RawHeaders = []
    for line in lines:
        spelled, colon, value = line.partition(b":")
        name = spelled.rstrip(b" \t")
        if not colon or not _NAME.fullmatch(name):
            malformed.add(ResponseWarning.HEADER_LINE)
            continue
        if name != spelled:
            malformed.add(ResponseWarning.HEADER_SPACE)
        if len(value) > _USUAL_FIELD_BYTES:
            malformed.add(ResponseWarning.LARGE_HEADER)
        headers.append((name, value.strip(b" \t")))
    if len(headers) > MAX_HEADERS:
        raise MalformedResponseError(DetailCode.HTTP_HEADERS(most=MAX_HEADERS))
    if len(headers) > _USUAL_FIELDS:
        malformed.add(ResponseWarning.MANY_HEADERS)
    return headers


def _values(headers: RawHeaders, wanted: bytes) -> list[bytes]:
    """The values of all headers of this name, lists taken apart."""
    values = [value for name, value in headers if name.lower() == wanted]
    return [part.strip(b" \t") for value in values for part in value.split(b",")]


def _is_chunked(headers: RawHeaders, malformed: Malformed) -> bool:
    codings = [coding.lower() for coding in _values(headers, b"transfer-encoding")]
    if codings and b"chunked" not in codings:
        malformed.add(ResponseWarning.TRANSFER_ENCODING)
    return b"chunked" in codings


def _length(headers: RawHeaders, malformed: Malformed, *, is_chunked: bool) -> int | None:
    lengths = _values(headers, b"content-length")
    if not lengths:
        return None
    if is_chunked:
        malformed.add(ResponseWarning.LENGTH_BESIDE_CHUNKS)
        return None
    if len(set(lengths)) > 1:
        raise MalformedResponseError(DetailCode.HTTP_LENGTHS())
    if len(lengths) > 1:
        malformed.add(ResponseWarning.LENGTH_TWICE)
    # A number of more digits would take long to read, and is no length.
    digits = _NUMBER.fullmatch(lengths[0], 0, 64)
    length = int(digits[0]) if digits is not None else _MAX_LENGTH + 1
    if length > _MAX_LENGTH or len(lengths[0]) > 64:  # noqa: PLR2004 - as above
        malformed.add(ResponseWarning.BAD_LENGTH)
        return None
    return length
