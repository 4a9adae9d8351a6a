"""The start page and the messages: what is offered, and that a click tells it."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QMainWindow, QPushButton
from pytestqt.qtbot import QtBot

from gossamer.gui.actions.action_set import ActionSet
from gossamer.gui.actions.window_actions import WindowAction
from gossamer.gui.look import theme
from gossamer.gui.runtime.saved_ui_state import RecentProject
from gossamer.gui.start.start_page import StartPage
from gossamer.gui.widgets.message_bar import InlineMessage, MessageButton, MessageColumn
from gossamer.model.settings.rendering_choices import RenderMode
from tests.gui.conftest import Play
from tests.gui.stage import Stage
from tests.patience import PATIENCE_MS

pytestmark = pytest.mark.styled


@pytest.fixture
def page(qtbot: QtBot) -> Iterator[StartPage]:
    window = QMainWindow()
    page = StartPage(ActionSet(window))
    window.setCentralWidget(page)
    qtbot.addWidget(window)
    window.resize(900, 630)
    window.show()
    yield page
    window.close()  # it lives until the test has ended


@pytest.mark.parametrize(
    ("name", "action"),
    [
        ("start-crawl", WindowAction.START),
        ("start-demo", WindowAction.DEMO),
        ("start-open", WindowAction.OPEN),
        ("start-settings", WindowAction.SETTINGS),
    ],
)
def test_each_button_triggers_its_action(qtbot: QtBot, name: str, action: WindowAction) -> None:
    window = QMainWindow()
    actions = ActionSet(window)
    page = StartPage(actions)
    qtbot.addWidget(page)
    button = page.findChild(QPushButton, name)
    assert button is not None
    with qtbot.waitSignal(actions[action].triggered, timeout=PATIENCE_MS):
        button.click()


def test_the_page_follows_the_theme(page: StartPage) -> None:
    theme.use("light")
    light = page.grab().toImage()
    theme.use("dark")
    assert page.grab().toImage() != light
    theme.use("light")


def test_a_button_of_a_message_closes_it_and_acts(qtbot: QtBot) -> None:
    message = InlineMessage()
    qtbot.addWidget(message)
    acts: list[str] = []
    message.show_text("warning", "Shall it?", MessageButton("Yes", lambda: acts.append("yes")))
    message.show_text("warning", "Or so?", MessageButton("No", lambda: acts.append("no")))
    with pytest.raises(LookupError):
        message.answer("Yes")
    message.answer("No").click()
    assert acts == ["no"]
    assert message.text() == ""


def test_a_click_on_a_message_button_does_not_move_the_focus(page: StartPage, qtbot: QtBot) -> None:
    page.activateWindow()
    qtbot.waitExposed(page)
    page.workers.setFocus()
    page.message.show_text("warning", "Shall it?", MessageButton("Yes", lambda: None))
    button = page.message.answer("Yes")
    QApplication.processEvents()
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    assert page.message.isHidden()
    assert page.workers.hasFocus()


def test_text_from_the_web_is_shown_as_plain_text(qtbot: QtBot) -> None:
    message = InlineMessage()
    qtbot.addWidget(message)
    message.show_text("error", "<b>bold</b> <img src='http://127.0.0.1:9/'>")
    assert message.text() == "<b>bold</b> <img src='http://127.0.0.1:9/'>"
    formats = {label.textFormat() for label in message.findChildren(QLabel) if label.text()}
    assert formats == {Qt.TextFormat.PlainText}


def test_a_message_replaces_the_previous_one_on_its_subject(qtbot: QtBot) -> None:
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


def test_messages_below_the_field_do_not_move_it(page: StartPage, qtbot: QtBot) -> None:
    page.resize(900, 900)
    QApplication.processEvents()
    before = page.url_field.mapTo(page, page.url_field.rect().topLeft())
    page.message.show_text("error", "Not an HTTP URL. " * 12)
    page.recent.show_projects([RecentProject(Path(f"{n}.gossamer"), "a.test") for n in range(5)])
    qtbot.waitUntil(lambda: page.message.height() > 2 * page.fontMetrics().height())
    assert page.url_field.mapTo(page, page.url_field.rect().topLeft()) == before


def test_the_page_says_where_crawls_are_saved(
    page: StartPage, qtbot: QtBot, tmp_path: Path
) -> None:
    assert page.saved.isHidden()
    page.show_folder(tmp_path)
    assert page.saved.accessibleDescription() == str(tmp_path)
    with qtbot.waitSignal(page.folder_wanted, timeout=PATIENCE_MS) as wanted:
        page.saved.click()
    assert wanted.args == [tmp_path]


def test_a_note_is_placed_directly_below_the_form(page: StartPage) -> None:
    page.resize(900, 700)
    page.message.show_text("error", "Not an HTTP URL.")
    QApplication.processEvents()
    above = page.workers.mapTo(page, page.workers.rect().bottomLeft()).y()
    buttons = page.findChild(QPushButton, "start-demo")
    assert buttons is not None
    below = buttons.mapTo(page, buttons.rect().bottomLeft()).y()
    said = page.message.mapTo(page, page.message.rect().topLeft()).y()
    assert above < below < said <= below + 2 * theme.SPACE_M


def test_pages_are_rendered_and_kept_by_check_boxes_beside_the_other_common_settings(
    play: Play,
) -> None:
    async def scene(stage: Stage) -> None:
        box, next_crawl = stage.window.start_page.render_pages, stage.window.next_crawl
        assert not box.isChecked()
        box.click()
        assert next_crawl.differences() == ["render"]
        assert next_crawl.settings.render is RenderMode.ON
        box.click()
        assert not next_crawl.settings.renders_pages
        next_crawl.set(render=RenderMode.AUTO)
        assert box.isChecked(), "where needed, pages are rendered too"
        next_crawl.reset()
        keep = stage.window.start_page.keep_pages
        keep.click()
        assert next_crawl.differences() == ["archive"]
        next_crawl.set(archive=False)
        assert not keep.isChecked()

    play(scene)
