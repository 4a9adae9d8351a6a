"""Runs queries on a file in one thread and delivers results on the Qt thread.

The user comes first: what a click needs runs before refreshes of the views, and interrupts a
running refresh, which is run again afterwards.
"""

import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Final, Generic, TypeVar

from PySide6.QtCore import QObject, Qt, QTimer, Signal
from shiboken6 import isValid

from gossamer.gui.project.reader_interfaces import ProjectRows
from gossamer.gui.project.request_thread import OPENING, FileRows, ReadRequest, RequestThread
from gossamer.gui.runtime.refresh_throttle import refresh_throttle
from gossamer.model.errors import KnownError
from gossamer.model.index_progress import IndexBehindError, Indexing, IndexProgress

MAX_WAITING: Final = 64
"""The most requests waiting; every view uses a handful of keys, so this is never reached."""

PATIENCE_S: Final = 2.0
"""A thread that has not ended by then waits for a disk that does not respond: it is left alone."""
TOGETHER_MS: Final = 15
"""The results of a refresh that arrive within this time after the first are delivered together:
their changes are then painted once, not once each."""

T = TypeVar("T")
R = TypeVar("R", bound=FileRows)


class BackgroundReader(QObject, Generic[R]):
    """Reads one file at a time on a thread of its own. Use it from the Qt thread only.

    `failed` carries one sentence for the user, a Translatable, when opening or reading failed.
    """

    failed = Signal(object)
    _finished = Signal(object, object)

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
        self._latest: dict[str, ReadRequest] = {}
        """The newest request of each key; the result of any other is not delivered."""
        self._postponed: set[str] = set()
        """The keys whose newest result was that it has to wait."""
        self._thread: RequestThread | None = None
        self._background_results: list[tuple[RequestThread, ReadRequest]] = []
        self._background_due = QTimer(self, singleShot=True, interval=together_ms)
        self._background_due.timeout.connect(self._deliver_background)
        self._finished.connect(self._receive, Qt.ConnectionType.QueuedConnection)

    def open(self, path: Path) -> None:
        """Read from `path` from now on. Requests to an earlier file are dropped."""
        # The thread of the earlier file is not waited for: its disk may not respond.
        self._detach()
        self._thread = RequestThread(path, self._opener, self._report, self._max_waiting)

    def close(self) -> None:
        """Close the file and end the thread. No earlier request is delivered after this.

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

        A newer request with the same key replaces this one, without a call. `read` may be called
        again after an interruption, so it must only read. Nothing is called that is a method of a
        Qt object deleted meanwhile, or closes over one. If reading fails, `failed` carries the
        sentence and `on_failure` is called. `background` requests wait for all others, their
        results up to TOGETHER_MS for one another.
        """
        request = ReadRequest(key, read, done, on_failure, background)
        self._latest[key] = request
        if self._thread is not None and (dropped := self._thread.put(request)) is not None:
            self._finished.emit(self._thread, dropped)

    def forget(self, key: str) -> None:
        """Drop the request with this key: its result is no longer wanted."""
        self._latest.pop(key, None)
        self._postponed.discard(key)
        if self._thread is not None:
            self._thread.forget(key)
        self._settle()

    def _report(self, thread: RequestThread, request: ReadRequest) -> None:
        """Have a request delivered; for the reader thread.

        Not the signal's own `emit`: that does not keep this object alive until the thread ends.
        """
        self._finished.emit(thread, request)

    def _detach(self) -> RequestThread | None:
        """Request and expect nothing more from the present file; returns its thread."""
        self._latest.clear()
        self._postponed.clear()
        self._background_results.clear()
        thread, self._thread = self._thread, None
        if thread is not None:
            thread.stop()
        self._settle()
        return thread

    def _is_expected(self, request: ReadRequest) -> bool:
        """Whether this result is wanted; not if it has to wait itself."""
        if request.key == OPENING:
            return True
        if self._latest.get(request.key) is not request:
            return False
        request.is_postponed = isinstance(request.error, IndexBehindError)
        if request.is_postponed:
            self._postponed.add(request.key)
        else:
            self._postponed.discard(request.key)
            del self._latest[request.key]
        self._settle()
        return not request.is_postponed

    def _settle(self) -> None:
        """The expected results have changed."""

    def _receive(self, thread: RequestThread, request: ReadRequest) -> None:
        """Deliver what the user waits for at once; collect background results for a moment."""
        if not request.background:
            self._deliver(thread, request)
            return
        self._background_results.append((thread, request))
        if not self._background_due.isActive():
            self._background_due.start()

    def _deliver_background(self) -> None:
        try:
            while self._background_results:
                self._deliver(*self._background_results.pop(0))
        finally:
            if self._background_results:  # an exception is about one; the others are still to come
                self._background_due.start()

    def _deliver(self, thread: RequestThread, request: ReadRequest) -> None:
        if thread is not self._thread or not self._is_expected(request):
            return
        if request.has_result:
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
    """An IndexProgress: a search waits for its index, which is being built."""
    index_wanted = Signal()
    """Searches wait for an index that `leave_indexing` leaves to another process."""
    index_unwanted = Signal()
    """None waits any more."""

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
        self.throttle = refresh_throttle(self)
        """When the views of the project read it again."""
        self._indexing = Indexing.ITSELF
        self._is_index_wanted = False

    def leave_indexing(self) -> None:
        """Leave long indexing of later opened projects to the listener of `index_wanted`."""
        self._indexing = Indexing.ELSEWHERE

    def read_postponed(self, indexing: Indexing) -> None:
        """Read what waits for the index, using this instead of waiting."""
        postponed = [each for each in self._latest.values() if each.is_postponed]
        self._is_index_wanted = False
        self._postponed.clear()
        for each in postponed:
            self.submit(
                partial(_read_so, self._indexing, indexing, each.read),
                each.done,
                key=each.key,
                on_failure=each.on_failure,
                background=each.background,
            )

    def _settle(self) -> None:
        is_wanted = bool(self._postponed)
        if is_wanted != self._is_index_wanted:
            self._is_index_wanted = is_wanted
            (self.index_wanted if is_wanted else self.index_unwanted).emit()

    def _open_store(self, path: Path) -> ProjectRows:
        from gossamer.store.reading.reader import Reader  # noqa: PLC0415 - a window without a project needs none

        rows = Reader(path)
        rows.tell_indexing(self._tell_indexing)
        rows.choose_indexing(self._indexing)
        return rows

    def _tell_indexing(self, progress: IndexProgress) -> None:
        """On the reader thread; see `_report`."""
        self.indexing.emit(progress)


def _read_so(
    usual: Indexing, indexing: Indexing, read: Callable[[ProjectRows], T], rows: ProjectRows
) -> T:
    rows.choose_indexing(indexing)
    try:
        return read(rows)
    finally:
        rows.choose_indexing(usual)


def _call_back(callback: Callable[..., None], *values: object) -> None:
    """Call it, unless it is about a deleted Qt object: its dialog was closed."""
    if all(isValid(each) for each in _qt_objects(callback)):
        callback(*values)


def _qt_objects(callback: Callable[..., None]) -> Iterator[QObject]:
    """Yield the Qt objects that it is a method of, or closes over."""
    function = callback
    while isinstance(function, partial):
        function = function.func
    if isinstance(owner := getattr(function, "__self__", None), QObject):
        yield owner
    for cell in getattr(function, "__closure__", None) or ():
        if isinstance(value := cell.cell_contents, QObject):
            yield value
