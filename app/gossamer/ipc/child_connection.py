"""Starts child processes of the program and connects each to its parent by a channel.

A child is started by name through the program's own entry. It learns a port and a token from its
standard input, connects to that port on loopback and shows the token and the version of the
protocol that it speaks. A TCP connection on
loopback is the one channel that asyncio and qasync handle alike on Linux, macOS and Windows; the
token keeps other users of the machine out. When the parent is gone the connection ends, and with
it the child.
"""

import asyncio
import hmac
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final, Generic, TypeVar

from gossamer.ipc import PROTOCOL_VERSION
from gossamer.ipc.channel import Channel
from gossamer.ipc.process_start import LOOPBACK, TOKEN_BYTES, LaunchedProcess, Process
from gossamer.model.errors import CrawlHostError

In = TypeVar("In")
_VERSION_BYTES = 2
_LINGER_S = 5.0
_STUCK_S = 1.0
"""A process that was killed and waits for a dead disk stays: nobody can wait for its end."""


class ParentGoneError(Exception):
    """In a child: its parent has ended or closed the channel."""


class ChildProcess(Generic[In]):
    """A running child process and the channel to it."""

    def __init__(self, process: Process, channel: Channel[In]) -> None:
        """Take over a process that has connected."""
        self._process = process
        self._channel = channel
        self._linger_s = _LINGER_S
        self.send: Final = channel.send
        self.send_encoded: Final = channel.send_encoded
        self.pause_reading: Final = channel.pause_reading
        self.resume_reading: Final = channel.resume_reading

    @property
    def pid(self) -> int:
        """The process id."""
        return self._process.pid

    @property
    def is_lost(self) -> bool:
        """No process of this machine is ever out of reach."""
        return False

    @property
    def is_given_up(self) -> bool:
        """None is given up that could be used."""
        return False

    @property
    def ahead(self) -> int:
        """A job that is sent is there at once: none is held in store."""
        return 0

    @property
    def closed(self) -> bool:
        """Whether the channel to it is closed."""
        return self._channel.closed

    @property
    def reads(self) -> int:
        """How many times something was read from its channel."""
        return self._channel.reads

    @property
    def has_part(self) -> bool:
        """Whether a frame has begun to come whose rest is missing."""
        return self._channel.has_part

    def kill(self) -> None:
        """End the process at once: its channel is closed even if it cannot end."""
        self._linger_s = 0.0
        self._process.kill()
        self._channel.abort()

    def reap(self) -> asyncio.Future[int | None]:
        """Take note of the end of a process whose channel has closed; kill it if it lingers.

        The future is its exit code, None if it cannot be ended; nobody needs to wait for it.
        """
        loop = asyncio.get_running_loop()
        return loop.run_in_executor(None, _wait, self._process, self._linger_s)

    async def end(self, timeout_s: float) -> int | None:
        """Close the channel, wait for the process, kill it after `timeout_s`; as `reap`.

        The wait runs to its end even if the caller is cancelled, so that no zombie is left.
        """
        self._channel.close()
        loop = asyncio.get_running_loop()
        return await asyncio.shield(loop.run_in_executor(None, _wait, self._process, timeout_s))


def _wait(process: Process, timeout_s: float) -> int | None:
    try:
        return process.wait(timeout_s)
    except subprocess.TimeoutExpired:
        process.kill()
    with suppress(subprocess.TimeoutExpired):
        return process.wait(_STUCK_S)
    return None


class _Gate(asyncio.Protocol):
    """Accepts the one connection that shows the token, and hands it to the channel.

    `opened` gets the version of the protocol that the child speaks.
    """

    def __init__(self, token: bytes, channel: Channel[Any], opened: asyncio.Future[int]) -> None:
        self._token = token
        self._channel = channel
        self._opened = opened
        self._seen = b""
        self._transport: asyncio.BaseTransport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = transport
        if self._opened.done():  # accepted before, and nobody waits for it any more
            self.close()

    def close(self) -> None:
        """Send away who has not shown the token."""
        if self._transport is not None:
            self._transport.close()
            self._transport = None

    def data_received(self, data: bytes) -> None:
        self._seen += data
        transport = self._transport
        if transport is None or len(self._seen) < TOKEN_BYTES:
            return
        token, rest = self._seen[:TOKEN_BYTES], self._seen[TOKEN_BYTES:]
        if self._opened.done() or not hmac.compare_digest(token, self._token):
            self.close()
            return
        if len(rest) < _VERSION_BYTES:
            return
        version, rest = int.from_bytes(rest[:_VERSION_BYTES]), rest[_VERSION_BYTES:]
        self._opened.set_result(version)
        if version != PROTOCOL_VERSION:  # nothing that it says can be read
            self.close()
            return
        self._transport = None
        transport.set_protocol(self._channel)
        self._channel.connection_made(transport)
        if rest:
            self._channel.data_received(rest)


async def adopt(
    launched: LaunchedProcess,
    *,
    message_type: object,
    on_messages: Callable[[list[In]], None],
    on_closed: Callable[[], None],
    timeout_s: float = 30.0,
) -> ChildProcess[In]:
    """Wait until a child that was started has connected.

    Raises CrawlHostError when it does not come up within `timeout_s`, or speaks another version of
    the protocol; it is gone then.
    """
    loop = asyncio.get_running_loop()
    opened: asyncio.Future[int] = loop.create_future()
    channel: Channel[In] = Channel(message_type, on_messages, on_closed)
    gates: list[_Gate] = []

    def gate() -> _Gate:
        gates.append(_Gate(launched.token, channel, opened))
        return gates[-1]

    try:
        # In two steps: cancelled while it begins to serve, it must not be left in the selector.
        server = await loop.create_server(gate, sock=launched.listener, start_serving=False)
        try:
            await server.start_serving()
            await _connected(launched.process, opened, timeout_s)
        finally:
            opened.cancel()
            # What a server accepts just before it is closed gets no transport, and stays open.
            with suppress(NotImplementedError):  # on Windows
                loop.remove_reader(launched.listener)
            try:
                await asyncio.sleep(0)
            finally:
                server.close()
                for one in gates:
                    one.close()
    except BaseException:
        channel.abort()  # it has connected, if whoever waited was cancelled just then
        launched.abandon()
        raise
    return ChildProcess(launched.process, channel)


async def _connected(process: Process, opened: asyncio.Future[int], timeout_s: float) -> None:
    """Wait for the handshake; check now and then that the process still lives."""
    deadline = asyncio.get_running_loop().time() + timeout_s
    while asyncio.get_running_loop().time() < deadline:
        done, _ = await asyncio.wait({opened}, timeout=0.2)
        if done:
            _check_version(opened.result())
            return
        if process.poll() is not None:
            raise CrawlHostError(
                "A helper process exited while starting (exit code {code}); see the log, and "
                "reinstall Gossamer if this persists.",
                code=process.returncode,
            )
    raise CrawlHostError("A helper process did not start in time; try again on a quieter machine.")


def _check_version(version: int) -> None:
    if version != PROTOCOL_VERSION:
        raise CrawlHostError(
            "A helper process of another version of Gossamer was started (protocol {theirs}, not"
            " {ours}); close Gossamer and start it again.",
            theirs=version,
            ours=PROTOCOL_VERSION,
        )


async def connect_to_parent(
    message_type: object,
    on_messages: Callable[[list[In]], None],
    on_closed: Callable[[], None],
    *,
    version: int = PROTOCOL_VERSION,
) -> Channel[In]:
    """In a child: the channel to the parent, or ParentGoneError."""
    port, _, token = sys.stdin.readline().strip().partition(" ")
    if not token:
        raise ParentGoneError
    channel: Channel[In] = Channel(message_type, on_messages, on_closed)
    loop = asyncio.get_running_loop()
    try:
        transport, _ = await loop.create_connection(lambda: channel, LOOPBACK, int(port))
    except OSError as e:
        raise ParentGoneError from e
    transport.write(bytes.fromhex(token) + version.to_bytes(_VERSION_BYTES))
    return channel
