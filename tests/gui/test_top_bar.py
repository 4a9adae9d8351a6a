"""The top bar: what may be pressed comes from one table; the history; the workers' rest."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from gossamer.gui.top_bar import TopBar
from gossamer.model.state import ALLOWED, Command, CrawlState

BUTTONS = (Command.START, Command.PAUSE, Command.RESUME, Command.CANCEL)


@pytest.fixture
def bar(qtbot: QtBot) -> TopBar:
    bar = TopBar()
    qtbot.addWidget(bar)
    bar.show()
    return bar


@pytest.mark.parametrize("state", list(CrawlState))
def test_exactly_what_the_table_allows_can_be_pressed(bar: TopBar, state: CrawlState) -> None:
    bar.set_state(state)
    pressed: list[Command] = []
    bar.commanded.connect(pressed.append)
    for command in BUTTONS:
        bar.button(command).click()
    assert set(pressed) <= ALLOWED[state]
    expected = {c for c in BUTTONS if c in ALLOWED[state]}
    if Command.PAUSE_NOW in ALLOWED[state]:
        expected.add(Command.PAUSE)
    assert {c for c in BUTTONS if bar.button(c).isEnabled()} == expected


def test_pause_becomes_pause_now_without_moving_the_bar(bar: TopBar) -> None:
    bar.set_state(CrawlState.RUNNING)
    width = bar.button(Command.PAUSE).width()
    assert bar.button(Command.PAUSE).text() == "Pause"
    bar.set_state(CrawlState.PAUSING)
    assert bar.button(Command.PAUSE).text() == "Pause now"
    assert bar.button(Command.PAUSE).width() == width
    pressed: list[Command] = []
    bar.commanded.connect(pressed.append)
    bar.button(Command.PAUSE).click()
    assert pressed == [Command.PAUSE_NOW]


def test_enter_starts_only_when_a_start_is_allowed(bar: TopBar) -> None:
    pressed: list[Command] = []
    bar.commanded.connect(pressed.append)
    bar.set_url("example.com")
    QTest.keyClick(bar.url_field, Qt.Key.Key_Return)
    assert pressed == [Command.START]
    bar.set_state(CrawlState.RUNNING)
    QTest.keyClick(bar.url_field, Qt.Key.Key_Return)
    assert pressed == [Command.START]


def test_history_is_offered_and_leaves_what_is_typed(bar: TopBar) -> None:
    bar.set_url("  example.com ")
    bar.url_field.set_history(["b.example", "a.example"])
    assert bar.url() == "example.com"
    field = bar.url_field
    assert [field.itemText(n) for n in range(field.count())] == ["b.example", "a.example"]


def test_many_changes_of_the_workers_are_sent_once(bar: TopBar, qtbot: QtBot) -> None:
    sent: list[int] = []
    bar.workers_changed.connect(sent.append)
    with qtbot.waitSignal(bar.workers_changed, timeout=2000):
        for n in range(11, 21):
            bar.workers.setValue(n)
    assert sent == [20]


def test_numbers_that_are_only_shown_are_not_sent(bar: TopBar, qtbot: QtBot) -> None:
    sent: list[int] = []
    bar.workers_changed.connect(sent.append)
    bar.show_numbers(30, 5)
    assert (bar.workers.value(), bar.redirects.value()) == (30, 5)
    with qtbot.waitSignal(bar.workers_changed, timeout=2000):
        bar.workers.setValue(31)
    assert sent == [31]


def test_every_control_has_a_name_for_screen_readers(bar: TopBar) -> None:
    for control in (bar.url_field, bar.workers, bar.redirects):
        assert control.accessibleName()


def test_a_button_that_is_disabled_hands_the_focus_on_and_never_to_cancel(
    bar: TopBar, qtbot: QtBot
) -> None:
    def focused() -> str:
        widget = bar.focusWidget()
        return "" if widget is None else widget.objectName()

    bar.activateWindow()
    bar.set_state(CrawlState.NEW)
    bar.button(Command.START).setFocus()
    qtbot.waitUntil(bar.button(Command.START).hasFocus)
    for state, expected in (
        (CrawlState.RUNNING, "pause"),
        (CrawlState.PAUSING, "pause"),
        (CrawlState.PAUSED, "resume"),
        (CrawlState.RUNNING, "pause"),
        (CrawlState.FINISHED, "url"),
    ):
        bar.set_state(state)
        assert focused() == expected


def test_after_cancelling_the_focus_is_where_nothing_happens_by_a_space(
    bar: TopBar, qtbot: QtBot
) -> None:
    bar.activateWindow()
    bar.set_state(CrawlState.RUNNING)
    bar.button(Command.CANCEL).setFocus()
    qtbot.waitUntil(bar.button(Command.CANCEL).hasFocus)
    bar.set_state(CrawlState.CANCELLING)
    assert bar.focusWidget() is bar.url_field
