"""Reads archived responses as browsers do: status, headers, and the body without its codings."""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from gossamer.archive.captured_responses import CapturedResponse
from gossamer.archive.record_reader import RecordError
from gossamer.fetch.content_decoding import decoder_for

_STATUS = re.compile(rb"HTTP/[0-9.]+ +([0-9]{3})")
_LISTS: Final = frozenset({"content-encoding", "transfer-encoding"})
_MAX_SIZE_LINE: Final = 1 << 10
_SIZE = re.compile(rb"[ \t]*([0-9A-Fa-f]{1,15})[^\n]*\n")


class ArchivedHead(NamedTuple):
    """Status and headers of a response; header names in lower case, the first of each.

    Headers that list codings are joined: a server may send a line for each.
    """

    status: int
    headers: dict[str, str]

    @property
    def content_type(self) -> str:
        """Without parameters, in lower case."""
        return self.headers.get("content-type", "").partition(";")[0].strip().lower()

    @property
    def charset(self) -> str | None:
        """The charset that the Content-Type names, if any."""
        found = re.search(r"charset\s*=\s*[\"']?([\w.:-]+)", self.headers.get("content-type", ""))
        return found[1] if found else None


def read_head(head: bytes) -> ArchivedHead:
    """Parse the head of a response; status 0 if it has none."""
    status, *lines = head.split(b"\r\n")
    found = _STATUS.match(status)
    headers: dict[str, str] = {}
    for line in lines:
        name, _, value = line.decode("latin-1").partition(":")
        name, value = name.strip().lower(), value.strip()
        before = headers.setdefault(name, value)
        if name in _LISTS and before is not value:
            headers[name] = f"{before}, {value}"
    return ArchivedHead(int(found[1]) if found else 0, headers)


def decoded_pieces(response: CapturedResponse) -> Iterator[bytes]:
    """The body, decoded. DecodingError or RecordError if it is damaged."""
    headers = read_head(response.head).headers
    is_chunked = "chunked" in headers.get("transfer-encoding", "").lower()
    pieces = _without_chunks(response.body) if is_chunked else response.body
    decoder = decoder_for(headers.get("content-encoding", ""))
    if decoder is None:
        yield from pieces
        return
    for piece in pieces:
        yield from decoder.pieces(piece)


def _without_chunks(pieces: Iterator[bytes]) -> Iterator[bytes]:
    """A body without its chunks; RecordError if they are invalid."""
    data, left = b"", 0
    for piece in pieces:
        data, at = data + piece, 0
        while at < len(data):
            if left:
                content = data[at : at + left]
                yield content
                at, left = at + len(content), left - len(content)
                continue
            at += 2 if data.startswith(b"\r\n", at) else 0
            size = _SIZE.match(data, at)
            if size is None:
                if len(data) - at > _MAX_SIZE_LINE:
                    raise RecordError("a chunk has no size")
                break
            left, at = int(size[1], 16), size.end()
            if not left:
                return
        data = data[at:]
