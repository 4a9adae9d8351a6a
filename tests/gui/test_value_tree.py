"""Small trees of texts: their headings can be read, however narrow the window is."""

import pytest
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
