"""The window over a real project file; and that the fake answers as the real reader does."""

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from pytestqt.qtbot import QtBot

from gossamer.gui.project.reader_interfaces import ProjectRows
from gossamer.gui.project.reader_thread import ProjectReader
from gossamer.gui.tables.item_roles import DISPLAY
from gossamer.gui.tables.table_columns import INDEX
from gossamer.gui.trees.discovery_tree import DiscoveryPanel
from gossamer.gui.trees.folder_tree import FoldersPanel
from gossamer.gui.workspace.table_panel import TablePanel
from gossamer.model.discovery_rank import Rank
from gossamer.model.outcome import Outcome, Verdict
from gossamer.model.project_queries import LINK_TARGETS, Filter, Order, View, facet_values
from gossamer.model.store_batch import StoreBatch, UrlRow
from gossamer.store.reading.reader import Reader
from gossamer.urls.url_folders import folders
from tests.cases import each_case
from tests.fakes.crawled import HEADERS, SITE, Crawled
from tests.fakes.project_rows import SORT_KEYS, FakeRows

MANY = 10_000
MOST_CALLS = MANY // 2


@pytest.fixture
def crawled(tmp_path: Path) -> Iterator[Crawled]:
    with Crawled(tmp_path / "a.gossamer") as crawled:
        yield crawled


@pytest.fixture
def site(crawled: Crawled) -> Crawled:
    """Ids: / 1, /b 2, /a 3, /old 4, /gone 5, /logo.png 6, /docs/x 7, http://other.test/ 8."""
    crawled.page("/", "/b", "/a", "/old", "/gone", title="Home")
    crawled.known("/logo.png", Outcome.NOT_FOLLOWED, parent="/")
    crawled.page("/b", "/a", "/docs/x", title="banana")
    crawled.page("/a", "/b", "/a", title="Apple")
    crawled.redirect("/old", "/docs/x")
    crawled.failed("/gone", Outcome.CLIENT_ERROR, status=404)
    crawled.known("http://other.test/", Outcome.OUT_OF_SCOPE, parent="/a")
    return crawled


@pytest.fixture
def reader(site: Crawled) -> Iterator[Reader]:
    with Reader(site.path) as reader:
        yield reader


@pytest.fixture
def fake(reader: Reader) -> FakeRows:
    rows = FakeRows({record.id: record for record in reader.iterate(View.ALL)})
    for url_id in rows.urls:
        rows._file(url_id)  # noqa: SLF001 - filled from outside, this once
    rows.links = list(reader.links())
    rows.answer_headers = {1: HEADERS, 2: HEADERS, 3: HEADERS}
    return rows


ORDERS = [
    Order(column, descending) for column in (None, *SORT_KEYS) for descending in (False, True)
] + [Order("outcome", descending=True, then=(Order("address", descending=True),))]
FILTERS = [
    Filter(),
    Filter(text="a"),
    Filter(text="DOCS"),
    Filter(text="/[ab]$", expression=True),
    Filter(folder=1),
    Filter(folder=2),
    Filter(facets=facet_values(verdict={Verdict.BROKEN, Verdict.SKIPPED})),
    Filter(facets=facet_values(status_class={0, 3}, depth={1})),
    Filter(facets=facet_values(content_type={""})),
    Filter(found_on=1),
]


@each_case("order", ORDERS, ids=str)
def test_fake_and_real_reader_sort_and_filter_identically(
    reader: Reader, fake: FakeRows, order: Order
) -> None:
    for view in set(View) - set(LINK_TARGETS):
        for filter_ in FILTERS:
            if filter_.folder is not None and view in {View.ALL, View.SKIPPED, View.EXTERNAL}:
                continue  # the fake files by address what the real one has left out
            found = reader.ids(view, filter_, order, 1)
            assert found == fake.ids(view, filter_, order, 1), (view, filter_)
            assert found.typecode == "q"


QUESTIONS: list[Callable[[ProjectRows, int], object]] = [
    lambda rows, i: rows.records([i, 999]),
    lambda rows, i: rows.lookup(rows.records([i])[0].url),
    lambda rows, _: rows.lookup("http://nowhere.test/"),
    lambda rows, i: rows.children(i),
    lambda rows, i: rows.children(i, 3, 1),
    lambda rows, i: rows.nodes([i]),
    lambda rows, i: rows.path_to(i),
    lambda rows, i: rows.inlinks(i),
    lambda rows, i: rows.inlinks(i, (1, 2), 2),
    lambda rows, i: rows.outlinks(i),
    lambda rows, i: rows.outlinks(i, 0, 1),
    lambda rows, i: rows.chain(i),
    lambda rows, i: rows.headers(i),
    lambda rows, i: rows.redirect_sources(i),
    lambda rows, _: rows.outcome_counts(),
    lambda rows, _: rows.figures(),
    lambda rows, i: rows.totals([i, 999]),
    lambda rows, i: rows.link_records([link.id for link in rows.outlinks(i)]),
    lambda rows, _: rows.view_counts(),
    lambda rows, i: rows.folder_address(i) if i < 3 else None,
    lambda rows, _: {(c.value, c.count) for c in rows.facet(View.ALL, Filter(), "verdict")},
    lambda rows, i: rows.folder_urls(i) if i < 3 else None,
    lambda rows, i: rows.folders(i) if i < 3 else rows.folders(None),
    lambda rows, i: rows.folders(None, {i}),
    lambda rows, i: rows.folders(1, (), i - 1),
    lambda rows, i: rows.folder_nodes([i, 1, 99]),
    lambda rows, _: rows.folder_path(["http://nowhere.test"]),
    lambda rows, i: rows.folder_path(folders(rows.records([i])[0].url)),
]


@each_case("number", range(len(QUESTIONS)))
def test_fake_and_real_reader_return_the_same_results(
    reader: Reader, fake: FakeRows, number: int
) -> None:
    ask = QUESTIONS[number]
    for url_id in range(1, 9):
        assert ask(fake, url_id) == ask(reader, url_id), url_id


def test_panels_show_what_is_added_to_the_project_file(qtbot: QtBot, site: Crawled) -> None:
    reader = ProjectReader()
    tree, folders, table = DiscoveryPanel(reader), FoldersPanel(reader), TablePanel(reader)
    panels = (tree, folders, table)
    reader.open(site.path)
    for panel in panels:
        panel.resize(900, 400)
        qtbot.addWidget(panel)
        panel.show()
        panel.set_project(site.path)
    qtbot.waitUntil(lambda: table.model.rowCount() == 8)
    qtbot.waitUntil(lambda: tree.model.rowCount(tree.model.index(0, 0)) == 5)
    site.page("/docs/x", "/docs/y", "/docs/z", title="X")
    for panel in panels:
        panel.refresh()
    qtbot.waitUntil(lambda: table.model.rowCount() == 10)
    tree.select_url(9)
    qtbot.waitUntil(lambda: tree.model.url_id(tree.view.currentIndex()) == 9)
    folders.select_url(10)
    qtbot.waitUntil(lambda: folders.model.url_id(folders.view.currentIndex()) == 10)
    assert tree.model.data(tree.view.currentIndex(), DISPLAY) == "/docs/y"
    assert folders.model.data(folders.view.currentIndex(), DISPLAY) == "z"
    table.bar.field.setText("banana")
    qtbot.waitUntil(lambda: table.model.rowCount() == 1)
    reader.close()


def test_a_damaged_file_is_reported_in_one_sentence(qtbot: QtBot, tmp_path: Path) -> None:
    path = tmp_path / "broken.gossamer"
    path.write_bytes(b"not a project" * 100)
    reader = ProjectReader()
    with qtbot.waitSignal(reader.failed) as failed:
        reader.open(path)
    assert str(path) in str(failed.args[0])
    assert str(failed.args[0]).count("\n") == 0
    reader.close()


class CountedReader(ProjectReader):
    """Keeps how many calls of Python delivering each answer makes on the Qt thread."""

    def __init__(self) -> None:
        super().__init__()
        self.calls: list[int] = []

    def submit(
        self,
        read: Callable[[ProjectRows], Any],
        done: Callable[[Any], None],
        *,
        key: str,
        on_failure: Callable[[], None] | None = None,
        background: bool = False,
    ) -> None:
        calls = 0

        def count(_frame: object, event: str, _argument: object) -> None:
            nonlocal calls
            calls += event in {"call", "c_call"}

        def counted(result: object) -> None:
            sys.setprofile(count)
            try:
                done(result)
            finally:
                sys.setprofile(None)
            self.calls.append(calls)

        super().submit(read, counted, key=key, on_failure=on_failure, background=background)


def test_results_with_many_urls_cause_no_call_per_url_on_the_qt_thread(
    qtbot: QtBot, crawled: Crawled
) -> None:
    crawled.page("/", title="Home")
    rows = [
        UrlRow(i, f"{SITE}/{i % 90}/{i % 7}/{i}", Rank(1), Outcome.PENDING, 1 + i // 30)
        for i in range(2, MANY + 1)
    ]
    crawled.writer.commit(StoreBatch(new=rows))
    reader = CountedReader()
    tree, folders, table = DiscoveryPanel(reader), FoldersPanel(reader), TablePanel(reader)
    reader.open(crawled.path)
    for panel in (tree, folders, table):
        panel.resize(1200, 800)
        qtbot.addWidget(panel)
        panel.show()
        panel.set_project(crawled.path)
    qtbot.waitUntil(lambda: table.model.rowCount() == MANY)
    table.view.selectRow(500)
    for column in ("address", "depth"):
        table.view.sort_header.sort_by(INDEX[column], descending=True)
        assert table.model.query.order == Order(column, descending=True)
        qtbot.waitUntil(lambda: table.model.loaded)
        table.view.verticalScrollBar().setValue(MANY // 2)
    tree.select_url(MANY - 1)
    folders.select_url(MANY - 1)
    for panel in (tree, folders, table):
        panel.refresh()
    qtbot.waitUntil(lambda: tree.model.url_id(tree.view.currentIndex()) == MANY - 1)
    qtbot.waitUntil(lambda: folders.model.url_id(folders.view.currentIndex()) == MANY - 1)
    reader.close()
    assert len(reader.calls) > 10
    assert max(reader.calls) < MOST_CALLS
