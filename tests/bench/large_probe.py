"""The program's own window put through its paces: `python -m tests.bench.large_probe`.

Usage: large_probe OUT PROJECT. Opens the window without a project, then PROJECT in it, and does
what a person does, one thing after the other: scroll to far places, sort by each column, type into
the filter, turn to tabs, open nodes of the trees. Writes to OUT as JSON how long each took until
its rows were there to be read, and how late a 5 ms timer of the event loop came meanwhile.

Nothing of the program is replaced: the one function that dresses the application is wrapped, as
the first moment at which there is an application and no window yet.
"""

import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from functools import partial
from json import dumps
from pathlib import Path
from typing import Final

import psutil
from PySide6.QtCore import QEvent, QModelIndex, QObject, Qt, QTimer
from PySide6.QtWidgets import QApplication, QTreeView, QWidget

from app.__main__ import main
from app.gui import application
from app.gui.models.columns import SPECS
from app.gui.models.lazy_tree import LazyTreeModel
from app.gui.panels.tree_panel import TreePanel
from app.gui.window import MainWindow
from app.model.views import View

TICK_MS: Final = 5
_LIMIT_S: Final = 60.0
_REST_S: Final = 0.15
"""Between two things, so that a stall is put down to what causes it."""
_PLACES: Final = (0.5, 0.9999, 0.25, 0.75, 0.0)
_TEXTS: Final = ("harbour", "99999", "museum-12", "no such text")


@dataclass(slots=True)
class Done:
    """One thing done: seconds until its rows were there, the latest tick until the next thing."""

    what: str
    seconds: float = 0.0
    late_ms: float = 0.0


@dataclass(frozen=True, slots=True)
class _Step:
    what: str
    act: Callable[[], object]
    over: Callable[[], bool]


class Probe(QObject):
    """Acts on the window from inside its event loop, and watches."""

    def __init__(self, app: QApplication, out: Path, project: Path) -> None:
        super().__init__(app)
        self._app = app
        self._out = out
        self._project = project
        self._done: list[Done] = []
        self._steps: Iterator[_Step] = iter(())
        self._step: _Step | None = None
        self._began = self._ended = self._ticked = 0.0
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
        self._timer.start()

    def _tick(self) -> None:
        now = time.monotonic()
        if self._done:
            late_ms = (now - self._ticked) * 1000 - TICK_MS
            self._done[-1].late_ms = max(self._done[-1].late_ms, late_ms)
        self._ticked = now
        if self._step is None:
            if now > self._ended + _REST_S:
                self._next()
        elif self._step.over() or now > self._began + _LIMIT_S:
            self._done[-1].seconds = now - self._began
            self._step, self._ended = None, now

    def _next(self) -> None:
        self._step = next(self._steps, None)
        if self._step is None:
            self._end()
            return
        self._done.append(Done(self._step.what))
        self._began = time.monotonic()
        self._step.act()

    def _end(self) -> None:
        self._timer.stop()
        memory = psutil.Process().memory_full_info().pss
        found = {"memory": memory, "done": [asdict(done) for done in self._done]}
        self._out.write_text(dumps(found), encoding="utf-8")
        if self._window is not None:
            self._window.close()


def steps(window: MainWindow, project: Path) -> Iterator[_Step]:
    """What a person does with a project, in order."""
    yield _Step("open", lambda: window.crawl_target(str(project)), lambda: _readable(window))
    yield from _table_steps(window)
    trees = window.workspace.trees
    for panel in (window.workspace.discovery, window.workspace.folders):
        yield _Step(
            "turn to a tree",
            partial(trees.setCurrentWidget, panel),
            partial(_has_rows, panel.model, QModelIndex()),
        )
        yield from _tree_steps(panel)


def _table_steps(window: MainWindow) -> Iterator[_Step]:
    table = window.workspace.table
    view, bar = table.view, table.bar
    scroll = view.verticalScrollBar()

    def there() -> bool:
        return _readable(window)

    def filtered() -> bool:
        return table.model.query.filter_.text == bar.field.text() and there()

    for place in _PLACES:
        row = int(place * scroll.maximum())
        yield _Step("scroll", partial(scroll.setValue, row), there)
    for number, spec in enumerate(SPECS):
        for descending in (False, True):
            yield _Step(
                f"sort by {spec.column}",
                partial(view.sort_header.sort_by, number, descending=descending),
                there,
            )
    yield _Step("scroll in a sorted table", lambda: scroll.setValue(scroll.maximum() // 3), there)
    yield _Step("sort by discovery", view.sort_header.sort_by_discovery, there)
    for text in _TEXTS:
        yield _Step("filter", partial(bar.field.setText, text), filtered)
    yield _Step("end of filter", bar.field.clear, filtered)
    for tab in (View.PAGES, View.ERRORS, View.ALL):
        yield _Step("turn to a tab", partial(bar.set_view, tab), there)
    yield _Step("select a row", lambda: view.selectRow(5), there)


def _tree_steps(panel: TreePanel) -> Iterator[_Step]:
    """Open the first node, again and again; then read on to the end of what is open, thrice."""
    model, view = panel.model, panel.view
    node = QModelIndex()
    while model.rowCount(node):
        node = model.index(0, 0, node)
        if not model.hasChildren(node):
            break
        yield _Step(
            "open a node",
            partial(view.expand, node),
            partial(_has_rows, model, node),
        )
    for _ in range(3):
        grown = partial(_grown, view, view.verticalScrollBar().maximum())
        yield _Step("read on in a tree", partial(_to_end, view), grown)


def _has_rows(model: LazyTreeModel, node: QModelIndex) -> bool:
    return model.rowCount(node) > 0


def _to_end(view: QTreeView) -> None:
    view.verticalScrollBar().setValue(view.verticalScrollBar().maximum())


def _grown(view: QTreeView, rows: int) -> bool:
    return view.verticalScrollBar().maximum() != rows


def _readable(window: MainWindow) -> bool:
    """Whether the table answers what was asked, and the rows in sight are there."""
    table = window.workspace.table
    if not table.model.loaded:
        return False
    first = table.view.rowAt(0)
    return table.model.rowCount() == 0 or table.model.record(first) is not None


def wrapped(
    dress: Callable[[QApplication], None], out: Path, project: Path
) -> Callable[[QApplication], None]:
    """`dress`, and a probe besides."""

    def dressed(app: QApplication) -> None:
        dress(app)
        Probe(app, out, project)

    return dressed


if __name__ == "__main__":
    out_file, opened = map(Path, sys.argv[1:])
    application.dress = wrapped(application.dress, out_file, opened)  # type: ignore[assignment]  # a function of the same shape
    sys.argv = ["gossamer"]
    sys.exit(main())
