"""Menus in which several entries are checked: only a click inside checks one."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from gossamer.gui.widgets.sticky_menu import StickyMenu


@pytest.mark.qt_log_ignore("does not support")
def test_a_click_checks_an_entry_and_leaves_the_menu_open(qtbot: QtBot) -> None:
    menu = StickyMenu()
    qtbot.addWidget(menu)
    entry = menu.addAction("Title")
    entry.setCheckable(True)
    menu.show()
    QTest.mouseClick(menu, Qt.MouseButton.LeftButton, pos=menu.actionGeometry(entry).center())
    assert (entry.isChecked(), menu.isVisible()) == (True, True)


@pytest.mark.qt_log_ignore("does not support")
def test_the_release_of_the_click_that_opened_the_menu_checks_nothing(qtbot: QtBot) -> None:
    menu = StickyMenu()
    qtbot.addWidget(menu)
    entry = menu.addAction("Title")
    entry.setCheckable(True)
    menu.show()
    under_pointer = menu.actionGeometry(entry).center()
    QTest.mouseRelease(menu, Qt.MouseButton.RightButton, pos=under_pointer)
    assert (entry.isChecked(), menu.isVisible()) == (False, True)
