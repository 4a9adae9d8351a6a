"""What a test site saw: requests, connections and bytes, each with its time.

All times are ``time.monotonic_ns()``: one clock for every process of the machine, so a test
may compare the moment it pressed *cancel* with the last byte the server saw.
"""

import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Request:
    """One request as it came over the wire.

    `path` is the request target exactly as sent (query included), `at_ns` the arrival of its
    first byte, `connection` the number of the connection it came on (counted from 0).
    """

    method: str
    path: str
    headers: tuple[tuple[str, str], ...]
    at_ns: int
    connection: int
    body: bytes = b""

    def header(self, name: str) -> str | None:
        """The first header of that name (any case), or None."""
        wanted = name.lower()
        return next((value for key, value in self.headers if key.lower() == wanted), None)

    @property
    def is_check(self) -> bool:
        """Whether it is about the host alone: for a made-up URL, or llms.txt."""
        return "/gossamer-made-up-" in self.path or self.path == "/llms.txt"


@dataclass(slots=True)
class ConnectionRecord:
    """One accepted connection; counters go on until `closed_ns` is set."""

    number: int
    opened_ns: int
    closed_ns: int | None = None
    bytes_received: int = 0
    bytes_sent: int = 0
    last_received_ns: int = 0
    last_sent_ns: int = 0


@dataclass(slots=True)
class _Waiter:
    holds: Callable[[], bool]
    arrived: "Future[None]" = field(default_factory=Future)


class Ledger:
    """Everything recorded, safe to read from any thread while the site is running."""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._requests: list[Request] = []
        self._connections: list[ConnectionRecord] = []
        self._waiters: list[_Waiter] = []
        self.in_flight = 0
        """Without checks: when a crawl asks for these beside its URLs is chance."""
        self.peak_in_flight = 0
        self.open_connections = 0
        self.peak_connections = 0
        self.last_byte_ns = 0
        self.last_sent_ns = 0

    @property
    def requests(self) -> list[Request]:
        """A copy of all requests so far, in order of arrival."""
        with self._lock:
            return list(self._requests)

    @property
    def request_count(self) -> int:
        """Number of requests so far, without copying them."""
        return len(self._requests)

    @property
    def connections(self) -> list[ConnectionRecord]:
        """All connections so far, in order of opening; the records are live."""
        with self._lock:
            return list(self._connections)

    def forget(self) -> None:
        """Begin with no request; what goes on is counted on."""
        with self._lock:
            self._requests.clear()

    def opened(self) -> ConnectionRecord:
        """Note a new connection."""
        with self._lock:
            record = ConnectionRecord(len(self._connections), time.monotonic_ns())
            self._connections.append(record)
            self.open_connections += 1
            self.peak_connections = max(self.peak_connections, self.open_connections)
            self._changed()
        return record

    def closed(self, record: ConnectionRecord) -> None:
        """Note that a connection is gone."""
        with self._lock:
            record.closed_ns = time.monotonic_ns()
            self.open_connections -= 1
            self._changed()

    def received(self, record: ConnectionRecord, size_bytes: int) -> int:
        """Note bytes from a client; returns the time they were given."""
        now_ns = time.monotonic_ns()
        with self._lock:
            record.bytes_received += size_bytes
            record.last_received_ns = self.last_byte_ns = now_ns
        return now_ns

    def sent(self, record: ConnectionRecord, size_bytes: int) -> None:
        """Note bytes handed to the kernel for a client."""
        with self._lock:
            record.bytes_sent += size_bytes
            record.last_sent_ns = self.last_sent_ns = time.monotonic_ns()

    def begun(self, request: Request) -> None:
        """Note a request whose head is complete; it is in flight from now on."""
        with self._lock:
            self._requests.append(request)
            self.in_flight += not request.is_check
            self.peak_in_flight = max(self.peak_in_flight, self.in_flight)
            self._changed()

    def ended(self, request: Request) -> None:
        """Note that a request was answered or its client went away."""
        with self._lock:
            self.in_flight -= not request.is_check
            self._changed()

    def when(self, holds: Callable[[], bool]) -> "Future[None]":
        """A future that is done as soon as `holds()` is true after a change (or is true now)."""
        waiter = _Waiter(holds)
        with self._lock:
            self._waiters.append(waiter)
            self._changed()
        return waiter.arrived

    def _changed(self) -> None:
        if not self._waiters:
            return
        for waiter in [waiter for waiter in self._waiters if waiter.holds()]:
            self._waiters.remove(waiter)
            if waiter.arrived.set_running_or_notify_cancel():
                waiter.arrived.set_result(None)
