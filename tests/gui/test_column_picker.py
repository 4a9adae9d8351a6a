"""Choosing the columns of a table: a menu that fits the screen, its search, and what it keeps."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu
from pytestqt.qtbot import QtBot

from gossamer.gui.tables.column_picker import ColumnPicker
from gossamer.model.project_queries import Filter, View
from tests.gui.desk import TableDesk

Key = Qt.Key


@pytest.fixture
def desk(table_desk: TableDesk) -> TableDesk:
    """The table is enough here."""
    return table_desk


def opened(desk: TableDesk, qtbot: QtBot) -> tuple[QMenu, ColumnPicker]:
    menu = QMenu()
    qtbot.addWidget(menu)
    desk.table.view.fill_columns_menu(menu)
    menu.popup(QPoint(0, 0))
    [picker] = menu.findChildren(ColumnPicker)
    return menu, picker


def listed(picker: ColumnPicker) -> list[str]:
    rows = range(picker.list.count())
    return [picker.list.item(row).text() for row in rows if not picker.list.isRowHidden(row)]


@pytest.mark.qt_log_ignore("does not support")
def test_the_menu_of_all_columns_fits_on_a_small_screen(desk: TableDesk, qtbot: QtBot) -> None:
    menu, picker = opened(desk, qtbot)
    small = 600
    assert picker.list.count() > 100
    assert menu.sizeHint().height() < small


@pytest.mark.qt_log_ignore("does not support")
def test_visible_columns_come_first_and_typing_finds_others(desk: TableDesk, qtbot: QtBot) -> None:
    _, picker = opened(desk, qtbot)
    assert listed(picker)[:3] == ["Status code", "Outcome", "Content type"]
    assert listed(picker).index("H1") > listed(picker).index("Inlinks")
    QTest.keyClicks(picker.field, "OCC h1")
    assert listed(picker) == ["H1 occurrences"]
    QTest.keyClicks(picker.field, "nothing has this")
    assert listed(picker) == []
    QTest.keyClick(picker.field, Key.Key_Return)  # and nothing is checked


@pytest.mark.qt_log_ignore("does not support")
def test_arrows_and_enter_show_and_hide_columns_while_the_field_has_the_focus(
    desk: TableDesk, qtbot: QtBot
) -> None:
    _, picker = opened(desk, qtbot)
    QTest.keyClicks(picker.field, "h1")
    QTest.keyClick(picker.field, Key.Key_Down)
    QTest.keyClick(picker.field, Key.Key_Return)
    assert desk.table.view.shown_columns()[-1] == "h1_2"
    QTest.keyClick(picker.field, Key.Key_Return)
    assert "h1_2" not in desk.table.view.shown_columns()


@pytest.mark.qt_log_ignore("does not support")
def test_a_click_on_a_name_or_on_its_box_toggles_the_column_once(
    desk: TableDesk, qtbot: QtBot
) -> None:
    _, picker = opened(desk, qtbot)
    title = picker.list.findItems("Title", Qt.MatchFlag.MatchExactly)[0]
    place = picker.list.visualItemRect(title)
    for at, shown in ((place.center(), False), (place.topLeft() + QPoint(11, 11), True)):
        QTest.mouseClick(picker.list.viewport(), Qt.MouseButton.LeftButton, pos=at)
        assert ("title" in desk.table.view.shown_columns()) is shown


@pytest.mark.qt_log_ignore("does not support")
def test_up_at_the_top_and_down_at_the_end_leave_the_list_for_the_menu(
    desk: TableDesk, qtbot: QtBot
) -> None:
    menu, picker = opened(desk, qtbot)
    QTest.keyClicks(picker.field, "h1 occ")
    QTest.keyClick(picker.field, Key.Key_Up)
    assert menu.activeAction().text() == "All columns"
    menu.setActiveAction(menu.actions()[-3])
    QTest.keyClick(picker.field, Key.Key_Down)
    assert menu.activeAction().text() == "Reset columns"


def test_dragged_and_hidden_columns_are_the_same_after_a_restart_and_can_be_reset(
    desk: TableDesk, qtbot: QtBot
) -> None:
    view = desk.table.view
    usual = view.shown_columns()
    header = view.sort_header
    status, title = (view.rows.kind.index(name) for name in ("status", "title"))
    header.moveSection(header.visualIndex(title), 1)
    view.setColumnHidden(status, True)
    arranged = view.shown_columns()
    assert arranged[:3] == ("address", "title", "outcome")
    state = desk.table.save_state()
    desk.table.show_rows(View.LINKS, Filter())
    view.use_default_columns()
    desk.table.restore_state(state)
    assert desk.table.view.shown_columns() == arranged
    menu = QMenu()
    qtbot.addWidget(menu)
    desk.table.view.fill_columns_menu(menu)
    menu.actions()[-1].trigger()
    assert desk.table.view.shown_columns() == usual


def test_a_column_that_is_shown_later_has_room_for_its_values(desk: TableDesk) -> None:
    view = desk.table.view
    canonical = view.rows.kind.index("canonical")
    assert view.isColumnHidden(canonical)
    view.setColumnHidden(canonical, False)
    assert view.columnWidth(canonical) >= view.width_of(view.rows.kind.columns[canonical].width)
