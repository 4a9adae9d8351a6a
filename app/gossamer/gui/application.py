"""Builds the window application, runs its event loop, and shuts down in the right order."""

import asyncio
import contextlib
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from platformdirs import user_log_path
from PySide6.QtCore import QCoreApplication, QThread, QTimer
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QDialog

from gossamer import DESKTOP_ID
from gossamer.gui.actions.window_actions import WindowAction
from gossamer.gui.crawl.crawl_controller import CrawlController, ServeDemo
from gossamer.gui.crawl.next_crawl import NextCrawl
from gossamer.gui.crawl.session_interfaces import SessionFactoryPort
from gossamer.gui.look import theme
from gossamer.gui.main_window import MainWindow
from gossamer.gui.runtime import event_loop as loop
from gossamer.gui.runtime.crash_reports import CrashDialog, CrashReporter
from gossamer.gui.runtime.opened_files import OpenedFiles
from gossamer.gui.runtime.saved_ui_state import UiState, default_path
from gossamer.gui.runtime.window_tasks import WindowTasks
from gossamer.gui.text import language
from gossamer.gui.widgets.window_geometry import keep_dialog_on_screen
from gossamer.model.translatable import Translatable, said
from gossamer.session.abandoned_profiles import remove_abandoned_profiles
from gossamer.session.crawl_host_pool import CrawlHostPool
from gossamer.session.demo_process import demo_site
from gossamer.session.profile_store import ProfileStore
from gossamer.session.session_factory import SessionFactory

if TYPE_CHECKING:
    from collections.abc import Coroutine

    from gossamer.store.reading.project_listing import ProjectInfo

_LEAVE_LIMIT_S: Final = 5.0
"""How long after the last frame a thread that waits for a dead disk may delay the end."""
CLOSE_LIMIT_S: Final = 10.0
"""A session that has not closed within this time is forced."""
_NO_TOUR: Final = "GOSSAMER_NO_TOUR"
"""Set in the environment to start the window for a test or a picture."""
_PAINTED_MS: Final = 200


def run(target: str | None, hosts: CrawlHostPool) -> int:
    """Run the window to its end; returns the exit code.

    A window without a target asks `hosts` to have a crawl host ready once it has been painted.
    """
    app = QApplication(sys.argv[:1])
    memory = UiState(default_path())
    set_up_application(app, memory.theme())
    log_file = user_log_path("gossamer", appauthor=False) / "window.log"
    crashes = CrashReporter()
    with crashes.installed(log_file):
        program = Program(SessionFactory(hosts), demo_site, memory, crashes)
        if sys.platform == "darwin":  # a filter of all events would cost time elsewhere
            OpenedFiles(app, program.open_project)
        if target is None:
            QTimer.singleShot(_PAINTED_MS, hosts.prepare)
        return loop.run(app, _left_in_time(program.main(target, log_file)))


async def _left_in_time(main: "Coroutine[Any, Any, int]") -> int:
    """Its result. The process ends soon afterwards, whatever its threads wait for."""
    code = await main
    leave = threading.Timer(_LEAVE_LIMIT_S, os._exit, (code,))
    leave.daemon = True
    leave.start()
    return code


class Program:
    """The window application, from its first frame to shutdown."""

    def __init__(
        self,
        sessions: SessionFactoryPort,
        demo: ServeDemo,
        memory: UiState,
        crashes: CrashReporter,
        apply_theme: Callable[[theme.ThemeChoice], object] = theme.use,
    ) -> None:
        self._sessions = sessions
        self._demo = demo
        self._memory = memory
        self._crashes = crashes
        self._apply_theme = apply_theme
        self.window: MainWindow | None = None
        self.crawl: CrawlController | None = None

    def open_project(self, path: str) -> None:
        """Open a project in the window, if there is one already."""
        if self.window is not None:
            self.window.crawl_target(path)

    async def main(self, target: str | None, log_file: Path) -> int:
        """Show the window, wait until it is to close, and close: session, tasks, window."""
        event_loop = asyncio.get_running_loop()
        event_loop.set_exception_handler(self._crashes.on_loop)
        closing = asyncio.Event()
        async with asyncio.TaskGroup() as group:
            tasks = WindowTasks(group, self._refuse, self._crashes.report)
            crawl = self.crawl = CrawlController(self._sessions, self._demo, tasks)

            next_crawl = NextCrawl(ProfileStore(self._memory.folder))

            def show() -> MainWindow:
                own = tasks.branch()
                window = MainWindow(
                    crawl,
                    own,
                    self._memory,
                    listed=_listed,
                    next_crawl=next_crawl,
                    apply_theme=self._apply_theme,
                )
                dialog = CrashDialog(log_file, window)
                self._crashes.happened.connect(dialog.show_fault)
                window.close_wanted.connect(closing.set)
                window.language_wanted.connect(lambda choice: self._speak(choice, show))
                window.show()
                return window

            language.use(self._memory.language())
            self.window = show()
            with _closed_by_signals(event_loop, lambda: self.window is None or self.window.close()):
                self.window.crawl_target(target)
                self.window.updates.begin()
                tasks.start("remove abandoned profiles", remove_abandoned_profiles())
                if target is None and not os.environ.get(_NO_TOUR):
                    self.window.tour.begin_once()
                await closing.wait()
                self.window.remember()
                await _close(crawl)
                self.window.remember_crawl()
                tasks.cancel_all()
        await _leave_menus()
        _dismiss(self.window)
        return 0

    def _speak(self, choice: language.Language, show: Callable[[], MainWindow]) -> None:
        """Replace the window by one in this language."""
        before = self.window
        if before is not None and before.is_saving():
            kept = before.action_set.choice(WindowAction.LANGUAGE, self._memory.language())
            kept.setChecked(True)
            before.refuse(said("A file is being saved. Change the language afterwards."))
            return
        self._memory.remember_language(choice)
        language.use(choice)
        if before is not None:
            before.remember()
        self.window = show()
        if before is not None:
            self.window.take_up(before)
            _dismiss(before)

    def _refuse(self, sentence: Translatable) -> None:
        if self.window is not None:
            self.window.refuse(sentence)


async def _leave_menus() -> None:
    """Close open menus, and wait until Qt has left the event loop of a context menu.

    Such a menu is on Qt's stack: deleted with the window, it would be freed twice.
    """
    while (menu := QApplication.activePopupWidget()) is not None:
        menu.close()
    while QThread.currentThread().loopLevel() > 1:  # noqa: ASYNC110 - Qt has no signal for it
        await asyncio.sleep(0)


def _dismiss(window: MainWindow) -> None:
    """Delete a window and its dialogs, once its tasks have ended."""
    for dialog in window.findChildren(QDialog):
        dialog.close()
    window.reader.close()
    window.hide()
    window.tasks.cancel_all(then=window.deleteLater)


def _listed(remembered: Sequence[Path]) -> "list[ProjectInfo]":
    from gossamer.session.known_projects import listed  # noqa: PLC0415 - the start does without

    return listed(remembered)


async def _close(crawl: CrawlController) -> None:
    """Close the session: as long as that saves the crawl. Anything else has an end by force."""
    async with asyncio.TaskGroup() as group:
        closing = group.create_task(crawl.close(), name="close crawl")
        await asyncio.wait({closing}, timeout=CLOSE_LIMIT_S)
        while crawl.is_saving():
            await asyncio.wait({closing}, timeout=CLOSE_LIMIT_S)
        if not closing.done():
            closing.cancel()
            crawl.force()


def set_up_application(app: QApplication, choice: theme.ThemeChoice = "system") -> None:
    """Name the program and set its colours before the first widget is made.

    Its dialogs are kept on the screen from then on.

    The window sets its style sheet when it is built.
    """
    QCoreApplication.setApplicationName("Gossamer")
    QGuiApplication.setDesktopFileName(DESKTOP_ID)
    app.setQuitOnLastWindowClosed(False)
    app.focusWindowChanged.connect(keep_dialog_on_screen)
    theme.use_palette(choice)


@contextlib.contextmanager
def _closed_by_signals(
    event_loop: asyncio.AbstractEventLoop, close: Callable[[], bool]
) -> Iterator[None]:
    """Inside, SIGINT and SIGTERM take the same way as the window's own close button."""
    numbers = (signal.SIGINT, signal.SIGTERM)
    before = [signal.getsignal(number) for number in numbers]
    for number in numbers:
        try:
            event_loop.add_signal_handler(number, close)
        except NotImplementedError:  # Windows
            signal.signal(number, lambda *_: event_loop.call_soon_threadsafe(close))
    try:
        yield
    finally:
        for number, handler in zip(numbers, before, strict=True):
            with contextlib.suppress(NotImplementedError):
                event_loop.remove_signal_handler(number)
            signal.signal(number, handler)
