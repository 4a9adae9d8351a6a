"""The top bar: what may be pressed comes from one table; the history; the workers' rest."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from gossamer.gui.start.toolbar import TopBar
from gossamer.model.state import ALLOWED, Command, CrawlState, allowed

S = CrawlState


class Bar(TopBar):
    """The top bar, told of a state as by the window."""

    def turn_to(self, state: CrawlState, *, elsewhere: bool = False) -> None:
        self.set_state(state, allowed(state, elsewhere=elsewhere))

    def offered(self) -> tuple[str, bool, bool]:
        """The word of the button, and whether it and Cancel can be pressed."""
        cancel = self.button(Command.CANCEL)
        return self.go.text(), self.go.isEnabled(), cancel.isEnabled()


@pytest.fixture
def bar(qtbot: QtBot) -> Bar:
    bar = Bar()
    qtbot.addWidget(bar)
    bar.resize(1000, 48)
    bar.show()
    return bar


@pytest.mark.parametrize("state", list(CrawlState))
def test_exactly_what_the_table_allows_can_be_pressed(bar: Bar, state: CrawlState) -> None:
    bar.turn_to(state)
    pressed: list[Command] = []
    bar.commanded.connect(pressed.append)
    bar.go.click()
    bar.button(Command.CANCEL).click()
    assert set(pressed) <= ALLOWED[state]
    choices = {command for command, action in bar.go.choices.items() if action.isVisible()}
    assert choices == ALLOWED[state] - {Command.CANCEL}
    for action in bar.go.choices.values():
        action.trigger()
    assert set(pressed) - choices <= {Command.CANCEL}


@pytest.mark.parametrize(
    ("state", "word", "possible", "cancel"),
    [
        (S.NEW, "Start", True, False),
        (S.RUNNING, "Pause", True, True),
        (S.PAUSING, "Pause now", True, True),
        (S.PAUSED, "Resume", True, True),
        (S.CANCELLED, "Resume", True, False),
        (S.FAILED, "Resume", True, False),
        (S.FINISHED, "Start again", True, False),
    ],
)
def test_the_button_offers_what_is_wanted_next(
    bar: Bar, state: CrawlState, word: str, possible: bool, cancel: bool
) -> None:
    bar.set_url("example.com")
    width = bar.go.width()
    bar.turn_to(state)
    assert bar.offered() == (word, possible, cancel)
    assert bar.go.width() == width
    assert bar.go.toolTip()


def test_while_it_is_cancelled_nothing_can_be_pressed(bar: Bar) -> None:
    bar.turn_to(S.RUNNING)
    bar.turn_to(S.CANCELLING)
    assert bar.offered()[1:] == (False, False)


def test_another_address_makes_it_a_start(bar: Bar) -> None:
    bar.set_url("example.com")
    bar.turn_to(S.CANCELLED)
    bar.url_field.setEditText("other.example")
    assert bar.go.text() == "Start"
    bar.url_field.setEditText("example.com")
    assert bar.go.text() == "Resume"
    bar.turn_to(S.RUNNING)
    bar.url_field.setEditText("other.example")
    assert bar.go.text() == "Pause"


def test_a_crawl_of_somebody_else_is_neither_resumed_nor_cancelled_here(bar: Bar) -> None:
    bar.set_url("example.com")
    for state in CrawlState:
        bar.turn_to(state, elsewhere=True)
        assert bar.go.command is Command.START
        assert bar.offered()[1:] == (True, False)


def test_the_second_of_two_clicks_does_not_pause_what_the_first_one_started(bar: Bar) -> None:
    pressed: list[Command] = []
    bar.commanded.connect(pressed.append)
    bar.commanded.connect(lambda _command: bar.turn_to(S.RUNNING))
    middle = bar.go.rect().center()
    left = Qt.MouseButton.LeftButton
    QTest.mouseClick(bar.go, left, pos=middle)
    QTest.mouseDClick(bar.go, left, pos=middle)
    assert pressed == [Command.START]


def test_tab_goes_from_the_address_by_the_numbers_to_start(bar: Bar) -> None:
    bar.activateWindow()
    bar.url_field.setFocus()
    names = []
    for _ in range(3):
        QTest.keyClick(QApplication.focusWidget() or bar, Qt.Key.Key_Tab)
        focused = QApplication.focusWidget()
        names.append("" if focused is None else focused.objectName())
    assert names == ["workers", "redirects", "go"]


def test_enter_starts_only_when_a_start_is_allowed(bar: Bar) -> None:
    pressed: list[Command] = []
    bar.commanded.connect(pressed.append)
    bar.set_url("example.com")
    QTest.keyClick(bar.url_field, Qt.Key.Key_Return)
    assert pressed == [Command.START]
    refused: list[bool] = []
    bar.refused.connect(lambda: refused.append(True))
    bar.turn_to(CrawlState.RUNNING)
    QTest.keyClick(bar.url_field, Qt.Key.Key_Return)
    assert pressed == [Command.START]
    assert refused == [True]


def test_history_is_offered_and_leaves_what_is_typed(bar: Bar) -> None:
    bar.set_url("  example.com ")
    bar.url_field.set_history(["b.example", "a.example"])
    assert bar.url() == "example.com"
    field = bar.url_field
    assert [field.itemText(n) for n in range(field.count())] == ["b.example", "a.example"]


def test_many_changes_of_the_workers_are_sent_once(bar: Bar, qtbot: QtBot) -> None:
    sent: list[int] = []
    bar.workers_changed.connect(sent.append)
    with qtbot.waitSignal(bar.workers_changed, timeout=2000):
        for n in range(11, 21):
            bar.workers.setValue(n)
    assert sent == [20]


def test_numbers_that_are_only_shown_are_not_sent(bar: Bar, qtbot: QtBot) -> None:
    sent: list[int] = []
    bar.workers_changed.connect(sent.append)
    bar.show_numbers(30, 5)
    assert (bar.workers.value(), bar.redirects.value()) == (30, 5)
    with qtbot.waitSignal(bar.workers_changed, timeout=2000):
        bar.workers.setValue(31)
    assert sent == [31]


def test_every_control_has_a_name_for_screen_readers(bar: Bar) -> None:
    for control in (bar.url_field, bar.workers, bar.redirects):
        assert control.accessibleName()


def test_a_button_that_is_disabled_hands_the_focus_on_and_never_to_cancel(
    bar: Bar, qtbot: QtBot
) -> None:
    def focused() -> str:
        widget = bar.focusWidget()
        return "" if widget is None else widget.objectName()

    bar.activateWindow()
    bar.turn_to(CrawlState.NEW)
    bar.go.setFocus()
    qtbot.waitUntil(bar.go.hasFocus)
    for state, expected in (
        (CrawlState.RUNNING, "go"),
        (CrawlState.PAUSING, "go"),
        (CrawlState.PAUSED, "go"),
        (CrawlState.CANCELLING, "url"),
        (CrawlState.CANCELLED, "url"),
    ):
        bar.turn_to(state)
        assert focused() == expected


def test_after_cancelling_the_focus_is_where_nothing_happens_by_a_space(
    bar: Bar, qtbot: QtBot
) -> None:
    bar.activateWindow()
    bar.turn_to(CrawlState.RUNNING)
    bar.button(Command.CANCEL).setFocus()
    qtbot.waitUntil(bar.button(Command.CANCEL).hasFocus)
    bar.turn_to(CrawlState.CANCELLING)
    assert bar.focusWidget() is bar.url_field
