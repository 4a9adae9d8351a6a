"""One thread that reads the project file for the window, and delivers on the Qt thread.

The person comes first: what a click needs runs before what keeps the views fresh, and takes the
place of a refresh that is running; that one is run again afterwards.
"""

import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TypeVar

from PySide6.QtCore import QObject, Qt, Signal

from app.gui.models.rows import Rows
from app.gui.words import spoken
from app.model.errors import KnownError

MAX_WAITING: Final = 64
"""Requests waiting at most; every view uses a handful of keys, so this is never reached."""

_JOIN_S: Final = 0.05
_OPENING: Final = "opening"

T = TypeVar("T")


@dataclass(slots=True, eq=False)
class _Request:
    key: str
    project: int
    read: Callable[[Any], Any]
    done: Callable[[Any], None]
    lost: Callable[[], None] | None = None
    background: bool = False
    interrupted: bool = False
    answered: bool = False
    result: Any = None
    error: Exception | None = None


class ProjectReader(QObject):
    """Reads one project file at a time on a thread of its own. Use it from the Qt thread only.

    `failed` carries one sentence for the person whenever opening or reading failed.
    """

    failed = Signal(str)
    _ended = Signal(object)

    def __init__(
        self, opener: Callable[[Path], Rows] | None = None, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._opener = opener or _open_store
        self._latest: dict[str, _Request] = {}
        """The newest request of each key; the result of any other is not delivered."""
        self._thread: threading.Thread | None = None
        self._ended.connect(self._deliver, Qt.ConnectionType.QueuedConnection)
        # Shared with the reader thread, under the lock of the condition.
        self._changed = threading.Condition()
        self._waiting: dict[str, _Request] = {}
        self._running: _Request | None = None
        self._rows: Rows | None = None
        self._path: Path | None = None
        self._project = 0
        """Rises with every open and close."""

    # ------------------------------------------------------------ Qt thread

    def open(self, path: Path) -> None:
        """Read from `path` from now on. What was asked of an earlier project is forgotten."""
        self._turn_to(path)
        if self._thread is None:
            self._thread = threading.Thread(target=self._work, name="project reader", daemon=True)
            self._thread.start()

    def close(self) -> None:
        """Close the file and end the thread. Nothing asked before is delivered after this."""
        self._turn_to(None)
        thread, self._thread = self._thread, None
        while thread is not None and thread.is_alive():
            # A request may start its next query after an interruption: tell it again.
            with self._changed:
                self._interrupt()
            thread.join(_JOIN_S)

    def submit(
        self,
        read: Callable[[Rows], T],
        done: Callable[[T], None],
        *,
        key: str,
        lost: Callable[[], None] | None = None,
        background: bool = False,
    ) -> None:
        """Call `read` on the reader thread, then `done` with its result on the Qt thread.

        A newer request with the same key takes the place of this one, without a call. `read`
        may be called again after an interruption, so it must only read. If reading fails, `failed`
        gets the sentence and `lost` is called. `background` requests wait for all others.
        """
        dropped: _Request | None = None
        with self._changed:
            request = _Request(key, self._project, read, done, lost, background)
            self._latest[key] = request
            self._waiting.pop(key, None)
            running = self._running
            if running and (running.key == key or (running.background and not background)):
                self._interrupt()
            if len(self._waiting) >= MAX_WAITING:
                dropped = self._waiting.pop(next(iter(self._waiting)))
            self._waiting[key] = request
            self._changed.notify()
        if dropped is not None:
            self._ended.emit(dropped)

    def forget(self, key: str) -> None:
        """Drop the request with this key: its result is not wanted any more."""
        self._latest.pop(key, None)
        with self._changed:
            self._waiting.pop(key, None)

    def _turn_to(self, path: Path | None) -> None:
        self._latest.clear()
        with self._changed:
            self._path = path
            self._project += 1
            self._waiting.clear()
            self._interrupt()
            self._changed.notify()

    def _deliver(self, request: _Request) -> None:
        if request.key == _OPENING:
            if request.project != self._project:
                return
        elif self._latest.get(request.key) is not request:
            return
        else:
            del self._latest[request.key]
        if request.answered:
            request.done(request.result)
            return
        if request.lost is not None:
            request.lost()
        if isinstance(request.error, KnownError):
            self.failed.emit(spoken(request.error.said))
        elif request.error is not None:
            raise request.error

    def _interrupt(self) -> None:
        """Stop the running request. The lock is held, so that it cannot hit the next one."""
        if self._running is not None and self._rows is not None:
            self._running.interrupted = True
            self._rows.interrupt()

    # -------------------------------------------------------- reader thread

    def _work(self) -> None:
        turned_to = 0
        while True:
            with self._changed:
                while self._project == turned_to and not self._waiting:
                    self._changed.wait()
                project, path = self._project, self._path
            if project == turned_to:
                self._run_next()
                continue
            turned_to = project
            self._close_rows()
            if path is None:
                return
            self._open_rows(path, project)

    def _close_rows(self) -> None:
        with self._changed:
            rows, self._rows = self._rows, None
        if rows is not None:
            rows.close()

    def _open_rows(self, path: Path, project: int) -> None:
        try:
            rows = self._opener(path)
        except Exception as e:  # noqa: BLE001 - raised again on the Qt thread, where it is told
            opening = _Request(_OPENING, project, lambda _: None, lambda _: None, error=e)
            self._ended.emit(opening)
            return
        with self._changed:
            self._rows = rows

    def _run_next(self) -> None:
        with self._changed:
            request = self._next()
            rows = self._rows
            self._running = request
            if request is None:
                return
            request.interrupted = False
        if rows is not None:
            try:
                request.result = request.read(rows)
                request.answered = True
            except Exception as e:  # noqa: BLE001 - raised again on the Qt thread
                request.error = e
        with self._changed:
            self._running = None
            if request.interrupted:
                self._again(request)
                return
        self._ended.emit(request)

    def _next(self) -> _Request | None:
        """The oldest request of a person, or else the oldest of all. The lock is held."""
        waiting = self._waiting
        key = next((k for k, r in waiting.items() if not r.background), next(iter(waiting), None))
        return None if key is None else waiting.pop(key)

    def _again(self, request: _Request) -> None:
        """Put back a request that made place for another, unless it has a successor."""
        if request.project == self._project and request.key not in self._waiting:
            request.error = request.result = None
            request.answered = False
            self._waiting[request.key] = request


def _open_store(path: Path) -> Rows:
    from app.store.reader import Reader  # noqa: PLC0415 - a window without a project needs none

    return Reader(path)
