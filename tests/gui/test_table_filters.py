"""Narrowing, sorting, summing up and copying the rows of the table."""

import threading

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QStyleOptionHeader, QToolButton
from pytestqt.qtbot import QtBot

from gossamer.gui.actions.view_actions import ViewAction
from gossamer.gui.details.summary_view import UrlSummary, lines
from gossamer.gui.filters.facet_menu import FacetCounter
from gossamer.gui.filters.filter_bar import FilterBar
from gossamer.gui.issues.issue_counts import IssueCounts
from gossamer.gui.project.reader_thread import ProjectReader
from gossamer.gui.tables.clipboard import records_of, tsv
from gossamer.gui.tables.item_roles import DISPLAY
from gossamer.gui.tables.row_kind import URLS
from gossamer.gui.tables.table_columns import INDEX
from gossamer.gui.workspace.table_panel import TablePanel
from gossamer.model.facets import FacetCount, chosen
from gossamer.model.link_kinds import LinkKind
from gossamer.model.outcome import Outcome, Verdict
from gossamer.model.project_queries import (
    Column,
    Facet,
    Filter,
    LinkCounts,
    Order,
    Table,
    View,
    facet_values,
)
from gossamer.model.response_warnings import ResponseWarning
from gossamer.model.search_query import Search
from gossamer.urls.regex_search import SlowExpressionError
from tests.gui.desk import BASE, Desk, TableDesk, small_site
from tests.patience import PATIENCE_S


def test_saved_values_that_this_version_does_not_know_are_shown_as_they_are(qtbot: QtBot) -> None:
    bar = FilterBar(IssueCounts(ProjectReader()))
    qtbot.addWidget(bar)
    newer = Filter(facets=facet_values(outcome=[987], verdict=["made_up"], issue=["other"]))
    bar.show_saved(View.ALL, newer)
    shown = [chip.findChildren(QToolButton)[0].text() for chip in bar.chips.chips.values()]
    for value in ("987", "made_up", "other"):
        assert any(value in text for text in shown)


def click_header(table: TablePanel, column: Column, *, shift: bool = False) -> None:
    header = table.view.sort_header
    at = header.sectionViewportPosition(INDEX[column]) + 8
    held = Qt.KeyboardModifier.ShiftModifier if shift else Qt.KeyboardModifier.NoModifier
    place = QPoint(at, header.height() // 2)
    QTest.mouseClick(header.viewport(), Qt.MouseButton.LeftButton, held, place)


def header_text(table: TablePanel, column: Column) -> str:
    option = QStyleOptionHeader()
    option.text = str(column)
    table.view.sort_header.initStyleOptionForIndex(option, INDEX[column])
    return str(option.text)


def chip_texts(table: TablePanel) -> list[str]:
    return [chip.findChildren(QToolButton)[0].text() for chip in table.bar.chips.chips.values()]


# ---------------------------------------------------------------- order


@pytest.fixture
def desk(table_desk: TableDesk) -> TableDesk:
    """The table is enough here."""
    return table_desk


def test_clicks_on_a_header_sort_ascending_descending_and_not_at_all(desk: TableDesk) -> None:
    orders = []
    for _ in range(3):
        click_header(desk.table, "status")
        orders.append(desk.table.model.query.order)
    assert orders == [Order("status"), Order("status", descending=True), Order()]


def test_shift_and_click_sorts_by_one_more_column(desk: TableDesk) -> None:
    click_header(desk.table, "status")
    click_header(desk.table, "address", shift=True)
    click_header(desk.table, "address", shift=True)
    by_address = Order("address", descending=True)
    assert desk.table.model.query.order == Order("status", then=(by_address,))
    assert header_text(desk.table, "status").endswith("↑¹")
    assert header_text(desk.table, "address").endswith("↓²")
    desk.until(lambda: desk.rows_shown()[:3] == [f"{BASE}/new", f"{BASE}/docs/", f"{BASE}/"])
    click_header(desk.table, "address", shift=True)
    assert desk.table.model.query.order == Order("status")
    click_header(desk.table, "depth")
    assert desk.table.model.query.order == Order("depth")


# ---------------------------------------------------------------- text


def test_words_are_searched_in_texts_and_a_wrong_search_is_told(desk: TableDesk) -> None:
    text = desk.table.bar.text
    text.toggle.click()
    text.full_text.click()
    assert not text.toggle.isChecked()
    text.field.setText("red -shoes")
    desk.until(lambda: desk.table.bar.filter_ == Filter(search=Search("red -shoes")))
    text.field.setText("red OR")
    desk.until(lambda: "Enter a word" in text.error.text())
    desk.table.bar.show_rows(View.ALL, Filter(search=Search("blue")))
    assert text.field.text() == "blue"
    text.full_text.click()
    assert desk.table.bar.filter_ == Filter(text="blue")
    desk.table.bar.show_all()
    assert desk.table.bar.filter_ == Filter()


def test_pages_that_do_not_mention_words_or_do_not_link_to_a_url(desk: TableDesk) -> None:
    bar, text = desk.table.bar, desk.table.bar.text
    mode = text.mode
    assert not mode.button.isVisible()
    text.full_text.click()
    text.field.setText("red")
    mode.modes[True, False].trigger()
    assert bar.filter_ == Filter(search=Search("red", is_absent=True))
    assert mode.button.text() == "Does not mention"
    assert not mode.address.isVisible()
    mode.modes[False, True].trigger()
    assert mode.address.isVisible()
    assert bar.filter_ == Filter(search=Search("red")), "no URL was typed yet"
    QTest.keyClicks(mode.address, "example.com/docs/")
    linked = Search("red", not_linking_to=f"{BASE}/docs/")
    desk.until(lambda: bar.filter_ == Filter(search=linked))
    QTest.keyClicks(mode.address, "#/cart")
    view = Search("red", not_linking_to=f"{BASE}/docs/#/cart")
    desk.until(lambda: bar.filter_ == Filter(search=view))
    mode.address.setText("")
    QTest.keyClicks(mode.address, "ftp://example.com")
    desk.until(lambda: "Only http and https" in text.error.text())
    bar.text.show_error("")
    assert text.error.isVisible(), "what is typed is still wrong"
    assert bar.filter_.search is not None
    text.full_text.click()
    assert not mode.button.isVisible()
    assert not mode.address.isVisible()
    assert bar.filter_ == Filter(text="red")
    assert not text.error.isVisible()


@pytest.mark.parametrize("is_absent", [False, True])
@pytest.mark.parametrize("url", ["", f"{BASE}/docs/"])
def test_a_search_that_is_shown_is_kept(desk: TableDesk, *, is_absent: bool, url: str) -> None:
    bar = desk.table.bar
    shown = Filter(search=Search("red", is_absent=is_absent, not_linking_to=url))
    bar.show_saved(View.PAGES, shown)
    assert bar.filter_ == shown
    assert bar.text.mode.modes[is_absent, bool(url)].isChecked()
    bar.show_all()
    bar.text.full_text.click()
    bar.text.field.setText("blue")
    desk.until(lambda: bar.filter_ == Filter(search=Search("blue")))


def test_a_regex_filters_and_an_invalid_one_is_reported_beside_the_field(desk: TableDesk) -> None:
    text = desk.table.bar.text
    text.toggle.click()
    text.field.setText(r"/(docs|gone)")
    desk.until(lambda: desk.rows_shown() == [f"{BASE}/docs/", f"{BASE}/gone"])
    text.field.setText("/(docs")
    desk.until(lambda: "regular expression" in text.error.text())
    assert text.field.accessibleDescription() == text.error.text()
    assert text.error.textFormat() is Qt.TextFormat.PlainText
    assert desk.table.model.query.filter_.text == "/(docs|gone)", "the last good one stays"
    text.field.setText("new$")
    desk.until(lambda: desk.rows_shown() == [f"{BASE}/new"])
    assert text.error.text() == ""


def test_a_slow_regex_is_reported_beside_the_field(
    desk: TableDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    def slow(*_: object) -> None:
        raise SlowExpressionError("This expression takes too long.")

    monkeypatch.setattr(desk.rows, "ids", slow)
    desk.table.show_rows(View.ALL, Filter("(a+)+$", expression=True))
    desk.until(lambda: "too long" in desk.table.bar.text.error.text())
    assert desk.table.model.rowCount() == 6, "the rows that were there stay"
    assert desk.table.bar.text.error.isVisible()
    assert desk.table.summary.rows.text() == ""
    desk.table.bar.field.returnPressed.emit()
    assert desk.table.bar.text.error.text(), "the same again has the same answer"


# ---------------------------------------------------------------- facets


@pytest.mark.qt_log_ignore("does not support")
def test_the_filter_menu_offers_the_facets_of_the_view_once_it_is_opened(desk: TableDesk) -> None:
    menu = desk.table.bar.menu
    assert menu.actions() == []
    menu.popup(QPoint(0, 0))
    offered = [each.text() for each in menu.actions() if each.isVisible()]
    assert "Verdict" in offered
    assert "Link type" not in offered
    menu.close()
    desk.table.set_view(View.LINKS)
    assert "Link type" in [each.text() for each in menu.actions() if each.isVisible()]


def test_the_facet_menu_counts_values_and_a_choice_becomes_a_chip(desk: TableDesk) -> None:
    bar = desk.table.bar
    menu = bar.menu.menu_of("verdict")
    menu.aboutToShow.emit()
    desk.until(lambda: len(menu.actions()) == 4)
    texts = [action.text() for action in menu.actions()]
    assert texts == ["OK\t3", "Redirects\t1", "Broken\t1", "Not requested\t1"]
    menu.actions()[1].trigger()
    menu.actions()[2].trigger()
    desk.until(lambda: desk.rows_shown() == [f"{BASE}/old", f"{BASE}/gone"])
    assert chip_texts(desk.table) == ["Verdict: Broken, Redirects"]
    menu.aboutToShow.emit()
    desk.until(lambda: [a.isChecked() for a in menu.actions()] == [False, True, True, False])
    assert [a.text() for a in menu.actions()] == texts, "its own choice changes no count of it"


def test_counts_of_link_facets_match_the_rows_and_truncation_is_reported(
    qtbot: QtBot,
) -> None:
    rows = small_site()
    rows.max_links = 3
    desk = TableDesk(qtbot, rows)
    desk.open()
    desk.rows.link(2, 3, kind=LinkKind.FORM)
    desk.rows.link(2, 4, kind=LinkKind.FORM)
    desk.refresh()
    desk.table.set_view(View.LINKS)
    everything = desk.rows.view_counts()[View.LINKS]
    desk.until(lambda: desk.table.summary.rows.text().startswith(f"3 of {everything} rows. "))
    assert desk.table.summary.rows.text().endswith("Filter to see the rest.")
    place = desk.table.bar.tab_row.index(View.LINKS)
    assert desk.table.bar.tabs.tabText(place).split()[-1] == str(everything)
    menu = desk.table.bar.menu.menu_of("kind")
    menu.aboutToShow.emit()
    desk.until(lambda: "Counting" not in menu.actions()[0].text())
    links, forms = menu.actions()
    assert [each.text().split("\t")[1] for each in (links, forms)] == [str(everything - 2), "2"]
    forms.trigger()
    desk.until(lambda: desk.table.summary.rows.text() == f"2 of {everything} rows")
    desk.reader.close()


@pytest.mark.qt_log_ignore("does not support")
@pytest.mark.parametrize("end", ["counted", "closed", "asked again by the person"])
def test_a_refresh_ends_when_open_menu_counts_are_read_or_cancelled(
    desk: TableDesk, monkeypatch: pytest.MonkeyPatch, end: str
) -> None:
    """Else a count that takes longer than the next refresh would begin again and again."""
    bar, release = desk.table.bar, threading.Event()
    counting = FacetCounter(desk.reader, bar.menu, lambda: (bar.view, bar.filter_))
    counting.set_project(has_project=True)
    menu = bar.menu.menu_of("status_class")
    menu.popup(QPoint(0, 0))
    desk.until(lambda: "4xx\t1" in [a.text() for a in menu.actions()])
    count = desk.rows.facet

    def slow(view: View, filter_: Filter, facet: Facet) -> list[FacetCount]:
        assert release.wait(PATIENCE_S)
        return count(view, filter_, facet)

    monkeypatch.setattr(desk.rows, "facet", slow)
    monkeypatch.setattr(desk.rows, "interrupt", release.set)
    overs: list[str] = []
    assert counting.refresh(lambda: overs.append(end)) == 1
    assert overs == []
    if end == "counted":
        release.set()
    elif end == "closed":
        menu.close()
    else:
        counting.count("status_class")
    desk.until(lambda: overs == [end])
    desk.until(lambda: "4xx\t1" in [a.text() for a in menu.actions()])
    menu.close()
    assert overs == [end], "told once"


def test_closing_a_menu_cancels_its_own_counts_only(desk: TableDesk) -> None:
    menus = desk.table.bar.menu
    first, second = menus.menu_of("depth"), menus.menu_of("status_class")
    first.aboutToShow.emit()
    second.aboutToShow.emit()
    first.aboutToHide.emit()
    desk.until(lambda: "4xx\t1" in [a.text() for a in second.actions()])
    first.aboutToShow.emit()
    first.aboutToHide.emit()
    answers: list[str] = []
    desk.reader.submit(lambda _: "end", answers.append, key="end")
    desk.until(lambda: answers == ["end"])
    assert [a.text() for a in first.actions()] == ["Counting…"]


@pytest.mark.qt_log_ignore("does not support")
def test_counts_in_an_open_menu_are_updated_during_the_crawl(desk: TableDesk) -> None:
    bar = desk.table.bar
    menu = bar.menu.menu_of("status_class")
    menu.popup(QPoint(0, 0))
    desk.until(lambda: "4xx\t1" in [a.text() for a in menu.actions()])
    desk.rows.add(f"{BASE}/lost", Outcome.CLIENT_ERROR, parent=1, status=404)
    desk.refresh()
    desk.until(lambda: "4xx\t2" in [a.text() for a in menu.actions()])
    assert len(menu.actions()) == len(set(menu.actions())) == 4
    menu.close()


def test_warnings_are_a_column_a_filter_and_a_line_of_the_details(desk: TableDesk) -> None:
    cut, twice = ResponseWarning.SIZE_LIMIT, ResponseWarning.LENGTH_TWICE
    desk.rows.change(2, warnings=(cut, twice))
    desk.rows.change(3, warnings=(twice,))
    menu = desk.table.bar.menu.menu_of("warning")
    menu.aboutToShow.emit()
    desk.until(lambda: len(menu.actions()) == 2)
    texts = [action.text() for action in menu.actions()]
    assert texts == ["Duplicate Content-Length\t2", "Cut at the size limit\t1"]
    menu.actions()[1].trigger()
    desk.until(lambda: desk.rows_shown() == [desk.rows.urls[2].url])
    assert chip_texts(desk.table) == ["Warnings: Cut at the size limit"]
    both = "Cut at the size limit; Duplicate Content-Length"
    model = desk.table.model
    desk.until(lambda: model.index(0, INDEX["warnings"]).data(DISPLAY) == both)
    said = lines(UrlSummary(desk.rows.urls[2], LinkCounts()))
    assert [line.value for line in said if line.name == "Warnings"] == [both]


def test_chips_are_removed_one_by_one_or_all_at_once(desk: TableDesk) -> None:
    table = desk.table
    filter_ = Filter(facets=facet_values(verdict={Verdict.OK}, depth={1, 2}))
    table.show_rows(View.PAGES, filter_)
    desk.until(lambda: desk.rows_shown() == [f"{BASE}/docs/", f"{BASE}/new"])
    assert chip_texts(table) == ["Verdict: OK", "Crawl depth: 1, 2"]
    cross = table.bar.chips.chips["depth"].findChild(QToolButton, "chip-cross")
    assert isinstance(cross, QToolButton)
    cross.click()
    desk.until(lambda: table.model.rowCount() == 3)
    assert chip_texts(table) == ["Verdict: OK"]
    table.bar.chips.cleared.emit()
    assert table.bar.filter_ == Filter()
    assert table.bar.chips.isHidden()


def test_show_rows_sets_view_filter_and_order(desk: TableDesk) -> None:
    table = desk.table
    table.bar.field.setText("something else")
    table.show_rows(
        View.ALL, Filter(facets=facet_values(status={200})), Order("time", descending=True)
    )
    desk.until(lambda: desk.rows_shown() == [f"{BASE}/", f"{BASE}/docs/", f"{BASE}/new"])
    assert table.bar.field.text() == ""
    assert table.summary.rows.text() == "3 of 6 rows"
    assert table.shown() == Table(
        View.ALL,
        Filter(facets=facet_values(status={200})),
        Order("time", descending=True),
        table.view.shown_columns(),
    )


def test_a_folder_filter_set_elsewhere_gets_its_url(desk: TableDesk) -> None:
    desk.table.show_rows(View.ALL, Filter(folder=2))
    desk.until(lambda: chip_texts(desk.table) == [f"Folder: {BASE}/docs/"])
    desk.until(lambda: desk.rows_shown() == [f"{BASE}/docs/"])


def test_a_tree_node_filters_the_table_to_what_was_found_there(whole_desk: Desk) -> None:
    tree = whole_desk.discovery
    whole_desk.until(lambda: tree.model.index_of(3).isValid())
    tree.view.setCurrentIndex(tree.model.index_of(3))
    next(a for a in tree.view.actions() if "found here" in a.text()).trigger()
    whole_desk.until(lambda: whole_desk.rows_shown() == [f"{BASE}/new"])
    whole_desk.until(lambda: chip_texts(whole_desk.table) == [f"Found on: {BASE}/old"])


def test_link_filters_do_not_apply_to_urls(desk: TableDesk) -> None:
    table = desk.table
    table.bar.menu.picked.emit("kind", frozenset({1}))
    assert chosen(table.bar.filter_, "kind") == frozenset()
    table.set_view(View.LINKS)
    assert chosen(table.bar.filter_, "kind") == frozenset({1})


def test_redirect_filters_do_not_apply_to_views_without_redirects(desk: TableDesk) -> None:
    bar = desk.table.bar
    desk.table.set_view(View.REDIRECTS)
    bar.menu.picked.emit("chain_length", frozenset({2}))
    assert chip_texts(desk.table) == ["Hops: 2"]
    desk.table.set_view(View.PAGES)
    assert bar.filter_ == Filter()
    assert chip_texts(desk.table) == []
    assert not bar.menu.menu_of("chain_length").menuAction().isVisible()
    desk.table.set_view(View.REDIRECTS)
    assert chosen(bar.filter_, "chain_length") == frozenset({2})
    assert bar.menu.menu_of("chain_length").menuAction().isVisible()


# ---------------------------------------------------------------- selection


def test_the_selection_is_summed_up(desk: TableDesk) -> None:
    for url_id in (1, 2):
        desk.rows.change(url_id, size_bytes=1024)
    desk.table.view.selectRow(0)
    desk.until(lambda: "1 selected" in desk.table.summary.selection.text())
    desk.table.view.selectAll()
    desk.until(
        lambda: desk.table.summary.selection.text() == "6 selected  ·  2.0 KiB  ·  average: 4 ms"
    )
    desk.table.view.clearSelection()
    desk.until(lambda: desk.table.summary.selection.text() == "")


def test_a_message_stays_below_the_table_until_another_row_is_selected(desk: TableDesk) -> None:
    summary = desk.table.summary
    desk.table.view.selectRow(1)
    summary.show_message("Copied")
    summary.show_selection(1, None)
    assert summary.selection.text() == "Copied", "the sums of the selection came after it"
    desk.table.view.selectRow(2)
    desk.until(lambda: summary.selection.text().startswith("1 selected"))


def test_rows_are_copied_with_the_columns_in_sight(desk: TableDesk) -> None:
    table = desk.table
    desk.rows.change(2, title="=1+1\tand\nmore", size_bytes=123_456)
    for i, spec in enumerate(table.model.kind.columns):
        wanted = {"address", "title", "size", "status"}
        table.view.setColumnHidden(i, spec.column not in wanted)
    header = table.view.sort_header
    header.moveSection(header.visualIndex(INDEX["title"]), 0)
    table.view.selectRow(1)
    copy = next(a for a in table.view.actions() if "spreadsheet" in a.text())
    QGuiApplication.clipboard().setText("")
    copy.trigger()
    desk.until(lambda: "copied" in table.summary.selection.text())
    assert QGuiApplication.clipboard().text() == (
        f"Title\tAddress\tStatus code\tSize\n'=1+1 and more\t{BASE}/docs/\t200\t123456\n"
    )


def test_the_number_of_rows_that_are_copied_is_limited(desk: TableDesk) -> None:
    records = records_of(desk.rows, URLS, desk.table.model.row_ids(0, 5), most=2)
    assert tsv(records, URLS, ["address"]) == f"Address\n{BASE}/\n{BASE}/docs/\n"


# ---------------------------------------------------------------- links


def test_actions_on_link_rows_apply_to_their_targets(desk: TableDesk) -> None:
    table = desk.table
    shown: list[int] = []
    table.url_selected.connect(shown.append)
    table.set_view(View.LINKS)
    desk.until(lambda: table.model.rowCount() == 6)
    desk.until(lambda: table.model.data(table.model.index(1, 1), DISPLAY) == f"{BASE}/old")
    table.view.selectRow(1)
    assert shown == [3]
    wanted: list[int] = []
    table.inlinks_wanted.connect(wanted.append)
    next(a for a in table.view.actions() if "Show inlinks" in a.text()).trigger()
    assert wanted == [3]
    QGuiApplication.clipboard().setText("")
    table.url_actions.actions[ViewAction.COPY_ADDRESS].trigger()
    desk.until(lambda: QGuiApplication.clipboard().text() == f"{BASE}/old")


def test_a_table_shown_again_is_read_again(desk: TableDesk) -> None:
    desk.table.set_view(View.LINKS)
    desk.until(lambda: desk.table.model.rowCount() == 6)
    desk.rows.add(f"{BASE}/later", parent=1)
    desk.table.set_view(View.ALL)
    desk.until(lambda: desk.table.model.rowCount() == 7)


def test_showing_a_url_switches_from_the_links_tab(desk: TableDesk) -> None:
    table = desk.table
    table.set_view(View.LINKS)
    desk.until(lambda: table.model.rowCount() == 6)
    table.select_url(4)
    desk.until(lambda: table.bar.view is View.ALL and table.view.selected_url() == 4)


def test_inlinks_are_shown_from_any_list(whole_desk: Desk) -> None:
    whole_desk.table.view.selectRow(4)
    next(a for a in whole_desk.table.view.actions() if "Show inlinks" in a.text()).trigger()
    assert whole_desk.details.tabs.front is whole_desk.details.views.inlinks
    assert whole_desk.details.url_id == 5


def test_the_regex_field_says_that_it_matches_the_whole_url(desk: TableDesk) -> None:
    text = desk.table.bar.text
    assert text.field.placeholderText() == "Filter by text"
    text.toggle.setChecked(True)
    assert text.field.placeholderText() == "Regular expression for the whole URL"
    assert "https://" in text.field.toolTip()
    text.field.setText("^https://example.com/docs/$")
    desk.until(lambda: desk.table.model.rowCount() == 1)
    text.toggle.setChecked(False)
    assert text.field.accessibleName() == "Filter by text"


def test_the_skipped_tab_shows_the_reasons(desk: TableDesk) -> None:
    bar = desk.table.bar
    bar.show_skip_reasons({Outcome.NOFOLLOW: 2, Outcome.OUT_OF_SCOPE: 1719, Outcome.PAGE: 5})
    tip = bar.tabs.tabToolTip(desk.table.bar.tab_row.index(View.SKIPPED))
    assert tip.index("Out of scope: 1,719") < tip.index("Nofollow: 2")
    assert "Page" not in tip


def test_a_tab_shows_its_full_count_or_has_it_in_its_tooltip(desk: TableDesk) -> None:
    bar = desk.table.bar
    redirects = bar.tabs.tabToolTip(desk.table.bar.tab_row.index(View.REDIRECTS))
    assert "meta refresh" in redirects
    bar.set_counts({View.ALL: 30_195, View.PAGES: 1_234_567, View.LINKS: 20_000_000})
    names = [bar.tabs.tabText(i).split()[-1] for i in range(bar.tabs.count())]
    tips = [bar.tabs.tabToolTip(i) for i in range(bar.tabs.count())]
    places = [desk.table.bar.tab_row.index(view) for view in (View.ALL, View.PAGES, View.LINKS)]
    assert [names[i] for i in places] == ["30,195", "1.2M", "20.0M"]
    assert "rows" not in tips[places[0]]
    assert "1,234,567 rows" in tips[places[1]]
    assert "20,000,000 rows" in tips[places[2]]


def test_an_emptied_filter_offers_no_clearing(desk: TableDesk) -> None:
    field = desk.table.bar.field
    [button] = [
        each
        for each in field.findChildren(QToolButton)
        if each.defaultAction().objectName() == "_q_qlineeditclearaction"  # Qt calls it so
    ]
    field.setText("docs")
    desk.until(lambda: button.property("opacity") == 1)
    desk.table.show_rows(View.ALL)
    desk.until(lambda: button.property("opacity") == 0)
