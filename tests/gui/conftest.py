"""Fixtures of the window's tests: no display is needed, one event loop serves all of them."""

import asyncio
import gc
import os
from collections.abc import Callable, Coroutine, Iterator
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import pytest
from PySide6.QtCore import QEvent, QLocale, QTranslator
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from gossamer.gui.look import theme
from gossamer.gui.runtime.event_loop import WindowLoop, collected_by_hand
from gossamer.gui.text import language
from gossamer.model.program_resources import resource_path
from tests.gui.desk import Desk, DetailsDesk, TableDesk, small_site
from tests.gui.stage import Stage, staged
from tests.patience import PATIENCE_MS, PATIENCE_S

T = TypeVar("T")
Run = Callable[[Coroutine[Any, Any, T]], T]
Scene = Callable[[Stage], Coroutine[Any, Any, None]]
Play = Callable[..., None]
ENGLISH = "English of the tests"
"""The name of translators. Those of another language, or used by a test, have none."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The offscreen platform warns of size hints and of raising, which nobody misses."""
    here = Path(__file__).parent
    ours = {path for path in {item.path for item in items} if here in path.parents}
    for item in items:
        if item.path in ours:
            item.add_marker(pytest.mark.qt_log_ignore("propagateSizeHints|support raise"))


@pytest.fixture(name="qtbot")
def patient(qtbot: QtBot) -> QtBot:
    """It waits as long as other tests do, where it would give up after five seconds."""
    for name in ("waitUntil", "waitSignal"):
        setattr(qtbot, name, partial(getattr(qtbot, name), timeout=PATIENCE_MS))
    return qtbot


@pytest.fixture(scope="session")
def compiled_translations() -> None:
    """An older one would have a test fail over words that seem to be translated."""
    for source in sorted(resource_path("translations").glob("*.ts")):
        compiled = source.with_suffix(".qm")
        is_new = compiled.exists() and compiled.stat().st_mtime_ns >= source.stat().st_mtime_ns
        assert is_new, f"{compiled.name} is older than {source.name}: packaging/dev.py compiles it"


@pytest.fixture(autouse=True)
def english(qapp: QApplication) -> None:
    """The window speaks English, whatever the machine does; its plurals come from a file.

    That is read again after a test in which it spoke otherwise. No widget of that test is left.
    """
    qapp.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    names = {each.objectName() for each in qapp.findChildren(QTranslator)}
    if names != {ENGLISH} or QLocale() != language.locale_for("en", QLocale.system()):
        language.use("en")
        for each in qapp.findChildren(QTranslator):
            each.setObjectName(ENGLISH)


@pytest.fixture(autouse=True)
def light(qapp: QApplication, english: None, request: pytest.FixtureRequest) -> None:
    """The application is in light, whatever a test before chose.

    It has the style sheet for tests that are marked as `styled`, which look at what things look
    like or how large they are: to put it on takes half the time that a window takes.
    """
    del english
    if request.node.get_closest_marker("styled") is not None:
        theme.use("light")
        return
    if qapp.styleSheet():
        qapp.setStyleSheet("")
    theme.use_palette("light")


@pytest.fixture(autouse=True, scope="module")
def collected_by_this_thread(qapp: QApplication) -> Iterator[None]:
    """As in the program, no other thread deletes widgets as garbage: Qt crashes at their timers.

    Such as that of a reader, or of a server in a test that comes after these.
    """
    with collected_by_hand():
        gc.collect()
        gc.freeze()  # what is there already is not looked through after each test
        yield
        qapp.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
        gc.collect()


@pytest.fixture(autouse=True)
def collected_between_tests() -> Iterator[None]:
    """No window of an earlier test is left: each event for all widgets would be sent to it too."""
    yield
    if QApplication.allWidgets():
        gc.collect()


@pytest.fixture(scope="session")
def loop_runner(qapp: QApplication) -> Iterator[asyncio.Runner]:
    """One WindowLoop for the whole session: a process has one."""
    with asyncio.Runner(loop_factory=lambda: WindowLoop(qapp)) as runner:
        yield runner


@pytest.fixture
def run(loop_runner: asyncio.Runner) -> Run[Any]:
    """Run a coroutine on the window's loop to its end, within PATIENCE_S seconds."""

    def run_to_end(main: Coroutine[Any, Any, T]) -> T:
        async def limited() -> T:
            async with asyncio.timeout(PATIENCE_S):
                return await main

        return loop_runner.run(limited())

    return run_to_end


@pytest.fixture
def play(run: Run[None], tmp_path: Path) -> Play:
    """Run a scene on a window of its own, which may have a target to begin with."""

    def play_scene(scene: Scene, target: str | None = None) -> None:
        async def main() -> None:
            async with staged(tmp_path, target) as stage:
                await scene(stage)

        run(main())

    return play_scene


@pytest.fixture
def whole_desk(qtbot: QtBot) -> Iterator[Desk]:
    """The panels over a small site that is open."""
    desk = Desk(qtbot, small_site())
    desk.open()
    yield desk
    desk.reader.close()


@pytest.fixture
def desk(whole_desk: Desk) -> Desk:
    """What modules that look at one panel alone replace by one of those below."""
    return whole_desk


@pytest.fixture
def details_desk(qtbot: QtBot) -> Iterator[DetailsDesk]:
    """The details over the same site, without the other panels."""
    desk = DetailsDesk(qtbot, small_site())
    desk.open()
    yield desk
    desk.reader.close()


@pytest.fixture
def table_desk(qtbot: QtBot) -> Iterator[TableDesk]:
    """The table over the same site, without the other panels."""
    desk = TableDesk(qtbot, small_site())
    desk.open()
    yield desk
    desk.reader.close()
