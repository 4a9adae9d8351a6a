"""What tables ask of a project file: links as rows, other hosts, facets, sums."""

import sqlite3
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing
from itertools import chain
from pathlib import Path

import msgspec
import pytest

from gossamer.model.errors import UsageError
from gossamer.model.fields.link_record import LinkRecord, link_id
from gossamer.model.fields.url_record import UNREACHED, UrlRecord
from gossamer.model.link_kinds import LinkKind
from gossamer.model.outcome import Outcome, Verdict, verdict
from gossamer.model.overview_data import TIME_STEPS_MS
from gossamer.model.project_queries import (
    NO_RESPONSE,
    Column,
    Facet,
    Filter,
    Order,
    View,
    facet_values,
)
from gossamer.model.store_batch import StoreBatch
from gossamer.store.reading import link_query_plan
from gossamer.store.reading.archive_reader import read_record_for_page
from gossamer.store.reading.filter_conditions import condition
from gossamer.store.reading.queries import (
    LINK_READING,
    LINK_SELECTED,
    links_among,
    matching_ids,
)
from gossamer.store.reading.reader import Reader
from gossamer.urls.url_parsing import origin
from tests.cases import each_case
from tests.fakes.crawled import Crawled

SITE = "https://example.com"


@pytest.fixture
def crawled(tmp_path: Path) -> Iterator[Crawled]:
    """Ids: / 1, /b 2, /a 3, /old 4, /gone 5, /login 6, /logo.png 7, /docs/x 8, other 9, mail 10."""
    with Crawled(tmp_path / "a.gossamer") as crawled:
        crawled.page("/", "/b", "/a", "/old", "/gone", "/login", title="Home")
        crawled.known("/logo.png", Outcome.NOT_FOLLOWED, parent="/")
        crawled.page("/b", "/a", "/docs/x", title="banana")
        crawled.page("/a", "/b", "/a", title="Apple")
        crawled.redirect("/old", "/docs/x")
        crawled.failed("/gone", Outcome.CLIENT_ERROR, status=404)
        crawled.failed("/login", Outcome.CLIENT_ERROR, status=403)
        crawled.known("http://other.test/", Outcome.OUT_OF_SCOPE, parent="/a")
        crawled.known("mailto:me@example.com", Outcome.UNSUPPORTED_SCHEME, parent="/a")
        yield crawled


@pytest.fixture
def reader(crawled: Crawled) -> Iterator[Reader]:
    with Reader(crawled.path) as reader:
        yield reader


def found(reader: Reader, filter_: Filter, view: View = View.ALL) -> list[str]:
    return [r.url.removeprefix(SITE) for r in reader.records(reader.ids(view, filter_))]


# ---------------------------------------------------------------- links


def test_links_are_rows_in_the_order_of_their_pages(reader: Reader) -> None:
    ids = reader.ids(View.LINKS)
    assert list(ids) == sorted(ids)
    assert reader.link_records(ids) == list(reader.links())
    assert [link.id for link in reader.link_records(ids)] == list(ids)
    assert reader.view_counts()[View.LINKS] == len(ids) == reader.link_count()


def test_unknown_links_are_left_out_and_the_order_asked_for_is_kept(reader: Reader) -> None:
    ids = [link_id(3, 1), link_id(999, 0), link_id(1, 0)]
    assert [link.id for link in reader.link_records(ids)] == [ids[0], ids[2]]


def test_rows_of_links_are_read_without_a_look_at_the_others(crawled: Crawled) -> None:
    wanted = links_among([link_id(1, 0), link_id(2, 1)])
    with closing(sqlite3.connect(crawled.path)) as connection:
        plan = connection.execute(
            f"EXPLAIN QUERY PLAN SELECT {LINK_SELECTED} FROM {wanted.sql}{LINK_READING}",  # noqa: S608 - our own words
            wanted.values,
        ).fetchall()
    steps = [step for *_, step in plan]
    assert "SEARCH l USING PRIMARY KEY (source=? AND position=?)" in steps
    assert not [step for step in steps if step.startswith("SCAN l")]


def test_records_of_what_pages_load_are_found_without_a_look_at_the_others(
    crawled: Crawled,
) -> None:
    """A view asks for each file that a page names."""
    looked: list[str] = []
    with closing(sqlite3.connect(crawled.path)) as connection:
        connection.set_trace_callback(looked.append)
        read_record_for_page(connection, "https://x.test/style.css")
        connection.set_trace_callback(None)
        plan = connection.execute(f"EXPLAIN QUERY PLAN {looked[-1]}").fetchall()
    assert "SEARCH r USING INDEX archive_record_url (url=?)" in [step for *_, step in plan]


def test_it_is_known_that_pages_of_an_earlier_crawl_were_looked_for(
    crawled: Crawled, reader: Reader
) -> None:
    assert not reader.has_former_pages()
    former = crawled.known("/former", Outcome.PENDING_FORMER)
    assert reader.has_former_pages()
    crawled.writer.commit(StoreBatch(decided=[(former, Outcome.PENDING, None)]))
    assert reader.has_former_pages()


@pytest.mark.parametrize("after", [0, link_id(1, 0)])
def test_links_to_few_urls_are_read_without_a_look_at_the_others(
    crawled: Crawled, after: int
) -> None:
    with closing(sqlite3.connect(crawled.path)) as connection:
        reach = link_query_plan.link_reach(connection, View.BROKEN_LINKS, Filter())
        assert reach.targets
        wanted = matching_ids(
            View.BROKEN_LINKS, Filter(), Order(), after=after, limit=9, reach=reach
        )
        plan = connection.execute(f"EXPLAIN QUERY PLAN {wanted.sql}", wanted.values).fetchall()
    steps = [step for *_, step in plan]
    assert "SEARCH l USING PRIMARY KEY (source=? AND position=?)" in steps


def test_ids_after_a_link(reader: Reader) -> None:
    ids = reader.ids(View.LINKS)
    assert list(reader.ids(View.LINKS, after=ids[3])) == list(ids[4:])


LINK_VALUES: dict[Column, Callable[[LinkRecord], object]] = {
    "source": lambda link: link.source_url,
    "target": lambda link: link.target_url,
    "anchor": lambda link: link.anchor.lower() or None,
    "alt_text": lambda link: link.alt_text.lower() or None,
    "kind": lambda link: link.kind,
    "action": lambda link: link.action,
    "rel": lambda link: link.rel or None,
    "element": lambda link: link.element,
    "path": lambda link: link.path or None,
    "path_type": lambda link: link.path_type,
    "place": lambda link: link.place,
    "link_origin": lambda link: link.origin,
    "window": lambda link: link.window or None,
    "fragment": lambda link: link.fragment or None,
    "position": lambda link: link.position,
    "source_title": lambda link: link.source_title and link.source_title.lower(),
    "status": lambda link: link.target_status,
    "outcome": lambda link: link.target_outcome,
}


@each_case("column", sorted(View.LINKS.columns))
def test_links_are_sorted_by_every_column(reader: Reader, column: Column) -> None:
    links = reader.link_records(reader.ids(View.LINKS, order=Order(column)))
    values = [LINK_VALUES[column](link) for link in links]
    present = [value for value in values if value is not None and value != ""]
    assert present == sorted(present)  # type: ignore[type-var] # each column has one type


ALL_ROWS = Filter()


@pytest.mark.parametrize("few", [link_query_plan._FEW_LINKS, 0])  # noqa: SLF001 - either way to them
def test_filters_of_links_are_about_the_target_and_folders_about_the_page(
    reader: Reader, monkeypatch: pytest.MonkeyPatch, few: int
) -> None:
    monkeypatch.setattr(link_query_plan, "_FEW_LINKS", few)

    def links(filter_: Filter = ALL_ROWS) -> list[tuple[int, int]]:
        ids = reader.ids(View.LINKS, filter_)
        return [(link.source_id, link.target_id) for link in reader.link_records(ids)]

    assert links(Filter(facets=facet_values(status={404}))) == [(1, 5)]
    assert links(Filter(facets=facet_values(kind={LinkKind.REDIRECT}))) == [(4, 8)]
    assert links(Filter(facets=facet_values(verdict={Verdict.REFUSED}))) == [(1, 6)]
    assert links(Filter("/docs/x")) == [(2, 8), (4, 8)]
    assert links(Filter("/old")) == [(1, 4), (4, 8)], "the address of either end"
    assert links(Filter("/old", facets=facet_values(status={404}))) == []
    assert links(Filter("no such text")) == []
    assert links(Filter(found_on=2)) == [(2, 3), (2, 8)]
    assert links(Filter(folder=1)) == links()
    assert links(Filter(folder=2)) == []


def test_a_table_of_links_is_bounded_and_all_of_them_are_counted(
    reader: Reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    everything = len(reader.ids(View.LINKS))
    monkeypatch.setattr("gossamer.store.reading.reader.MAX_LINKS", 3)
    assert len(reader.ids(View.LINKS)) == 3 < reader.view_counts()[View.LINKS] == everything


@each_case("column", sorted(View.LINKS.columns))
def test_sorting_links_where_there_is_no_room_for_all_changes_their_order_alone(
    reader: Reader, monkeypatch: pytest.MonkeyPatch, column: Column
) -> None:
    monkeypatch.setattr("gossamer.store.reading.reader.MAX_LINKS", 3)
    first = reader.ids(View.LINKS)
    for descending in (False, True):
        assert sorted(reader.ids(View.LINKS, order=Order(column, descending))) == list(first)


def test_filters_of_links_join_nothing_to_each_of_them() -> None:
    """There are twenty times as many links as URLs."""
    narrow = Filter(
        "text",
        folder=1,
        found_on=1,
        facets=facet_values(
            status={404},
            verdict={Verdict.BROKEN},
            content_type={"text/html"},
            origin={SITE},
            depth={1},
            kind={LinkKind.ANCHOR},
        ),
        time_ms=(0, 100),
    )
    assert not condition(View.LINKS, narrow).joins


# ---------------------------------------------------------------- other hosts


def test_external_is_what_lies_on_other_hosts_whatever_became_of_it(
    crawled: Crawled, reader: Reader
) -> None:
    crawled.known("http://checked.test/x", Outcome.CHECKED, parent="/a")
    crawled.known("http://unknown.test/i.png", Outcome.NOT_FOLLOWED, parent="/a")
    assert found(reader, Filter(), View.EXTERNAL) == [
        "http://other.test/",
        "http://checked.test/x",
        "http://unknown.test/i.png",
    ]
    assert reader.view_counts()[View.EXTERNAL] == 3


def test_internal_is_what_was_requested_of_the_site_or_is_blocked_by_its_robots_txt(
    crawled: Crawled, reader: Reader
) -> None:
    before = found(reader, Filter(), View.INTERNAL)
    crawled.known("http://checked.test/x", Outcome.CHECKED, parent="/a")
    crawled.known("http://blocked.test/x", Outcome.BLOCKED_BY_ROBOTS, parent="/a")
    crawled.known("/blocked", Outcome.BLOCKED_BY_ROBOTS, parent="/a")
    crawled.known("/excluded", Outcome.EXCLUDED, parent="/a")
    crawled.known("/queued", Outcome.PENDING, parent="/a")
    assert found(reader, Filter(), View.INTERNAL) == [*before, "/blocked"]
    assert reader.view_counts()[View.INTERNAL] == len(before) + 1


def test_the_counts_of_views_are_those_of_their_rows(reader: Reader) -> None:
    assert reader.view_counts() == {view: len(reader.ids(view)) for view in View}


# ---------------------------------------------------------------- facets

URL_VALUES: dict[Facet, Callable[[UrlRecord], object]] = {
    "status": lambda r: r.status,
    "status_class": lambda r: r.status // 100 if r.status else NO_RESPONSE,
    "outcome": lambda r: r.outcome,
    "verdict": lambda r: r.verdict,
    "depth": lambda r: UNREACHED if r.depth is None else r.depth,
    "content_type": lambda r: r.content_type or "",
    "origin": lambda r: "/".join(r.url.split("/")[:3]) if "//" in r.url else None,
}


@each_case("facet", list(URL_VALUES))
def test_a_facet_counts_what_the_filter_with_its_value_gives(reader: Reader, facet: Facet) -> None:
    records = reader.records(reader.ids(View.ALL, Filter("e")))
    expected = Counter(URL_VALUES[facet](record) for record in records)
    expected.pop(None, None)
    counts = reader.facet(View.ALL, Filter("e"), facet)
    assert {each.value: each.count for each in counts} == expected
    for each in counts:
        chosen = Filter("e", facets=facet_values(**{facet: {each.value}}))
        assert len(reader.ids(View.ALL, chosen)) == each.count
        assert reader.facet(View.ALL, chosen, facet) == counts, "its own choice is left aside"


def test_a_facet_is_counted_within_view_and_the_rest_of_the_filter(reader: Reader) -> None:
    filter_ = Filter(facets=facet_values(verdict={Verdict.BROKEN}, depth={0}))
    assert [(c.value, c.count) for c in reader.facet(View.ERRORS, filter_, "depth")] == [(1, 1)]


def test_folders_are_counted_with_all_below(crawled: Crawled, reader: Reader) -> None:
    crawled.page("/docs/deep/er/y", title="Deep")
    (origin,) = reader.facet(View.PAGES, Filter(), "folder")
    assert (origin.name, origin.count) == (f"{SITE}/", 4)
    (docs,) = reader.facet(View.PAGES, Filter(folder=int(origin.value)), "folder")
    assert (docs.name, docs.count) == (f"{SITE}/docs/", 1)
    assert reader.folder_address(int(docs.value)) == docs.name
    assert reader.folder_address(999) == ""


def test_response_times_are_counted_in_steps(reader: Reader) -> None:
    counts = reader.facet(View.ALL, Filter(), "time")
    times = [r.elapsed_ms for r in reader.records(reader.ids(View.ALL)) if r.elapsed_ms is not None]
    assert sum(each.count for each in counts) == len(times)
    bounds = (*TIME_STEPS_MS, None)
    for each in counts:
        low = int(each.value)
        high = bounds[bounds.index(low) + 1]
        assert len(reader.ids(View.ALL, Filter(time_ms=(low, high)))) == each.count


def test_kinds_of_links_are_counted(reader: Reader) -> None:
    counts = {c.value: c.count for c in reader.facet(View.LINKS, Filter(), "kind")}
    assert counts == Counter(int(link.kind) for link in reader.links())


@pytest.mark.parametrize(
    ("facet", "value"),
    [
        ("verdict", lambda link: verdict(link.target_outcome, link.target_status)),
        ("status", lambda link: link.target_status),
        ("outcome", lambda link: link.target_outcome),
        ("origin", lambda link: origin(link.target_url)),
    ],
)
def test_links_are_counted_by_what_they_lead_to(
    reader: Reader, facet: Facet, value: Callable[[LinkRecord], object]
) -> None:
    counts = {c.value: c.count for c in reader.facet(View.LINKS, Filter(), facet)}
    values = Counter(value(link) for link in reader.links())
    assert counts == {key: n for key, n in values.items() if key is not None}


def test_nodes_tell_their_errors_and_the_worst_of_them(crawled: Crawled, reader: Reader) -> None:
    def tell(url_id: int) -> tuple[int, Verdict | None]:
        (node,) = reader.nodes([url_id])
        return node.errors, node.worst

    assert tell(1) == (2, Verdict.BROKEN)
    assert tell(crawled.id("/a")) == (0, None)
    crawled.known("/docs/slow", Outcome.TIMEOUT, parent="/a")
    assert tell(crawled.id("/a")) == (1, Verdict.UNVERIFIED)


def test_folders_tell_the_worst_in_and_below_them(crawled: Crawled, reader: Reader) -> None:
    (origin,) = reader.folders(None)
    assert (origin.errors, origin.worst) == (2, Verdict.BROKEN)
    (docs,) = reader.folders(origin.id)
    assert docs.worst is None
    crawled.known("/docs/deep/login", Outcome.CHALLENGE, parent="/a")
    assert [folder.worst for folder in reader.folders(origin.id)] == [Verdict.REFUSED]
    (deep,) = reader.folders(docs.id)
    assert deep.worst is Verdict.REFUSED
    crawled.known("/docs/deep/slow", Outcome.TIMEOUT, parent="/a")
    assert [folder.worst for folder in reader.folders(docs.id)] == [Verdict.UNVERIFIED]


# ---------------------------------------------------------------- text, orders, sums


def test_expressions_search_addresses_and_titles(reader: Reader) -> None:
    assert found(reader, Filter(r"/[ab]$", expression=True)) == ["/b", "/a"]
    assert found(reader, Filter("^BANANA$", expression=True)) == ["/b"]


def test_what_is_no_expression_is_refused(reader: Reader) -> None:
    with pytest.raises(UsageError, match="regular expression"):
        reader.ids(View.ALL, Filter("(", expression=True))


def test_a_slow_expression_ends_with_a_sentence(crawled: Crawled, reader: Reader) -> None:
    crawled.page("/slow", title="a" * 300 + "!")
    with pytest.raises(UsageError, match="takes too long"):
        reader.ids(View.ALL, Filter("(a|aa)+$", expression=True))
    assert found(reader, Filter("slow", expression=True)) == ["/slow"]


def test_equal_rows_are_sorted_by_the_next_column(reader: Reader) -> None:
    order = Order("status", descending=True, then=(Order("address"),))
    records = reader.records(reader.ids(View.ALL, Filter(), order))
    asked = [(-r.status, r.url) for r in records if r.status]
    assert asked == sorted(asked)
    unasked = [r.url for r in records if not r.status]
    assert unasked == sorted(unasked)


def test_filters_and_orders_are_plain_values() -> None:
    filter_ = Filter(
        "a",
        facets=facet_values(outcome={Outcome.PAGE}, verdict={Verdict.OK}, kind={LinkKind.IMAGE}),
        time_ms=(100, None),
    )
    order = Order("time", descending=True, then=(Order("address"),))
    for value, type_ in ((filter_, Filter), (order, Order)):
        assert msgspec.json.decode(msgspec.json.encode(value), type=type_) == value
        assert hash(value)


def test_totals(reader: Reader) -> None:
    records = reader.records(list(chain(reader.ids(View.ALL), [999])))
    totals = reader.totals([r.id for r in records])
    assert totals.size_bytes == sum(r.size_bytes or 0 for r in records)
    assert totals.elapsed_ms == sum(r.elapsed_ms or 0 for r in records)
    assert totals.timed == sum(r.elapsed_ms is not None for r in records) > 0
