"""Finds the head of the HTTP response in a record, after any interim responses."""

import re
from typing import Final

from gossamer.archive.record_reader import MAX_HEADER_BYTES, RecordReader

_END_OF_HEAD: Final = re.compile(rb"\r?\n\r?\n")
_HTTP: Final = b"HTTP/"
_INTERIM: Final = re.compile(rb"HTTP/[0-9.]+ +1(?!01)[0-9]{2}\b")
"""Responses such as 100 and 103, which precede the final one (RFC 9110, 15.2)."""


def split_response(reader: RecordReader) -> tuple[bytes, bytes]:
    """The head of an HTTP response, and what came of its body with that.

    RecordError if the record is torn.
    """
    data, start = b"", 0
    while len(data) < MAX_HEADER_BYTES and (piece := reader.read()):
        data += piece
        while (end := _END_OF_HEAD.search(data, start)) is not None:
            if not _goes_on(data, end.end(), reader.left) or not _INTERIM.match(data, start):
                return data[start : end.start()], data[end.end() :]
            start = end.end()
    return data[start:], b""


def _goes_on(data: bytes, position: int, left: int) -> bool:
    """Whether another head may begin at a position of what was read; `left` is still to come."""
    beginning = data[position : position + len(_HTTP)]
    return beginning == _HTTP or (bool(left) and _HTTP.startswith(beginning))
