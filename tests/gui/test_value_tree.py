"""Small trees of texts: their headings can be read, however narrow the window is."""

import pytest
from PySide6.QtGui import QGuiApplication, QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QTreeWidgetItem
from pytestqt.qtbot import QtBot

from gossamer.gui.tables.value_tree import ValueTree

pytestmark = pytest.mark.usefixtures("qapp")


def test_no_column_is_narrower_than_its_heading(qtbot: QtBot) -> None:
    tree = ValueTree("Runs", ["Name", "A long heading", "Missing", "Rest"], (0.9, 0.05, 0.05))
    qtbot.addWidget(tree)
    tree.resize(200, 100)
    tree.show()
    header = tree.header()
    for section in range(3):
        assert header.sectionSize(section) >= header.sectionSizeHint(section)
    headings = sum(map(header.sectionSizeHint, range(4)))
    tree.resize(headings + 10, 100)
    assert header.length() == tree.viewport().width(), "the last heading has room, too"
    tree.resize(10 * headings, 100)
    assert header.sectionSize(0) == pytest.approx(9 * headings, abs=headings)


def test_the_last_column_takes_the_rest(qtbot: QtBot) -> None:
    tree = ValueTree("Runs", ["Name", "Outcome", "Rest"], (0.3, 0.2))
    qtbot.addWidget(tree)
    tree.resize(600, 100)
    tree.show()
    widths = [tree.header().sectionSize(section) for section in range(3)]
    assert widths[:2] == [int(0.3 * tree.viewport().width()), int(0.2 * tree.viewport().width())]
    assert sum(widths) == tree.viewport().width()


def test_rows_are_copied_from_top_to_bottom_for_a_spreadsheet(qtbot: QtBot) -> None:
    tree = ValueTree("Runs", ["Name", "Outcome"], (0.5,))
    qtbot.addWidget(tree)
    rows = [QTreeWidgetItem(tree, [name, "2"]) for name in ("=1+1", "x\ty", "unselected", "c")]
    for row in (3, 0, 1):
        rows[row].setSelected(True)
    tree.show()
    tree.activateWindow()
    tree.setFocus()
    qtbot.waitUntil(tree.hasFocus)
    QTest.keySequence(tree, QKeySequence(QKeySequence.StandardKey.Copy))
    assert QGuiApplication.clipboard().text() == "'=1+1\t2\nx y\t2\nc\t2"
