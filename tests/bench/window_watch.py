"""The stop-watch of `window_probe`, inside the window's process."""

import time
from dataclasses import asdict
from json import dumps
from pathlib import Path
from typing import Final

from PySide6.QtCore import QObject, Qt, QTimer
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QMainWindow, QWidget

from gossamer.gui.main_window import MainWindow
from gossamer.model.crawl_state import CrawlState
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.session.profile_store import ProfileStore
from tests.bench.contestants import CONCURRENCY
from tests.bench.window_probe import TICK_MS, Watched

_LINGER_S: Final = 1.0
_OVER: Final = frozenset({CrawlState.FINISHED, CrawlState.FAILED, CrawlState.CANCELLED})


def watch(out: Path, *, crawls: bool) -> None:
    """Have the window that will be made watched from its first frame on."""
    settings = CrawlSettings(roots=(), workers=CONCURRENCY, obey_robots=False)
    ProfileStore().save_defaults(settings)

    def paint(window: QWidget, event: QPaintEvent) -> None:
        if isinstance(window, MainWindow):
            if window.findChild(Probe) is None:
                Probe(window, out, crawls=crawls)
            QMainWindow.paintEvent(window, event)

    MainWindow.paintEvent = paint  # type: ignore[method-assign]  # it has none of its own


class Probe(QObject):
    """Watches the window from inside its event loop."""

    def __init__(self, window: MainWindow, out: Path, *, crawls: bool) -> None:
        super().__init__(window)
        self._out = out
        self._crawls = crawls
        self._watched = Watched()
        self._window = window
        self._ticked = time.monotonic()
        self._over_at = 0.0
        self._cpu_at_start_s: float | None = None
        self._timer = QTimer(self, interval=TICK_MS, timerType=Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._tick)
        QTimer.singleShot(0, self._painted)

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
        progress = self._window.progress()
        if progress.state is CrawlState.RUNNING:
            self._watched.late_ms.append(late_ms)
            if self._cpu_at_start_s is None:
                self._cpu_at_start_s = time.process_time()
        if not self._watched.first_rows and self._window.workspace.table.model.rowCount():
            self._watched.first_rows = now
        if progress.state in _OVER:
            if not self._over_at:
                self._over_at = now
                self._watched.cpu_s = time.process_time() - (self._cpu_at_start_s or 0.0)
            if now > self._over_at + _LINGER_S:
                self._watched.crawl_s = progress.seconds
                self._watched.pages = progress.pages
                self._end()

    def _end(self) -> None:
        self._timer.stop()
        self._watched.state = str(self._window.progress().state)
        self._window.close()
        self._out.write_text(dumps(asdict(self._watched)), encoding="utf-8")
