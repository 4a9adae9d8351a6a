"""A two-way stream of typed messages between two of the program's processes.

A frame is a 4-byte big-endian length and a MessagePack array of messages. Several messages sent in
one turn of the loop travel in one frame, which saves most of the cost of small ones.
"""

import asyncio
import logging
import struct
from collections.abc import Callable, Sequence
from typing import Generic, TypeVar, cast

import msgspec

MAX_FRAME_BYTES = 256 * 1024 * 1024
"""Far above any honest frame (50,000 links with their texts are some 10 MB)."""

_LENGTH = struct.Struct(">I")
_encoder = msgspec.msgpack.Encoder()
T = TypeVar("T")
In = TypeVar("In")
_log = logging.getLogger(__name__)


class FrameError(Exception):
    """The peer sent an invalid frame. The channel is closed after it."""


def frame(messages: Sequence[object]) -> bytes:
    """One frame that holds `messages`."""
    buffer = bytearray(_LENGTH.size)
    _encoder.encode_into(messages, buffer, _LENGTH.size)
    _LENGTH.pack_into(buffer, 0, len(buffer) - _LENGTH.size)
    return bytes(buffer)


def encoded(messages: Sequence[object]) -> bytes:
    """What a frame that holds `messages` has behind its length."""
    return _encoder.encode(messages)


class FrameReader(Generic[T]):
    """Cuts a stream of bytes into frames and decodes them as messages of type T."""

    def __init__(self, message_type: object) -> None:
        """Take the type (a union of tagged structs) that every received message must have."""
        self._decoder: msgspec.msgpack.Decoder[list[T]] = msgspec.msgpack.Decoder(
            list[message_type]  # type: ignore[valid-type]  # the type is a value here
        )
        self._rest = bytearray()
        """The beginning of a frame that has not come whole."""

    @property
    def has_part(self) -> bool:
        """Whether a frame has begun whose rest is missing."""
        return bool(self._rest)

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
                    messages += self._messages_of(view[start + _LENGTH.size : end])
                except msgspec.DecodeError as e:
                    raise FrameError(str(e)) from e
                start = end
        return messages, start

    def _messages_of(self, encoded: memoryview) -> list[T]:
        return self._decoder.decode(encoded)


class _EncodedReader(FrameReader[bytes]):
    """Leaves the messages of a frame as they are: one `bytes` for each frame."""

    def __init__(self) -> None:
        super().__init__(bytes)

    def _messages_of(self, encoded: memoryview) -> list[bytes]:
        return [bytes(encoded)]


class Channel(asyncio.Protocol, Generic[In]):
    """One end of the stream.

    `on_messages` gets the messages of each read, in order; `on_closed` is called once, when the
    other end is gone or sent nonsense. Both run on the loop and must not block. What is in
    flight is bounded by the conversation (a window of jobs, the latest progress), so `send` never
    waits; a sender of unasked-for messages looks at `congested` first.
    """

    def __init__(
        self,
        message_type: object,
        on_messages: Callable[[list[In]], None],
        on_closed: Callable[[], None],
    ) -> None:
        """Take the type of what is received and the two callbacks.

        A channel of `bytes` passes messages on for others: it receives each frame as it is
        encoded, without its length, and sends what is encoded with `send_encoded`.
        """
        self._reader: FrameReader[In] = (
            cast("FrameReader[In]", _EncodedReader())
            if message_type is bytes
            else FrameReader(message_type)
        )
        self._on_messages = on_messages
        self._on_closed = on_closed
        self._transport: asyncio.Transport | None = None
        self._outgoing: list[object] = []
        self._gone = asyncio.Event()
        self.closed = False
        """Whether the other end is gone."""
        self.congested = False
        """Whether the other end reads more slowly than we write."""
        self.reads = 0
        """How many times something was read."""

    async def wait_closed(self) -> None:
        """Return when everything is sent and the connection closed."""
        await self._gone.wait()

    def send(self, message: object) -> None:
        """Send `message`; messages of one loop turn go out together. Lost if the peer is gone."""
        if self.closed:
            return
        if not self._outgoing:
            asyncio.get_running_loop().call_soon(self._flush)
        self._outgoing.append(message)

    def send_encoded(self, messages: bytes) -> None:
        """Send a frame that others have encoded, as `encoded` does. Lost if the peer is gone."""
        self._flush()
        if self._transport is not None and not self.closed:
            self._transport.writelines([_LENGTH.pack(len(messages)), messages])

    @property
    def has_part(self) -> bool:
        """Whether a frame has begun to come whose rest is missing."""
        return self._reader.has_part

    def pause_reading(self) -> None:
        """Leave what comes to the system, until `resume_reading`. Nor is the peer's end noticed."""
        if self._transport is not None and not self._transport.is_closing():
            self._transport.pause_reading()

    def resume_reading(self) -> None:
        """Read again whatever comes."""
        if self._transport is not None and not self._transport.is_closing():
            self._transport.resume_reading()

    def close(self) -> None:
        """Send what is left, then close. `on_closed` follows."""
        self._flush()
        if self._transport is not None:
            self._transport.close()

    def abort(self) -> None:
        """Close at once; what was not sent is lost."""
        if self._transport is not None:
            self._transport.abort()

    def _flush(self) -> None:
        if self._outgoing and self._transport is not None and not self.closed:
            self._transport.write(frame(self._outgoing))
        self._outgoing.clear()

    # asyncio.Protocol

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Remember the transport."""
        self._transport = cast("asyncio.Transport", transport)

    def data_received(self, data: bytes) -> None:
        """Hand over complete messages; a peer that sends nonsense is cut off."""
        self.reads += 1
        try:
            messages = self._reader.feed(data)
        except FrameError as e:
            _log.error("channel broken", extra={"error": str(e)})
            self.abort()
            return
        if messages:
            self._on_messages(messages)

    def pause_writing(self) -> None:
        """Note that the peer reads more slowly than we write."""
        self.congested = True

    def resume_writing(self) -> None:
        """Note that the peer has caught up."""
        self.congested = False

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002 - asyncio's signature
        """Tell the owner, once. How the other end went makes no difference."""
        self.closed = True
        self._gone.set()
        self._outgoing.clear()
        self._on_closed()
