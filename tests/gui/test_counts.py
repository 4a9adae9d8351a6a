"""The counts of the progress line: places that hold still, and that lead to rows."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from gossamer.gui.crawl.progress_line import CounterValue, CountRow
from gossamer.model.project_queries import View

pytestmark = pytest.mark.styled

LONG = [CounterValue("1,234 of 5,678"), CounterValue("3 errors", "error", View.ERRORS)]
SHORT = [CounterValue("1 of 2"), CounterValue("3 errors", "error", View.ERRORS)]


def test_counts_may_shrink_and_are_painted_at_once(qtbot: QtBot) -> None:
    counts = CountRow()
    qtbot.addWidget(counts)
    counts.set_pieces(LONG)
    counts.clear()
    counts.show()
    counts.set_pieces(LONG[:1])
    counts.grab()
    assert counts.text() == "1,234 of 5,678"


def test_a_count_keeps_its_width_while_it_changes_and_shrinks_afterwards(
    qtbot: QtBot,
) -> None:
    counts = CountRow()
    qtbot.addWidget(counts)
    counts.set_pieces(LONG)
    before = counts.button(View.ERRORS).geometry()
    counts.set_pieces(SHORT)
    assert counts.button(View.ERRORS).geometry() == before
    counts.set_pieces(LONG)
    counts.set_pieces(SHORT, settled=True)
    assert counts.button(View.ERRORS).x() < before.x()


def test_a_count_shows_its_rows_by_mouse_and_keyboard(qtbot: QtBot) -> None:
    counts = CountRow()
    qtbot.addWidget(counts)
    counts.resize(400, 20)
    counts.show()
    counts.set_pieces(LONG)
    asked: list[object] = []
    counts.view_wanted.connect(asked.append)
    button = counts.button(View.ERRORS)
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    assert button.focusPolicy() & Qt.FocusPolicy.TabFocus
    QTest.keyClick(button, Qt.Key.Key_Space)
    assert asked == [View.ERRORS, View.ERRORS]
    assert button.text() == "3 errors"


def test_the_focus_stays_on_a_count_while_it_changes(qtbot: QtBot) -> None:
    counts = CountRow()
    qtbot.addWidget(counts)
    counts.resize(400, 20)
    counts.show()
    counts.set_pieces(LONG)
    button = counts.button(View.ERRORS)
    counts.set_pieces([LONG[0], CounterValue("4 errors", "error", View.ERRORS)])
    assert counts.button(View.ERRORS) is button
    assert button.text() == "4 errors"


def test_numbers_are_never_cut_off(qtbot: QtBot) -> None:
    counts = CountRow()
    qtbot.addWidget(counts)
    counts.set_pieces(LONG)
    counts.resize(counts.button(View.ERRORS).geometry().right(), 20)
    counts.show()
    assert not counts.button(View.ERRORS).isVisible()
    counts.resize(counts.width() + 1, 20)
    assert counts.button(View.ERRORS).isVisible()
