"""The program's own window put through its paces: `python -m tests.bench.large_probe`.

Usage: large_probe OUT PROJECT. Opens the window without a project, then PROJECT in it, and does
what a user does (`large_steps`). Writes to OUT as JSON how long each thing took until its rows
were there to be read, and how late a 5 ms timer of the event loop came meanwhile; and, which other
work on the machine hardly changes, the processor time that the reader's thread took, and the most
that the window's own thread took between two ticks.

Nothing of the program is replaced: the one function that sets the application up is wrapped, as
the first moment at which there is an application and no window yet.
"""

import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from json import dumps
from pathlib import Path
from typing import TYPE_CHECKING, Concatenate, Final, ParamSpec

import psutil
from PySide6.QtCore import QEvent, QObject, Qt, QTimer
from PySide6.QtWidgets import QApplication, QWidget

from gossamer.__main__ import main
from gossamer.gui import application
from gossamer.gui.main_window import MainWindow
from gossamer.gui.project.request_thread import READER_THREAD
from tests.bench.large_steps import steps

if TYPE_CHECKING:
    from tests.bench.large_step import Step

P = ParamSpec("P")

TICK_MS: Final = 5
_LIMIT_S: Final = 60.0
_REST_S: Final = 0.15
"""Between two things, so that a stall is put down to what causes it."""


@dataclass(slots=True)
class Done:
    """One thing done: seconds until its rows were there, the latest tick until the next thing.

    `reader_s` is processor time of the reader's thread until the rows were there, `busy_ms` the
    most that the window's thread took between two ticks.
    """

    what: str
    seconds: float = 0.0
    late_ms: float = 0.0
    reader_s: float = 0.0
    busy_ms: float = 0.0


class Probe(QObject):
    """Acts on the window from inside its event loop, and watches."""

    def __init__(self, app: QApplication, out: Path, project: Path) -> None:
        super().__init__(app)
        self._app = app
        self._out = out
        self._project = project
        self._done: list[Done] = []
        self._steps: Iterator[Step] = iter(())
        self._step: Step | None = None
        self._began = self._ended = self._ticked = 0.0
        self._read = self._worked = 0.0
        self._window: MainWindow | None = None
        self._timer = QTimer(self, interval=TICK_MS, timerType=Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._tick)
        app.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        """See the window's first frame; from then on events pass unseen."""
        is_frame = event.type() == QEvent.Type.Paint and isinstance(watched, QWidget)
        if is_frame and isinstance(window := watched.window(), MainWindow):  # type: ignore[attr-defined] # a QWidget
            self._app.removeEventFilter(self)
            self._window = window
            self._steps = steps(window, self._project)
            QTimer.singleShot(500, self._start)
        return False

    def _start(self) -> None:
        self._ended = self._ticked = time.monotonic()
        self._worked = time.thread_time()
        self._timer.start()

    def _tick(self) -> None:
        now, worked = time.monotonic(), time.thread_time()
        if self._done:
            late_ms = (now - self._ticked) * 1000 - TICK_MS
            self._done[-1].late_ms = max(self._done[-1].late_ms, late_ms)
            busy_ms = (worked - self._worked) * 1000
            self._done[-1].busy_ms = max(self._done[-1].busy_ms, busy_ms)
        self._ticked, self._worked = now, worked
        if self._step is None:
            if now > self._ended + _REST_S:
                self._next()
        elif self._step.over() or now > self._began + _LIMIT_S:
            self._done[-1].seconds = now - self._began
            self._done[-1].reader_s = _reader_s() - self._read
            self._step, self._ended = None, now

    def _next(self) -> None:
        self._step = next(self._steps, None)
        if self._step is None:
            self._end()
            return
        self._done.append(Done(self._step.what))
        self._began, self._read = time.monotonic(), _reader_s()
        self._step.act()

    def _end(self) -> None:
        self._timer.stop()
        memory = psutil.Process().memory_full_info().pss
        found = {"memory": memory, "done": [asdict(done) for done in self._done]}
        self._out.write_text(dumps(found), encoding="utf-8")
        if self._window is not None:
            self._window.close()


def _reader_s() -> float:
    """Processor time of the thread that reads the project file."""
    for thread in threading.enumerate():
        if thread.name == READER_THREAD and thread.ident is not None:
            return time.clock_gettime(time.pthread_getcpuclockid(thread.ident))
    return 0.0


def wrapped(
    set_up: Callable[Concatenate[QApplication, P], None], out: Path, project: Path
) -> Callable[Concatenate[QApplication, P], None]:
    """`set_up`, and a probe besides."""

    def with_probe(app: QApplication, /, *args: P.args, **kwargs: P.kwargs) -> None:
        set_up(app, *args, **kwargs)
        Probe(app, out, project)

    return with_probe


if __name__ == "__main__":
    out_file, opened = map(Path, sys.argv[1:])
    application.set_up_application = wrapped(application.set_up_application, out_file, opened)  # type: ignore[assignment]  # a function of the same shape
    sys.argv = ["gossamer"]
    sys.exit(main())
