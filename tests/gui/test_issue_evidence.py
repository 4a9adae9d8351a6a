"""What is wrong with each URL of an issue, in the table beside it."""

from collections.abc import Iterator

import pytest
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot

from gossamer.audit.rule_catalogue import rule_named
from gossamer.audit.site_rule import RuleGroup, SiteRule
from gossamer.export.export_selection import ExportSelection
from gossamer.export.issue_views import issue_view
from gossamer.export.view_sheets import sheet
from gossamer.gui.project.reader_thread import ProjectReader
from gossamer.gui.tables.clipboard import RowActions
from gossamer.gui.tables.item_roles import TOOLTIP
from gossamer.gui.tables.table_tabs import ISSUES
from gossamer.gui.text import local_formatting as formatting
from gossamer.gui.workspace.table_panel import TablePanel
from gossamer.model.issue_columns import IssueMeasure, issue_column, part_column
from gossamer.model.project_queries import View
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.store.reading.reader import Reader
from gossamer.urls.url_parts import UrlPart
from tests.fakes.audited import audited
from tests.fakes.crawled import SITE, Crawled

SETTINGS = CrawlSettings(roots=(SITE,))
DUPLICATES = 300
"""So many pages that not all of them are in sight."""


def rule(name: str) -> SiteRule:
    found = rule_named(name)
    assert found is not None
    return found


DUPLICATE = rule("Page Titles: Duplicate")
UPPERCASE = rule("URL: Uppercase")
MISSING = rule("Page Titles: Missing")
OTHER = issue_column(DUPLICATE.number, IssueMeasure.ADDRESS)
OTHER_STATUS = issue_column(DUPLICATE.number, IssueMeasure.STATUS)
OTHER_REASON = issue_column(DUPLICATE.number, IssueMeasure.REASON)
SEGMENT = part_column(UrlPart.UPPERCASE)
OF_EVIDENCE = ("evidence", "issue:", "part:", "header:")


@pytest.fixture(scope="module")
def crawled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Crawled]:
    """One for all tests: they only read it."""
    with Crawled(tmp_path_factory.mktemp("crawled") / "a.gossamer", SETTINGS) as crawled:
        with crawled.together():
            crawled.page("/", *(f"/{i:03}" for i in range(DUPLICATES)), title="Home")
            for i in range(DUPLICATES):
                crawled.page(f"/{i:03}", title="Same")
        crawled.page("/Blog/ABOUT", issues=[UPPERCASE.number, MISSING.number])
        audited(crawled, SETTINGS)
        yield crawled


@pytest.fixture
def reader() -> Iterator[ProjectReader]:
    reader = ProjectReader()
    yield reader
    reader.close()


@pytest.fixture
def table(crawled: Crawled, reader: ProjectReader, qtbot: QtBot) -> TablePanel:
    table = TablePanel(reader)
    qtbot.addWidget(table)
    table.resize(1300, 700)
    table.show()
    table.issue_counts.use_settings(SETTINGS)
    reader.open(crawled.path)
    table.set_project(crawled.path)
    table.set_view(ISSUES)
    qtbot.waitUntil(lambda: DUPLICATE.number in table.issue_counts.urls)
    return table


def shown(table: TablePanel, row: int) -> dict[str, str]:
    """What a row says under each heading in sight."""
    model, header = table.model, table.view.sort_header
    columns = [i for i in range(model.columnCount()) if not header.isSectionHidden(i)]
    return {
        str(model.headerData(i, header.orientation())): str(model.data(model.index(row, i)) or "")
        for i in columns
    }


def choose(table: TablePanel, rule: SiteRule, urls: int, qtbot: QtBot) -> None:
    table.issues.choose(rule)
    qtbot.waitUntil(lambda: table.model.loaded and table.model.rowCount() == urls)
    qtbot.waitUntil(lambda: shown(table, 0)["Address"] not in {"", "…"})


def test_a_duplicate_is_listed_with_the_other_page_as_in_the_export(
    table: TablePanel, crawled: Crawled, qtbot: QtBot
) -> None:
    choose(table, DUPLICATE, DUPLICATES, qtbot)
    with Reader(crawled.path) as reader:
        view = issue_view(DUPLICATE, SETTINGS)
        found = sheet(reader, ExportSelection(view), lambda: None)
        exported = dict(zip(found.columns, next(iter(found.rows)), strict=True))
    row = shown(table, 0)
    for heading in ("", " Status Code", " Indexability Status"):
        name = f"Page With Same Title{heading}"
        assert row[name] == str(exported[name] or "")
    assert row["Page With Same Title"].startswith(SITE)
    assert row["Page With Same Title Status Code"] == "200"


def test_evidence_is_read_for_the_rows_in_sight_alone(table: TablePanel, qtbot: QtBot) -> None:
    choose(table, DUPLICATE, DUPLICATES, qtbot)
    assert table.model.record(0) is not None
    assert table.model.record(DUPLICATES - 1) is None
    table.view.scrollToBottom()
    qtbot.waitUntil(lambda: shown(table, DUPLICATES - 1)["Page With Same Title"].startswith(SITE))


def test_each_issue_has_columns_of_its_own(table: TablePanel, qtbot: QtBot) -> None:
    choose(table, DUPLICATE, DUPLICATES, qtbot)
    choose(table, UPPERCASE, 1, qtbot)
    qtbot.waitUntil(lambda: shown(table, 0)["Segment"] == "Blog, ABOUT")
    assert "Page With Same Title" not in shown(table, 0)
    choose(table, MISSING, 1, qtbot)
    assert not any(name.startswith(OF_EVIDENCE) for name in table.view.shown_columns())


def test_the_columns_of_other_tabs_stay_as_they_were(table: TablePanel, qtbot: QtBot) -> None:
    table.set_view(View.PAGES)
    table.view.show_columns({"address", "title"})
    table.set_view(ISSUES)
    choose(table, DUPLICATE, DUPLICATES, qtbot)
    table.set_view(View.PAGES)
    assert table.view.shown_columns() == ("address", "title")
    table.set_view(ISSUES)
    assert OTHER in table.view.shown_columns()


def test_the_tab_of_a_group_shows_the_evidence_of_the_rule_chosen_there(
    table: TablePanel, qtbot: QtBot
) -> None:
    table.set_view(RuleGroup.PAGE_TITLES)
    usual = table.view.shown_columns()
    table.view.show_columns({*usual, "depth"})
    table.bar.choose_rule(DUPLICATE.number)
    qtbot.waitUntil(lambda: table.model.loaded and table.model.rowCount() == DUPLICATES)
    assert table.view.shown_columns()[:3] == ("address", OTHER, OTHER_STATUS)
    qtbot.waitUntil(lambda: shown(table, 0)["Page With Same Title"].startswith(SITE))
    table.bar.choose_rule(MISSING.number)
    qtbot.waitUntil(lambda: table.model.loaded and table.model.rowCount() == 1)
    assert not any(name.startswith(OF_EVIDENCE) for name in table.view.shown_columns())
    table.bar.choose_rule(None)
    assert set(table.view.shown_columns()) == {*usual, "depth"}
    table.set_view(View.ALL)
    table.set_view(RuleGroup.PAGE_TITLES)
    assert set(table.view.shown_columns()) == {*usual, "depth"}


def test_an_order_stays_while_the_filter_changes(table: TablePanel, qtbot: QtBot) -> None:
    choose(table, DUPLICATE, DUPLICATES, qtbot)
    table.view.sort_header.advance(table.model.kind.index("address"))
    table.bar.field.setText("00")
    qtbot.waitUntil(lambda: table.model.loaded and table.model.rowCount() < DUPLICATES)
    assert table.view.order().column == "address"


def test_long_headings_are_cut_and_told_by_a_tooltip(table: TablePanel, qtbot: QtBot) -> None:
    choose(table, DUPLICATE, DUPLICATES, qtbot)
    header = table.view.sort_header
    long = table.model.kind.index(OTHER_REASON)
    assert header.sectionSize(long) < header.needed(long)
    said = table.model.headerData(long, header.orientation(), TOOLTIP)
    assert said == formatting.tooltip("Page With Same Title Indexability Status")


def test_evidence_is_no_column_of_an_exported_table(table: TablePanel, qtbot: QtBot) -> None:
    for rule, urls in ((DUPLICATE, DUPLICATES), (UPPERCASE, 1)):
        choose(table, rule, urls, qtbot)
        assert not any(name.startswith(OF_EVIDENCE) for name in table.shown().columns)


def test_evidence_sorts_by_what_it_shows(table: TablePanel, qtbot: QtBot) -> None:
    choose(table, DUPLICATE, DUPLICATES, qtbot)
    header = table.view.sort_header
    header.advance(table.model.kind.index(OTHER_REASON))
    assert table.view.order().column == OTHER_REASON
    for _ in ("ascending", "descending"):
        header.advance(table.model.kind.index(OTHER))
    qtbot.waitUntil(lambda: shown(table, 0)["Page With Same Title"] == f"{SITE}/001")
    assert shown(table, 0)["Address"] == f"{SITE}/000"
    choose(table, UPPERCASE, 1, qtbot)
    assert table.view.order().column is None
    header.advance(table.model.kind.index(SEGMENT))
    assert table.view.order().column == SEGMENT
    qtbot.waitUntil(lambda: table.model.loaded and shown(table, 0)["Segment"] == "Blog, ABOUT")


def test_copied_rows_have_their_evidence(
    table: TablePanel, reader: ProjectReader, qtbot: QtBot
) -> None:
    choose(table, UPPERCASE, 1, qtbot)
    table.view.select_only(0)
    QGuiApplication.clipboard().clear()
    actions = RowActions(table.view, reader)
    with qtbot.waitSignal(actions.done):
        actions.copy.trigger()
    head, row = QGuiApplication.clipboard().text().splitlines()
    assert dict(zip(head.split("\t"), row.split("\t"), strict=True))["Segment"] == "Blog, ABOUT"
