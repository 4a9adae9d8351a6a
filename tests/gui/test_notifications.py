"""Notifications of long crawls that ended without the user, while the window is not in front."""

import pytest
from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QApplication, QSystemTrayIcon, QWidget
from pytestqt.qtbot import QtBot

from gossamer.gui.shell.crawl_notices import LONG_S, CrawlEndNotifications, DesktopNotifier
from gossamer.model.crawl_state import CrawlState
from gossamer.model.messages.crawl_messages import Progress
from gossamer.model.translatable import Translatable, said

S = CrawlState


class Window(QWidget):
    """A window that is in front or not, as the test says."""

    in_front = False

    def isActiveWindow(self) -> bool:  # noqa: N802 - the name is Qt's
        return self.in_front


class Told:
    """Writes down what a user would read."""

    def __init__(self) -> None:
        self.words: list[tuple[str, str]] = []

    def show(self, title: str, text: str) -> None:
        self.words.append((title, text))


@pytest.fixture
def told() -> Told:
    return Told()


@pytest.fixture
def window(qtbot: QtBot) -> Window:
    window = Window()
    qtbot.addWidget(window)
    return window


def watched(
    window: Window,
    told: Told,
    *states: CrawlState,
    failure: Translatable | None = None,
    **counters: object,
) -> None:
    """Let a crawl go through these states."""
    notifications = CrawlEndNotifications(window, lambda tell: tell(failure), told.show)
    for state in states:
        values = {"seconds": LONG_S, **counters}
        notifications.watch(Progress(state=state, **values), "a.example")  # type: ignore[arg-type] # values of many kinds


def test_the_end_of_a_long_crawl_is_notified_once(window: Window, told: Told) -> None:
    watched(window, told, S.NEW, S.RUNNING, S.FINISHED, S.FINISHED, pages=1234, errors=5)
    [(title, text)] = told.words
    assert title == "a.example: crawl finished"
    assert text == "1,234 pages, 5 errors, in 0:20"


def test_a_crawl_of_which_no_root_answered_has_failed(window: Window, told: Told) -> None:
    failure = said("None of the start URLs responded.")
    watched(window, told, S.RUNNING, S.FINISHED, failure=failure)
    assert told.words == [("a.example: crawl failed", str(failure))]


def test_a_crawl_that_paused_by_itself_says_why(window: Window, told: Told) -> None:
    watched(window, told, S.RUNNING, S.PAUSED, notice=said("Paused: nothing answers."))
    assert told.words == [("a.example: crawl paused", "Paused: nothing answers.")]


def test_a_crashed_crawl_process_is_notified(window: Window, told: Told) -> None:
    watched(window, told, S.RUNNING, S.FAILED)
    assert "can resume the crawl" in told.words[0][1]


@pytest.mark.parametrize(
    "states",
    [(S.RUNNING, S.PAUSED), (S.RUNNING, S.CANCELLING, S.CANCELLED), (S.FINISHED,), (S.PAUSED,)],
)
def test_changes_made_or_already_seen_by_the_user_are_not_notified(
    window: Window, told: Told, states: tuple[CrawlState, ...]
) -> None:
    watched(window, told, *states)
    assert told.words == []


def test_a_finished_crawl_that_is_opened_while_another_runs_is_not_notified(
    window: Window, told: Told
) -> None:
    notifications = CrawlEndNotifications(window, lambda tell: tell(None), told.show)
    notifications.watch(Progress(state=S.RUNNING), "a.example")
    notifications.begin(S.FINISHED)
    notifications.watch(Progress(state=S.FINISHED, seconds=LONG_S), "b.example")
    assert told.words == []


def test_nothing_is_notified_while_the_window_is_in_front(window: Window, told: Told) -> None:
    window.in_front = True
    watched(window, told, S.RUNNING, S.FINISHED)
    assert told.words == []


def test_the_end_of_a_short_crawl_is_not_notified(window: Window, told: Told) -> None:
    watched(window, told, S.RUNNING, S.FINISHED, seconds=LONG_S - 1)
    assert told.words == []


@pytest.mark.qt_log_ignore("No such signal QPlatformNativeInterface")
def test_the_tray_icon_is_gone_once_the_window_is_in_front(
    window: Window, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(QSystemTrayIcon, "isSystemTrayAvailable", lambda: True)
    notifier = DesktopNotifier(window)
    for _ in range(2):
        notifier.show("a", "b")
        [tray] = window.findChildren(QSystemTrayIcon)
        assert tray.isVisible()
        QApplication.sendEvent(window, QEvent(QEvent.Type.WindowActivate))
        assert not tray.isVisible()


def test_without_a_system_tray_no_tray_icon_is_made(window: Window) -> None:
    assert not QSystemTrayIcon.isSystemTrayAvailable()
    DesktopNotifier(window).show("a", "b")
    assert window.findChildren(QSystemTrayIcon) == []
