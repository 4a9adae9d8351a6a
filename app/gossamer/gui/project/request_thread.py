"""The thread that reads one file: requests of a user before refreshes of the views."""

import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Protocol

READER_THREAD: Final = "project reader"
OPENING: Final = "opening"
"""The key of a result without a request: the file cannot be opened."""
_JOIN_S: Final = 0.05


class FileRows(Protocol):
    """Reads the rows of a file, for one thread."""

    def interrupt(self) -> None:
        """End the query that is running, if one is; may be called from any thread."""

    def close(self) -> None:
        """Close the file."""


@dataclass(slots=True, eq=False)
class ReadRequest:
    """What is read, and who receives it."""

    key: str
    read: Callable[[Any], Any]
    done: Callable[[Any], None]
    on_failure: Callable[[], None] | None = None
    background: bool = False
    interrupted: bool = False
    dropped: bool = False
    has_result: bool = False
    is_postponed: bool = False
    """Its result has to wait for another process."""
    result: Any = None
    error: Exception | None = None


class RequestThread:
    """The thread that reads one file, until `stop` is called."""

    def __init__(
        self,
        path: Path,
        opener: Callable[[Path], FileRows],
        on_finished: "Callable[[RequestThread, ReadRequest], None]",
        max_waiting: int,
    ) -> None:
        """Start; `on_finished` is called on the thread with each finished request."""
        self._path = path
        self._opener = opener
        self._on_finished = on_finished
        self._max_waiting = max_waiting
        self._changed = threading.Condition()
        self._waiting: dict[str, ReadRequest] = {}
        self._running: ReadRequest | None = None
        self._rows: FileRows | None = None
        self._is_stopping = False
        # A daemon: one that waits for a dead disk does not keep the program from its end.
        self._thread = threading.Thread(target=self._work, name=READER_THREAD, daemon=True)
        self._thread.start()

    # ------------------------------------------------------------ any thread

    def put(self, request: ReadRequest) -> ReadRequest | None:
        """Queue a request in place of one with the same key; returns the one dropped for it."""
        dropped: ReadRequest | None = None
        with self._changed:
            self._waiting.pop(request.key, None)
            running = self._running
            if running and (
                running.key == request.key or (running.background and not request.background)
            ):
                self._interrupt()
            if len(self._waiting) >= self._max_waiting:
                dropped = self._waiting.pop(next(iter(self._waiting)))
            self._waiting[request.key] = request
            self._changed.notify()
        return dropped

    def forget(self, key: str) -> None:
        """Drop what waits with this key, and interrupt what is being read with it."""
        with self._changed:
            self._waiting.pop(key, None)
            if self._running is not None and self._running.key == key:
                self._running.dropped = True
                self._interrupt()

    def stop(self) -> None:
        """Close the file and end, as soon as the disk lets it."""
        with self._changed:
            self._is_stopping = True
            self._waiting.clear()
            self._interrupt()
            self._changed.notify()

    def stopped(self) -> bool:
        """Stop it again; returns whether it ends within a moment."""
        # A request may start its next query after an interruption.
        self.stop()
        self._thread.join(_JOIN_S)
        return not self._thread.is_alive()

    def _interrupt(self) -> None:
        """Stop the running request. The lock is held, so that it cannot hit the next one."""
        if self._running is not None and self._rows is not None:
            self._running.interrupted = True
            self._rows.interrupt()

    # -------------------------------------------------------- its own thread

    def _work(self) -> None:
        self._open()
        while (request := self._next()) is not None:
            self._run(request)
        with self._changed:
            rows, self._rows = self._rows, None
        if rows is not None:
            rows.close()

    def _open(self) -> None:
        try:
            rows = self._opener(self._path)
        except Exception as e:  # noqa: BLE001 - raised again on the Qt thread, where it is told
            self._report(ReadRequest(OPENING, lambda _: None, lambda _: None, error=e))
            return
        with self._changed:
            self._rows = rows

    def _next(self) -> ReadRequest | None:
        """The oldest foreground request, or else the oldest of all; None when stopping."""
        with self._changed:
            while not self._is_stopping and not self._waiting:
                self._changed.wait()
            if self._is_stopping:
                return None
            waiting = self._waiting
            key = next((k for k, r in waiting.items() if not r.background), next(iter(waiting)))
            self._running = request = waiting.pop(key)
            request.interrupted = False
            return request

    def _run(self, request: ReadRequest) -> None:
        rows = self._rows
        if rows is not None:
            try:
                request.result = request.read(rows)
                request.has_result = True
            except Exception as e:  # noqa: BLE001 - raised again on the Qt thread
                request.error = e
        with self._changed:
            self._running = None
            if request.interrupted:
                self._requeue(request)
                return
        self._report(request)

    def _report(self, request: ReadRequest) -> None:
        if not self._is_stopping:  # else nobody may be there any more
            self._on_finished(self, request)

    def _requeue(self, request: ReadRequest) -> None:
        """Put back a request that made room for another, unless it is no longer wanted."""
        is_wanted = not request.dropped and request.key not in self._waiting
        if is_wanted and not self._is_stopping:
            request.error = request.result = None
            request.has_result = False
            self._waiting[request.key] = request
