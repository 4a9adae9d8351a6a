"""The counts of the progress line as they are painted."""

from pytestqt.qtbot import QtBot

from app.gui.progress_line import Counts


def test_places_may_shrink_and_are_painted_at_once(qtbot: QtBot) -> None:
    counts = Counts()
    qtbot.addWidget(counts)
    pieces = [("1,234 of 5,678", "text"), ("3 errors", "error")]
    counts.set_pieces(pieces)  # type: ignore[arg-type]  # roles are literals
    counts.clear()
    counts.set_pieces(pieces)  # type: ignore[arg-type]  # roles are literals
    counts.resize(400, 30)
    assert not counts.grab().isNull()
