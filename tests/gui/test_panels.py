"""The panels: what a user sees and does in trees, table and details."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QModelIndex, QPoint, QSize, Qt, QTimer, QUrl
from PySide6.QtGui import QDesktopServices, QGuiApplication, QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractItemView, QApplication, QMenu, QWidget
from pytestqt.qtbot import QtBot

from gossamer.gui.actions.view_actions import ViewAction
from gossamer.gui.details.detail_views import DetailViews
from gossamer.gui.details.details_panel import DetailsPanel
from gossamer.gui.look import theme
from gossamer.gui.shell.keyboard_navigation import ContextMenuKey
from gossamer.gui.tables import query_table
from gossamer.gui.tables.column_picker import ColumnPicker
from gossamer.gui.tables.table_columns import INDEX, SPECS
from gossamer.gui.tables.table_tabs import TABS
from gossamer.gui.trees.tree_panel import TreePanel
from gossamer.gui.workspace.table_panel import TablePanel
from gossamer.model.outcome import Outcome
from gossamer.model.project_queries import Filter, Order, View
from tests.fakes.project_rows import site
from tests.gui.desk import BASE, Desk, small_site
from tests.gui.paints import Paints


@pytest.fixture
def desk(qtbot: QtBot) -> Iterator[Desk]:
    desk = Desk(qtbot, small_site())
    yield desk
    desk.reader.close()


def test_an_empty_window_says_what_will_appear(desk: Desk) -> None:
    for view in (
        desk.discovery.view,
        desk.folders.view,
        desk.table.view,
        desk.details.views.inlinks,
    ):
        assert view.accessibleDescription().endswith(".")
    desk.open()
    assert desk.table.view.accessibleDescription() == ""


def test_tabs_show_live_counts_and_shares(desk: Desk) -> None:
    desk.open()
    tabs = desk.table.bar.tabs
    names = [tabs.tabText(i).rstrip() for i in range(tabs.count()) if tabs.isTabVisible(i)]
    desk.until(lambda: tabs.tabText(1).rstrip() == "Issues  0")
    assert names[0] == "All  6"
    assert names[2:10] == [
        "Pages  3",
        "Redirects  1",
        "Errors  1",
        "Broken links  1",
        "External  0",
        "Resources  0",
        "Skipped  1",
        "All links  6",
    ]
    desk.table.set_view(View.ERRORS)
    desk.until(lambda: desk.rows_shown() == [f"{BASE}/gone"])
    desk.rows.add(f"{BASE}/broken", Outcome.SERVER_ERROR, parent=1, status=500)
    desk.refresh()
    desk.until(lambda: desk.rows_shown() == [f"{BASE}/gone", f"{BASE}/broken"])
    desk.until(lambda: tabs.tabText(4).rstrip() == "Errors  2")
    former = desk.table.bar.tab_row.index(View.FORMER)
    assert not tabs.isTabVisible(former), "few crawls have missing pages"
    desk.rows.add(f"{BASE}/was", Outcome.NO_LONGER_LINKED, parent=1)
    desk.refresh()
    desk.until(lambda: View.FORMER in desk.table.bar.tab_row.in_sight())
    desk.table.set_view(View.FORMER)
    desk.until(lambda: desk.rows_shown() == [f"{BASE}/was"])


def test_an_empty_view_says_whether_the_crawl_is_still_running(desk: Desk) -> None:
    desk.open()
    desk.table.set_view(View.EXTERNAL)
    desk.until(lambda: desk.table.view.accessibleDescription().endswith(" yet."))
    desk.table.set_ended(ended=True)
    said = "No external links."
    assert desk.table.view.accessibleDescription() == said
    desk.table.set_ended(ended=False)
    assert desk.table.view.accessibleDescription().endswith(" yet.")


def test_typing_filters_after_a_delay_and_offers_to_clear_the_filter(desk: Desk) -> None:
    desk.open()
    QTest.keyClicks(desk.table.bar.field, "docs")
    desk.until(lambda: desk.rows_shown() == [f"{BASE}/docs/"])
    assert desk.rows.calls.count("ids") <= 4, "each key would have asked on its own"
    desk.table.bar.show_all()
    desk.until(lambda: desk.table.model.rowCount() == 6)


def test_a_filter_without_matches_says_so(desk: Desk) -> None:
    desk.open()
    desk.table.bar.field.setText("nothing like this")
    desk.until(lambda: desk.table.model.loaded and desk.table.model.rowCount() == 0)
    assert "filter" in desk.table.view.accessibleDescription()


def test_a_click_on_a_header_sorts_in_the_database(desk: Desk) -> None:
    desk.open()
    header = desk.table.view.horizontalHeader()
    column = INDEX["time"]
    desk.table.view.scrollTo(desk.table.model.index(0, column))
    at = QPoint(header.sectionViewportPosition(column) + 8, header.height() // 2)
    QTest.mouseClick(header.viewport(), Qt.MouseButton.LeftButton, pos=at)
    desk.until(lambda: desk.table.model.query.order == Order("time"))
    desk.until(lambda: desk.rows_shown()[0] == f"{BASE}/new")


@pytest.mark.qt_log_ignore("does not support")
def test_sorting_and_columns_are_reachable_by_keyboard(desk: Desk) -> None:
    desk.open()
    view = desk.table.view
    view.setCurrentIndex(desk.table.model.index(0, INDEX["time"]))
    sort, _, columns = view.actions()[-3:]
    sort.trigger()
    desk.until(lambda: desk.table.model.query.order == Order("time"))
    sort.trigger()
    desk.until(lambda: desk.table.model.query.order == Order("time", descending=True))
    columns.trigger()
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    [picker] = menu.findChildren(ColumnPicker)
    QTest.keyClicks(picker.field, "Title")
    QTest.keyClick(picker.field, Qt.Key.Key_Return)
    assert view.isColumnHidden(INDEX["title"])
    menu.close()


def test_each_tab_has_columns_and_order_of_its_own_which_are_remembered(
    qtbot: QtBot, desk: Desk
) -> None:
    desk.open()
    table = desk.table
    table.set_view(View.REDIRECTS)
    table.view.setColumnHidden(INDEX["h1"], False)
    table.view.sort_header.sort_by(INDEX["time"], descending=True)
    table.set_view(View.ALL)
    assert table.view.isColumnHidden(INDEX["h1"])
    assert table.model.query.order == Order()
    table.set_view(View.REDIRECTS)
    saved = table.save_state()
    other = TablePanel(desk.reader)
    qtbot.addWidget(other)
    other.restore_state(saved)
    assert other.bar.view is View.REDIRECTS
    assert not other.view.isColumnHidden(INDEX["h1"])
    assert other.view.order() == Order("time", descending=True)


def test_the_filling_column_fits_the_window_after_a_layout_is_restored(
    desk: Desk, qtbot: QtBot
) -> None:
    def widths(table: TablePanel, details: DetailsPanel, width: int) -> tuple[int, int]:
        """Of the columns that fill both panels."""
        details.tabs.bring_to_front(DetailViews.headers)
        details.set_wanted(wanted=True)
        for panel in (table, details):
            panel.resize(width, 400)
            panel.show()
        QApplication.processEvents()
        views = (table.view, details.views.headers)
        return views[0].columnWidth(views[0].filling), views[1].columnWidth(views[1].filling)

    usual = widths(desk.table, desk.details, 900)
    wide = widths(desk.table, desk.details, 1_800)
    table, details = TablePanel(desk.reader), DetailsPanel(desk.reader)
    qtbot.addWidget(table)
    qtbot.addWidget(details)
    table.restore_state(desk.table.save_state())
    details.restore_state(desk.details.save_state())
    assert widths(table, details, 900) == usual
    assert widths(table, details, 1_800) == wide
    assert widths(table, details, 900) == usual


@pytest.mark.parametrize(
    "state", [b"", b"{}", b"nonsense", b'{"version":9,"view":"all","headers":{}}', b"\xff\xfe"]
)
def test_an_unusable_saved_layout_is_ignored(desk: Desk, state: bytes) -> None:
    desk.table.restore_state(state)
    desk.details.restore_state(state)
    shown = {spec.column for i, spec in enumerate(SPECS) if not desk.table.view.isColumnHidden(i)}
    assert shown == set(TABS[View.ALL].columns)


def test_the_selected_url_is_the_same_in_all_panels(desk: Desk) -> None:
    desk.open()
    tree, table = desk.discovery, desk.table
    desk.until(lambda: tree.model.index_of(5).isValid())

    def click(panel: TreePanel | TablePanel, index: QModelIndex) -> None:
        place = panel.view.visualRect(index).center()
        QTest.mouseClick(panel.view.viewport(), Qt.MouseButton.LeftButton, pos=place)

    def chosen() -> set[object]:
        """What each part says is selected."""
        marked = [tree.model.url_id(index) for index in tree.view.selectionModel().selectedRows()]
        return {desk.details.url_id, table.view.selected_url(), *marked}

    for _ in range(2):
        click(tree, tree.model.index_of(5))
        assert chosen() == {5}
        click(table, table.model.index(table.model.row_of(2), 0))
        assert chosen() == {2}
    table.set_view(View.ERRORS)
    desk.until(lambda: table.model.rowCount() == 1)
    click(tree, tree.model.index_of(2))
    assert (desk.details.url_id, table.view.selected_url()) == (2, None)
    click(table, table.model.index(0, 0))
    assert chosen() == {5}


def test_another_project_begins_in_the_order_of_discovery(desk: Desk) -> None:
    desk.open()
    desk.table.view.set_order(Order("time", descending=True))
    desk.table.set_view(View.ERRORS)
    desk.table.view.set_order(Order("status"))
    desk.table.reset_view()
    assert desk.table.bar.view is View.ALL
    assert desk.table.view.order() == Order()
    desk.table.set_view(View.ERRORS)
    assert desk.table.view.order() == Order()


@pytest.mark.qt_log_ignore("does not support", extend=True)
def test_shift_f10_opens_the_context_menu_of_the_focused_view(desk: Desk) -> None:
    desk.open()
    ContextMenuKey(desk.table)
    desk.table.activateWindow()
    view = desk.table.view
    view.setFocus()
    desk.until(view.hasFocus)
    view.selectRow(1)
    found: list[tuple[list[str], int]] = []

    def look() -> None:
        menu = QApplication.activePopupWidget()
        if isinstance(menu, QMenu):
            row = view.rowAt(view.viewport().mapFromGlobal(menu.pos()).y())
            found.append(([action.text() for action in menu.actions()], row))
            menu.close()

    timer = QTimer(interval=1)
    timer.timeout.connect(look)
    timer.start()
    QTest.keyClick(view, Qt.Key.Key_F10, Qt.KeyboardModifier.ShiftModifier)
    desk.until(lambda: bool(found))
    timer.stop()
    ((texts, row),) = found
    assert "Copy URL" in texts
    assert row == 1


def test_the_url_of_the_details_is_marked_again_when_a_filter_that_hid_it_ends(desk: Desk) -> None:
    desk.open()
    desk.table.follow(2)
    desk.details.select_url(2)
    desk.table.bar.field.setText("gone")
    desk.until(lambda: desk.rows_shown() == [f"{BASE}/gone"])
    assert (desk.details.url_id, desk.table.view.selected_url()) == (2, None)
    desk.table.bar.field.setText("")
    desk.until(lambda: desk.table.view.selected_url() == 2)


def test_rows_that_are_selected_stay_so_when_a_filter_that_hid_another_one_ends(desk: Desk) -> None:
    desk.open()
    desk.table.follow(2)
    desk.table.bar.field.setText("gone")
    desk.until(lambda: desk.rows_shown() == [f"{BASE}/gone"])
    desk.table.view.select_only(0)
    desk.table.bar.field.setText("")
    desk.until(lambda: len(desk.rows_shown()) == len(desk.rows.urls))
    assert desk.table.view.selected_url() == desk.details.url_id == 5


def test_the_url_of_the_details_is_marked_when_the_table_of_links_is_left(desk: Desk) -> None:
    desk.open()
    desk.table.follow(2)
    desk.details.select_url(2)
    desk.table.set_view(View.LINKS)
    desk.until(lambda: desk.table.model.url_id(2) is not None)
    desk.table.view.select_only(2)
    assert desk.details.url_id == 4
    desk.table.set_view(View.ALL)
    desk.until(lambda: desk.table.view.selected_url() == 4)


def test_moving_the_focus_selects_no_row(desk: Desk) -> None:
    desk.open()
    desk.table.activateWindow()
    desk.table.view.setFocus(Qt.FocusReason.OtherFocusReason)
    desk.until(desk.table.view.hasFocus)
    assert (desk.details.url_id, desk.table.view.selected_url()) == (None, None)
    QTest.keyClick(desk.table.view, Qt.Key.Key_Down)
    assert desk.details.url_id == desk.table.view.selected_url()
    assert desk.details.url_id is not None


def test_selecting_in_the_tree_shows_details_whose_rows_can_be_followed(desk: Desk) -> None:
    desk.open()
    desk.discovery.select_url(4)
    desk.until(lambda: desk.discovery.model.url_id(desk.discovery.view.currentIndex()) == 4)
    QTest.keyClick(desk.discovery.view, Qt.Key.Key_Up)
    desk.until(lambda: desk.details.url_id == 3)
    desk.until(lambda: "301" in desk.details.views.summary.toPlainText())
    desk.details.tabs.bring_to_front(DetailViews.chain)
    desk.until(lambda: desk.details.views.chain.rows.rowCount() == 2)
    desk.details.views.chain.activated.emit(desk.details.views.chain.rows.index(1, 0))
    desk.until(lambda: desk.details.url_id == 4)
    desk.until(lambda: desk.table.model.url_id(desk.table.view.currentIndex().row()) == 4)


def test_markup_from_the_web_is_plain_text_in_the_summary(desk: Desk) -> None:
    desk.rows.change(1, title="<h1>huge</h1><img src='file:///etc/passwd'>")
    desk.open()
    desk.details.select_url(1)
    desk.until(lambda: "<h1>huge</h1>" in desk.details.views.summary.toPlainText())


def test_a_folder_filters_the_table(desk: Desk) -> None:
    desk.open()
    model = desk.folders.model
    desk.until(lambda: model.rowCount(model.index(0, 0)) > 0)
    docs = model.index(0, 0, model.index(0, 0))
    desk.folders.view.setCurrentIndex(docs)
    desk.until(lambda: desk.rows_shown() == [f"{BASE}/docs/"])
    assert desk.table.bar.filter_.folder == 2
    desk.table.select_url(5)
    desk.until(lambda: desk.table.model.url_id(desk.table.view.currentIndex().row()) == 5)
    assert desk.table.bar.filter_ == Filter()


def test_show_in_table_switches_to_a_tab_that_contains_the_url(desk: Desk) -> None:
    desk.open()
    desk.table.set_view(View.ERRORS)
    desk.until(lambda: desk.table.model.rowCount() == 1)
    desk.discovery.table_wanted.emit(2)
    desk.until(lambda: desk.table.model.url_id(desk.table.view.currentIndex().row()) == 2)
    assert desk.table.bar.view is View.ALL


def test_the_growing_tree_keeps_selection_expansion_and_scroll_position(desk: Desk) -> None:
    desk.open()
    tree = desk.discovery
    desk.until(lambda: tree.model.rowCount(tree.model.index(0, 0)) == 4)
    assert tree.view.isExpanded(tree.model.index(0, 0))
    tree.view.setCurrentIndex(tree.model.index_of(5))
    for i in range(300):
        desk.rows.add(f"{BASE}/more/{i}", parent=1)
    desk.refresh()
    desk.until(lambda: tree.model.rowCount(tree.model.index(0, 0)) >= 204)
    assert tree.model.url_id(tree.view.currentIndex()) == 5
    tree.view.verticalScrollBar().setValue(tree.view.verticalScrollBar().maximum())
    desk.until(lambda: tree.model.rowCount(tree.model.index(0, 0)) == 304)
    top = tree.view.indexAt(QPoint(0, 0)).internalId()
    desk.rows.add(f"{BASE}/last", parent=1)
    desk.refresh()
    desk.until(lambda: tree.model.rowCount(tree.model.index(0, 0)) == 305)
    assert tree.view.indexAt(QPoint(0, 0)).internalId() == top


def test_the_table_keeps_its_top_row_while_rows_are_inserted_above(qtbot: QtBot) -> None:
    desk = Desk(qtbot, site(300))
    desk.open()
    desk.table.set_view(View.PAGES)
    desk.until(lambda: desk.table.model.query.view is View.PAGES and desk.table.model.loaded)
    view, model = desk.table.view, desk.table.model
    view.verticalScrollBar().setValue(150)
    view.selectRow(160)
    top = model.url_id(view.rowAt(0))
    for i in range(10, 20):
        desk.rows.change(i, outcome=Outcome.CLIENT_ERROR)
    desk.refresh()
    desk.until(lambda: model.rowCount() == 290)
    assert model.url_id(view.rowAt(0)) == top
    assert model.url_id(view.currentIndex().row()) == 161
    desk.reader.close()


def test_rows_added_below_repaint_no_visible_rows(qtbot: QtBot) -> None:
    desk = Desk(qtbot, site(300))
    desk.open()
    view = desk.table.view
    bar, paints = view.verticalScrollBar(), Paints(view.viewport())

    def grow() -> None:
        """Have a row more, and all painted that is to be painted."""
        desk.rows.add(f"https://example.com/new/{len(desk.rows.urls)}")
        most = bar.maximum()
        desk.refresh()
        desk.until(lambda: bar.maximum() > most)
        QApplication.processEvents()

    grow()
    before = paints.number
    grow()
    assert paints.number == before
    bar.setValue(bar.maximum())
    desk.until(lambda: paints.number > before)
    desk.reader.close()


def test_changed_visible_rows_are_repainted_although_rows_were_added_below(qtbot: QtBot) -> None:
    desk = Desk(qtbot, site(300))
    desk.open()
    view, model = desk.table.view, desk.table.model
    bar, paints = view.verticalScrollBar(), Paints(view.viewport())

    def grow(title: str) -> None:
        """Have a row more, another title in sight, and all painted that is to be painted."""
        before, most = paints.number, bar.maximum()
        desk.rows.change(2, title=title)
        desk.rows.add(f"https://example.com/new/{title}")
        desk.refresh()
        desk.until(lambda: bar.maximum() > most)
        desk.until(lambda: model.index(1, INDEX["title"]).data() == title)
        QApplication.processEvents()
        assert paints.number > before

    grow("first")
    grow("second")
    desk.reader.close()


def test_copying_gives_the_real_urls(desk: Desk) -> None:
    desk.rows.change(2, url=f"{BASE}/%D0%9F")
    desk.open()
    view = desk.table.view
    view.selectRow(1)
    view.selectionModel().select(
        desk.table.model.index(4, 0),
        view.selectionModel().SelectionFlag.Select | view.selectionModel().SelectionFlag.Rows,
    )
    QGuiApplication.clipboard().setText("")
    desk.table.url_actions.actions[ViewAction.COPY_ADDRESS].trigger()
    desk.until(lambda: QGuiApplication.clipboard().text().startswith(BASE))
    assert QGuiApplication.clipboard().text() == f"{BASE}/%D0%9F\n{BASE}/gone"


def test_only_web_addresses_are_opened(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []

    def open_url(url: QUrl) -> bool:
        opened.append(url.toString())
        return True

    monkeypatch.setattr(QDesktopServices, "openUrl", open_url)
    desk.open()
    browse = desk.table.url_actions.actions[ViewAction.OPEN_IN_BROWSER]
    for row in (5, 0):
        desk.table.view.selectRow(row)
        browse.trigger()
        desk.until(lambda: not desk.reader._latest)  # noqa: SLF001 - all answers are there
    assert opened == [f"{BASE}/"]


def test_a_hidden_panel_reads_nothing_and_catches_up_when_shown(desk: Desk) -> None:
    desk.open()
    desk.table.hide()
    desk.rows.add(f"{BASE}/later", parent=1)
    desk.table.refresh()
    assert desk.table.model.rowCount() == 6
    desk.table.show()
    desk.until(lambda: desk.table.model.rowCount() == 7)


def test_closing_the_project_clears_all_panels(desk: Desk) -> None:
    desk.open()
    desk.details.select_url(1)
    desk.until(lambda: "Home" in desk.details.views.summary.toPlainText())
    for panel in desk.panels:
        panel.set_project(None)
    desk.reader.close()
    assert desk.table.model.rowCount() == desk.discovery.model.rowCount() == 0
    assert desk.details.views.summary.toPlainText() == ""
    assert desk.table.bar.tabs.tabText(0) == "All"


def test_every_focusable_widget_has_an_accessible_name(desk: Desk) -> None:
    for panel in desk.panels:
        for widget in panel.findChildren(QWidget):
            if widget.focusPolicy() & Qt.FocusPolicy.TabFocus and isinstance(
                widget, QAbstractItemView
            ):
                assert widget.accessibleName(), widget
    assert desk.table.bar.field.accessibleName()
    assert desk.table.bar.tabs.accessibleName()


def test_shortcuts_of_a_view_are_unique(desk: Desk) -> None:
    desk.details.show_inlinks(1)
    for view in (
        desk.discovery.view,
        desk.folders.view,
        desk.table.view,
        desk.details.views.inlinks,
    ):
        keys = [a.shortcut().toString() for a in view.actions() if not a.shortcut().isEmpty()]
        assert len(keys) == len(set(keys))
    assert QKeySequence(QKeySequence.StandardKey.Copy).toString() in keys


def test_icons_take_the_colours_of_a_new_palette(desk: Desk) -> None:
    action = desk.table.url_actions.actions[ViewAction.COPY_ADDRESS]
    pixels = QSize(16, 16)
    light = action.icon().pixmap(pixels).toImage()
    theme.use("dark")
    assert action.icon().pixmap(pixels).toImage() != light


def test_find_goes_to_the_filter(desk: Desk) -> None:
    desk.open()
    desk.table.activateWindow()
    desk.table.view.setFocus()
    desk.table.bar.focus_field()
    assert desk.table.focusWidget() is desk.table.bar.field


def test_a_table_follows_the_crawl_after_a_reset_while_all_was_selected(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(query_table, "MAX_FOLLOWED", 1)
    desk.open()
    table = desk.table
    table.show_rows(View.PAGES)
    desk.until(lambda: table.model.loaded)
    pages = table.model.rowCount()
    table.view.selectAll()
    [copy] = [each for each in table.view.actions() if each.text().startswith("Copy rows")]
    assert copy.isEnabled()
    table.view.use_kind(table.model.kind)
    assert not table.view.selectionModel().hasSelection()
    assert not copy.isEnabled()
    desk.rows.add(f"{BASE}/later", Outcome.PAGE, parent=1)
    desk.refresh()
    desk.until(lambda: table.model.rowCount() == pages + 1)


def test_actions_on_a_url_of_a_tree_end_with_its_project(desk: Desk) -> None:
    desk.open()
    tree = desk.discovery
    desk.until(lambda: tree.model.rowCount() > 0)
    tree.view.setCurrentIndex(tree.model.index(0, 0, QModelIndex()))
    opens = tree.url_actions.actions[ViewAction.OPEN_IN_BROWSER]
    recrawl = tree.bulk_actions.actions[ViewAction.RECRAWL]
    assert opens.isEnabled()
    assert recrawl.isEnabled()
    tree.set_project(None)
    assert not opens.isEnabled()
    desk.until(lambda: not recrawl.isEnabled())
