"""The start page and the messages: what is offered, and that a click tells it."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QPushButton
from pytestqt.qtbot import QtBot

from app.gui import theme
from app.gui.memory import RecentProject
from app.gui.messages import Answer, InlineMessage, MessageColumn
from app.gui.start_page import StartPage


@pytest.fixture
def page(qtbot: QtBot) -> StartPage:
    page = StartPage()
    qtbot.addWidget(page)
    page.resize(900, 600)
    page.show()
    return page


def offered(page: StartPage) -> list[QPushButton]:
    QApplication.processEvents()  # a layout shows what was added to it a moment later
    return [b for b in page.findChildren(QPushButton) if b.property("link") and not b.isHidden()]


def test_a_recent_project_is_opened_with_a_click(page: StartPage) -> None:
    wanted: list[Path] = []
    page.project_wanted.connect(wanted.append)
    path = Path("projects/a&b.example 2026-01-02.gossamer")
    page.set_projects([RecentProject(path, "https://a&b.example/")])
    (row,) = offered(page)
    assert row.text() == "a&&b.example    2026-01-02"
    row.click()
    assert wanted == [path]


def test_a_new_list_takes_the_place_of_the_old_and_is_bounded(page: StartPage) -> None:
    page.set_projects([RecentProject(Path(f"{n}.gossamer"), f"{n}.example") for n in range(9)])
    assert len(offered(page)) == 5
    page.set_projects([RecentProject(Path("x.gossamer"), "x.example")])
    assert [row.text().split()[0] for row in offered(page)] == ["x.example"]


@pytest.mark.parametrize(
    ("name", "signal"),
    [
        ("start-crawl", "start_wanted"),
        ("start-demo", "demo_wanted"),
        ("start-open", "open_wanted"),
        ("start-settings", "settings_wanted"),
    ],
)
def test_each_button_says_what_is_wanted(
    page: StartPage, qtbot: QtBot, name: str, signal: str
) -> None:
    button = page.findChild(QPushButton, name)
    assert button is not None
    with qtbot.waitSignal(getattr(page, signal), timeout=1000):
        button.click()


def test_the_page_follows_the_theme(page: StartPage) -> None:
    theme.use("light")
    light = page.grab().toImage()
    theme.use("dark")
    assert page.grab().toImage() != light
    theme.use("light")


def test_an_answer_closes_its_message_and_acts(qtbot: QtBot) -> None:
    message = InlineMessage()
    qtbot.addWidget(message)
    acts: list[str] = []
    message.show_text("warning", "Shall it?", Answer("Yes", lambda: acts.append("yes")))
    message.show_text("warning", "Or so?", Answer("No", lambda: acts.append("no")))
    with pytest.raises(LookupError):
        message.answer("Yes")
    message.answer("No").click()
    assert acts == ["no"]
    assert message.text() == ""


def test_what_the_web_says_is_shown_as_it_is(qtbot: QtBot) -> None:
    message = InlineMessage()
    qtbot.addWidget(message)
    message.show_text("error", "<b>bold</b> <img src='http://127.0.0.1:9/'>")
    assert message.text() == "<b>bold</b> <img src='http://127.0.0.1:9/'>"
    formats = {label.textFormat() for label in message.findChildren(QLabel) if label.text()}
    assert formats == {Qt.TextFormat.PlainText}


def test_one_message_for_each_subject(qtbot: QtBot) -> None:
    column = MessageColumn()
    qtbot.addWidget(column)
    column.show()
    column.tell("crawl", "error", "first")
    column.tell("crawl", "error", "second")
    column.tell("reading", "info", "third")
    shown = column.about("crawl")
    assert shown is not None
    assert shown.text() == "second"
    assert column.withdraw_newest()
    assert column.about("reading") is None
    QTest.keyClick(shown, Qt.Key.Key_Escape)
    assert column.about("crawl") is None
    assert not column.withdraw_newest()
