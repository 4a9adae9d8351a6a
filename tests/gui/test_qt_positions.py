"""Texts with characters that are two code units for Qt: the right part is marked and completed."""

import pytest
from PySide6.QtGui import QTextLayout
from pytestqt.qtbot import QtBot

from gossamer.gui.sql.sql_editor import SqlEditor
from gossamer.gui.tables.marked_text import formats
from gossamer.gui.text.qt_positions import from_qt, to_qt
from gossamer.model.search_excerpts import Excerpt

SPIDER = "\U0001f577"

pytestmark = pytest.mark.usefixtures("qapp")


@pytest.mark.parametrize(
    ("text", "position", "units"),
    [
        ("", 0, 0),
        ("abc", 2, 2),
        (f"{SPIDER}b", 1, 2),
        (f"{SPIDER}{SPIDER}b", 3, 5),
        ("\ud800b", 1, 1),
    ],
)
def test_positions_there_and_back(text: str, position: int, units: int) -> None:
    assert to_qt(text, position) == units
    assert from_qt(text, units) == position


def test_a_found_word_beyond_an_emoji_is_marked() -> None:
    text = f"{SPIDER}{SPIDER} word"
    layout = QTextLayout(text)
    layout.setFormats(formats(Excerpt(text, [(3, 7)])))
    assert [(each.start, each.length) for each in layout.formats()] == [(5, 4)]


def test_a_query_is_coloured_and_completed_beyond_an_emoji(qtbot: QtBot) -> None:
    editor = SqlEditor()
    qtbot.addWidget(editor)
    query = "SELECT 'xx', sta FROM internal".replace("x", SPIDER)
    editor.setPlainText(query)
    parts = [(each.start, each.length) for each in editor.document().begin().layout().formats()]
    assert parts == [(0, 6), (7, 6), (19, 4)]
    cursor = editor.textCursor()
    cursor.setPosition(to_qt(query, query.index(" FROM")))
    editor.setTextCursor(cursor)
    editor.completer.activated.emit("status_code")
    assert editor.toPlainText() == query.replace("sta ", "status_code ")
