"""Messages as bytes: a frame is a 4-byte big-endian length and a MessagePack array of messages.

Several messages sent in one turn of the loop travel in one frame, which saves most of the cost
of small ones.
"""

import struct
from collections.abc import Sequence
from typing import Generic, TypeVar

import msgspec

MAX_FRAME_BYTES = 256 * 1024 * 1024
"""Far above any honest frame (50,000 links with their texts are some 10 MB)."""

_LENGTH = struct.Struct(">I")
_encoder = msgspec.msgpack.Encoder()
T = TypeVar("T")


class FrameError(Exception):
    """The peer sent something that is no frame of ours. The channel is closed after it."""


def frame(messages: Sequence[object]) -> bytes:
    """One frame that holds `messages`."""
    buffer = bytearray(_LENGTH.size)
    _encoder.encode_into(messages, buffer, _LENGTH.size)
    _LENGTH.pack_into(buffer, 0, len(buffer) - _LENGTH.size)
    return bytes(buffer)


class FrameReader(Generic[T]):
    """Cuts a stream of bytes into frames and decodes them as messages of type T."""

    def __init__(self, message_type: object) -> None:
        """Take the type (a union of tagged structs) that every received message must have."""
        self._decoder: msgspec.msgpack.Decoder[list[T]] = msgspec.msgpack.Decoder(
            list[message_type]  # type: ignore[valid-type]  # the type is a value here
        )
        self._rest = bytearray()
        """The beginning of a frame that has not come whole."""

    def feed(self, data: bytes) -> list[T]:
        """The messages completed by `data`, in order. FrameError if it is no frame of ours."""
        rest = self._rest
        if not rest:  # nearly always frames come whole, and need not be copied
            messages, end = self._decoded(data)
            rest += memoryview(data)[end:]
        else:
            rest += data
            messages, end = self._decoded(rest)
            del rest[:end]
        return messages

    def _decoded(self, buffer: bytes | bytearray) -> tuple[list[T], int]:
        """The messages of all frames that are whole, and where they end."""
        messages: list[T] = []
        start = 0
        with memoryview(buffer) as view:
            while len(view) - start >= _LENGTH.size:
                (length,) = _LENGTH.unpack_from(view, start)
                if length > MAX_FRAME_BYTES:
                    raise FrameError(f"a frame of {length} bytes")
                end = start + _LENGTH.size + length
                if end > len(view):
                    break
                try:
                    messages += self._decoder.decode(view[start + _LENGTH.size : end])
                except msgspec.DecodeError as e:
                    raise FrameError(str(e)) from e
                start = end
        return messages, start
