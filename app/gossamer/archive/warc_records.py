"""Makes the records of WARC files: WARC 1.1, ISO 28500:2017. Pure functions of values.

https://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/
"""

import hashlib
import os
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from enum import StrEnum
from typing import Final

from msgspec import Struct

from gossamer.archive.gzip_members import gzip_member

_VERSION_LINE: Final = "WARC/1.1\r\n"
END: Final = b"\r\n\r\n"
HTTP_RESPONSE: Final = "application/http; msgtype=response"
HTTP_REQUEST: Final = "application/http; msgtype=request"
FIELDS: Final = "application/warc-fields"
ELAPSED_MS: Final = "fetchTimeMs"
"""The response time in a metadata record, by the name that Heritrix gives it."""
TTFB_MS: Final = "timeToFirstByteMs"
PROGRAM: Final = "Gossamer/"
OUR_SOFTWARE: Final = f"software: {PROGRAM}".encode()
"""What the warcinfo record of our files begins with."""
SAME_PAYLOAD: Final = "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest"
NOT_MODIFIED: Final = "http://netpreserve.org/warc/1.1/revisit/server-not-modified"
TRANSFER_ENCODING: Final = b"X-Crawler-Transfer-Encoding"
"""The name of Transfer-Encoding in the archive, which has the body without that coding, as in the
archives of Common Crawl: readers would decode it once more."""
_LEFT_OUT: Final = b"(left out)"
DOM_ADDRESS: Final = "urn:dom:"
"""What the target of a DOM record begins with; the URL of the page follows. A record whose target
is the URL itself would be replayed in place of the response."""
DOM_TYPE: Final = "text/html; charset=utf-8"
_RANDOM: Final = ~(0xF << 76 | 0x3 << 62)
_VERSION_4: Final = 0x4 << 76 | 0x2 << 62


class WarcType(StrEnum):
    """The types of records that are written."""

    WARCINFO = "warcinfo"
    REQUEST = "request"
    METADATA = "metadata"
    RESPONSE = "response"
    REVISIT = "revisit"
    RESOURCE = "resource"


class Truncation(StrEnum):
    """Why a record does not have all of a body."""

    LENGTH = "length"
    TIME = "time"
    DISCONNECT = "disconnect"
    UNSPECIFIED = "unspecified"


class WarcRecord(Struct, frozen=True, gc=False):
    """A record: its block, and the `field_line`s that do not follow from the block.

    The block is `head` and `body`; `payload` has the digest of the body, None if the record has
    none of its own.
    """

    type: WarcType
    id: str
    date: str
    content_type: str
    fields: str = ""
    head: bytes = b""
    body: Sequence[bytes] = ()
    payload: bytes | None = None
    is_stored: bool = False


def new_id() -> str:
    """The id of a new record: a random UUID (RFC 9562, version 4)."""
    # uuid4() takes three times as long, and each response has three records.
    digits = f"{int.from_bytes(os.urandom(16), 'big') & _RANDOM | _VERSION_4:032x}"
    groups = (digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:])
    return f"<urn:uuid:{'-'.join(groups)}>"


def warc_date(moment_s: float) -> str:
    """Unix time as WARC writes it."""
    moment = datetime.fromtimestamp(moment_s, UTC)
    return moment.isoformat(timespec="microseconds").replace("+00:00", "Z")


def payload_digest(body: Iterable[bytes]) -> bytes:
    """The SHA-256 of a body."""
    digest = hashlib.sha256()
    for piece in body:
        digest.update(piece)
    return digest.digest()


def member_of(record: WarcRecord) -> bytes:
    """The record as a gzip member.

    It has one digest: of the payload, or of a block without one. Digesting a page twice would cost
    as much as compressing it; the checksum of the member covers its head, too.
    """
    length = len(record.head) + sum(map(len, record.body))
    covered, digest = "Payload", record.payload
    if digest is None:
        covered, digest = "Block", payload_digest((record.head, *record.body))
    lines = (
        *(_VERSION_LINE, "WARC-Type: ", record.type, "\r\nWARC-Record-ID: ", record.id),
        *("\r\nWARC-Date: ", record.date, "\r\n", record.fields),
        *("WARC-", covered, "-Digest: sha256:", digest.hex()),
        *("\r\nContent-Type: ", record.content_type),
        f"\r\nContent-Length: {length}\r\n\r\n",
    )
    head = "".join(lines).encode("utf-8", "replace") + record.head
    return gzip_member(head, record.body, END, is_stored=record.is_stored)


def field_line(name: str, value: str) -> str:
    """A named field as a line; no value can inject another one."""
    if not value.isprintable():
        value = " ".join(value.splitlines())
    return f"{name}: {value}\r\n"


def response_head(
    version: tuple[int, int],
    status: int,
    reason: str,
    headers: Iterable[tuple[bytes, bytes]],
    *,
    leaves_out_cookies: bool = False,
) -> bytes:
    """The head of a response as received, except for the name of Transfer-Encoding.

    `leaves_out_cookies`: without the values of cookies that it sets.
    """
    line = f"HTTP/{version[0]}.{version[1]} {status:03} {reason}".rstrip(" ")
    lines = [line.encode("utf-8", "surrogateescape")]
    for name, value in headers:
        lower = name.lower()
        if lower == b"transfer-encoding":
            lines.append(TRANSFER_ENCODING + b": " + value)
        elif leaves_out_cookies and lower in {b"set-cookie", b"set-cookie2"}:
            lines.append(name + b": " + _without_value(value))
        else:
            lines.append(name + b": " + value)
    return b"\r\n".join(lines) + END


def _without_value(set_cookie: bytes) -> bytes:
    cookie, semicolon, attributes = set_cookie.partition(b";")
    name = cookie.partition(b"=")[0]
    return name + b"=" + _LEFT_OUT + semicolon + attributes


def split_off_secrets(
    request: bytes, secret: Iterable[str], *, has_body: bool = True
) -> tuple[bytes, bool]:
    """A request without the values of `secret` headers (lower-case names), and whether it had any.

    Without its body, too, unless it `has_body`.
    """
    head, end, body = request.partition(END)
    names = frozenset(name.encode("latin-1", "replace") for name in secret)
    line, *lines = head.split(b"\r\n")
    kept = [line]
    found = not has_body
    for each in lines:
        name = each.partition(b":")[0]
        is_secret = name.lower() in names
        found |= is_secret
        kept.append(name + b": " + _LEFT_OUT if is_secret else each)
    left = body if has_body else b""
    return (b"\r\n".join(kept) + end + left, True) if found else (request, False)
