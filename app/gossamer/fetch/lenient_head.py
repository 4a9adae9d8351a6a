"""The head of an answer as browsers read it: what no standard has is put up with, and told.

The rules are those of Chromium's `HttpUtil`, `HttpResponseHeaders` and `HttpStreamParser`: a page
that people can see is no error here.
"""

import re
from enum import StrEnum
from typing import Final

from aiohttp.http_exceptions import BadHttpMessage
from msgspec import Struct

MAX_HEAD_BYTES: Final = 256 * 1024
"""Chromium's limit."""
MAX_HEADERS: Final = 10_000
_BEFORE_STATUS_LINE: Final = re.compile(rb".{0,4}?(?=http)", re.IGNORECASE | re.DOTALL)
_ENOUGH_BYTES: Final = 8
_END_OF_HEAD: Final = re.compile(rb"\n\r?\n")
_VERSION: Final = re.compile(rb"http/([0-9])\.([0-9])", re.IGNORECASE)
_USUAL_VERSION: Final = re.compile(rb"HTTP/1\.[01]")
_LINE_END: Final = re.compile(rb"\r?\n|\r")
_BARE_CR: Final = re.compile(rb"\r(?!\n)")
_NAME: Final = re.compile(rb"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_NUMBER: Final = re.compile(rb"[0-9]+")
_STATUS_DIGITS: Final = 3
_MAX_LENGTH: Final = 2**63 - 1
_USUAL_FIELD_BYTES: Final = 64 * 1024
_USUAL_FIELDS: Final = 1000

Headers = list[tuple[bytes, bytes]]


class Oddity(StrEnum):
    """What is not as the standard has it, in one line."""

    STATUS_LINE = "an odd status line"
    NO_STATUS = "no number in the status line, taken as 200"
    NO_HEADER = "a header line that is none, left out"
    SPACE = "white space before the colon of a header"
    NUL = "NUL characters in the headers, left out"
    LINE_ENDS = "a bare carriage return as line end in the headers"
    LARGE_HEADER = "a header of more than 64 KiB"
    MANY_HEADERS = "more than 1,000 headers"
    LENGTH_TWICE = "the same Content-Length more than once"
    LENGTH_BESIDE_CHUNKS = "a Content-Length beside chunks, not used"
    BAD_LENGTH = "a Content-Length that is no number, not used"
    CODING = "a Transfer-Encoding other than chunked, not used"
    CHUNK_SIZE = "white space before a chunk extension"
    CHUNK_LINE_ENDS = "bare line feeds between chunks"
    OTHER = "something that no standard has"


Odd = dict[Oddity, None]
"""What was found odd, in order."""


class LenientHead(Struct, frozen=True):
    """Status, headers in order and how the body is framed.

    `length` is None where the body lasts until the connection ends, or has chunks.
    """

    version: tuple[int, int]
    status: int
    reason: bytes
    headers: Headers
    length: int | None
    is_chunked: bool


def may_begin(data: bytes | bytearray) -> bool:
    """Whether an answer may begin so, as far as there is enough of it to tell."""
    return len(data) < _ENOUGH_BYTES or _BEFORE_STATUS_LINE.match(data) is not None


def end_of_head(data: bytes | bytearray, start: int = 0) -> int | None:
    """Where the body begins; None while the head is not whole."""
    found = _END_OF_HEAD.search(data, start)
    return None if found is None else found.end()


def read_head(data: bytes, odd: Odd) -> LenientHead:
    """The head that `data` is, its empty line included; what is odd about it goes into `odd`.

    BadHttpMessage where browsers refuse it too.
    """
    begins = _BEFORE_STATUS_LINE.match(data)
    if begins is None:
        raise BadHttpMessage("no status line")
    if b"\0" in data:
        odd[Oddity.NUL] = None
        data = data.replace(b"\0", b"")
        begins = _BEFORE_STATUS_LINE.match(data)
        assert begins is not None  # noqa: S101 - what is before the status line is shorter now
    if begins.end():
        odd[Oddity.STATUS_LINE] = None
    status_line, *lines = _LINE_END.split(data[begins.end() :].rstrip(b"\r\n"))
    if _BARE_CR.search(data.rstrip(b"\r\n")):
        odd[Oddity.LINE_ENDS] = None
    version, status, reason = _status(status_line, odd)
    headers = _headers(_unfolded(lines), odd)
    is_chunked = _is_chunked(headers, odd)
    return LenientHead(
        version, status, reason, headers, _length(headers, odd, is_chunked=is_chunked), is_chunked
    )


def _status(line: bytes, odd: Odd) -> tuple[tuple[int, int], int, bytes]:
    spelled, _, rest = line.partition(b" ")
    if not _USUAL_VERSION.fullmatch(spelled) or rest[:1] == b" ":
        odd[Oddity.STATUS_LINE] = None
    said = _VERSION.match(spelled)
    version = (1, 1) if said is not None and (int(said[1]), int(said[2])) >= (1, 1) else (1, 0)
    rest = rest.lstrip(b" ")
    number = _NUMBER.match(rest)
    if number is None:
        odd[Oddity.NO_STATUS] = None
        return version, 200, b""
    if len(number[0]) != _STATUS_DIGITS:
        raise BadHttpMessage(f"a status of {len(number[0])} digits")
    return version, int(number[0]), rest[_STATUS_DIGITS:].strip()


def _unfolded(lines: list[bytes]) -> list[bytes]:
    """The lines, each with those that go on with it."""
    found: list[bytes] = []
    parts: list[bytes] = []
    for line in lines:
        if parts and line[:1] in {b" ", b"\t"} and b":" in parts[0]:
            parts.append(line.strip(b" \t"))
            continue
        found += [b" ".join(parts)] if parts else []
        parts = [line]
    return [*found, b" ".join(parts)] if parts else found


def _headers(lines: list[bytes], odd: Odd) -> Headers:
    headers: Headers = []
    for line in lines:
        spelled, colon, value = line.partition(b":")
        name = spelled.rstrip(b" \t")
        if not colon or not _NAME.fullmatch(name):
            odd[Oddity.NO_HEADER] = None
            continue
        if name != spelled:
            odd[Oddity.SPACE] = None
        if len(value) > _USUAL_FIELD_BYTES:
            odd[Oddity.LARGE_HEADER] = None
        headers.append((name, value.strip(b" \t")))
    if len(headers) > MAX_HEADERS:
        raise BadHttpMessage(f"more than {MAX_HEADERS} headers")
    if len(headers) > _USUAL_FIELDS:
        odd[Oddity.MANY_HEADERS] = None
    return headers


def _values(headers: Headers, wanted: bytes) -> list[bytes]:
    """The values of all headers of this name, lists taken apart."""
    values = [value for name, value in headers if name.lower() == wanted]
    return [part.strip(b" \t") for value in values for part in value.split(b",")]


def _is_chunked(headers: Headers, odd: Odd) -> bool:
    codings = [coding.lower() for coding in _values(headers, b"transfer-encoding")]
    if codings and b"chunked" not in codings:
        odd[Oddity.CODING] = None
    return b"chunked" in codings


def _length(headers: Headers, odd: Odd, *, is_chunked: bool) -> int | None:
    lengths = _values(headers, b"content-length")
    if not lengths:
        return None
    if is_chunked:
        odd[Oddity.LENGTH_BESIDE_CHUNKS] = None
        return None
    if len(set(lengths)) > 1:
        raise BadHttpMessage("Content-Length headers that differ")
    if len(lengths) > 1:
        odd[Oddity.LENGTH_TWICE] = None
    # A number of more digits would take long to read, and is no length.
    digits = _NUMBER.fullmatch(lengths[0], 0, 64)
    length = int(digits[0]) if digits is not None else _MAX_LENGTH + 1
    if length > _MAX_LENGTH or len(lengths[0]) > 64:  # noqa: PLR2004 - as above
        odd[Oddity.BAD_LENGTH] = None
        return None
    return length
