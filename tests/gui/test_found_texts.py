"""What was searched for, beside each URL of the table: marked, beside other columns, exported."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from PySide6.QtGui import QFontMetrics, QGuiApplication, QTextLayout
from pytestqt.qtbot import QtBot

from gossamer.export.export_selection import ExportSelection
from gossamer.export.view_sheets import sheet
from gossamer.gui.project.reader_thread import ProjectReader
from gossamer.gui.tables.item_roles import DISPLAY, MARKED
from gossamer.gui.tables.marked_text import cut, formats, in_sight
from gossamer.gui.workspace.table_panel import TablePanel
from gossamer.model.index_progress import IndexProgress
from gossamer.model.project_queries import Filter, View
from gossamer.model.search_excerpts import Excerpt
from gossamer.model.search_query import EXCERPT, Search
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.store.reading.reader import Reader
from tests.fakes.crawled import SITE, Crawled

SETTINGS = CrawlSettings(roots=(SITE,), full_text_search=True)


@pytest.fixture
def crawled(tmp_path: Path) -> Iterator[Crawled]:
    with Crawled(tmp_path / "a.gossamer", SETTINGS) as crawled:
        crawled.page("/", "/shoes", title="Start", text=b"All kinds of red\xc2\xadthings")
        crawled.page("/shoes", title="Shoes", text=b"Red leather, and blue soles")
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
    reader.open(crawled.path)
    table.set_project(crawled.path)
    return table


def search(table: TablePanel, words: str, qtbot: QtBot) -> None:
    table.bar.show_rows(table.bar.tab, Filter(search=Search(words) if words else None))
    qtbot.waitUntil(lambda: table.model.loaded)


def found(table: TablePanel, row: int = 0) -> Excerpt | None:
    column = table.model.kind.index(EXCERPT)
    shown = table.model.data(table.model.index(row, column), MARKED)
    return shown if isinstance(shown, Excerpt) else None


def test_what_was_found_stands_after_the_address_while_texts_are_searched(
    table: TablePanel, qtbot: QtBot
) -> None:
    before = table.view.shown_columns()
    search(table, "leather", qtbot)
    assert table.view.shown_columns() == (before[0], EXCERPT, *before[1:])
    qtbot.waitUntil(lambda: found(table) is not None)
    assert found(table) == Excerpt("Red leather, and blue soles", [(4, 11)])
    search(table, "soles", qtbot)
    qtbot.waitUntil(lambda: found(table) == Excerpt("Red leather, and blue soles", [(22, 27)]))
    search(table, "", qtbot)
    assert table.view.shown_columns() == before


def test_the_first_rows_are_shown_before_all_are_found(table: TablePanel, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: table.model.loaded)
    shown: list[tuple[bool, int]] = []
    table.model.updated.connect(lambda: shown.append((table.model.loaded, table.model.rowCount())))
    search(table, "red", qtbot)
    assert shown == [(False, 1), (True, 1)]
    assert "1" in table.summary.rows.text()


def test_columns_that_a_person_has_chosen_stay_and_come_back(
    table: TablePanel, qtbot: QtBot
) -> None:
    table.view.show_columns(["address", "title"])
    search(table, "red", qtbot)
    assert table.view.shown_columns() == ("address", EXCERPT, "title")
    table.set_view(View.LINKS)
    table.set_view(View.ALL)
    assert table.view.shown_columns() == ("address", EXCERPT, "title")
    search(table, "", qtbot)
    assert table.view.shown_columns() == ("address", "title")


def test_what_could_do_harm_is_not_shown_and_marks_stay_in_their_place(
    table: TablePanel, qtbot: QtBot
) -> None:
    search(table, "kinds", qtbot)
    qtbot.waitUntil(lambda: found(table) is not None)
    assert found(table) == Excerpt("All kinds of red things", [(4, 9)])
    column = table.model.kind.index(EXCERPT)
    assert table.model.data(table.model.index(0, column), DISPLAY) == "All kinds of red things"


def test_what_was_found_is_exported_with_the_table(
    table: TablePanel, crawled: Crawled, qtbot: QtBot
) -> None:
    table.view.show_columns(["address"])
    search(table, "leather", qtbot)
    with Reader(crawled.path) as project:
        exported = sheet(project, ExportSelection(table.shown()), lambda: None)
        assert tuple(exported.columns) == ("Address", "Found text")
        assert list(exported.rows) == [(f"{SITE}/shoes", "Red leather, and blue soles")]


def test_the_first_mark_comes_into_sight() -> None:
    metrics = QFontMetrics(QGuiApplication.font())
    text = f"{'far away ' * 40}red shoes"
    start = text.index("red")
    whole = Excerpt(text, [(start, start + 3)])
    width = metrics.horizontalAdvance("far away " * 4)
    shown = in_sight(whole, metrics, width)
    ((at, end),) = shown.marks
    assert shown.text[at:end] == "red"
    assert shown.text.startswith(("… far", "… away"))
    assert metrics.horizontalAdvance(shown.text[:end]) < width
    assert in_sight(whole, metrics, 100_000) == whole
    assert in_sight(Excerpt("plain", []), metrics, 1) == Excerpt("plain", [])
    narrow = cut(shown, QGuiApplication.font(), width // 2)
    assert narrow.text.endswith("…")
    assert metrics.horizontalAdvance(narrow.text) <= width // 2
    layout = QTextLayout(shown.text)
    layout.setFormats(formats(shown))
    assert [(each.start, each.length) for each in layout.formats()] == [(at, 3)]


def test_the_progress_of_an_index_is_told_while_a_search_waits(
    table: TablePanel, reader: ProjectReader, qtbot: QtBot
) -> None:
    qtbot.waitUntil(lambda: table.model.loaded)
    table.model.clear()
    reader.indexing.emit(IndexProgress(1, 4))
    qtbot.waitUntil(lambda: "25" in table.summary.rows.text())
    reader.indexing.emit(IndexProgress(1, 2, is_remade=True))
    assert "damaged" in table.summary.rows.text()


def test_a_search_before_the_first_page_is_no_error_and_finds_it_when_it_has_come(
    tmp_path: Path, reader: ProjectReader, qtbot: QtBot
) -> None:
    table = TablePanel(reader)
    qtbot.addWidget(table)
    table.show()
    with Crawled(tmp_path / "b.gossamer", SETTINGS) as crawled:
        reader.open(crawled.path)
        table.set_project(crawled.path)
        search(table, "red", qtbot)
        assert not table.bar.text.error.isVisible()
        crawled.page("/", text=b"red")
        table.refresh()
        qtbot.waitUntil(lambda: table.model.rowCount() == 1)


def test_a_search_where_no_texts_were_kept_says_so_whatever_was_typed_before(
    tmp_path: Path, reader: ProjectReader, qtbot: QtBot
) -> None:
    table = TablePanel(reader)
    qtbot.addWidget(table)
    table.show()
    with Crawled(tmp_path / "c.gossamer") as crawled:
        crawled.page("/", title="red")
    reader.open(crawled.path)
    table.set_project(crawled.path)
    for is_absent in (False, True):
        table.bar.show_rows(View.ALL, Filter(text="red"))
        table.bar.show_rows(View.ALL, Filter(search=Search("red", is_absent=is_absent)))
        qtbot.waitUntil(lambda: "crawl again" in table.bar.text.error.text())
        table.set_view(View.PAGES)
        qtbot.waitUntil(lambda: "crawl again" in table.bar.text.error.text())
    with closing(sqlite3.connect(crawled.path)) as project:
        assert project.execute("SELECT count(*) FROM text_block").fetchone() == (0,)
