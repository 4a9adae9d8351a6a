"""The question marks beside settings and issues: which page each opens, where it is shown."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from gossamer.audit.rule_catalogue import RULES
from gossamer.gui.actions.window_actions import WindowAction
from gossamer.gui.help.help_window import NAME, HelpWindow
from gossamer.gui.issues.issue_counts import IssueCounts
from gossamer.gui.issues.issue_explanation import IssueExplanation
from gossamer.gui.project.reader_thread import ProjectReader
from gossamer.gui.settings.settings_dialog import SettingsDialog
from gossamer.gui.widgets.help_context import page_for
from gossamer.gui.widgets.help_mark import HelpMark
from gossamer.model.settings.crawl_settings import SETTINGS
from tests.fakes.project_rows import FakeRows
from tests.gui.conftest import Play
from tests.gui.stage import Stage

RULE = RULES[next(iter(RULES))]


def test_marks_open_the_page_about_what_they_are_beside(play: Play) -> None:
    async def scene(stage: Stage) -> None:
        stage.trigger(WindowAction.SETTINGS)
        [dialog] = stage.window.findChildren(SettingsDialog)
        for section in range(dialog.sections.count()):
            dialog.sections.setCurrentRow(section)  # the marks of its rows are made
        marks = {page_for(mark): mark for mark in dialog.findChildren(HelpMark)}
        assert {f"settings/{name}" for name, each in SETTINGS.items() if each.section} <= set(marks)
        marks["settings/max_similar"].click()
        shown = stage.window.findChild(HelpWindow, NAME)
        assert shown is not None
        assert shown.page() == "settings/max_similar"
        explanation = stage.window.workspace.table.issues.explanation
        explanation.show_rule(RULE)
        explanation.help_mark.click()
        assert shown.page() == f"issues/{RULE.slug}"

    play(scene)


@pytest.fixture
def counts() -> IssueCounts:
    return IssueCounts(ProjectReader(lambda _: FakeRows()))


def test_tab_goes_from_the_links_of_an_explanation_to_its_mark_and_on(
    qtbot: QtBot, counts: IssueCounts
) -> None:
    window, before, after = QWidget(), QLineEdit(), QLineEdit()
    explanation = IssueExplanation(counts)
    column = QVBoxLayout(window)
    for widget in (before, explanation, after):
        column.addWidget(widget)
    qtbot.addWidget(window)
    explanation.show_rule(RULE)
    window.show()
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    for key, first, last in (
        (Qt.Key.Key_Tab, before, after),
        (Qt.Key.Key_Backtab, after, before),
    ):
        first.setFocus()
        reached: list[QWidget | None] = []
        while not reached or reached[-1] is not last:
            QTest.keyClick(window.focusWidget(), key)
            reached.append(window.focusWidget())
            assert len(reached) < 9
        assert reached.count(explanation.help_mark) == 1
        assert reached.count(explanation) > 1  # its links


def test_the_mark_of_an_issue_is_beside_its_heading_and_scrolls_with_it(
    qtbot: QtBot, counts: IssueCounts
) -> None:
    explanation = IssueExplanation(counts)
    qtbot.addWidget(explanation)
    mark, viewport = explanation.help_mark, explanation.viewport()
    explanation.resize(240, 120)
    explanation.show()
    assert not mark.isVisible()  # without an issue
    explanation.show_rule(RULE)
    assert mark.isVisible()
    assert mark.accessibleName() == f"Help: {explanation.toPlainText().splitlines()[0]}"
    assert viewport.rect().contains(mark.geometry())
    assert explanation.cursorForPosition(mark.geometry().bottomLeft()).blockNumber() == 0
    explanation.resize(400, 120)
    assert viewport.rect().right() - mark.geometry().right() < mark.width()
    beginning = mark.pos()
    explanation.verticalScrollBar().setValue(20)
    assert mark.pos() == beginning - QPoint(0, 20)
    explanation.show_rule(None)
    assert not mark.isVisible()
