"""When the details open: by a click only once no second click can follow."""

from collections.abc import Callable, Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from gossamer.gui.details.details_panel import DetailsPanel
from tests.gui.desk import PATH, Desk, small_site


@pytest.fixture
def desk(qtbot: QtBot) -> Iterator[Desk]:
    desk = Desk(qtbot, small_site())
    desk.open()
    yield desk
    desk.reader.close()


@pytest.fixture
def double_click_ms() -> Iterator[Callable[[int], None]]:
    """Sets the time that two clicks of a double click have."""
    before = QApplication.doubleClickInterval()
    yield QApplication.setDoubleClickInterval
    QApplication.setDoubleClickInterval(before)


def test_details_do_not_open_under_a_double_click(
    desk: Desk, double_click_ms: Callable[[int], None]
) -> None:
    details = _closed_details(desk)
    activated: list[int] = []
    desk.table.url_activated.connect(activated.append)
    double_click_ms(100_000)
    _press(desk, 1, QTest.mouseClick)
    assert (details.url_id, details.is_open) == (2, False)
    _press(desk, 1, QTest.mouseDClick)
    assert (activated, details.is_open) == ([2], False)
    details.show_inlinks(2)
    details.set_wanted(wanted=True)
    assert details.is_open
    desk.until(lambda: details.views.inlinks.rows.rowCount() == 1)


def test_details_open_when_no_second_click_can_follow(
    desk: Desk, double_click_ms: Callable[[int], None]
) -> None:
    details = _closed_details(desk)
    double_click_ms(1)
    _press(desk, 1, QTest.mouseClick)
    desk.until(lambda: details.is_open)


def test_details_open_at_once_for_the_keyboard(
    desk: Desk, double_click_ms: Callable[[int], None]
) -> None:
    details = _closed_details(desk)
    double_click_ms(100_000)
    desk.table.view.setFocus()
    QTest.keyClick(desk.table.view, Qt.Key.Key_Down)
    assert details.is_open


def _closed_details(desk: Desk) -> DetailsPanel:
    """Details that open when a URL is selected, as those of a window."""
    details = DetailsPanel(desk.reader)
    desk.qtbot.addWidget(details)
    details.set_project(PATH)
    desk.table.url_selected.connect(details.select_url)
    assert not details.is_open
    return details


def _press(desk: Desk, row: int, press: Callable[..., None]) -> None:
    """Click on a row, through the window: Qt then knows which buttons are pressed."""
    view = desk.table.view
    inside = view.visualRect(view.rows.index(row, 0)).center()
    at = view.viewport().mapTo(desk.table, inside)
    press(desk.table.windowHandle(), Qt.MouseButton.LeftButton, pos=at)
