"""Notifies people of crawls that end in this window, by their notification rules."""

import asyncio
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, QTimer, Slot

from gossamer.gui.crawl.crawl_controller import CrawlController
from gossamer.gui.crawl.session_interfaces import SessionPort
from gossamer.gui.runtime.window_tasks import WindowTasks
from gossamer.gui.shell.crawl_notices import DesktopNotifier
from gossamer.model.crawl_state import LONG_WAIT_S, CrawlState
from gossamer.model.messages.crawl_messages import Progress

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

    from gossamer.notifying.conditions import EndKind
    from gossamer.notifying.delivery_process import Show


class NotificationController(QObject):
    """Notes how crawls end, and starts the process that notifies of them.

    A crawl that a user pauses or cancels is no news, nor is one that continues by itself, unless
    it has waited for long.
    """

    def __init__(
        self,
        parent: QObject,
        crawl: CrawlController,
        tasks: WindowTasks,
        notifier: DesktopNotifier | None = None,
        notify: "Callable[[Path, EndKind], Coroutine[Any, Any, None]] | None" = None,
        tells_desktop: "Callable[[Path], Coroutine[Any, Any, bool]] | None" = None,
    ) -> None:
        """`notify` notifies of a crawl; by default, in a separate process.

        `notifier` shows notifications of the desktop, if it can: a click on one leads to the
        window. `tells_desktop`: whether rules for a crawl may require that; by default, as they
        say.
        """
        super().__init__(parent)
        self._crawl = crawl
        self._tasks = tasks
        self._notifier = notifier
        show = self.show_by_rule if notifier is not None and notifier.can_show else None
        self._notify = notify or partial(_notify, show)
        self._tells_desktop = tells_desktop or _tells_desktop
        self._telling: asyncio.Task[None] | None = None
        """The task that notifies of the crawl's last end."""
        self._has_shown = False
        """Whether a rule has shown it on the desktop."""
        self._is_told = True
        """Whether there is nothing to report of the crawl's state, or it was reported."""
        self.wait = QTimer(self, singleShot=True, interval=int(LONG_WAIT_S * 1000))
        """Runs while the crawl waits for what may pass by itself, until that is reported."""
        self.wait.timeout.connect(self._note_long_wait)
        self._has_told_wait = False
        crawl.opened.connect(self._turn_to)
        crawl.progressed.connect(self._follow)
        crawl.troubled.connect(self._note_failure)
        tasks.start("deliver notifications", _deliver(show))

    @Slot(str, str)
    def announce(self, title: str, text: str) -> None:
        """Show on the desktop that the crawl has ended, unless a rule does so."""
        self._tasks.start("announce", self._announce(title, text))

    async def _announce(self, title: str, text: str) -> None:
        """Once it is known that no rule does."""
        telling, session = self._telling, self._crawl.session
        if telling is not None and session is not None and await self._tells_desktop(session.path):
            await asyncio.wait([telling])
        if not self._has_shown and self._notifier is not None:
            self._notifier.show(title, text)

    def show_by_rule(self, title: str, text: str) -> None:
        """Show on the desktop what a rule requires."""
        self._has_shown = True
        if self._notifier is not None:
            self._notifier.show(title, text)

    @Slot(object)
    def _turn_to(self, session: SessionPort | None) -> None:
        """Another crawl is shown. One that was begun here may be over before it reports."""
        self.wait.stop()
        is_old = session is None or session.state is CrawlState.FINISHED
        self._is_told = is_old and not self._crawl.began_here

    @Slot(object)
    def _follow(self, progress: Progress) -> None:
        from gossamer.notifying.conditions import EndKind  # noqa: PLC0415 - the start does without

        is_paused = progress.notice is not None and progress.state is CrawlState.PAUSED
        waits = is_paused and progress.waits
        self._follow_wait(waits=waits)
        if progress.state is CrawlState.FINISHED:
            self._tell(EndKind.FINISHED)
        elif is_paused and not waits:
            self._tell(EndKind.PAUSED)
        elif progress.state is not CrawlState.CANCELLED and progress.starting is None:
            self._is_told = self._has_shown = False
            self._telling = None

    def _follow_wait(self, *, waits: bool) -> None:
        if not waits:
            self.wait.stop()
            self._has_told_wait = False
        elif not (self._has_told_wait or self.wait.isActive()):
            self.wait.start()

    @Slot()
    def _note_long_wait(self) -> None:
        from gossamer.notifying.conditions import EndKind  # noqa: PLC0415 - the start does without

        self._has_told_wait = True
        self._tell(EndKind.PAUSED)
        self._is_told = False  # the end is still to come

    @Slot(object)
    def _note_failure(self, _said: object) -> None:
        from gossamer.notifying.conditions import EndKind  # noqa: PLC0415 - the start does without

        self._tell(EndKind.FAILED)

    def _tell(self, ending: "EndKind") -> None:
        session = self._crawl.session
        if self._is_told:
            return
        self._is_told = True
        if session is not None and not (self._crawl.is_elsewhere or self._crawl.is_demo):
            self._telling = self._tasks.start("notify", self._notify(session.path, ending))


async def _notify(show: "Show | None", project: Path, ending: "EndKind") -> None:
    from gossamer.notifying.delivery_process import notify_in_background  # noqa: PLC0415 - the start does without

    await notify_in_background(project, ending, show)


async def _tells_desktop(project: Path) -> bool:
    from gossamer.notifying.delivery_process import tells_desktop  # noqa: PLC0415 - likewise

    return await tells_desktop(project)


async def _deliver(show: "Show | None") -> None:
    from gossamer.session.default_paths import outbox_path  # noqa: PLC0415 - likewise

    if not outbox_path().exists():
        return
    from gossamer.notifying.delivery_process import deliver_in_background  # noqa: PLC0415 - likewise

    await deliver_in_background(show)
