"""The counts of the progress line: places that hold still, and that lead to rows."""

from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from gossamer.gui.widgets.progress_bar import CountRow, Piece
from gossamer.model.project_queries import View

LONG = [Piece("1,234 of 5,678"), Piece("3 errors", "error", View.ERRORS)]
SHORT = [Piece("1 of 2"), Piece("3 errors", "error", View.ERRORS)]


def test_places_may_shrink_and_are_painted_at_once(qtbot: QtBot) -> None:
    counts = CountRow()
    qtbot.addWidget(counts)
    counts.set_pieces(LONG)
    counts.clear()
    counts.show()
    counts.set_pieces(LONG[:1])
    counts.grab()
    assert counts.text() == "1,234 of 5,678"


def test_a_place_holds_still_while_numbers_move_and_closes_up_once_they_are_settled(
    qtbot: QtBot,
) -> None:
    counts = CountRow()
    qtbot.addWidget(counts)
    counts.set_pieces(LONG)
    before = counts.place_of(View.ERRORS)
    counts.set_pieces(SHORT)
    assert counts.place_of(View.ERRORS) == before
    counts.set_pieces(LONG)
    counts.set_pieces(SHORT, settled=True)
    assert counts.place_of(View.ERRORS).left() < before.left()


def test_a_click_on_a_count_asks_for_its_rows(qtbot: QtBot) -> None:
    counts = CountRow()
    qtbot.addWidget(counts)
    counts.resize(400, 20)
    counts.set_pieces(LONG)
    asked: list[object] = []
    counts.view_wanted.connect(asked.append)
    middle = counts.place_of(View.ERRORS).center()
    QTest.mouseMove(counts, middle)
    QTest.mouseClick(counts, Qt.MouseButton.LeftButton, pos=middle)
    QTest.mouseClick(counts, Qt.MouseButton.LeftButton, pos=QPoint(2, 8))
    assert asked == [View.ERRORS]


def test_what_is_pointed_at_stays_so_while_numbers_move(qtbot: QtBot) -> None:
    counts = CountRow()
    qtbot.addWidget(counts)
    counts.resize(400, 20)
    counts.show()
    counts.set_pieces(LONG)
    QTest.mouseMove(counts, counts.place_of(View.ERRORS).center())
    qtbot.waitUntil(lambda: counts.cursor().shape() is Qt.CursorShape.PointingHandCursor)
    pointed = counts.grab().toImage()
    counts.set_pieces([LONG[0], Piece("4 errors", "error", View.ERRORS)])
    counts.set_pieces(LONG)
    assert counts.grab().toImage() == pointed
    QTest.mouseMove(counts, QPoint(2, 8))
    qtbot.waitUntil(lambda: counts.cursor().shape() is Qt.CursorShape.ArrowCursor)
    assert counts.grab().toImage() != pointed
