"""Messages: the keyboard that answers one goes on where it was."""

import pytest
from PySide6.QtCore import SIGNAL, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot
from shiboken6 import delete

from gossamer.gui.widgets.message_bar import MessageButton, MessageColumn

pytestmark = pytest.mark.styled


class Form(QWidget):
    """Two fields, and messages between them."""

    def __init__(self) -> None:
        super().__init__()
        self.first, self.last = QLineEdit(), QLineEdit()
        self.messages = MessageColumn()
        column = QVBoxLayout(self)
        for part in (self.first, self.messages, self.last):
            column.addWidget(part)


@pytest.fixture
def form(qtbot: QtBot) -> Form:
    form = Form()
    qtbot.addWidget(form)
    form.show()
    form.activateWindow()
    form.first.setFocus()
    qtbot.waitUntil(form.first.hasFocus)
    return form


@pytest.mark.parametrize("key", [Qt.Key.Key_Space, Qt.Key.Key_Escape])
def test_closing_a_message_restores_the_focus(form: Form, key: Qt.Key) -> None:
    answers: list[str] = []
    form.messages.tell("a", "info", "Go on?", MessageButton("Yes", lambda: answers.append("yes")))
    message = form.messages.about("a")
    assert message is not None
    message.answer("Yes").setFocus(Qt.FocusReason.TabFocusReason)
    assert message.answer("Yes").hasFocus()
    QTest.keyClick(message.answer("Yes"), key)
    assert form.messages.about("a") is None
    assert answers == (["yes"] if key is Qt.Key.Key_Space else [])
    assert form.first.hasFocus()


def test_a_withdrawn_message_restores_the_focus(form: Form) -> None:
    form.messages.tell("a", "info", "Go on?", MessageButton("Yes", lambda: None))
    message = form.messages.about("a")
    assert message is not None
    message.answer("Yes").setFocus(Qt.FocusReason.TabFocusReason)
    form.messages.withdraw("a")
    assert form.first.hasFocus()


def test_a_message_without_the_focus_does_not_move_it(form: Form) -> None:
    form.messages.tell("a", "info", "Go on?", MessageButton("Yes", lambda: None))
    form.last.setFocus()
    form.messages.withdraw("a")
    assert form.last.hasFocus()


def test_a_message_that_is_told_again_is_the_newest(form: Form) -> None:
    for subject in ("a", "b"):
        form.messages.tell(subject, "info", subject)
    form.messages.withdraw("a")
    form.messages.tell("a", "info", "again")
    again, other = form.messages.about("a"), form.messages.about("b")
    assert again is not None
    assert other is not None
    layout = form.messages.layout()
    assert layout is not None
    layout.activate()
    assert again.y() > other.y()
    assert form.messages.withdraw_newest()
    assert form.messages.about("a") is None
    assert form.messages.about("b") is other


def test_a_message_whose_text_changes_stays_in_its_place(form: Form) -> None:
    for subject in ("a", "b", "a"):
        form.messages.tell(subject, "info", subject)
    assert form.messages.withdraw_newest()
    assert form.messages.about("a") is not None
    assert form.messages.about("b") is None


def test_visits_of_the_focus_leave_nothing_behind(form: Form) -> None:
    form.messages.tell("a", "info", "Go on?", MessageButton("Yes", lambda: None))
    message = form.messages.about("a")
    assert message is not None
    before = form.first.receivers(SIGNAL("destroyed()"))
    for _ in range(3):
        message.answer("Yes").setFocus(Qt.FocusReason.TabFocusReason)
        form.first.setFocus()
    assert form.first.receivers(SIGNAL("destroyed()")) == before


def test_a_widget_that_is_gone_does_not_get_the_focus_back(form: Form) -> None:
    form.messages.tell("a", "info", "Go on?", MessageButton("Yes", lambda: None))
    message = form.messages.about("a")
    assert message is not None
    message.answer("Yes").setFocus(Qt.FocusReason.TabFocusReason)
    delete(form.first)
    form.messages.withdraw("a")
    assert form.messages.about("a") is None
