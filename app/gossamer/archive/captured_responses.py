"""Reads a response from an archive as a server would have sent it: head and body."""

import re
from collections.abc import Callable, Iterator, Mapping
from hashlib import sha256
from typing import BinaryIO, Final, NamedTuple

from gossamer.archive.record_reader import (
    MAX_RECORD_BYTES,
    RecordError,
    RecordReader,
)
from gossamer.archive.response_blocks import split_response
from gossamer.model.archive_captures import ArchivePart, CaptureKind

_CHUNK_SIZE: Final = re.compile(rb"[0-9A-Fa-f]{1,16}[ \t]*(?:;[^\r\n]*)?\r?\n")
_STATUS_LINE: Final = re.compile(rb"HTTP/[0-9.]+(?= )")
_MAGIC: Final[Mapping[bytes, Callable[[bytes], bool]]] = {
    b"gzip": lambda body: body.startswith(b"\x1f\x8b"),
    b"x-gzip": lambda body: body.startswith(b"\x1f\x8b"),
    b"deflate": lambda body: not _is_text(body),
    b"br": lambda body: not _is_text(body),
    b"zstd": lambda body: body.startswith(b"\x28\xb5\x2f\xfd"),
}
"""Whether a body looks as if it had a content coding."""
_CRAWLER_CODING: Final = b"x-crawler-transfer-encoding"
_LOOKED_AT_BYTES: Final = 256
_SPACE: Final = 0x20
_BLANKS: Final = b"\t\n\f\r"


class CapturedResponse(NamedTuple):
    """Head and body of a response as HTTP/1.1 has them on the wire.

    `body` comes in pieces, and raises RecordError if the record is torn. `is_cut` is whether the
    archive says that more was sent than it has.
    """

    head: bytes
    body: Iterator[bytes]
    is_cut: bool


def read_capture(
    file: BinaryIO,
    part: ArchivePart,
    offset: int,
    kind: CaptureKind,
    payload: bytes | None = None,
    *,
    is_as_sent: bool = False,
) -> CapturedResponse:
    """The response in the record at `offset` of `part`, whose file is open.

    `is_as_sent` says that the archive is ours: what does not fit was sent like that.

    RecordError if there is none, or if the SHA-256 of its body is not `payload`, if that is given:
    then all of it is read at once, and it is no larger than ours are. The body of a revisit is that
    of its own record: empty.
    """
    try:
        reader = RecordReader(file, part, offset)
    except EOFError as e:
        raise RecordError("the archive ends before the record") from e
    # Of a segmented response, this record has the first segment; hardly any writer uses them.
    is_cut = any(reader.fields.get(name) for name in ("warc-truncated", "warc-segment-number"))
    if kind is CaptureKind.RESOURCE:
        content_type = reader.fields.get("content-type", "application/octet-stream")
        head = _resource_head(content_type, reader.left)
        return CapturedResponse(head, iter(reader.read, b""), is_cut)
    raw, first = split_response(reader)
    size = len(first) + reader.left
    head = sound_head(
        raw, b"" if is_as_sent else first[:_LOOKED_AT_BYTES], None if is_cut else size
    )
    pieces = _pieces(first, reader.read)
    if payload is not None:
        if size > MAX_RECORD_BYTES:
            raise RecordError("the record is too large")
        pieces = _verified(pieces, payload)
    if any(_name(line) == _CRAWLER_CODING for line in _lines(raw)):
        pieces = _chunks(pieces, is_cut=reader.fields.get("warc-truncated") == "disconnect")
    return CapturedResponse(head, pieces, is_cut)


def with_body_of(revisit: CapturedResponse, original: CapturedResponse) -> CapturedResponse:
    """The response of a revisit, with the body of an earlier record.

    The earlier head counts if the revisit has none, and for the coding of the body.
    """
    if not revisit.head or b" 304 " in revisit.head.partition(b"\n")[0]:
        return original
    framing = (b"content-length", b"content-encoding", b"transfer-encoding")
    own = [line for line in _lines(revisit.head) if _name(line) not in framing]
    coded = [line for line in _lines(original.head)[1:] if _name(line) in framing]
    return CapturedResponse(_joined([*own, *coded]), original.body, original.is_cut)


def sound_head(raw: bytes, body: bytes, size: int | None) -> bytes:
    """The head of a response, with headers that match the archived body.

    Archive writers decode bodies and leave the headers as they were. `body` is its beginning,
    `size` its length in bytes, None if more was sent. A response without a body, such as to a HEAD
    request, keeps all headers. A Transfer-Encoding that a crawler has renamed gets its name back:
    the body is then to be sent in chunks.
    """
    lines = _lines(raw)
    if not lines:
        return b""
    lines[0] = _STATUS_LINE.sub(b"HTTP/1.1", lines[0]) if b"HTTP/1." not in lines[0] else lines[0]
    codings = b",".join(_value(each) for each in lines[1:] if _name(each) == b"content-encoding")
    is_coded = _is_coded(codings, body)
    kept = [line for line in lines[1:] if not body or _is_true(line, body, size, is_coded=is_coded)]
    named = [
        b"Transfer-Encoding:" + line.partition(b":")[2] if _name(line) == _CRAWLER_CODING else line
        for line in kept
    ]
    return _joined([lines[0], *named])


def _value(line: bytes) -> bytes:
    return line.partition(b":")[2].strip().lower()


def _is_true(line: bytes, body: bytes, size: int | None, *, is_coded: bool) -> bool:
    """Whether a header about the body is true for this one."""
    value = _value(line)
    match _name(line):
        case b"transfer-encoding":
            return b"chunked" in value and _CHUNK_SIZE.match(body) is not None
        case b"content-encoding":
            return is_coded
        case b"content-length":
            return size is None or value == b"%d" % size
    return True


def _is_coded(codings: bytes, body: bytes) -> bool:
    """Whether the body looks like its content codings; true for unknown codings."""
    outermost = codings.rpartition(b",")[2].strip()
    looks = _MAGIC.get(outermost)
    return looks is None or looks(body)


def _is_text(body: bytes) -> bool:
    """Whether these bytes look like the beginning of a text."""
    return all(byte >= _SPACE or byte in _BLANKS for byte in body)


def _pieces(first: bytes, read: Callable[[], bytes]) -> Iterator[bytes]:
    if first:
        yield first
    yield from iter(read, b"")


def _verified(pieces: Iterator[bytes], payload: bytes) -> Iterator[bytes]:
    """The whole body; RecordError if it has another digest."""
    read = list(pieces)
    digest = sha256()
    for piece in read:
        digest.update(piece)
    if digest.digest() != payload:
        raise RecordError("the body has another digest")
    return iter(read)


def _chunks(pieces: Iterator[bytes], *, is_cut: bool) -> Iterator[bytes]:
    """A body in chunks, as it was sent; without the last one if it broke off."""
    for piece in pieces:
        yield b"%x\r\n%b\r\n" % (len(piece), piece)
    if not is_cut:
        yield b"0\r\n\r\n"


def _resource_head(content_type: str, size: int) -> bytes:
    plain = content_type.encode("latin-1", "replace")
    return _joined([b"HTTP/1.1 200 OK", b"Content-Type: " + plain, b"Content-Length: %d" % size])


def _lines(head: bytes) -> list[bytes]:
    return [line for line in re.split(rb"\r?\n", head) if line]


def _name(line: bytes) -> bytes:
    return line.partition(b":")[0].strip().lower()


def _joined(lines: list[bytes]) -> bytes:
    return b"\r\n".join(lines) + b"\r\n\r\n"
