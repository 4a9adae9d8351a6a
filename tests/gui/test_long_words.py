"""Long words of others, which Qt does not break, do not widen a window."""

import pytest
from PySide6.QtWidgets import QLabel, QWidget
from pytestqt.qtbot import QtBot

from gossamer.gui.crawler_access.access_dialog import AccessDialog
from gossamer.gui.crawler_access.robots_tester import RobotsTester
from gossamer.gui.notifications.rule_trial_dialog import RuleTrialDialog
from gossamer.gui.project.reader_thread import ProjectReader
from gossamer.gui.settings.form_login_dialog import FormLoginDialog
from gossamer.gui.start.start_page import StartPageMessage
from gossamer.gui.widgets.message_bar import MessageColumn
from gossamer.model.html_forms import FieldType, FormField, PageForm
from gossamer.model.translatable import said
from gossamer.notifying.rule_trial import ChannelTrial, RuleTrial
from gossamer.robots.robots_trial import RobotsVerdict

WORD = "x" * 900
WIDE = 900
"""What no window needs for a word, in pixels."""

pytestmark = pytest.mark.usefixtures("qapp")


def least_width(widget: QWidget) -> int:
    return widget.minimumSizeHint().width()


def test_messages(qtbot: QtBot) -> None:
    messages = MessageColumn()
    qtbot.addWidget(messages)
    messages.tell("a", "error", f"Damaged: /{WORD}.gossamer")
    assert least_width(messages) < WIDE
    message = StartPageMessage("Reset", "reset")
    qtbot.addWidget(message)
    message.say(f"Settings of {WORD}.")
    assert least_width(message) < WIDE


def test_lines_of_a_robots_file_and_names_of_hosts(qtbot: QtBot) -> None:
    tester = RobotsTester(ProjectReader(), "Gossamer/1.0")
    qtbot.addWidget(tester)
    verdict = RobotsVerdict(allowed=False, line=(3, f"Disallow: /\u202e{WORD}"))
    tester._show_verdicts((verdict, verdict))  # noqa: SLF001 - what the reader tells it
    assert least_width(tester) < WIDE
    assert "\u202e" not in tester.verdict.text()
    dialog = AccessDialog(ProjectReader(), "https://a.example/", "Gossamer/1.0")
    qtbot.addWidget(dialog)
    before = least_width(dialog)
    dialog.host.addItem(f"https://{WORD}")
    assert least_width(dialog) == before


def test_labels_and_targets_of_a_login_form(qtbot: QtBot) -> None:
    dialog = FormLoginDialog("https://a.example/")
    qtbot.addWidget(dialog)
    user = FormField("user", FieldType.TEXT, label=WORD)
    password = FormField("pass", FieldType.PASSWORD, label="Q&A \u202ep")
    form = PageForm(f"https://a.example/{WORD}", fields=(user, password))
    dialog.show_forms([form, form])
    assert least_width(dialog) < WIDE
    texts = [label.text() for label in dialog.findChildren(QLabel)]
    assert "Q&&A p" in texts, "a buddy's & is no key"


def test_what_a_channel_answered(qtbot: QtBot) -> None:
    trial = RuleTrial("A", "b", (ChannelTrial(said("webhook"), reply=said(WORD)),))
    dialog = RuleTrialDialog(trial)
    qtbot.addWidget(dialog)
    assert least_width(dialog) < WIDE
