"""A chunked body as browsers read it (Chromium's `HttpChunkedDecoder`)."""

import re
from typing import Final

from gossamer.fetch.lenient_headers import Malformed, MalformedAnswerError
from gossamer.model.outcome_details import DetailCode
from gossamer.model.response_warnings import ResponseWarning

MAX_LINE_KIB: Final = 16
MAX_TRAILER_KIB: Final = 256
_KIB: Final = 1024
_SIZE: Final = re.compile(rb"[0-9a-fA-F]{1,16}")


class ChunkedBody:
    """Takes the bytes of a chunked body as they come."""

    def __init__(self, malformed: Malformed) -> None:
        """What is not as the standard has it goes into `malformed`."""
        self._malformed = malformed
        self._line = bytearray()
        """What came of the line that comes now."""
        self._left = 0
        """Bytes of the present chunk that are still to come."""
        self._in_data = False
        self._after_data = False
        self._in_trailer = False
        self._trailer_bytes = 0
        self.complete = False

    def data(self, came: bytes) -> bytes:
        """What `came` adds to the body. MalformedAnswerError for what is none."""
        parts = []
        at = 0
        while at < len(came) and not self.complete:
            if self._in_data:
                part = came[at : at + self._left]
                parts.append(part)
                at += len(part)
                self._left -= len(part)
                self._after_data = not self._left
                self._in_data = bool(self._left)
            else:
                at = self._line_from(came, at)
        return b"".join(parts)

    def _line_from(self, came: bytes, start: int) -> int:
        """Take bytes from `start` on up to the end of the line; where that is."""
        end = came.find(b"\n", start) + 1
        self._line += came[start : end or len(came)]
        if len(self._line) > MAX_LINE_KIB * _KIB:
            raise MalformedAnswerError(DetailCode.HTTP_CHUNK_LINE(size=MAX_LINE_KIB))
        if not end:
            return len(came)
        line = bytes(self._line)
        self._line.clear()
        if not line.endswith(b"\r\n"):
            self._malformed.add(ResponseWarning.CHUNK_LINE_END)
        self._take(line.rstrip(b"\r\n"))
        return end

    def _take(self, line: bytes) -> None:
        if self._in_trailer:
            self._trailer_bytes += len(line)
            if self._trailer_bytes > MAX_TRAILER_KIB * _KIB:
                raise MalformedAnswerError(DetailCode.HTTP_TRAILERS(size=MAX_TRAILER_KIB))
            self.complete = not line
        elif self._after_data:
            if line:
                raise MalformedAnswerError(DetailCode.HTTP_CHUNK_LONG())
            self._after_data = False
        else:
            self._begin(line)

    def _begin(self, line: bytes) -> None:
        spelled, extended, _ = line.partition(b";")
        size = spelled.rstrip(b" ")
        if extended and size != spelled:
            self._malformed.add(ResponseWarning.CHUNK_EXTENSION)
        if not _SIZE.fullmatch(size):
            raise MalformedAnswerError(DetailCode.HTTP_CHUNK_SIZE())
        self._left = int(size, 16)
        self._in_data, self._in_trailer = bool(self._left), not self._left
