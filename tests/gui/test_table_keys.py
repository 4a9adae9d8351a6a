"""Tables by keyboard: where the focus shows, how it moves, and how a filter is left."""

from collections.abc import Callable
from functools import partial

import pytest
from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu, QStyleOptionHeaderV2
from pytestqt.qtbot import QtBot

from gossamer.gui.actions.view_actions import ViewAction
from gossamer.gui.project.reader_thread import ProjectReader
from gossamer.gui.tables.table_view import elide_address, without_origin
from gossamer.gui.widgets.window_geometry import fitted
from gossamer.gui.workspace.workspace import Workspace
from gossamer.model.outcome import Outcome
from gossamer.model.project_queries import View
from tests.fakes.project_rows import FakeRows
from tests.gui.desk import BASE, Desk, TableDesk

Key = Qt.Key


@pytest.fixture
def desk(table_desk: TableDesk) -> TableDesk:
    """The table is enough here."""
    return table_desk


def test_tabbing_into_a_table_selects_a_row(desk: TableDesk) -> None:
    desk.table.activateWindow()
    desk.table.bar.field.setFocus()
    desk.until(desk.table.bar.field.hasFocus)
    view = desk.table.view
    assert view.selected_count() == 0
    view.setFocus(Qt.FocusReason.TabFocusReason)
    desk.until(lambda: view.selected_count() == 1)
    assert view.currentIndex().row() == 0


def test_home_and_end_go_to_the_first_and_last_row(desk: TableDesk) -> None:
    view = desk.table.view
    QTest.keyClick(view, Key.Key_End)
    assert view.currentIndex().row() == len(desk.rows.urls) - 1
    QTest.keyClick(view, Key.Key_Home, Qt.KeyboardModifier.ShiftModifier)
    assert (view.currentIndex().row(), view.selected_count()) == (0, len(desk.rows.urls))


def test_escape_clears_the_filter_and_then_leaves_the_field(desk: TableDesk) -> None:
    table = desk.table
    table.activateWindow()
    table.bar.focus_field()
    desk.until(table.bar.field.hasFocus)
    QTest.keyClicks(table.bar.field, "docs")
    desk.until(lambda: len(desk.rows_shown()) == 1)
    QTest.keyClick(table.bar.field, Key.Key_Escape)
    assert (table.bar.field.text(), table.bar.field.hasFocus()) == ("", True)
    desk.until(lambda: len(desk.rows_shown()) == len(desk.rows.urls))
    QTest.keyClick(table.bar.field, Key.Key_Escape)
    assert table.view.hasFocus()


def test_only_a_redirect_can_be_followed(desk: TableDesk) -> None:
    view = desk.table.view
    follow = desk.table.url_actions.actions[ViewAction.FOLLOW_REDIRECT]
    desk.until(lambda: f"{BASE}/old" in desk.rows_shown())
    rows = desk.rows_shown()
    for address, expected in ((f"{BASE}/old", True), (f"{BASE}/docs/", False)):
        view.selectRow(rows.index(address))
        assert follow.isEnabled() is expected


def test_another_project_starts_without_a_selection_summary(desk: TableDesk) -> None:
    desk.table.view.selectRow(1)
    desk.until(lambda: "1 selected" in desk.table.summary.selection.text())
    desk.open()
    assert desk.table.summary.selection.text() == ""


def test_a_selection_hidden_by_a_filter_has_no_summary(desk: TableDesk) -> None:
    desk.table.view.selectRow(1)
    desk.until(lambda: "1 selected" in desk.table.summary.selection.text())
    desk.table.bar.field.setText("nothing has this")
    desk.until(lambda: desk.table.model.rowCount() == 0)
    desk.until(lambda: desk.table.summary.selection.text() == "")


def test_a_tree_says_why_it_does_not_exclude_all_of_the_site(whole_desk: Desk) -> None:
    whole_desk.until(lambda: whole_desk.discovery.model.rowCount() > 0)
    whole_desk.discovery.view.setCurrentIndex(whole_desk.discovery.model.index(0, 0))
    whole_desk.discovery.bulk_actions.actions[ViewAction.EXCLUDE_FOLDER].trigger()
    whole_desk.until(lambda: "not a folder" in whole_desk.table.summary.selection.text())


def test_a_set_of_columns_is_one_choice_and_is_remembered(desk: TableDesk) -> None:
    def choose(text: str) -> None:
        menu = QMenu()
        desk.table.view.fill_columns_menu(menu)
        next(action for action in menu.actions() if action.text() == text).trigger()

    usual = desk.table.view.shown_columns()
    choose("SEO")
    seo = desk.table.view.shown_columns()
    assert {"address", "h1", "canonical"} <= set(seo)
    assert "time" not in seo
    state = desk.table.save_state()
    choose("All columns")
    assert set(desk.table.view.shown_columns()) == View.ALL.columns
    choose("Reset columns")
    assert desk.table.view.shown_columns() == usual
    desk.table.restore_state(state)
    assert desk.table.view.shown_columns() == seo
    desk.table.set_view(View.LINKS)
    choose("Technical")
    assert {"source", "element"} <= set(desk.table.view.shown_columns())


def test_urls_of_a_single_site_are_shown_without_origin() -> None:
    for path in ("/", "/a/long/way/down.html"):
        assert without_origin(f"{BASE}{path}", BASE) == path
        assert without_origin(f"{BASE}{path}", "https://other.test") == f"{BASE}{path}"
        assert without_origin(f"{BASE}{path}", "") == f"{BASE}{path}"
    assert without_origin(f"{BASE}:8080/", BASE) == f"{BASE}:8080/"


def test_long_urls_are_elided_between_host_and_file_name(qapp: QApplication) -> None:
    metrics = QFontMetrics(qapp.font())

    def in_room_of(text: str, shown: str) -> str:
        return elide_address(text, metrics, metrics.horizontalAdvance(shown))

    assert elide_address("/a/b", metrics, 1_000) == "/a/b"
    path = "/a/long/way/down/name.html"
    assert in_room_of(path, "…down/name.html") == "…down/name.html"
    far = "https://other.test/a/long/way/down/name.html"
    there = in_room_of(far, "https://other.test/…down/name.html")
    assert there.startswith("https://other.test/…")
    assert there.endswith("/name.html")
    assert in_room_of(far, "https://other.test/…").startswith("other.test/…")
    failed = "Invalid certificate https://other.test:8443"
    assert in_room_of(failed, "Invalid… https://other.test:8443").endswith(
        "… https://other.test:8443"
    )
    assert in_room_of("https://other.test:8443", "other.test:8443+") == "other.test:8443"
    assert in_room_of("https://other.test:8443", "…her.test:8443").endswith("r.test:8443")
    redirect = in_room_of("302 /a/long/way → /another/long/way", "302 /a/long/w…r/long/way")
    assert redirect.startswith("302 /")
    assert redirect.endswith("way")
    missing = in_room_of(f"404 {path}", "404 …down/name.html")
    assert missing.startswith("404 …")
    assert missing.endswith("/name.html")
    assert metrics.horizontalAdvance(in_room_of(far, "https://o…")) <= metrics.horizontalAdvance(
        "https://o…"
    )
    assert in_room_of("Follow → what", "Foll…what").count("…") == 1


def is_near(wanted: int, measure: Callable[[], int]) -> bool:
    return abs(measure() - wanted) <= 2


def test_the_url_column_shrinks_so_that_all_columns_fit(desk: TableDesk) -> None:
    view = desk.table.view

    def total() -> int:
        return sum(map(view.columnWidth, range(view.rows.columnCount())))

    desk.table.resize(400, 300)
    desk.until(lambda: view.viewport().width() < total() * 3 // 4)
    own, needed = view.columnWidth(0), total()
    frame = desk.table.width() - view.viewport().width()
    for room, address in ((50, own + 50), (-own // 5, own - own // 5), (-own // 2, own)):
        desk.table.resize(needed + frame + room, 300)
        desk.until(partial(is_near, address, partial(view.columnWidth, 0)))


def test_a_dialog_fits_on_a_small_screen_with_its_frame() -> None:
    small = fitted((960, 600), QRect(0, 0, 960, 540))
    assert small.width() < 960
    assert small.height() <= 500
    assert fitted((700, 400), QRect(0, 0, 1920, 1080)) == QSize(700, 400)


def test_the_origin_of_a_site_with_a_non_ascii_name_is_omitted_too(qtbot: QtBot) -> None:
    space = Workspace(ProjectReader(lambda _: FakeRows()))
    qtbot.addWidget(space)
    space.set_home("https://xn--exmple-cua.test")
    assert without_origin("https://exämple.test/a", space.table.view.home) == "/a"


def test_column_labels_and_sort_arrows_are_not_cut_off(desk: TableDesk) -> None:
    view = desk.table.view
    header = view.sort_header
    shown = [i for i in range(view.rows.columnCount()) if not view.isColumnHidden(i)]
    assert shown
    for column in shown:
        name = str(view.rows.headerData(column, Qt.Orientation.Horizontal))
        header.sort_by(column, descending=True)
        option = QStyleOptionHeaderV2()
        header.initStyleOptionForIndex(option, column)
        assert option.text == f"{name} ↓"
        view.setColumnWidth(column, view.columnWidth(column) // 2)
        header.initStyleOptionForIndex(option, column)
        assert option.text.endswith(" ↓")
        assert header.fontMetrics().horizontalAdvance(option.text) < header.sectionSize(column)


def test_the_selected_row_stays_in_sight_when_the_table_becomes_lower(desk: TableDesk) -> None:
    for number in range(60):
        desk.rows.add(f"{BASE}/{number}", Outcome.PAGE, parent=1, status=200)
    desk.refresh()
    view = desk.table.view
    desk.until(lambda: view.rows.rowCount() == len(desk.rows.urls))

    def is_in_sight() -> bool:
        row = view.visualRect(view.currentIndex())
        return row.top() >= 0 and row.bottom() < view.viewport().height()

    view.show_row(view.rowAt(view.viewport().height() - 1) - 1)
    before = view.viewport().height()
    assert is_in_sight()
    desk.table.resize(900, 300)
    desk.until(lambda: view.viewport().height() < before)
    assert is_in_sight()
