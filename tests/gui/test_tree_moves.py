"""Opening, finding and following in the trees."""

from collections.abc import Iterator
from functools import partial

import pytest
from PySide6.QtCore import QModelIndex, QRect, Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QMainWindow,
    QMenu,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTreeView,
)
from pytestqt.qtbot import QtBot

from gossamer.gui.shell.command_palette import commands_of
from gossamer.gui.tables.item_roles import DISPLAY
from gossamer.gui.tables.table_view import PADDING
from gossamer.gui.trees.row_tree import NameDelegate
from gossamer.gui.trees.tree_expander import TreeExpander
from gossamer.gui.trees.tree_panel import TreePanel
from gossamer.model.outcome import Outcome
from tests.fakes.project_rows import FakeRows
from tests.gui.desk import BASE, PATH, Desk


def deep_site() -> FakeRows:
    """Five levels: / 1, /a/ 2, /a/b/ 3, /a/b/c/ 4, /a/b/c/d/ 5; redirects 6 to 8 to /a/b/."""
    rows = FakeRows()
    path, parent = "/", None
    for name in ("", "a/", "b/", "c/", "d/"):
        path += name
        parent = rows.add(f"{BASE}{path}", Outcome.PAGE, parent=parent, status=200, title=name)
    for number in range(3):
        rows.add(
            f"{BASE}/old{number}",
            Outcome.REDIRECT,
            parent=1,
            status=301 + number,
            redirect=f"{BASE}/a/b/",
        )
    rows.add(f"{BASE}/a/gone", Outcome.CLIENT_ERROR, parent=2, status=404)
    return rows


@pytest.fixture
def desk(qtbot: QtBot) -> Iterator[Desk]:
    desk = Desk(qtbot, deep_site())
    desk.open()
    yield desk
    desk.reader.close()


def shown(panel: TreePanel) -> list[str]:
    """The names in sight of the opened tree, from top to bottom."""
    names = []
    index = panel.model.index(0, 0)
    while index.isValid():
        names.append(str(panel.model.data(index, DISPLAY)))
        index = panel.view.indexBelow(index)
    return names


def action(panel: TreePanel, text: str) -> QAction:
    every = list(panel.view.actions())
    for each in panel.view.actions():
        menu = each.menu()
        every += menu.actions() if isinstance(menu, QMenu) else []
    return next(each for each in every if each.text() == text)


def cells(panel: TreePanel, index: QModelIndex) -> list[str]:
    return [str(panel.model.data(index.siblingAtColumn(i), DISPLAY)) for i in range(3)]


# ---------------------------------------------------------------- expand


def test_a_tree_can_be_expanded_to_a_given_level(desk: Desk) -> None:
    panel = desk.discovery
    desk.until(lambda: len(shown(panel)) == 5)
    panel.view.collapseAll()
    action(panel, "3 levels").trigger()
    desk.until(lambda: "/a/b/c/" in shown(panel))
    assert "/a/b/c/d/" not in shown(panel)
    action(panel, "5 levels").trigger()
    desk.until(lambda: "/a/b/c/d/" in shown(panel))
    action(panel, "Collapse all").trigger()
    assert shown(panel) == [BASE]


def test_only_the_selected_node_is_expanded(desk: Desk) -> None:
    panel = desk.discovery
    desk.until(lambda: len(shown(panel)) == 5)
    panel.view.setCurrentIndex(panel.model.index(0, 0, panel.model.index(0, 0)))
    action(panel, "1 level").trigger()
    desk.until(lambda: "/a/b/" in shown(panel))
    assert "/a/b/c/" not in shown(panel)


def test_the_number_of_nodes_expanded_at_once_is_limited(desk: Desk) -> None:
    panel = desk.discovery
    panel.expander = TreeExpander(panel.view, panel.model, max_opened=2)
    desk.until(lambda: len(shown(panel)) == 5)
    panel.view.collapseAll()
    action(panel, "5 levels").trigger()
    desk.until(lambda: "/a/b/" in shown(panel))
    desk.qtbot.wait(1)
    assert "/a/b/c/" not in shown(panel)


def test_levels_are_reachable_by_keyboard_and_command_palette(desk: Desk) -> None:
    panel = desk.discovery
    desk.until(lambda: len(shown(panel)) == 5)
    panel.activateWindow()
    panel.view.setFocus()
    desk.until(panel.view.hasFocus)
    QTest.keyClick(panel.view, Qt.Key.Key_4, Qt.KeyboardModifier.AltModifier)
    desk.until(lambda: "/a/b/c/d/" in shown(panel))
    window = QMainWindow()
    desk.qtbot.addWidget(window)
    names = {(command.menu, command.name) for command in commands_of(window, panel.view)}
    assert {("Expand", "4 levels"), ("", "Collapse all")} <= names
    assert not any(menu == "Redirects" for menu, _ in names), "those are read when it opens"


# ---------------------------------------------------------------- find


def test_the_search_finds_matches_anywhere_in_the_tree(desk: Desk) -> None:
    panel = desk.discovery
    desk.until(lambda: len(shown(panel)) == 5)
    told: list[int] = []
    panel.url_selected.connect(told.append)
    panel.view.setFocus()
    bar = panel.find_bar
    QTest.keyClicks(panel.view, "/")
    assert (bar.isVisible(), bar.field.text()) == (True, "/")
    bar.field.setText("/c/")
    desk.until(lambda: bar.result_label.text() == "1 of 2")
    desk.until(lambda: panel._selected() == [4])  # noqa: SLF001 - what a user sees marked
    QTest.keyClick(bar.field, Qt.Key.Key_Return)
    desk.until(lambda: panel._selected() == [5])  # noqa: SLF001 - likewise
    assert bar.result_label.text() == "2 of 2"
    QTest.keyClick(bar.field, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    desk.until(lambda: panel._selected() == [4])  # noqa: SLF001 - likewise
    assert told == [4, 5, 4]
    QTest.keyClick(bar.field, Qt.Key.Key_Escape)
    assert bar.isHidden()
    assert panel._selected() == [4]  # noqa: SLF001 - likewise


def test_a_search_without_a_match_says_so(desk: Desk) -> None:
    action(desk.discovery, "Find in tree…").trigger()
    desk.discovery.find_bar.field.setText("nowhere")
    desk.until(lambda: desk.discovery.find_bar.result_label.text() == "No matches")


def test_a_search_in_folders_finds_urls_in_them(desk: Desk) -> None:
    desk.rows.add(f"{BASE}/a/skipped", Outcome.EXCLUDED, parent=1)
    panel = desk.folders
    desk.until(lambda: panel.model.rowCount() == 1)
    panel.find_bar.open("/a/", 0)
    desk.until(lambda: panel.find_bar.result_label.text() == "1 of 5")


def test_the_text_of_a_search_that_was_closed_is_searched_again(desk: Desk) -> None:
    bar = desk.discovery.find_bar
    for _ in range(2):
        bar.open("/c/", 0)
        desk.until(lambda: bar.result_label.text() == "1 of 2")
        QTest.keyClick(bar.field, Qt.Key.Key_Escape)
        assert bar.isHidden()


def test_another_project_is_shown_without_what_was_found_in_the_last(desk: Desk) -> None:
    panel = desk.discovery
    panel.find_bar.open("/c/", 0)
    desk.until(lambda: panel.find_bar.result_label.text() == "1 of 2")
    told: list[int] = []
    panel.url_selected.connect(told.append)
    panel.set_project(PATH)
    assert panel.find_bar.isHidden()
    panel.find_bar.step(1)
    assert told == []
    assert panel.find_bar.result_label.text() == "No matches"


def test_a_search_that_is_closed_selects_nothing(desk: Desk) -> None:
    panel = desk.discovery
    told: list[int] = []
    panel.url_selected.connect(told.append)
    panel.find_bar.open("/c/", 0)
    bar = panel.find_bar
    QTest.keyClick(bar.field, Qt.Key.Key_Return)
    QTest.keyClick(bar.field, Qt.Key.Key_Escape)
    asked: list[None] = []
    desk.reader.submit(lambda _rows: None, asked.append, key="afterwards")
    desk.until(lambda: len(asked) == 1)
    assert told == []


# ---------------------------------------------------------------- errors


def test_nodes_show_the_number_of_errors_below(desk: Desk) -> None:
    panel = desk.discovery
    desk.until(lambda: len(shown(panel)) == 5)
    first = panel.model.index(0, 0, panel.model.index(0, 0))
    assert cells(panel, first) == ["/a/", "1", "2"]
    assert cells(panel, panel.model.index(0, 0)) == [BASE, "", "4"]
    folders = desk.folders
    desk.until(lambda: folders.model.rowCount() == 1)
    assert cells(folders, folders.model.index(0, 0)) == [BASE, "1", "9"]


# ---------------------------------------------------------------- redirects


def test_a_redirect_shows_its_target_type_and_other_redirects_to_it(desk: Desk) -> None:
    panel = desk.discovery
    desk.until(lambda: len(shown(panel)) == 5)
    told: list[int] = []
    panel.url_selected.connect(told.append)
    panel.select_url(6)
    desk.until(lambda: panel._selected() == [6])  # noqa: SLF001 - likewise
    menu = panel.url_actions.redirects
    menu.aboutToShow.emit()
    desk.until(lambda: len(menu.actions()) == 5)
    texts = [each.text() for each in menu.actions()]
    assert texts == [
        "301 Permanent redirects to",
        f"{BASE}/a/b/\t200",
        "Also redirecting there",
        f"{BASE}/old1\t302",
        f"{BASE}/old2\t303",
    ]
    menu.actions()[3].trigger()
    desk.until(lambda: panel._selected() == [7])  # noqa: SLF001 - likewise
    action(panel, "Go to redirect target").trigger()
    desk.until(lambda: panel._selected() == [3])  # noqa: SLF001 - likewise
    assert told == [7, 3]


def test_a_target_shows_what_redirects_to_it(desk: Desk) -> None:
    desk.table.select_url(3)
    desk.until(lambda: desk.table.view.selected_url() == 3)
    menu = desk.table.url_actions.redirects
    menu.aboutToShow.emit()
    desk.until(lambda: len(menu.actions()) == 4)
    assert menu.actions()[0].text() == "Redirects to this URL"
    menu.actions()[1].trigger()
    desk.until(lambda: desk.table.view.selected_url() == 6)


def has_room(view: QTreeView, column: int) -> bool:
    return view.sizeHintForColumn(column) + 2 * PADDING <= view.columnWidth(column)


def test_names_take_the_width_that_counts_leave(desk: Desk) -> None:
    desk.rows.add(f"{BASE}/lost/a", Outcome.CLIENT_ERROR, parent=1, status=404)
    desk.rows.add(f"{BASE}/fine/a", Outcome.PAGE, parent=1, status=200)
    desk.open()
    view = desk.folders.view
    desk.until(lambda: view.model().rowCount(view.model().index(0, 0)) > 0)
    view.expandAll()
    for column in (1, 2):
        desk.until(partial(has_room, view, column))
    delegate = view.itemDelegateForColumn(0)
    assert isinstance(delegate, NameDelegate)
    ends = {}
    top = view.model().index(0, 0)
    for row in range(view.model().rowCount(top)):
        index = view.model().index(row, 0, top)
        numbers = tuple(index.siblingAtColumn(column).data() or "" for column in (1, 2))
        option = QStyleOptionViewItem()
        option.initFrom(view)
        option.rect = view.visualRect(index)
        delegate.initStyleOption(option, index)
        ends[numbers] = option.rect.right()
    right = view.columnViewportPosition(2) + view.columnWidth(2)
    assert ends["", ""] == right
    assert ends["1", "1"] < ends["", "1"]
    digit = view.fontMetrics().horizontalAdvance("0")
    one_digit = [end for (errors, count), end in ends.items() if count and not errors]
    assert one_digit
    assert all(right - end <= digit + 4 * PADDING for end in one_digit)


def test_the_errors_of_a_selected_row_can_be_read(desk: Desk) -> None:
    desk.rows.add(f"{BASE}/lost/a", Outcome.CLIENT_ERROR, parent=1, status=404)
    desk.open()
    view = desk.folders.view
    desk.until(lambda: view.model().rowCount(view.model().index(0, 0)) > 0)
    view.expandAll()
    top = view.model().index(0, 0)
    below = (view.model().index(row, 0, top) for row in range(view.model().rowCount(top)))
    index = next(row for row in below if row.siblingAtColumn(1).data())
    rects = []
    for column in (1, 2):
        delegate = view.itemDelegateForColumn(column)
        assert isinstance(delegate, QStyledItemDelegate)
        option = QStyleOptionViewItem()
        option.initFrom(view)
        option.rect = view.visualRect(index.siblingAtColumn(column))
        delegate.initStyleOption(option, index.siblingAtColumn(column))
        rects.append(QRect(option.rect))
    assert not rects[0].intersects(rects[1])
    assert all(rect.isValid() for rect in rects)
