"""The program's own window with a stop-watch inside: `python -m tests.bench.window_probe`.

Usage: window_probe OUT [TARGET]. Runs the program as `gossamer [TARGET]` does, with 16 workers
and without robots.txt, closes the window when there is nothing more to see (the crawl of TARGET
has ended; without TARGET, the window is painted), and writes what it saw to OUT as JSON.

Nothing of the program is replaced: the one function that dresses the application is wrapped, as
the first moment at which there is an application and no window yet.
"""

import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from json import dumps
from pathlib import Path
from typing import Final

from PySide6.QtCore import QEvent, QObject, Qt, QTimer
from PySide6.QtWidgets import QApplication, QWidget

from app.__main__ import main
from app.gui import application
from app.gui.memory import Memory, default_path
from app.gui.window import MainWindow
from app.model.settings import CrawlSettings
from app.model.state import CrawlState
from tests.bench.contestants import CONCURRENCY

TICK_MS: Final = 5
_LINGER_S: Final = 1.0
_OVER: Final = frozenset({CrawlState.FINISHED, CrawlState.FAILED, CrawlState.CANCELLED})


@dataclass(slots=True)
class Watched:
    """What the probe saw. Times are `time.monotonic()`, 0 for never.

    `late_ms` is, for each tick while the crawl ran, how much later than due it came.
    """

    shown: float = 0.0
    first_rows: float = 0.0
    late_ms: list[float] = field(default_factory=list)
    crawl_s: float = 0.0
    pages: int = 0
    state: str = ""


class Probe(QObject):
    """Watches the application from inside its event loop."""

    def __init__(self, app: QApplication, out: Path, *, crawls: bool) -> None:
        super().__init__(app)
        self._app = app
        self._out = out
        self._crawls = crawls
        self._watched = Watched()
        self._window: MainWindow | None = None
        self._ticked = time.monotonic()
        self._over_at = 0.0
        self._timer = QTimer(self, interval=TICK_MS, timerType=Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._tick)
        app.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        """See the window's first frame; from then on events pass unseen."""
        is_frame = event.type() == QEvent.Type.Paint and isinstance(watched, QWidget)
        if is_frame and isinstance(window := watched.window(), MainWindow):  # type: ignore[attr-defined] # a QWidget
            self._app.removeEventFilter(self)
            self._window = window
            QTimer.singleShot(0, self._painted)
        return False

    def _painted(self) -> None:
        self._watched.shown = time.monotonic()
        if self._crawls:
            self._ticked = time.monotonic()
            self._timer.start()
        else:
            self._end()

    def _tick(self) -> None:
        now = time.monotonic()
        late_ms = (now - self._ticked) * 1000 - TICK_MS
        self._ticked = now
        window = self._window
        if window is None:
            return
        progress = window.progress()
        if progress.state is CrawlState.RUNNING:
            self._watched.late_ms.append(late_ms)
        if not self._watched.first_rows and window.workspace.table.model.rowCount():
            self._watched.first_rows = now
        if progress.state in _OVER:
            self._over_at = self._over_at or now
            if now > self._over_at + _LINGER_S:
                self._watched.crawl_s = progress.seconds
                self._watched.pages = progress.pages
                self._end()

    def _end(self) -> None:
        self._timer.stop()
        if self._window is not None:
            self._watched.state = str(self._window.progress().state)
            self._window.close()
        self._out.write_text(dumps(asdict(self._watched)), encoding="utf-8")


def wrapped(
    dress: Callable[[QApplication], None], out: Path, *, crawls: bool
) -> Callable[[QApplication], None]:
    """`dress`, and a probe besides."""

    def dressed(app: QApplication) -> None:
        dress(app)
        settings = CrawlSettings(roots=(), workers=CONCURRENCY, obey_robots=False)
        Memory(default_path()).remember_settings(settings)
        Probe(app, out, crawls=crawls)

    return dressed


if __name__ == "__main__":
    out_file, *target = sys.argv[1:]
    dress = wrapped(application.dress, Path(out_file), crawls=bool(target))
    application.dress = dress  # type: ignore[assignment]  # a function of the same shape
    sys.argv = ["gossamer", *target]
    sys.exit(main())
