"""The top bar: what may be pressed comes from one table; the history; the workers' rest."""

from functools import partial

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMainWindow
from pytestqt.qtbot import QtBot

from gossamer.gui.actions.action_declaration import WindowState
from gossamer.gui.actions.action_set import ActionSet
from gossamer.gui.actions.window_actions import WindowAction
from gossamer.gui.shell.toolbar import TopBar
from gossamer.model.crawl_state import ALLOWED, Command, CrawlState, allowed
from tests.patience import PATIENCE_MS

pytestmark = pytest.mark.styled

S = CrawlState


STEPS = {
    WindowAction.START: Command.START,
    WindowAction.PAUSE: Command.PAUSE,
    WindowAction.PAUSE_NOW: Command.PAUSE_NOW,
    WindowAction.RESUME: Command.RESUME,
    WindowAction.CANCEL: Command.CANCEL,
}


class Bar:
    """The tool bar in a window, told of a state as by the window."""

    def __init__(self) -> None:
        self.window = QMainWindow()
        self.actions = ActionSet(self.window)
        self.bar = TopBar(self.actions)
        self.window.setCentralWidget(self.bar)
        self.go = self.bar.go
        self.cancel = self.bar.buttons[WindowAction.CANCEL]
        self.pressed: list[Command] = []
        for declared, command in STEPS.items():
            self.actions[declared].triggered.connect(partial(self.pressed.append, command))

    def turn_to(self, state: CrawlState, *, elsewhere: bool = False) -> None:
        possible = WindowState(commands=allowed(state, elsewhere=elsewhere))
        self.bar.offer(possible, has_crawl=state is not CrawlState.NEW)

    def offered(self) -> tuple[str, bool, bool]:
        """The word of the button, and whether it and Cancel can be pressed."""
        return self.go.text(), self.go.isEnabled(), self.cancel.isEnabled()

    def type(self, address: str) -> None:
        self.bar.url_field.setEditText(address)


@pytest.fixture
def bar(qtbot: QtBot) -> Bar:
    bar = Bar()
    qtbot.addWidget(bar.window)
    bar.window.resize(1000, 90)
    bar.window.show()
    return bar


@pytest.mark.parametrize("state", list(CrawlState))
def test_enabled_buttons_follow_the_table_of_states(bar: Bar, state: CrawlState) -> None:
    bar.turn_to(state)
    bar.go.click()
    bar.cancel.click()
    assert set(bar.pressed) <= ALLOWED[state]
    bar.go.menu().aboutToShow.emit()
    bar.pressed.clear()
    for action in bar.go.menu().actions():
        action.trigger()
    assert set(bar.pressed) == ALLOWED[state] - {Command.CANCEL}


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
def test_the_main_button_offers_the_next_step(
    bar: Bar, state: CrawlState, word: str, possible: bool, cancel: bool
) -> None:
    bar.bar.set_url("example.com")
    width = bar.go.width()
    bar.turn_to(state)
    assert bar.offered() == (word, possible, cancel)
    assert bar.go.width() == width
    assert bar.go.toolTip()


def test_no_button_is_enabled_during_a_cancel(bar: Bar) -> None:
    bar.turn_to(S.RUNNING)
    bar.turn_to(S.CANCELLING)
    assert bar.offered()[1:] == (False, False)


def test_another_url_turns_the_button_into_start(bar: Bar) -> None:
    bar.bar.set_url("example.com")
    bar.turn_to(S.CANCELLED)
    bar.bar.url_field.setEditText("other.example")
    assert bar.go.text() == "Start"
    bar.bar.url_field.setEditText("example.com")
    assert bar.go.text() == "Resume"
    bar.turn_to(S.RUNNING)
    bar.bar.url_field.setEditText("other.example")
    assert bar.go.text() == "Pause"


def test_a_crawl_of_another_instance_cannot_be_resumed_or_cancelled(bar: Bar) -> None:
    bar.bar.set_url("example.com")
    for state in CrawlState:
        bar.turn_to(state, elsewhere=True)
        assert bar.go.defaultAction() is bar.actions[WindowAction.START]
        assert bar.offered()[1:] == (True, False)


def test_a_double_click_on_start_does_not_pause_the_crawl(bar: Bar) -> None:
    bar.actions[WindowAction.START].triggered.connect(lambda: bar.turn_to(S.RUNNING))
    middle = bar.go.rect().center()
    left = Qt.MouseButton.LeftButton
    QTest.mouseClick(bar.go, left, pos=middle)
    QTest.mouseDClick(bar.go, left, pos=middle)
    assert bar.pressed == [Command.START]


def test_tab_order_is_address_numbers_rendering_start(bar: Bar) -> None:
    bar.window.resize(1400, bar.window.height())
    bar.window.activateWindow()
    bar.bar.url_field.setFocus()
    names = []
    for _ in range(5):
        QTest.keyClick(QApplication.focusWidget() or bar.bar, Qt.Key.Key_Tab)
        focused = QApplication.focusWidget()
        names.append("" if focused is None else focused.objectName())
    assert names == ["workers", "where", "redirects", "render", "go"]


@pytest.mark.parametrize(("address", "last"), [("", "workers"), ("local:2", "where")])
def test_a_chosen_cluster_is_hidden_last(bar: Bar, address: str, last: str) -> None:
    """Where people crawl on this computer, the number of workers says more."""
    fields = (bar.bar.workers, bar.bar.where, bar.bar.render_pages, bar.bar.redirects)
    shown = []
    for width in range(600, 1800, 20):
        bar.window.resize(width, bar.window.height())
        bar.bar.where.show_address(address)
        shown.append([each.objectName() for each in fields if each.isVisible()])
    assert [last] in shown
    assert ["workers", "where"] in shown, "both before what is in the settings"
    assert max(shown, key=len) == ["workers", "where", "render", "redirects"]


def test_a_long_address_is_shown_from_its_beginning(bar: Bar) -> None:
    bar.bar.set_url("https://host.example/" + "folder/" * 50)
    line = bar.bar.url_field.lineEdit()
    assert line is not None
    assert line.cursorPosition() == 0


def test_enter_in_the_address_field_requests_a_start_in_every_state(bar: Bar) -> None:
    submitted: list[CrawlState] = []
    for state in (CrawlState.NEW, CrawlState.RUNNING):
        bar.bar.submitted.connect(partial(submitted.append, state))
        bar.turn_to(state)
        QTest.keyClick(bar.bar.url_field, Qt.Key.Key_Return)
    assert submitted == [CrawlState.NEW, CrawlState.NEW, CrawlState.RUNNING]
    assert bar.pressed == []


def test_history_is_suggested_without_changing_typed_text(bar: Bar) -> None:
    bar.bar.set_url("  example.com ")
    bar.bar.url_field.set_history(["b.example", "a.example"])
    assert bar.bar.url() == "example.com"
    field = bar.bar.url_field
    assert [field.itemText(n) for n in range(field.count())] == ["b.example", "a.example"]


def test_several_changes_of_the_number_of_workers_are_sent_once(bar: Bar, qtbot: QtBot) -> None:
    sent: list[int] = []
    bar.bar.workers_changed.connect(sent.append)
    with qtbot.waitSignal(bar.bar.workers_changed, timeout=PATIENCE_MS):
        for n in range(11, 21):
            bar.bar.workers.setValue(n)
    assert sent == [20]


def test_setting_the_displayed_numbers_sends_nothing(bar: Bar, qtbot: QtBot) -> None:
    sent: list[int] = []
    bar.bar.workers_changed.connect(sent.append)
    bar.bar.show_numbers(30, 5)
    assert (bar.bar.workers.value(), bar.bar.redirects.value()) == (30, 5)
    with qtbot.waitSignal(bar.bar.workers_changed, timeout=PATIENCE_MS):
        bar.bar.workers.setValue(31)
    assert sent == [31]


def test_every_control_has_a_name_for_screen_readers(bar: Bar) -> None:
    for control in (bar.bar.url_field, bar.bar.workers, bar.bar.redirects):
        assert control.accessibleName()


def test_a_disabled_button_passes_the_focus_on_but_never_to_cancel(bar: Bar, qtbot: QtBot) -> None:
    def focused() -> str:
        widget = bar.window.focusWidget()
        return "" if widget is None else widget.objectName()

    bar.window.activateWindow()
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


def test_after_a_cancel_the_space_key_triggers_nothing(bar: Bar, qtbot: QtBot) -> None:
    bar.window.activateWindow()
    bar.turn_to(CrawlState.RUNNING)
    bar.cancel.setFocus()
    qtbot.waitUntil(bar.cancel.hasFocus)
    bar.turn_to(CrawlState.CANCELLING)
    assert bar.window.focusWidget() is bar.bar.url_field


def test_where_stays_while_its_address_is_replaced(bar: Bar, qtbot: QtBot) -> None:
    """Hidden, it would give the focus to a button, and choose this computer."""
    where = bar.bar.where
    where.show_address("tcp://10.0.0.1:8786")
    for width in range(500, 1400, 20):
        bar.window.resize(width, 200)
        where.setFocus()
        qtbot.waitUntil(where.hasFocus, timeout=PATIENCE_MS)
        with qtbot.assertNotEmitted(where.chosen):
            where.clearEditText()
            assert where.isVisible()
        where.show_address("tcp://10.0.0.1:8786")
