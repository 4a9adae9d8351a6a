"""Tells a person who works elsewhere that a long crawl has ended, or has paused by itself."""

from typing import Final, Protocol

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QApplication, QSystemTrayIcon, QWidget

from gossamer.gui.look.icons import icon
from gossamer.gui.text.translated_sentences import spoken
from gossamer.model.crawl_state import CrawlState
from gossamer.model.messages.crawl_messages import Progress
from gossamer.model.number_format import clock

LONG_S: Final = 20.0
"""Who waited less is still looking."""
_SHOWN_MS: Final = 10_000
_AT_WORK: Final = frozenset({CrawlState.RUNNING, CrawlState.PAUSING})


class Notice(Protocol):
    """A way to reach a person whose window is not in front."""

    def show(self, title: str, text: str) -> None:
        """Show a few words until they are read, or for some seconds."""


class DesktopNotice:
    """The notifications of the desktop, and the window's own sign in its task bar."""

    def __init__(self, window: QWidget) -> None:
        self._window = window
        self._tray: QSystemTrayIcon | None = None

    def show(self, title: str, text: str) -> None:
        """Show a notification that brings the window to the front when it is clicked."""
        QApplication.alert(self._window)
        if not QSystemTrayIcon.isSystemTrayAvailable():
            return
        if self._tray is None:
            # There only while there is something to tell: the program lives in its window.
            self._tray = QSystemTrayIcon(icon("gossamer"), self._window)
            self._tray.messageClicked.connect(self._raise)
            self._tray.activated.connect(self._raise)
        self._tray.show()
        self._tray.showMessage(title, text, icon("gossamer"), _SHOWN_MS)

    def _raise(self) -> None:
        if self._tray is not None:
            self._tray.hide()
        self._window.showNormal() if self._window.isMinimized() else self._window.show()
        self._window.raise_()
        self._window.activateWindow()


class Notifications(QObject):
    """Watches a crawl and tells of its end where `window` is not in front."""

    def __init__(self, window: QWidget, notice: Notice | None = None) -> None:
        super().__init__(window)
        self._window = window
        self._notice = notice or DesktopNotice(window)
        self._before = CrawlState.NEW

    def watch(self, progress: Progress, host: str) -> None:
        """Take in new counters of the crawl of `host`."""
        before, self._before = self._before, progress.state
        ended = before in _AT_WORK and progress.state not in _AT_WORK
        if not ended or progress.seconds < LONG_S or self._window.isActiveWindow():
            return
        words = self._words(progress, host)
        if words is not None:
            self._notice.show(*words)

    def _words(self, progress: Progress, host: str) -> tuple[str, str] | None:
        """Title and text; None for what the person did, and so knows."""
        if progress.state is CrawlState.FINISHED:
            title = self.tr("{host}: the crawl is finished")
            text = self.tr("{pages}, {errors}, in {time}").format(
                pages=self.tr("%Ln page(s)", "", progress.pages),
                errors=self.tr("%Ln error(s)", "", progress.errors),
                time=clock(progress.seconds),
            )
        elif progress.state is CrawlState.PAUSED and progress.notice:
            title, text = self.tr("{host}: the crawl paused by itself"), spoken(progress.notice)
        elif progress.state is CrawlState.FAILED:
            title = self.tr("{host}: the crawl has stopped")
            text = self.tr("What was found is kept; the crawl can be resumed.")
        else:
            return None
        return title.format(host=host), text
