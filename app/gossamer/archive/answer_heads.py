"""Finds the head of the HTTP answer in a record, behind the interim answers that may precede it."""

import re
from typing import Final

from gossamer.archive.record_reading import MAX_HEADER_BYTES, RecordReader

_END_OF_HEAD: Final = re.compile(rb"\r?\n\r?\n")
_INTERIM: Final = re.compile(rb"HTTP/[0-9.]+ +1(?!01)[0-9]{2}\b")
"""Answers such as 100 and 103, after which the one to the request comes (RFC 9110, 15.2)."""


def split_answer(reader: RecordReader) -> tuple[bytes, bytes]:
    """The head of an HTTP answer, and what came of its body with that.

    RecordError if the record is torn.
    """
    data = b""
    while len(data) < MAX_HEADER_BYTES and (piece := reader.read()):
        data += piece
        while (end := _END_OF_HEAD.search(data)) is not None:
            head, rest = data[: end.start()], data[end.end() :]
            goes_on = rest.startswith(b"HTTP/") or (not rest and reader.left)
            if not goes_on or _INTERIM.match(head) is None:
                return head, rest
            data = rest
    return data, b""
