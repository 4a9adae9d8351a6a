"""A label that shows as much of its text as there is room for."""

from pytestqt.qtbot import QtBot

from gossamer.gui.widgets.elided_label import ElidedLabel

WORDS = "Rules about the whole site are not up to date."


def test_a_text_without_room_ends_with_an_ellipsis_and_a_tool_tip_has_all_of_it(
    qtbot: QtBot,
) -> None:
    label = ElidedLabel()
    qtbot.addWidget(label)
    label.setText(WORDS)
    label.resize(1_000, 20)
    label.show()
    assert (label.shown(), label.toolTip()) == (WORDS, "")
    label.resize(120, 20)
    start, _, rest = label.shown().partition("…")
    assert start
    assert WORDS.startswith(start)
    assert rest == ""
    assert WORDS in label.toolTip()
    assert label.text() == label.accessibleName() == WORDS
    label.setText("")
    assert (label.shown(), label.toolTip()) == ("", "")
