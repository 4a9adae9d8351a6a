"""Who is told of newer versions, and who is asked: nobody by the program itself."""

import asyncio
import json
from pathlib import Path

import pytest
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMainWindow
from pytestqt.qtbot import QtBot

from gossamer.gui.actions.action_set import ActionSet
from gossamer.gui.actions.window_actions import WindowAction
from gossamer.gui.runtime.gossamer_command import CommandResult
from gossamer.gui.runtime.saved_ui_state import UiState
from gossamer.gui.runtime.window_tasks import WindowTasks
from gossamer.gui.shell.update_notice import UpdateNotice
from gossamer.gui.widgets.message_bar import MessageColumn

DAY_S = 86_400
NEWER = {"version": "0.1.0", "latest": "0.2.0", "is_newer": True, "page": "https://a.example/"}
LATEST = NEWER | {"latest": "0.1.0", "is_newer": False}


class Corner:
    """A window's menu and messages on a computer whose memory is a file."""

    def __init__(self, qtbot: QtBot, file: Path) -> None:
        self.window = QMainWindow()
        self.messages = MessageColumn()
        qtbot.addWidget(self.window)
        qtbot.addWidget(self.messages)
        self.messages.show()
        self.file = file
        self.now = 1_700_000_000.0
        self.answer = CommandResult(0, json.dumps(NEWER).encode(), "")
        self.looked = 0

    async def _ask(self) -> CommandResult:
        self.looked += 1
        return self.answer

    def start(self, act: str = "") -> str:
        """Start the program, press a button or an action; what is said at last."""
        return asyncio.run(self._start(act))

    async def _start(self, act: str) -> str:
        self.messages.withdraw("updates")
        async with asyncio.TaskGroup() as group:
            tasks = WindowTasks(group, pytest.fail, lambda *_: None)  # type: ignore[arg-type]  # nothing is refused
            actions = ActionSet(self.window)
            memory = UiState(self.file)
            notice = UpdateNotice(
                actions, self.messages, memory, tasks, ask=self._ask, now=lambda: self.now
            )
            notice.begin()
            if act in WindowAction.__members__:
                actions[WindowAction[act]].trigger()
            elif act:
                shown = self.messages.about("updates")
                assert shown is not None
                shown.answer(act).click()
        memory.flush()
        shown = self.messages.about("updates")
        return shown.text() if shown is not None else ""


@pytest.fixture
def corner(qtbot: QtBot, tmp_path: Path) -> Corner:
    return Corner(qtbot, tmp_path / "window.ini")


def test_it_asks_once_and_not_at_the_first_start(corner: Corner) -> None:
    assert [corner.start() for _ in range(2)] == ["", ""]
    assert corner.start().startswith("Should Gossamer check for a newer version")
    assert corner.start() == ""  # closed without an answer: a no
    assert corner.looked == 0


def test_who_says_yes_is_told_at_most_once_a_day(corner: Corner) -> None:
    for _ in range(2):
        corner.start()
    assert corner.start("Yes, look") == "Gossamer 0.2.0 is available. This is 0.1.0."
    assert corner.start() == ""
    corner.now += DAY_S - 1
    corner.start()
    assert corner.looked == 1
    corner.now += 1
    assert corner.start().startswith("Gossamer 0.2.0")
    corner.now -= 400 * DAY_S  # the clock was wrong, and is set
    corner.start()
    assert corner.looked == 3


def test_who_says_no_is_left_alone(corner: Corner) -> None:
    for _ in range(2):
        corner.start()
    corner.start("No")
    corner.now += 9 * DAY_S
    assert [corner.start() for _ in range(4)] == [""] * 4
    assert corner.looked == 0


def test_on_its_own_it_says_nothing_of_failures_nor_of_no_news(corner: Corner) -> None:
    corner.answer = CommandResult(3, b"", "The list cannot be reached.")
    assert corner.start("UPDATES_DAILY") == ""
    corner.now += DAY_S
    assert (corner.start(), corner.looked) == ("", 1)
    corner.answer = CommandResult(0, json.dumps(LATEST).encode(), "")
    corner.now += DAY_S
    assert (corner.start(), corner.looked) == ("", 2)
    assert corner.start("UPDATES_DAILY") == ""  # off again
    corner.now += DAY_S
    corner.start()
    assert corner.looked == 2


def test_on_request_it_tells_whatever_comes_of_it(corner: Corner) -> None:
    assert corner.start("UPDATES") == "Gossamer 0.2.0 is available. This is 0.1.0."
    corner.answer = CommandResult(0, json.dumps(LATEST).encode(), "")
    assert corner.start("UPDATES") == "Gossamer 0.1.0 is the latest version."
    corner.answer = CommandResult(3, b"", "The list cannot be reached.")
    assert corner.start("UPDATES").startswith("It cannot be found out")
    corner.answer = CommandResult(0, b"\xff", "")
    assert corner.start("UPDATES").startswith("It cannot be found out")


def test_where_the_system_updates_programs_nothing_of_it_is_to_be_seen(
    corner: Corner, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GOSSAMER_RELEASES", "")
    UiState(corner.file).remember_looking_for_updates(wanted=True)
    assert [corner.start() for _ in range(4)] == [""] * 4
    assert corner.looked == 0
    shown = [each for each in corner.window.findChildren(QAction) if each.isVisible()]
    assert shown
    assert not [each.text() for each in shown if "version" in each.text()]
