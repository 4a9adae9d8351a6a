"""The in-flight list: bounded, calm, and its crosses cancel the URL they were pressed on."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QAbstractItemModelTester, QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from gossamer.gui.crawl.in_flight_panel import (
    MAX_ROWS,
    InFlightList,
    InFlightModel,
    path_of,
)
from gossamer.model.messages.crawl_messages import InFlight
from tests.gui.paints import Paints

pytestmark = pytest.mark.styled


def flight(url_id: int, since: float = 0.0) -> InFlight:
    return InFlight(url_id, f"http://example.com/{url_id}", since)


@pytest.fixture
def listing(qtbot: QtBot) -> InFlightList:
    listing = InFlightList(now=lambda: 10.0)
    qtbot.addWidget(listing)
    listing.resize(300, 200)
    listing.show()
    return listing


def cancelled(listing: InFlightList) -> list[int]:
    ids: list[int] = []
    listing.cancel_wanted.connect(ids.append)
    return ids


def test_the_cancel_button_of_a_row_cancels_its_url(listing: InFlightList) -> None:
    ids = cancelled(listing)
    listing.show_rows([flight(n) for n in (5, 6, 7)])
    cross = listing.button_rect(1).center()
    QTest.mouseClick(listing.viewport(), Qt.MouseButton.LeftButton, pos=cross)
    assert ids == [6]


def test_a_cancel_button_means_the_row_it_was_pressed_on(listing: InFlightList) -> None:
    ids = cancelled(listing)
    listing.show_rows([flight(n) for n in (5, 6, 7)])
    cross = listing.button_rect(1).center()
    QTest.mousePress(listing.viewport(), Qt.MouseButton.LeftButton, pos=cross)
    listing.show_rows([flight(n) for n in (6, 7, 8)])
    QTest.mouseRelease(listing.viewport(), Qt.MouseButton.LeftButton, pos=cross)
    assert ids == [6]


def test_each_update_is_painted_once(listing: InFlightList, qtbot: QtBot) -> None:
    listing.show_rows([flight(n) for n in (5, 6, 7)])
    qtbot.waitUntil(lambda: listing.indexAt(QPoint(5, 5)).isValid())
    QApplication.processEvents()
    paints = Paints(listing.viewport())
    listing.show_rows([flight(n) for n in (7, 8, 9)])
    qtbot.waitUntil(lambda: paints.number > 0)
    QApplication.processEvents()
    assert paints.number == 1


def test_rows_do_not_move_under_a_double_click(listing: InFlightList, qtbot: QtBot) -> None:
    ids = cancelled(listing)
    listing.show_rows([flight(n) for n in (5, 6, 7)])
    cross = listing.button_rect(1).center()
    for _ in range(2):
        QTest.mouseClick(listing.viewport(), Qt.MouseButton.LeftButton, pos=cross)
        listing.show_rows([flight(n) for n in (5, 7, 8)])
    assert ids == [6, 6]
    qtbot.waitUntil(lambda: listing.flights.flight(1).url_id == 7)
    listing.show_rows([])
    assert listing.flights.rowCount() == 0


def test_releasing_the_mouse_elsewhere_cancels_nothing(listing: InFlightList) -> None:
    ids = cancelled(listing)
    listing.show_rows([flight(5)])
    cross = listing.button_rect(0).center()
    QTest.mousePress(listing.viewport(), Qt.MouseButton.LeftButton, pos=cross)
    QTest.mouseRelease(listing.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(10, 10))
    QTest.mouseClick(listing.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(10, 10))
    assert ids == []


def test_delete_cancels_the_selected_url(listing: InFlightList) -> None:
    ids = cancelled(listing)
    listing.show_rows([flight(n) for n in (5, 6)])
    listing.setCurrentIndex(listing.flights.index(1))
    QTest.keyClick(listing, Qt.Key.Key_Delete)
    assert ids == [6]


def test_a_selection_stays_on_its_url(listing: InFlightList) -> None:
    listing.show_rows([flight(n) for n in range(10)])
    listing.setCurrentIndex(listing.flights.index(7))
    listing.show_rows([flight(n) for n in (3, 7, 11, 12)])
    assert listing.flights.flight(listing.currentIndex().row()).url_id == 7


def test_any_page_title_can_be_painted(listing: InFlightList) -> None:
    urls = ["http://h/" + "x" * 100_000, "http://h/<b>bold</b>", "http://h/\u202e", "x"]
    listing.show_rows([InFlight(n, url, 1e12) for n, url in enumerate(urls)])
    assert not listing.grab().isNull()


@given(batches=st.lists(st.lists(st.integers(0, 400), unique=True), max_size=8))
def test_the_model_shows_each_batch_and_keeps_its_contract(
    qapp: QApplication, batches: list[list[int]]
) -> None:
    assert qapp is not None
    model = InFlightModel()
    tester = QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    for batch in batches:
        model.show_rows([flight(n) for n in batch])
        shown = [model.flight(row).url_id for row in range(model.rowCount())]
        assert shown == batch[:MAX_ROWS]
    del tester


def test_the_number_of_rows_is_bounded(qapp: QApplication) -> None:
    assert qapp is not None
    model = InFlightModel()
    model.show_rows([flight(n) for n in range(1000)])
    assert model.rowCount() == MAX_ROWS


@pytest.mark.parametrize(
    ("url", "path"),
    [
        ("http://example.com/a/b?c", "/a/b?c"),
        ("https://example.com", "https://example.com"),
        ("nonsense", "nonsense"),
    ],
)
def test_rows_elide_what_urls_have_in_common(url: str, path: str) -> None:
    assert path_of(url) == path
