"""Runs queries on a file in one thread and delivers results on the Qt thread.

The person comes first: what a click needs runs before what keeps the views fresh, and takes the
place of a refresh that is running; that one is run again afterwards.
"""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final, Generic, Protocol, TypeVar

from PySide6.QtCore import QObject, Qt, QTimer, Signal
from shiboken6 import isValid

from gossamer.gui.project.reader_interface import ProjectRows
from gossamer.gui.runtime.refresh_schedule import refresh_schedule
from gossamer.model.errors import KnownError
from gossamer.model.index_progress import IndexProgress

MAX_WAITING: Final = 64
"""Requests waiting at most; every view uses a handful of keys, so this is never reached."""

PATIENCE_S: Final = 2.0
"""A thread that has not ended by then waits for a disk that does not answer: it is left alone."""
TOGETHER_MS: Final = 15
"""So long after the first answer to a refresh come all that have arrived: what they change is then
painted once, not once for each of them."""
READER_THREAD: Final = "project reader"
_JOIN_S: Final = 0.05
_OPENING: Final = "opening"

T = TypeVar("T")


class FileRows(Protocol):
    """What reads the rows of a file, for one thread."""

    def interrupt(self) -> None:
        """End the query that is running, if one is; may be called from any thread."""

    def close(self) -> None:
        """Close the file."""


R = TypeVar("R", bound=FileRows)


@dataclass(slots=True, eq=False)
class _Request:
    key: str
    read: Callable[[Any], Any]
    done: Callable[[Any], None]
    on_failure: Callable[[], None] | None = None
    background: bool = False
    interrupted: bool = False
    dropped: bool = False
    answered: bool = False
    result: Any = None
    error: Exception | None = None


class _ReaderThread:
    """The thread that reads one file, until it is told to `stop`."""

    def __init__(
        self,
        path: Path,
        opener: Callable[[Path], FileRows],
        on_answer: "Callable[[_ReaderThread, _Request], None]",
        max_waiting: int,
    ) -> None:
        """Start; `on_answer` is called on the thread with each request that is over."""
        self._path = path
        self._opener = opener
        self._on_answer = on_answer
        self._max_waiting = max_waiting
        self._changed = threading.Condition()
        self._waiting: dict[str, _Request] = {}
        self._running: _Request | None = None
        self._rows: FileRows | None = None
        self._is_stopping = False
        # A daemon: one that waits for a dead disk does not keep the program from its end.
        self._thread = threading.Thread(target=self._work, name=READER_THREAD, daemon=True)
        self._thread.start()

    # ------------------------------------------------------------ any thread

    def put(self, request: _Request) -> _Request | None:
        """Queue a request in place of one with the same key; the one that was dropped for it."""
        dropped: _Request | None = None
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
        """Drop what waits with this key, and end what is being read with it."""
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
        """Stop it again; whether it has come to its end within a moment."""
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
            self._report(_Request(_OPENING, lambda _: None, lambda _: None, error=e))
            return
        with self._changed:
            self._rows = rows

    def _next(self) -> _Request | None:
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

    def _run(self, request: _Request) -> None:
        rows = self._rows
        if rows is not None:
            try:
                request.result = request.read(rows)
                request.answered = True
            except Exception as e:  # noqa: BLE001 - raised again on the Qt thread
                request.error = e
        with self._changed:
            self._running = None
            if request.interrupted:
                self._requeue(request)
                return
        self._report(request)

    def _report(self, request: _Request) -> None:
        if not self._is_stopping:  # else there may be nobody any more
            self._on_answer(self, request)

    def _requeue(self, request: _Request) -> None:
        """Put back a request that made place for another, unless nobody waits for it any more."""
        is_wanted = not request.dropped and request.key not in self._waiting
        if is_wanted and not self._is_stopping:
            request.error = request.result = None
            request.answered = False
            self._waiting[request.key] = request


class BackgroundReader(QObject, Generic[R]):
    """Reads one file at a time on a thread of its own. Use it from the Qt thread only.

    `failed` carries one sentence for the person, a Translatable, when opening or reading failed.
    """

    failed = Signal(object)
    _answered = Signal(object, object)

    def __init__(
        self,
        opener: Callable[[Path], R],
        parent: QObject | None = None,
        *,
        max_waiting: int = MAX_WAITING,
        together_ms: int = TOGETHER_MS,
        patience_s: float = PATIENCE_S,
    ) -> None:
        super().__init__(parent)
        self._opener = opener
        self._max_waiting = max_waiting
        self._patience_s = patience_s
        self._latest: dict[str, _Request] = {}
        """The newest request of each key; the result of any other is not delivered."""
        self._thread: _ReaderThread | None = None
        self._background_answers: list[tuple[_ReaderThread, _Request]] = []
        self._background_due = QTimer(self, singleShot=True, interval=together_ms)
        self._background_due.timeout.connect(self._deliver_background)
        self._answered.connect(self._receive, Qt.ConnectionType.QueuedConnection)

    def open(self, path: Path) -> None:
        """Read from `path` from now on. What was asked of an earlier file is forgotten."""
        # The thread of the earlier file is not waited for: its disk may not answer.
        self._detach()
        self._thread = _ReaderThread(path, self._opener, self._report, self._max_waiting)

    def close(self) -> None:
        """Close the file and end the thread. Nothing asked before is delivered after this.

        A thread that does not end within PATIENCE_S is left to itself.
        """
        thread = self._detach()
        deadline_s = time.monotonic() + self._patience_s
        while thread is not None and not thread.stopped() and time.monotonic() < deadline_s:
            pass

    def submit(
        self,
        read: Callable[[R], T],
        done: Callable[[T], None],
        *,
        key: str,
        on_failure: Callable[[], None] | None = None,
        background: bool = False,
    ) -> None:
        """Call `read` on the reader thread, then `done` with its result on the Qt thread.

        A newer request with the same key takes the place of this one, without a call. `read`
        may be called again after an interruption, so it must only read. Nothing is called
        that is a method of a Qt object deleted meanwhile. If reading fails, `failed`
        gets the sentence and `on_failure` is called. `background` requests wait for all others,
        their results up to TOGETHER_MS for one another.
        """
        request = _Request(key, read, done, on_failure, background)
        self._latest[key] = request
        if self._thread is not None and (dropped := self._thread.put(request)) is not None:
            self._answered.emit(self._thread, dropped)

    def forget(self, key: str) -> None:
        """Drop the request with this key: its result is not wanted any more."""
        self._latest.pop(key, None)
        if self._thread is not None:
            self._thread.forget(key)

    def _report(self, thread: _ReaderThread, request: _Request) -> None:
        """Have a request delivered; for the reader thread.

        Not the signal's own `emit`: that does not keep this object alive until the thread ends.
        """
        self._answered.emit(thread, request)

    def _detach(self) -> _ReaderThread | None:
        """Ask and expect nothing more of the present file; what reads it."""
        self._latest.clear()
        self._background_answers.clear()
        thread, self._thread = self._thread, None
        if thread is not None:
            thread.stop()
        return thread

    def _receive(self, thread: _ReaderThread, request: _Request) -> None:
        """Deliver what the user waits for at once; collect background answers for a moment."""
        if not request.background:
            self._deliver(thread, request)
            return
        self._background_answers.append((thread, request))
        if not self._background_due.isActive():
            self._background_due.start()

    def _deliver_background(self) -> None:
        try:
            while self._background_answers:
                self._deliver(*self._background_answers.pop(0))
        finally:
            if self._background_answers:  # an exception tells of one; the others are still to come
                self._background_due.start()

    def _deliver(self, thread: _ReaderThread, request: _Request) -> None:
        if thread is not self._thread:
            return
        if request.key != _OPENING:
            if self._latest.get(request.key) is not request:
                return
            del self._latest[request.key]
        if request.answered:
            _call_back(request.done, request.result)
            return
        if request.on_failure is not None:
            _call_back(request.on_failure)
        if isinstance(request.error, KnownError):
            self.failed.emit(request.error.said)
        elif request.error is not None:
            raise request.error


class ProjectReader(BackgroundReader[ProjectRows]):
    """Reads the project shown."""

    indexing = Signal(object)
    """An IndexProgress: a search waits for its index, which is being made."""

    def __init__(
        self,
        opener: Callable[[Path], ProjectRows] | None = None,
        parent: QObject | None = None,
        *,
        max_waiting: int = MAX_WAITING,
        together_ms: int = TOGETHER_MS,
        patience_s: float = PATIENCE_S,
    ) -> None:
        super().__init__(
            opener or self._open_store,
            parent,
            max_waiting=max_waiting,
            together_ms=together_ms,
            patience_s=patience_s,
        )
        self.schedule = refresh_schedule(self)
        """When what shows the project reads it again."""

    def _open_store(self, path: Path) -> ProjectRows:
        from gossamer.store.reading.reader import Reader  # noqa: PLC0415 - a window without a project needs none

        rows = Reader(path)
        rows.tell_indexing(self._tell_indexing)
        return rows

    def _tell_indexing(self, progress: IndexProgress) -> None:
        """On the reader thread; see `_report`."""
        self.indexing.emit(progress)


def _call_back(callback: Callable[..., None], *values: object) -> None:
    """Call it, unless it is a method of a Qt object that is no more: its dialog was closed."""
    method = callback
    while isinstance(method, partial):
        method = method.func
    owner = getattr(method, "__self__", None)
    if not isinstance(owner, QObject) or isValid(owner):
        callback(*values)
