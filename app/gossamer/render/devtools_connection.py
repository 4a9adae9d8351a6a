"""Speaks the Chrome DevTools Protocol over the pipe of `--remote-debugging-pipe`.

Messages are JSON, each followed by a NUL (chromedevtools.github.io/devtools-protocol).
"""

import asyncio
import json
import logging
from collections.abc import Callable
from itertools import count
from typing import Any, Final, NamedTuple, NoReturn, cast

import msgspec

MAX_MESSAGE_BYTES: Final = 96 * 1024 * 1024
"""A page's DOM is cut at a fraction of this; longer messages were not requested by us."""
CALL_S: Final = 10.0
"""For a reply: a crashed tab gives none."""

Params = dict[str, Any]
OnEvent = Callable[[str, Params], None]
"""Gets the name of an event and its parameters."""
_GONE: Final = "the browser has ended"
_log = logging.getLogger(__name__)


class DevtoolsError(Exception):
    """The browser refused a call, or did not reply in time."""


class BrowserGoneError(DevtoolsError):
    """The browser has ended."""


class Incoming(msgspec.Struct):
    """A message of the browser: the reply to a call, or an event."""

    id: int = 0
    method: str = ""
    params: Params = {}
    result: Params = {}
    error: Params | None = None
    session: str = msgspec.field(default="", name="sessionId")


_decode: Final = msgspec.json.Decoder(Incoming).decode


class MessageSplitter:
    """Joins received data to messages; those longer than `max_bytes` are dropped.

    A page can make the browser send messages of any length, by its console for example.
    """

    def __init__(self, max_bytes: int = MAX_MESSAGE_BYTES) -> None:
        self._max_bytes = max_bytes
        self._parts: list[bytes] = []
        self._size_bytes = 0

    def feed(self, data: bytes) -> list[bytes]:
        """The messages that end in `data`."""
        *ends, rest = data.split(b"\0")
        messages = []
        for end in ends:
            self._add(end)
            if self._size_bytes <= self._max_bytes:
                messages.append(b"".join(self._parts))
            self._parts.clear()
            self._size_bytes = 0
        self._add(rest)
        return messages

    def _add(self, part: bytes) -> None:
        self._size_bytes += len(part)
        if self._size_bytes > self._max_bytes:
            self._parts.clear()
        elif part:
            self._parts.append(part)


def read_message(message: bytes) -> Incoming | None:
    """Decode a message of the browser; None if it is invalid.

    Halves of characters, which scripts may put anywhere, become "?".
    """
    try:
        return _decode(message)
    except msgspec.DecodeError:
        try:
            text = json.dumps(json.loads(message), ensure_ascii=False)
            return _decode(text.encode("utf-8", "replace"))
        except (ValueError, RecursionError):
            _log.warning("the browser sent what is no message", exc_info=True)
            return None


class _Call(NamedTuple):
    """A call that waits for its reply."""

    session: str
    result: "asyncio.Future[Params]"

    def fail(self, error: DevtoolsError) -> None:
        if not self.result.done():
            self.result.set_exception(error)
            self.result.exception()  # nobody may be waiting any more


class DevtoolsConnection(asyncio.Protocol):
    """The connection to a browser: calls and their replies, and events by session."""

    def __init__(self, call_s: float = CALL_S) -> None:
        """A call has `call_s` seconds for its reply, unless it says otherwise."""
        self._call_s = call_s
        self._splitter = MessageSplitter()
        self._ids = count(1)
        self._calls: dict[int, _Call] = {}
        self._listeners: dict[str, OnEvent] = {}
        self._transport: asyncio.WriteTransport | None = None
        self.gone = asyncio.Event()
        """Set when the browser has closed its end."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Take the pipe."""
        self._transport = cast("asyncio.WriteTransport", transport)

    def data_received(self, data: bytes) -> None:
        """Pass on the received messages."""
        for message in filter(None, map(read_message, self._splitter.feed(data))):
            if message.id:
                self._settle(message)
            elif (listener := self._listeners.get(message.session)) is not None:
                try:
                    listener(message.method, message.params)
                except Exception:  # noqa: BLE001 - one page's error must not affect others
                    _log.exception("an event was not understood", extra={"event": message.method})

    def connection_lost(self, _exc: Exception | None) -> None:
        """Fail all waiting calls: the browser is gone."""
        self.gone.set()
        for call in self._calls.values():
            call.fail(BrowserGoneError(_GONE))
        self._calls.clear()
        self._listeners.clear()

    async def fail_when_gone(self) -> NoReturn:
        """Wait until the browser ends, and raise BrowserGoneError."""
        await self.gone.wait()
        raise BrowserGoneError(_GONE)

    def listen(self, session: str, on_event: OnEvent) -> None:
        """Send the events of a session to `on_event`; "" is the browser's own."""
        self._listeners[session] = on_event

    def forget(self, session: str) -> None:
        """Stop passing on the events of a session."""
        self._listeners.pop(session, None)

    def close_session(self, session: str) -> None:
        """Fail all calls of a session: its target is gone and will not reply."""
        for call in list(self._calls.values()):
            if call.session == session:
                call.fail(DevtoolsError("the tab has gone"))

    def send(self, method: str, params: Params | None = None, session: str = "") -> None:
        """Call a method whose reply does not matter; nothing happens if the browser is gone."""
        self._write(next(self._ids), method, params, session)

    async def call(
        self,
        method: str,
        params: Params | None = None,
        session: str = "",
        timeout_s: float | None = None,
    ) -> Params:
        """The result of a method.

        DevtoolsError if the browser refuses, takes longer than `timeout_s` (by default as long as
        any call may) or the session is closed; BrowserGoneError if the browser ends.
        """
        if self.gone.is_set():
            raise BrowserGoneError(_GONE)
        timeout_s = self._call_s if timeout_s is None else timeout_s
        number = next(self._ids)
        result: asyncio.Future[Params] = asyncio.get_running_loop().create_future()
        self._calls[number] = _Call(session, result)
        try:
            self._write(number, method, params, session)
            async with asyncio.timeout(timeout_s):
                return await result
        except TimeoutError as e:
            raise DevtoolsError(f"{method}: no reply within {timeout_s:g} s") from e
        finally:
            self._calls.pop(number, None)

    def close(self) -> None:
        """Close the pipe, which ends the browser."""
        if self._transport is not None:
            self._transport.abort()

    def _write(self, number: int, method: str, params: Params | None, session: str) -> None:
        if self._transport is None or self._transport.is_closing():
            return
        message: dict[str, object] = {"id": number, "method": method}
        if params:
            message["params"] = params
        if session:
            message["sessionId"] = session
        self._transport.write(msgspec.json.encode(message) + b"\0")

    def _settle(self, message: Incoming) -> None:
        call = self._calls.get(message.id)
        if call is None or call.result.done():
            if message.error is not None:
                _log.debug("the browser refused a call", extra={"why": message.error})
        elif message.error is None:
            call.result.set_result(message.result)
        else:
            call.fail(DevtoolsError(str(message.error.get("message", "refused"))))
