"""The table of URLs: it shows what the project file says, and follows URLs through changes."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test
from PySide6.QtCore import QPersistentModelIndex, Qt
from PySide6.QtTest import QAbstractItemModelTester

from gossamer.gui.tables.item_roles import ACCESSIBLE, DISPLAY, URL_ID
from gossamer.gui.tables.query_rows import TableQuery
from gossamer.gui.tables.query_table_model import MAX_RECORDS, QueryModel
from gossamer.gui.tables.row_kind import LINKS, URLS, QueryRowKind
from gossamer.gui.tables.table_columns import INDEX, SPECS
from gossamer.model.errors import UsageError
from gossamer.model.outcome import Outcome, Verdict
from gossamer.model.project_queries import LINK_TARGETS, Column, Filter, Order, View, facet_values
from tests.fakes.project_rows import SORT_KEYS, FakeRows, SteppedReader, site

pytestmark = pytest.mark.usefixtures("qapp")

ADDRESS = INDEX["address"]
TITLE = INDEX["title"]


LOOKED_THROUGH = 60
"""Rows at most that Qt's tester looks through after each change, cell by cell."""
FIRST_COLUMNS = replace(URLS, columns=URLS.columns[: INDEX["inlinks"] + 1])
"""A tenth of the columns: what happens to rows is the same for all."""


def model_of(
    rows: FakeRows,
    query: TableQuery | None = None,
    *,
    max_records: int = MAX_RECORDS,
    kind: QueryRowKind[Any] = FIRST_COLUMNS,
) -> tuple[QueryModel, SteppedReader]:
    reader = SteppedReader(rows)
    model = QueryModel(reader, kind=kind, max_records=max_records)
    if len(rows.urls) <= LOOKED_THROUGH:
        QAbstractItemModelTester(
            model, QAbstractItemModelTester.FailureReportingMode.Warning, model
        )
    model.ask(query or TableQuery())
    settle(model, reader)
    return model, reader


def settle(model: QueryModel, reader: SteppedReader) -> None:
    """Answer everything, with the collecting timers run by hand."""
    for _ in range(20):
        reader.step()
        model._read_missing()  # noqa: SLF001 - instead of waiting for a timer
        if not reader.requests:
            return


def text(model: QueryModel, row: int, column: int = ADDRESS) -> str:
    return str(model.data(model.index(row, column), DISPLAY))


def look_at(model: QueryModel, reader: SteppedReader, first: int, last: int) -> list[str]:
    """What a user sees in these rows after waiting for it."""
    model.set_window(first, last)
    for row in range(first, last + 1):
        text(model, row)
    settle(model, reader)
    return [text(model, row) for row in range(first, last + 1)]


def test_unread_rows_show_a_placeholder_until_their_record_arrives() -> None:
    model, reader = model_of(site(300))
    assert text(model, 250) == "…"
    assert text(model, 250, TITLE) == ""
    settle(model, reader)
    assert text(model, 250) == "https://example.com/f2/page250.html"
    assert text(model, 250, TITLE) == "Page 250"


def test_visible_rows_and_their_neighbours_are_read_in_one_query() -> None:
    rows = site(300)
    model, reader = model_of(rows)
    rows.calls.clear()
    look_at(model, reader, 230, 250)
    assert rows.calls == ["records"]
    assert text(model, 260) != "…"


def test_records_not_shown_for_long_are_evicted() -> None:
    model, reader = model_of(site(300), max_records=200)
    for first in range(0, 300, 50):
        look_at(model, reader, first, first + 49)
        assert sum(model.record(row) is not None for row in range(300)) <= 200
    assert look_at(model, reader, 0, 3)[3] == "https://example.com/f0/page3.html"


def test_new_urls_are_appended_in_order_of_discovery() -> None:
    rows = site(10)
    model, reader = model_of(rows)
    inserted: list[tuple[int, int]] = []
    model.rowsInserted.connect(lambda _, first, last: inserted.append((first, last)))
    rows.add("https://example.com/new", parent=1)
    rows.add("https://example.com/newer", parent=1)
    model.refresh()
    settle(model, reader)
    assert inserted == [(10, 11)]
    assert look_at(model, reader, 11, 11) == ["https://example.com/newer"]


def test_a_former_page_that_is_linked_after_all_joins_in_its_place() -> None:
    rows = site(3)
    former = rows.add("https://example.com/former", Outcome.PENDING_FORMER)
    rows.add("https://example.com/new", parent=1)
    model, reader = model_of(rows)
    assert model.rowCount() == 4
    rows.change(former, outcome=Outcome.PAGE)
    model.refresh()
    settle(model, reader)
    assert look_at(model, reader, 3, 4) == [
        "https://example.com/former",
        "https://example.com/new",
    ]


def test_a_refresh_repaints_changed_visible_rows_only() -> None:
    rows = site(10)
    model, reader = model_of(rows)
    look_at(model, reader, 0, 9)
    for row in range(10):
        text(model, row, TITLE)
    changed: list[tuple[int, int, int, int]] = []
    model.dataChanged.connect(
        lambda a, b: changed.append((a.row(), b.row(), a.column(), b.column()))
    )
    for i in (3, 4, 7):
        rows.change(i, title="Changed")
    rows.change(9, inlinks=1_000)  # a column that nobody has seen
    model.refresh()
    settle(model, reader)
    assert text(model, 2, TITLE) == text(model, 3, TITLE) == text(model, 6, TITLE) == "Changed"
    assert changed == [(2, 3, TITLE, TITLE), (6, 6, TITLE, TITLE)]
    assert text(model, 8, INDEX["inlinks"]) == "1,000"
    rows.change(5, outcome=Outcome.CLIENT_ERROR)
    model.refresh()
    settle(model, reader)
    assert changed[2:] == [(4, 4, 0, model.columnCount() - 1)], (
        "signs and colours change with the outcome"
    )


def test_a_row_scrolled_into_view_is_read_again() -> None:
    rows = site(500)
    model, reader = model_of(rows)
    look_at(model, reader, 400, 410)
    model.set_window(0, 10)
    rows.change(405, title="Changed")
    model.refresh()
    settle(model, reader)
    look_at(model, reader, 400, 410)
    assert text(model, 404, TITLE) == "Changed"


def test_rows_told_to_be_in_sight_after_a_refresh_are_read_without_being_painted() -> None:
    rows = site(10)
    model, reader = model_of(rows)
    look_at(model, reader, 0, 9)
    assert text(model, 4, TITLE) == "Page 4"
    model.set_window(0, 0)
    rows.change(5, title="Changed")
    model.refresh()
    settle(model, reader)
    repainted: list[int] = []
    model.dataChanged.connect(lambda top, _: repainted.append(top.row()))
    model.set_window(0, 9)
    settle(model, reader)
    assert repainted == [4]
    assert text(model, 4, TITLE) == "Changed"


def test_indexes_follow_their_url_through_sorting_and_filtering() -> None:
    rows = site(20)
    model, reader = model_of(rows)
    kept = [QPersistentModelIndex(model.index(row, 0)) for row in (5, 12, 17)]
    ids = [model.url_id(index.row()) for index in kept]
    model.ask(TableQuery(order=Order("time", descending=True)))
    settle(model, reader)
    assert [model.url_id(index.row()) for index in kept] == ids
    model.ask(TableQuery(View.ALL, Filter(text="page12.html"), Order()))
    settle(model, reader)
    assert [index.isValid() for index in kept] == [False, True, False]
    assert kept[1].row() == 0


def test_sorting_and_clearing_the_sort_is_done_by_the_database() -> None:
    rows = site(20)
    model, reader = model_of(rows)
    model.ask(TableQuery(order=Order("time", descending=True)))
    settle(model, reader)
    times = [rows.urls[model.url_id(row) or 0].elapsed_ms or 0 for row in range(20)]
    assert times == sorted(times, reverse=True)
    model.ask(TableQuery())
    settle(model, reader)
    assert [model.url_id(row) for row in range(20)] == list(range(1, 21))


def test_rows_keep_their_place_while_very_many_are_selected() -> None:
    rows = site(20)
    model, reader = model_of(rows, TableQuery(View.PAGES))
    model.set_selected(None)
    rows.change(3, outcome=Outcome.CLIENT_ERROR)
    rows.add("https://example.com/new", Outcome.PAGE, parent=1)
    rows.add("https://example.com/newer", Outcome.PAGE, parent=1)
    model.refresh()
    settle(model, reader)
    assert model.rowCount() == 20
    model.set_selected([])
    model.refresh()
    settle(model, reader)
    assert model.rowCount() == 21


def test_a_refresh_does_not_delay_a_query() -> None:
    model, reader = model_of(site(20))
    over: list[bool] = []
    model.finished.connect(lambda: over.append(True))
    model.ask(TableQuery(View.PAGES, Filter(text="page7")))
    asked = dict(reader.requests)
    model.refresh()
    assert reader.requests == asked
    assert over == [True]
    settle(model, reader)
    assert model.rowCount() == 1


def test_after_clearing_no_result_of_the_old_project_arrives() -> None:
    model, reader = model_of(site(20))
    model.refresh()
    model.clear()
    settle(model, reader)
    assert model.rowCount() == 0
    assert not model.loaded


def test_huge_numbers_are_shown_as_text() -> None:
    rows = FakeRows()
    rows.add("https://example.com/", Outcome.PAGE, size_bytes=2**70, inlinks=2**64)
    model, reader = model_of(rows, kind=URLS)
    look_at(model, reader, 0, 0)
    assert text(model, 0, INDEX["inlinks"]) == str(2**64)
    assert model.columnCount() == len(SPECS)
    for column in range(len(SPECS)):
        assert isinstance(model.data(model.index(0, column), DISPLAY), str)


def test_the_header_names_every_column() -> None:
    model, _ = model_of(FakeRows(), kind=URLS)
    names = [model.headerData(i, Qt.Orientation.Horizontal) for i in range(model.columnCount())]
    assert names[:2] == ["Address", "Status code"]
    assert all(names)


def test_the_header_announces_the_sort_order_to_screen_readers() -> None:
    order = Order("status", then=(Order("time", descending=True),))
    model, _ = model_of(FakeRows(), TableQuery(order=order))
    spoken = [
        model.headerData(INDEX[column], Qt.Orientation.Horizontal, ACCESSIBLE)
        for column in ("status", "time", "title")
    ]
    assert spoken == ["Status code, sorted ascending", "Response time, sorted descending", "Title"]


def test_a_refused_query_is_not_repeated(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rows = site(5)
    model, reader = model_of(rows)
    told: list[str] = []
    over: list[bool] = []
    model.refused.connect(told.append)
    model.finished.connect(lambda: over.append(True))

    def slow(*_: object) -> None:
        raise UsageError("This takes too long.")

    with monkeypatch.context() as patched:
        patched.setattr(rows, "ids", slow)
        model.ask(TableQuery(filter_=Filter("(a+)+$", expression=True)))
        settle(model, reader)
        model.refresh()
    assert (told, model.rowCount(), reader.requests) == (["This takes too long."], 5, {})
    assert len(over) == 2
    model.ask(TableQuery(filter_=Filter("page3")))
    settle(model, reader)
    assert model.rowCount() == 1


FILTERS = [
    Filter(),
    Filter(text="a"),
    Filter(text="/1/"),
    Filter(text=r"/\d?7$", expression=True),
    Filter(facets=facet_values(verdict={Verdict.BROKEN, Verdict.OK})),
    Filter(facets=facet_values(depth={1, 2}, status_class={0})),
]


def test_links_are_rows_of_the_same_model() -> None:
    rows = site(20)
    for target in range(2, 15):
        rows.link(1, target, f"to {target}")
    reader = SteppedReader(rows)
    model = QueryModel(reader, kind=LINKS)
    QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Warning, model)
    model.ask(TableQuery(View.LINKS))
    settle(model, reader)
    assert model.rowCount() == 13
    assert look_at(model, reader, 0, 12) == [rows.urls[1].url] * 13
    assert [model.url_id(row) for row in range(13)] == list(range(2, 15))
    kept = QPersistentModelIndex(model.index(5, 0))
    rows.link(1, 15, "to 15")
    model.ask(TableQuery(View.LINKS, Filter(text="page6.")))
    settle(model, reader)
    assert (model.rowCount(), kept.row(), model.url_id(0)) == (1, 0, 7)


class TableMachine(RuleBasedStateMachine):
    """A crawl, a user and the reader thread in any order of events."""

    def __init__(self) -> None:
        super().__init__()
        self.rows = FakeRows()
        self.reader = SteppedReader(self.rows)
        self.model = QueryModel(self.reader, kind=FIRST_COLUMNS)
        self.tester = QAbstractItemModelTester(
            self.model, QAbstractItemModelTester.FailureReportingMode.Warning
        )
        self.model.ask(TableQuery())
        self.followed: tuple[int, QPersistentModelIndex] | None = None

    @rule(outcome=st.sampled_from(Outcome), title=st.sampled_from(["a", "b", None]))
    def crawl(self, outcome: Outcome, title: str | None) -> None:
        number = len(self.rows.urls)
        self.rows.add(f"https://example.com/{number % 3}/{number}", outcome, title=title)

    @rule(data=st.data(), outcome=st.sampled_from(Outcome), depth=st.integers(0, 3))
    def change(self, data: st.DataObject, outcome: Outcome, depth: int) -> None:
        if self.rows.urls:
            url_id = data.draw(st.sampled_from(list(self.rows.urls)))
            self.rows.change(url_id, outcome=outcome, depth=depth)

    @rule(
        view=st.sampled_from(sorted(set(View) - set(LINK_TARGETS))),
        filter_=st.sampled_from(FILTERS),
        keys=st.lists(
            st.tuples(st.sampled_from(list(SORT_KEYS)), st.booleans()),
            max_size=3,
            unique_by=lambda key: key[0],
        ),
        turned=st.booleans(),
    )
    def ask(
        self, view: View, filter_: Filter, keys: list[tuple[Column, bool]], turned: bool
    ) -> None:
        orders = [Order(column, descending) for column, descending in keys]
        by_discovery = Order(descending=turned)
        first = orders[0] if orders else by_discovery
        order = Order(first.column, first.descending, tuple(orders[1:]))
        self.model.ask(TableQuery(view, filter_, order))

    @rule(rows=st.sets(st.integers(0, 30), max_size=4))
    def select(self, rows: set[int]) -> None:
        ids = (self.model.row_id(row) for row in rows)
        self.model.set_selected([each for each in ids if each is not None])

    @rule()
    def refresh(self) -> None:
        self.model.refresh()

    @rule(first=st.integers(0, 30))
    def scroll(self, first: int) -> None:
        self.model.set_window(first, first + 5)
        for row in range(first, min(first + 6, self.model.rowCount())):
            text(self.model, row)
        self.model._read_missing()  # noqa: SLF001 - instead of waiting for a timer

    @rule(row=st.integers(0, 30))
    def follow(self, row: int) -> None:
        url_id = self.model.url_id(row)
        if url_id is not None:
            self.followed = (url_id, QPersistentModelIndex(self.model.index(row, 0)))

    @rule()
    def answer(self) -> None:
        self.reader.step()

    @invariant()
    def a_followed_index_stands_for_its_url_or_is_gone(self) -> None:
        if self.followed and self.followed[1].isValid():
            assert self.model.url_id(self.followed[1].row()) == self.followed[0]

    def teardown(self) -> None:
        settle(self.model, self.reader)
        self.model.refresh()
        settle(self.model, self.reader)
        query = self.model.query
        expected = list(self.rows.ids(query.view, query.filter_, query.order))
        shown = [self.model.url_id(row) for row in range(self.model.rowCount())]
        assert shown == expected
        if not expected:
            return
        seen = look_at(self.model, self.reader, 0, len(expected) - 1)
        assert seen == [self.rows.urls[i].url for i in expected]
        for row, url_id in enumerate(expected):
            assert self.model.data(self.model.index(row, 0), URL_ID) == url_id
            assert self.model.record(row) == self.rows.urls[url_id]


def test_the_model_matches_the_project_file_after_any_order_of_events() -> None:
    run_state_machine_as_test(
        TableMachine,
        settings=settings(
            max_examples=20,
            stateful_step_count=25,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        ),
    )
