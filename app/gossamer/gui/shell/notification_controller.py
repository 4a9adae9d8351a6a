"""Has people told of crawls that end in this window, as their notification rules want it."""

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Slot

from gossamer.gui.crawl.crawl_controller import CrawlController
from gossamer.gui.crawl.session_interfaces import SessionPort
from gossamer.gui.runtime.window_tasks import WindowTasks
from gossamer.gui.shell.crawl_notices import DesktopNotifier
from gossamer.model.crawl_state import CrawlState
from gossamer.model.messages.crawl_messages import Progress

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

    from gossamer.notifying.background_process import Show
    from gossamer.notifying.conditions import EndKind


class NotificationController(QObject):
    """Notes how crawls end, and starts the process that tells of them.

    A crawl that a person pauses or cancels is no news, nor is one that goes on by itself.
    """

    def __init__(
        self,
        parent: QObject,
        crawl: CrawlController,
        tasks: WindowTasks,
        notifier: DesktopNotifier | None = None,
        notify: "Callable[[Path, EndKind], Coroutine[Any, Any, None]] | None" = None,
    ) -> None:
        """`notify` tells of a crawl; by default, a process of its own.

        What is for the desktop `notifier` shows, if it can: a click on it leads to the window.
        """
        super().__init__(parent)
        self._crawl = crawl
        self._tasks = tasks
        show = notifier.show if notifier is not None and notifier.can_show else None
        self._notify = notify or partial(_notify, show)
        self._is_told = True
        """Whether there is nothing to tell of how the crawl stands, or it was told."""
        crawl.opened.connect(self._turn_to)
        crawl.progressed.connect(self._follow)
        crawl.troubled.connect(self._note_failure)
        tasks.start("deliver notifications", _deliver(show))

    @Slot(object)
    def _turn_to(self, session: SessionPort | None) -> None:
        """Another crawl is shown. One that was begun here may be over before it reports."""
        is_old = session is None or session.state is CrawlState.FINISHED
        self._is_told = is_old and not self._crawl.began_here

    @Slot(object)
    def _follow(self, progress: Progress) -> None:
        from gossamer.notifying.conditions import EndKind  # noqa: PLC0415 - the start does without

        is_paused = progress.notice is not None and progress.state is CrawlState.PAUSED
        if progress.state is CrawlState.FINISHED:
            self._tell(EndKind.FINISHED)
        elif is_paused and not progress.waits:
            self._tell(EndKind.PAUSED)
        elif progress.state is not CrawlState.CANCELLED:
            self._is_told = False

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
            self._tasks.start("notify", self._notify(session.path, ending))


async def _notify(show: "Show | None", project: Path, ending: "EndKind") -> None:
    from gossamer.notifying.background_process import notify_in_background  # noqa: PLC0415 - the start does without

    await notify_in_background(project, ending, show)


async def _deliver(show: "Show | None") -> None:
    from gossamer.session.default_paths import outbox_path  # noqa: PLC0415 - likewise

    if not outbox_path().exists():
        return
    from gossamer.notifying.background_process import deliver_in_background  # noqa: PLC0415 - likewise

    await deliver_in_background(show)
