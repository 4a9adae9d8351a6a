"""The command bar: every action by name, with the keyboard alone."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QCompleter, QLineEdit, QMainWindow, QMenu, QWidget
from pytestqt.qtbot import QtBot
from shiboken6 import isValid

from gossamer.gui.actions.action_set import ALSO
from gossamer.gui.shell.command_palette import CommandPalette, commands_of, matching

pytestmark = pytest.mark.styled


class Bench(QMainWindow):
    """A window with two menus, a field with an action of its own, and a command bar."""

    def __init__(self) -> None:
        super().__init__()
        self.done: list[str] = []
        body = QWidget()
        self.field = QLineEdit(body)
        self.setCentralWidget(body)
        self._add(self.field, "Copy &address", "Ctrl+C")
        file = self.menuBar().addMenu("&File")
        self._add(file, "&Open…", "Ctrl+O")
        self.recent = file.addMenu("Open &recent")
        self._add(self.recent, "Cats && dogs")
        file.addSeparator()
        crawl = self.menuBar().addMenu("&Crawl")
        self.pause = self._add(crawl, "&Pause or resume\tSpace")
        self._add(crawl, "重新打开(&R)")
        self.bar = CommandPalette(self)

    def _add(self, to: QWidget, text: str, shortcut: str = "") -> QAction:
        action = QAction(text, self)
        action.setShortcut(shortcut)
        action.triggered.connect(lambda: self.done.append(text))
        to.addAction(action)
        assert isinstance(to, QMenu | QLineEdit)
        return action


@pytest.fixture
def bench(qtbot: QtBot) -> Bench:
    window = Bench()
    qtbot.addWidget(window)
    window.resize(900, 600)
    window.show()
    window.activateWindow()
    window.field.setFocus()
    qtbot.waitUntil(window.field.hasFocus)
    return window


def test_every_action_is_offered_by_its_name_menu_and_shortcut(bench: Bench) -> None:
    offered = [(c.name, c.menu, c.shortcut) for c in commands_of(bench, bench.field)]
    assert offered == [
        ("Copy address", "", "Ctrl+C"),
        ("Open…", "File", "Ctrl+O"),
        ("Cats & dogs", "File › Open recent", ""),
        ("Pause or resume", "Crawl", "Space"),
        ("重新打开", "Crawl", ""),
    ]


def test_words_are_found_in_names_and_menus_names_first(bench: Bench) -> None:
    def names(typed: str) -> list[str]:
        return [c.name for c in matching(commands_of(bench, None), typed)]

    assert names("open") == ["Open…", "Cats & dogs"]
    assert names("RESUME pause") == ["Pause or resume"]
    assert names("file dogs") == ["Cats & dogs"]
    assert names("打开") == ["重新打开"]
    assert names("xyzzy") == []
    bench.pause.setEnabled(False)
    assert names("")[-1] == "Pause or resume"


def test_what_a_disabled_submenu_has_is_impossible(bench: Bench) -> None:
    bench.recent.menuAction().setEnabled(False)
    [inside] = matching(commands_of(bench, None), "dogs")
    assert inside.action.isEnabled()
    assert not inside.is_possible


def test_an_action_is_found_by_other_words_that_it_has(bench: Bench) -> None:
    bench.pause.setProperty(ALSO, "Halt")
    (found,) = matching(commands_of(bench, None), "halt")
    assert found.action is bench.pause


def test_typing_arrow_keys_and_enter_trigger_an_action(bench: Bench) -> None:
    bench.bar.open()
    assert bench.bar.isVisible()
    assert bench.bar.field.hasFocus()
    QTest.keyClicks(bench.bar.field, "open")
    QTest.keyClick(bench.bar.field, Qt.Key.Key_Down)
    QTest.keyClick(bench.bar.field, Qt.Key.Key_Return)
    assert bench.done == ["Cats && dogs"]
    assert not bench.bar.isVisible()
    assert bench.field.hasFocus()


def test_escape_closes_the_palette_and_restores_the_focus(bench: Bench) -> None:
    bench.bar.open()
    QTest.keyClick(bench.bar.field, Qt.Key.Key_Escape)
    assert not bench.bar.isVisible()
    assert bench.field.hasFocus()
    assert bench.done == []


@pytest.mark.qt_log_ignore("does not support")
def test_suggestions_below_a_field_take_no_letter_from_the_palette(
    bench: Bench, qtbot: QtBot
) -> None:
    """An open list of suggestions would send the first letter to its field."""
    bench.field.setCompleter(completer := QCompleter(["example.com"], bench.field))
    QTest.keyClicks(bench.field, "exa")
    popup = completer.popup()
    assert popup is not None
    qtbot.waitUntil(popup.isVisible)
    bench.bar.open()
    assert not popup.isVisible()
    assert bench.bar.field.hasFocus()


def test_the_shortcut_closes_an_open_palette(bench: Bench) -> None:
    bench.bar.open()
    bench.bar.open()
    assert not bench.bar.isVisible()


def test_disabled_actions_are_not_triggered(bench: Bench) -> None:
    bench.pause.setEnabled(False)
    bench.bar.open()
    QTest.keyClicks(bench.bar.field, "pause")
    QTest.keyClick(bench.bar.field, Qt.Key.Key_Return)
    assert bench.done == []
    assert bench.bar.isVisible()


def test_a_search_without_a_match_says_so(bench: Bench) -> None:
    bench.bar.open()
    QTest.keyClicks(bench.bar.field, "xyzzy")
    assert bench.bar.names() == []
    assert bench.bar.list.isHidden()
    QTest.keyClick(bench.bar.field, Qt.Key.Key_Return)
    assert bench.done == []


def test_losing_the_focus_closes_the_palette(bench: Bench) -> None:
    bench.bar.open()
    bench.field.setFocus()
    assert not bench.bar.isVisible()
    assert bench.field.hasFocus()


def test_a_click_triggers_an_action(bench: Bench) -> None:
    bench.bar.open()
    rows = bench.bar.list
    place = rows.visualRect(rows.model().index(1, 0)).center()
    QTest.mouseClick(rows.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert bench.done == ["&Open…"]


def test_a_menu_can_be_rebuilt_while_the_palette_is_open(bench: Bench) -> None:
    bench.recent.clear()
    birds = bench.recent.addAction("Birds")
    bench.bar.open()
    QTest.keyClicks(bench.bar.field, "b")
    assert "Birds" in bench.bar.names()
    bench.recent.clear()
    assert not isValid(birds)
    QTest.keyClicks(bench.bar.field, "irds")
    assert bench.bar.names() == ["Birds"]
    bench.bar.grab()  # paints what is gone
    QTest.keyClick(bench.bar.field, Qt.Key.Key_Return)
    assert bench.done == []
    assert bench.bar.isVisible()
