"""Custom searches and extractions in the window: columns, tabs, the choice of an outcome."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from gossamer.gui.issues.rule_tree import CountedRows, RuleTree
from gossamer.gui.project.reader_thread import ProjectReader
from gossamer.gui.tables.item_roles import DISPLAY
from gossamer.gui.workspace.table_panel import TablePanel
from gossamer.model.custom_definitions import (
    CustomExtraction,
    CustomFailure,
    CustomOutcome,
    CustomResult,
    CustomSearch,
    SearchCondition,
    column_of,
)
from gossamer.model.facets import CUSTOM
from gossamer.model.project_queries import Order, View
from gossamer.model.settings.crawl_settings import CrawlSettings
from tests.fakes.crawled import SITE, Crawled

TERMS = CustomSearch("Title", "terms", condition=SearchCondition.DOES_NOT_CONTAIN)
PRICE = CustomExtraction("Price\u202e", "span.price", all_matches=True)
SETTINGS = CrawlSettings(roots=(SITE,), custom_searches=(TERMS,), custom_extractions=(PRICE,))


@pytest.fixture
def crawled(tmp_path: Path) -> Iterator[Crawled]:
    with Crawled(tmp_path / "a.gossamer", SETTINGS) as crawled:
        price = CustomResult(PRICE.number, ["12", "9"])
        crawled.page("/", custom=[CustomResult(TERMS.number, [2]), price])
        crawled.page("/none", custom=[CustomResult(TERMS.number, [0]), CustomResult(PRICE.number)])
        slow = CustomResult(TERMS.number, failure=CustomFailure.TIMED_OUT)
        crawled.page("/slow", custom=[slow])
        yield crawled


@pytest.fixture
def table(crawled: Crawled, qtbot: QtBot) -> Iterator[TablePanel]:
    reader = ProjectReader()
    table = TablePanel(reader)
    qtbot.addWidget(table)
    table.show()
    table.issue_counts.use_settings(SETTINGS)
    reader.open(crawled.path)
    table.set_project(crawled.path)
    qtbot.waitUntil(lambda: table.model.rowCount() == 3 and bool(table.issue_counts.custom))
    yield table
    reader.close()


def cells(table: TablePanel, column: str) -> list[str]:
    place = table.model.kind.index(column)
    rows = range(table.model.rowCount())
    return [table.model.data(table.model.index(row, place), DISPLAY) or "" for row in rows]


def choices(table: TablePanel) -> list[str]:
    box = table.bar.custom_choice
    return [box.itemText(place) for place in range(box.count())]


def test_each_definition_is_a_column_that_sorts(table: TablePanel, qtbot: QtBot) -> None:
    table.show_rows(View.PAGES, order=Order(column_of(TERMS), descending=True))
    qtbot.waitUntil(lambda: cells(table, column_of(TERMS)) == ["2", "0", "Timed out"])
    assert cells(table, column_of(PRICE)) == ["12 | 9", "", ""]
    place = table.model.kind.index(column_of(PRICE))
    assert (
        table.view.sort_header.model().headerData(place, table.view.sort_header.orientation())
        == "Price"
    )


def test_the_tabs_come_in_sight_with_a_column_for_each_definition(
    table: TablePanel, qtbot: QtBot
) -> None:
    assert {"custom_search", "custom_extraction"} <= set(table.bar.tab_row.in_sight())
    table.set_view("custom_search")
    assert table.view.shown_columns()[:3] == ("address", "status", column_of(TERMS))
    table.set_view("custom_extraction")
    assert table.view.shown_columns()[:3] == ("address", "status", column_of(PRICE))
    assert not table.bar.rule_choice.isVisible()
    qtbot.waitUntil(lambda: table.model.rowCount() == 3)


def test_a_tab_offers_what_came_of_its_definitions_with_counts(
    table: TablePanel, qtbot: QtBot
) -> None:
    table.set_view("custom_search")
    assert [" ".join(text.split()) for text in choices(table)] == [
        "All",
        "Title: does not contain 1",
        "Title: contains 1",
        "Title: timed out or failed 1",
    ]
    table.bar.custom_choice.setCurrentIndex(1)
    table.bar.custom_choice.activated.emit(1)
    qtbot.waitUntil(
        lambda: cells(table, "address") == ["example.com/none"] or table.model.rowCount() == 1
    )
    table.set_view(View.ALL)
    assert not table.bar.custom_choice.isVisible()


def test_the_overview_counts_pages_for_which_a_definition_is_meant(
    table: TablePanel, qtbot: QtBot
) -> None:
    tree = RuleTree(table.issue_counts)
    qtbot.addWidget(tree)
    tree.show()
    model = tree.model()
    tops = [model.index(row, 0) for row in range(model.rowCount())]
    found = {top.data(): [(model.index(0, c, top).data()) for c in (0, 1)] for top in tops[-2:]}
    assert found == {
        "Custom search": ["Title: does not contain", "1"],
        "Custom extraction": ["Price: extracted", "1"],
    }
    with qtbot.waitSignal(tree.target_wanted) as wanted:
        tree.clicked.emit(model.index(0, 0, tops[-2]))
    value = CustomOutcome.MISSING.facet_value(TERMS.number)
    assert wanted.args == [CountedRows("custom_search", CUSTOM, value)]
    table.show_rule(wanted.args[0])
    assert table.bar.tab == "custom_search"
    qtbot.waitUntil(lambda: table.model.rowCount() == 1)


def test_another_crawl_without_definitions_has_no_such_columns(table: TablePanel) -> None:
    table.set_view("custom_search")
    table.issue_counts.use_settings(CrawlSettings(roots=(SITE,)))
    assert table.view.shown_columns()[:2] == ("address", "status")
    assert column_of(TERMS) not in {spec.column for spec in table.model.kind.columns}
