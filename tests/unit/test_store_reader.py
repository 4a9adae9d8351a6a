import sqlite3
import threading
import tracemalloc
from array import array
from collections.abc import Collection, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from gossamer.model.errors import ProjectError
from gossamer.model.facets import FacetCount
from gossamer.model.fields.indexability import Indexability
from gossamer.model.fields.link_record import LinkRecord
from gossamer.model.fields.url_record import UrlRecord
from gossamer.model.link_kinds import LinkAction, LinkKind
from gossamer.model.outcome import Outcome, UrlState, Verdict
from gossamer.model.project_queries import (
    ChainHop,
    Column,
    Filter,
    Order,
    TreeNode,
    UrlCounts,
    View,
    facet_values,
)
from gossamer.model.redirect_types import ChainType, RedirectKind
from gossamer.model.response_warnings import ResponseWarning
from gossamer.model.visit import Link
from gossamer.store import database
from gossamer.store.project import check
from gossamer.store.reading import reader as reader_module
from gossamer.store.reading.read_interrupted import ReadInterrupted
from gossamer.store.reading.reader import Reader
from gossamer.store.writing.writer import Writer
from tests.cases import each_case
from tests.fakes.crawled import HEADERS, SITE, Crawled

BY_DISCOVERY = Order()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "a.gossamer"


@pytest.fixture
def crawled(path: Path) -> Iterator[Crawled]:
    with Crawled(path) as crawled:
        yield crawled


@pytest.fixture
def reader(crawled: Crawled) -> Iterator[Reader]:
    with Reader(crawled.path) as reader:
        yield reader


@pytest.fixture
def site(crawled: Crawled, reader: Reader) -> Reader:
    """Ids: / 1, /b 2, /a 3, /old 4, /gone 5, /pic.png 6, /docs/x 7, http://other.test/ 8."""
    crawled.page("/", "/b", "/a", "/old", "/gone", title="Home")
    crawled.known("/pic.png", Outcome.NOT_FOLLOWED, parent="/")
    crawled.page("/b", "/a", "/docs/x", title="banana", word_count=9)
    crawled.page("/a", "/b", "/a", title="Apple", word_count=5)
    crawled.redirect("/old", "/docs/x")
    crawled.failed("/gone", Outcome.CLIENT_ERROR, status=404)
    crawled.known("http://other.test/", Outcome.OUT_OF_SCOPE, parent="/a")
    return reader


# ---------------------------------------------------------------- tables


@each_case(
    ("view", "expected"),
    [
        (View.ALL, [1, 2, 3, 4, 5, 6, 7, 8]),
        (View.PAGES, [1, 2, 3]),
        (View.RESOURCES, []),
        (View.INTERNAL, [1, 2, 3, 4, 5]),
        (View.EXTERNAL, [8]),
        (View.REDIRECTS, [4]),
        (View.ERRORS, [5]),
        (View.SKIPPED, [6, 8]),
    ],
)
def test_views(site: Reader, view: View, expected: list[int]) -> None:
    ids = site.ids(view)
    assert list(ids) == expected
    assert (type(ids), ids.typecode) == (array, "q")
    assert [record.id for record in site.iterate(view)] == expected


def test_files_are_what_works_and_is_no_page(crawled: Crawled, reader: Reader) -> None:
    crawled.page("/")
    crawled.known("/a.zip", Outcome.FILE, parent="/")
    crawled.known("/style.css", Outcome.CHECKED, parent="/")
    crawled.known("/queued.png", Outcome.PENDING_CHECK, parent="/")
    assert list(reader.ids(View.RESOURCES)) == [2, 3]


@each_case(
    ("filter_", "expected"),
    [
        (Filter("DOCS"), [7]),
        (Filter("apple"), [3]),
        (Filter("AMPLE"), [1, 2, 3, 4, 5, 6, 7]),
        (Filter("%"), []),
        (Filter("_"), []),
        (Filter("\\"), []),
        (Filter("\udc80"), []),
        (Filter(facets=facet_values(outcome={Outcome.REDIRECT, Outcome.PENDING})), [4, 7]),
        (Filter(facets=facet_values(status={404, 301})), [4, 5]),
        (Filter("o", facets=facet_values(status={404, 301})), [4, 5]),
        (Filter("o", facets=facet_values(status={404})), [5]),
        (Filter("home", facets=facet_values(outcome={Outcome.CLIENT_ERROR})), []),
    ],
)
def test_filters(site: Reader, filter_: Filter, expected: list[int]) -> None:
    assert list(site.ids(View.ALL, filter_)) == expected


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("gärten", [1]),
        ("GÄRTEN", [1]),
        ("Über die g", [1]),
        ("straße", [2, 3]),
        ("STRASSE", [3]),
        ("ПРОГУЛКА", [4]),
        ("ß", [2, 3]),
        ("Ä%", []),
        ("ä_", []),
        ("Ü", [1]),
    ],
)
def test_a_text_is_found_in_any_case_of_any_language(
    crawled: Crawled, reader: Reader, text: str, found: list[int]
) -> None:
    titles = ("ÜBER DIE GÄRTEN", "In der Straße", "Strasse", "Прогулка: Москва")
    for number, title in enumerate(titles):
        crawled.page(f"/{number}", ("/3", Link(0, LinkKind.ANCHOR, title)), title=title)
    crawled.failed("/untitled", Outcome.CLIENT_ERROR, status=404)
    ids = {number: crawled.id(f"/{number - 1}") for number in range(1, 5)}
    expected = [ids[each] for each in found]
    assert sorted(reader.ids(View.ALL, Filter(text))) == sorted(expected)
    links = reader.link_records(reader.ids(View.LINKS, Filter(text)))
    assert sorted(link.source_id for link in links) == sorted(expected)


def test_folder_filter_takes_in_what_is_below(site: Reader) -> None:
    (origin,) = site.folders(None)
    (docs,) = site.folders(origin.id)
    assert list(site.ids(View.ALL, Filter(folder=origin.id))) == [1, 2, 3, 4, 5, 7]
    assert list(site.ids(View.ALL, Filter(folder=docs.id))) == [7]
    assert list(site.ids(View.PAGES, Filter(folder=docs.id))) == []
    assert list(site.ids(View.ALL, Filter(folder=999))) == []


def test_ids_after_are_those_that_are_new(site: Reader) -> None:
    assert list(site.ids(View.ALL, after=6)) == [7, 8]
    assert list(site.ids(View.PAGES, Filter("a"), after=1)) == [2, 3]


def test_ids_take_little_more_memory_than_they_fill(crawled: Crawled, reader: Reader) -> None:
    count = 5_000
    crawled.page("/", *[f"/{number}" for number in range(1, count)])
    reader.ids(View.ALL)
    tracemalloc.start()
    try:
        ids = reader.ids(View.ALL, order=Order("address"))
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert len(ids) == count
    assert peak < 3 * 8 * count, "no row but the present one is an object"


@each_case(
    ("column", "expected"),
    [
        ("address", [8, 1, 3, 2, 7, 5, 4, 6]),
        ("status", [1, 2, 3, 4, 5, 6, 7, 8]),
        ("title", [3, 2, 1, 4, 5, 6, 7, 8]),
        ("words", [1, 3, 2, 4, 5, 6, 7, 8]),
        ("inlinks", [1, 6, 8, 4, 5, 7, 2, 3]),
        ("unique_inlinks", [1, 6, 8, 4, 5, 7, 2, 3]),
        ("depth", [1, 2, 3, 4, 5, 6, 7, 8]),
        ("redirect", [4, 1, 2, 3, 5, 6, 7, 8]),
    ],
)
def test_sorting(site: Reader, column: Column, expected: list[int]) -> None:
    assert list(site.ids(View.ALL, order=Order(column))) == expected


@each_case(
    ("column", "expected"),
    [
        ("title", [1, 2, 3, 4, 5, 6, 7, 8]),
        ("words", [2, 3, 1, 4, 5, 6, 7, 8]),
        ("status", [5, 4, 1, 2, 3, 6, 7, 8]),
        (None, [8, 7, 6, 5, 4, 3, 2, 1]),
    ],
)
def test_sorting_downwards_leaves_what_is_missing_last(
    site: Reader, column: Column | None, expected: list[int]
) -> None:
    order = Order(column, descending=True)
    assert list(site.ids(View.ALL, order=order)) == expected
    assert [record.id for record in site.iterate(View.ALL, order=order)] == expected


@each_case("column", sorted(View.ALL.columns))
def test_every_column_sorts_every_view(site: Reader, column: Column) -> None:
    """And agrees with what the records say, if they have a field of that name."""
    fields = {"address": "url", "words": "word_count", "size": "size_bytes", "time": "elapsed_ms"}
    ids = site.ids(View.ALL, Filter("e"), Order(column))
    values = [getattr(r, fields.get(column, column)) for r in site.records(ids)]
    present = [v.lower() if isinstance(v, str) else v for v in values if v is not None]
    assert present == sorted(present)
    assert values == [v for v in values if v is not None] + [None] * values.count(None)


def test_record_holds_all_that_is_known(crawled: Crawled, reader: Reader) -> None:
    crawled.page("/", "/a", "/a")
    crawled.page(
        "/a",
        "/",
        title="A",
        h1="B",
        description="C",
        robots="noindex",
        canonical=f"{SITE}/c",
        language="",
    )
    assert reader.records([2]) == [
        UrlRecord(
            id=2,
            url=f"{SITE}/a",
            state=UrlState.DONE,
            outcome=Outcome.PAGE,
            depth=1,
            hops=0,
            parent=1,
            status=200,
            reason="OK",
            content_type="text/html",
            charset="utf-8",
            language="",
            size_bytes=100,
            raw_bytes=50,
            ttfb_ms=0,
            elapsed_ms=7,
            fetched_at=1e9,
            tries=1,
            title="A",
            h1="B",
            description="C",
            robots="noindex",
            indexability_reason=Indexability.NOINDEX,
            percent_of_total=50.0,
            canonical=f"{SITE}/c",
            word_count=3,
            content_hash=b"0123456789abcdef",
            redirect=None,
            last_modified="1994-11-06T08:49:37Z",
            detail=None,
            inlinks=2,
            unique_inlinks=1,
            outlinks=1,
        )
    ]
    assert reader.records([2])[0].truncated is False


def test_warnings_are_chosen_one_by_one(crawled: Crawled, reader: Reader) -> None:
    cut, twice = ResponseWarning.SIZE_LIMIT, ResponseWarning.LENGTH_TWICE
    beside = ResponseWarning.LENGTH_BESIDE_CHUNKS
    crawled.page("/")
    crawled.failed("/cut", Outcome.PAGE, status=200, warnings=(cut,))
    crawled.failed("/both", Outcome.PAGE, status=200, warnings=(cut, twice))
    crawled.failed("/odd", Outcome.FILE, status=200, warnings=(beside,))
    crawled.known("/later", Outcome.PENDING)
    found = {row.url.removeprefix(SITE): row.warnings for row in reader.iterate(View.ALL)}
    assert found == {
        "/": (),
        "/cut": (cut,),
        "/both": (cut, twice),
        "/odd": (beside,),
        "/later": (),
    }
    assert [row.truncated for row in reader.iterate(View.ALL)] == [False, True, True, False, False]

    def wanted(
        *warnings: ResponseWarning, view: View = View.ALL, order: Order = BY_DISCOVERY
    ) -> list[str]:
        ids = reader.ids(view, Filter(facets=facet_values(warning=frozenset(warnings))), order)
        return [record.url.removeprefix(SITE) for record in reader.records(ids)]

    assert wanted(cut) == ["/cut", "/both"]
    assert wanted(twice, beside) == ["/both", "/odd"]
    assert wanted(cut, twice, view=View.RESOURCES) == []
    assert wanted(order=Order("warnings"))[3:] == ["/", "/later"]
    assert reader.facet(View.ALL, Filter(facets=facet_values(warning={twice})), "warning") == [
        FacetCount("size-limit", 2),
        FacetCount("content-length-with-chunks", 1),
        FacetCount("duplicate-content-length", 1),
    ]
    assert reader.facet(View.RESOURCES, Filter(), "warning") == [
        FacetCount("content-length-with-chunks", 1)
    ]
    assert reader.facet(View.LINKS, Filter(), "warning") == []


def test_record_of_a_url_not_asked(site: Reader) -> None:
    (record,) = site.records([6])
    assert record == UrlRecord(
        id=6,
        url=f"{SITE}/pic.png",
        state=UrlState.SKIPPED,
        outcome=Outcome.NOT_FOLLOWED,
        depth=1,
        hops=0,
        parent=1,
        percent_of_total=0.0,
    )
    assert record.verdict is Verdict.SKIPPED


def test_records_come_as_asked_without_the_unknown(site: Reader) -> None:
    assert [record.id for record in site.records([7, 99, 1, 7])] == [7, 1, 7]
    assert [node.id for node in site.nodes([7, 99, 1])] == [7, 1]
    assert site.records([]) == []


def test_more_records_than_fit_one_query(crawled: Crawled, reader: Reader) -> None:
    crawled.page("/", *[f"/{number}" for number in range(1300)])
    ids = list(range(1301, 0, -1))
    assert [record.id for record in reader.records(ids)] == ids


def test_streaming_goes_on_past_a_chunk(
    crawled: Crawled, reader: Reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reader_module, "_STREAMED", 3)
    crawled.page("/", *[f"/{number}" for number in range(10)])
    assert [record.id for record in reader.iterate(View.ALL)] == list(range(1, 12))
    by_address = Order("address", descending=True)
    assert len(list(reader.iterate(View.ALL, order=by_address))) == 11
    assert [link.position for link in reader.links()] == list(range(10))


def test_counts(site: Reader) -> None:
    assert site.counts() == UrlCounts(
        outcomes={
            Outcome.PENDING: 1,
            Outcome.PAGE: 3,
            Outcome.REDIRECT: 1,
            Outcome.CLIENT_ERROR: 1,
            Outcome.NOT_FOLLOWED: 1,
            Outcome.OUT_OF_SCOPE: 1,
        },
        statuses={200: 3, 301: 1, 404: 1},
        depths={0: 1, 1: 4},
    )


def test_lookup(site: Reader) -> None:
    assert site.lookup(f"{SITE}/a") == 3
    assert site.lookup(f"{SITE}/A") is None


# ---------------------------------------------------------------- trees


def test_discovery_tree(site: Reader) -> None:
    assert site.children(None) == [
        TreeNode(
            1,
            f"{SITE}/",
            None,
            Outcome.PAGE,
            200,
            "Home",
            children=5,
            errors=1,
            worst=Verdict.BROKEN,
        )
    ]
    assert [node.id for node in site.children(1)] == [2, 3, 4, 5, 6]
    assert [node.id for node in site.children(1, after=3, limit=2)] == [4, 5]
    old = site.nodes([4])[0]
    assert (old.status, old.redirect, old.verdict) == (301, f"{SITE}/docs/x", Verdict.REDIRECT)
    assert site.children(7) == []


def test_path_to(site: Reader) -> None:
    assert site.path_to(7) == [1, 2, 7]
    assert site.path_to(1) == [1]
    assert site.path_to(99) == []


def test_path_in_a_file_with_circular_parents_ends(site: Reader, path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE url SET parent = 7 WHERE id = 1")
    assert site.path_to(7) == [1, 2, 7]


def test_folder_tree(site: Reader) -> None:
    (origin,) = site.folders(None)
    assert (origin.name, origin.parent, origin.urls, origin.errors) == (SITE, None, 6, 1)
    assert (origin.subfolders, origin.direct) == (1, 5)
    assert [(node.name, node.parent) for node in site.folders(origin.id)] == [("docs", origin.id)]
    assert [node.id for node in site.folder_urls(origin.id)] == [1, 2, 3, 4, 5]
    assert [node.id for node in site.folder_urls(origin.id, after=2, limit=2)] == [3, 4]


# ---------------------------------------------------------------- links and headers


def test_outlinks(crawled: Crawled, reader: Reader) -> None:
    crawled.page("/", ("/a", Link(0, LinkKind.ANCHOR, "To A", "nofollow")), "/b", title="Home")
    crawled.failed("/a", Outcome.SERVER_ERROR, status=500)
    first, second = reader.outlinks(1)
    assert first == LinkRecord(
        source_id=1,
        source_url=f"{SITE}/",
        target_id=2,
        target_url=f"{SITE}/a",
        position=0,
        kind=LinkKind.ANCHOR,
        action=LinkAction.FOLLOW,
        text="To A",
        rel="nofollow",
        element="",
        fragment="",
        target_outcome=Outcome.SERVER_ERROR,
        target_status=500,
        source_title="Home",
    )
    assert (second.text, second.rel, second.target_status) == ("/b", "", None)
    assert reader.outlinks(1, after=0) == [second]
    assert reader.outlinks(1, limit=1) == [first]


def test_links_of_some_kinds(crawled: Crawled, reader: Reader) -> None:
    image, script = Link(0, LinkKind.IMAGE, "A web"), Link(0, LinkKind.SCRIPT, "")
    crawled.page("/", "/a", ("/b.png", image), ("/c.js", script), ("/d.png", image))
    kinds = {LinkKind.IMAGE, LinkKind.SCRIPT}
    found = reader.links_of_kinds(1, kinds, 10)
    assert [link.position for link in found] == [1, 2, 3]
    assert reader.links_of_kinds(1, kinds, 1) == found[:1]
    assert reader.links_of_kinds(1, kinds, 10, 1) == found[1:]
    assert reader.links_of_kinds(1, {LinkKind.SCRIPT}, 10) == [found[1]]
    assert reader.links_of_kinds(1, set(), 10) == []


def test_inlinks_page_by_page(crawled: Crawled, reader: Reader) -> None:
    crawled.page("/", "/x", "/a", "/x", "/b")
    crawled.page("/a", "/x", "/x", "/x")
    crawled.redirect("/b", "/x")
    x = crawled.id("/x")
    every = [(link.source_id, link.position) for link in reader.inlinks(x)]
    a, b = crawled.id("/a"), crawled.id("/b")
    assert every == [(1, 0), (1, 2), (a, 0), (a, 1), (a, 2), (b, 0)]
    paged: list[tuple[int, int]] = []
    while True:
        page = reader.inlinks(x, paged[-1] if paged else (0, -1), limit=2)
        if not page:
            break
        assert len(page) <= 2
        paged += [(link.source_id, link.position) for link in page]
    assert paged == every
    assert reader.inlinks(x)[-1].kind is LinkKind.REDIRECT


def test_links_streams_all(site: Reader) -> None:
    assert list(site.links()) == site.link_records(site.ids(View.LINKS))
    links = [(link.source_id, link.target_id) for link in site.links()]
    assert links == [(1, 2), (1, 3), (1, 4), (1, 5), (2, 3), (2, 7), (3, 2), (3, 3), (4, 7)]
    assert site.link_count() == 9


def test_headers(site: Reader) -> None:
    assert site.headers(1) == HEADERS
    assert site.headers(5) == []
    assert site.headers(7) == []


# ---------------------------------------------------------------- chains


def chain_of(reader: Reader, url_id: int) -> list[str]:
    return [hop.url.removeprefix(SITE) for hop in reader.chain(url_id)]


def all_chains(reader: Reader) -> list[list[str]]:
    return [[hop.url.removeprefix(SITE) for hop in chain] for chain in reader.chains()]


def test_a_chain_begins_at_the_url_that_was_chosen(crawled: Crawled, reader: Reader) -> None:
    crawled.page("/")
    crawled.redirect("/1", "/2")
    crawled.redirect("/2", "/3", status=302)
    crawled.page("/3", "/")
    assert chain_of(reader, crawled.id("/1")) == ["/1", "/2", "/3"]
    assert chain_of(reader, crawled.id("/2")) == ["/2", "/3"]
    assert chain_of(reader, crawled.id("/3")) == ["/1", "/2", "/3"], "what leads to its end"
    assert reader.chain(crawled.id("/3"))[1:] == [
        ChainHop(crawled.id("/2"), f"{SITE}/2", 302, Outcome.REDIRECT, 2, RedirectKind.HTTP, 1),
        ChainHop(crawled.id("/3"), f"{SITE}/3", 200, Outcome.PAGE, 7, sources=1),
    ]
    assert chain_of(reader, crawled.id("/")) == ["/"]
    assert reader.chain(99) == []
    assert all_chains(reader) == [["/1", "/2", "/3"]]


def test_chains_that_meet(crawled: Crawled, reader: Reader) -> None:
    crawled.redirect("/a", "/c")
    crawled.redirect("/b", "/c")
    crawled.redirect("/c", "/d")
    assert chain_of(reader, crawled.id("/d")) == ["/a", "/c", "/d"]
    assert chain_of(reader, crawled.id("/b")) == ["/b", "/c", "/d"]
    assert all_chains(reader) == [["/a", "/c", "/d"], ["/b", "/c", "/d"]]


def test_loop_ends_with_the_url_that_comes_again(crawled: Crawled, reader: Reader) -> None:
    crawled.redirect("/a", "/b")
    crawled.redirect("/b", "/c")
    crawled.redirect("/c", "/a")
    crawled.redirect("/self", "/self")
    for name, chain in {
        "/a": ["/a", "/b", "/c", "/a"],
        "/b": ["/b", "/c", "/a", "/b"],
        "/self": ["/self", "/self"],
    }.items():
        assert chain_of(reader, crawled.id(name)) == chain
        assert [hop.repeats for hop in reader.chain(crawled.id(name))] == [0] * len(chain[1:]) + [1]
    assert all_chains(reader) == [["/a", "/b", "/c", "/a"], ["/self", "/self"]]


def test_loop_with_a_way_in_is_one_chain(crawled: Crawled, reader: Reader) -> None:
    crawled.redirect("/a", "/b")
    crawled.redirect("/b", "/a")
    crawled.redirect("/in", "/b")
    assert chain_of(reader, crawled.id("/in")) == ["/in", "/b", "/a", "/b"]
    assert [hop.repeats for hop in reader.chain(crawled.id("/in"))] == [0, 0, 0, 2]
    assert chain_of(reader, crawled.id("/a")) == ["/a", "/b", "/a"]
    assert all_chains(reader) == [["/in", "/b", "/a", "/b"]]


def test_redirect_to_nowhere_is_a_chain_of_one(crawled: Crawled, reader: Reader) -> None:
    crawled.failed("/a", Outcome.REDIRECT_WITHOUT_LOCATION, status=302)
    assert all_chains(reader) == [["/a"]]


def test_very_long_chain_is_cut(crawled: Crawled, reader: Reader) -> None:
    with crawled.together():
        for number in range(505):
            crawled.redirect(f"/{number}", f"/{number + 1}")
    for number in range(505, 521):
        crawled.redirect(f"/{number}", f"/{number + 1}")
    assert len(chain_of(reader, 1)) == 510
    (chain,) = reader.chains()
    assert len(chain) == 510
    assert chain_of(reader, crawled.id("/520"))[:1] == ["/520"]
    (first,) = reader.records([1])
    assert (first.chain_length, first.final_url) == (509, f"{SITE}/509")


def test_redirects_tell_how_far_they_lead_and_where_to(crawled: Crawled, reader: Reader) -> None:
    crawled.page("/")
    crawled.redirect("/1", "/2", status=302)
    crawled.redirect("/2", "/3")
    crawled.page("/3", "/")
    crawled.redirect("/a", "/b")
    crawled.redirect("/b", "/a")
    crawled.redirect("/out", "https://other.test/", outcome=Outcome.REDIRECT_OUT_OF_SCOPE)
    crawled.failed("/nowhere", Outcome.REDIRECT_WITHOUT_LOCATION, status=302)
    found = {
        record.url.removeprefix(SITE): (
            record.chain_length,
            record.chain_type,
            (record.final_url or "").removeprefix(SITE),
            record.final_status,
        )
        for record in reader.iterate(View.ALL)
    }
    nothing = (None, None, "", None)
    assert found == {
        "/": nothing,
        "/1": (2, ChainType.MIXED, "/3", 200),
        "/2": (1, ChainType.PERMANENT, "/3", 200),
        "/3": nothing,
        "/a": (2, ChainType.LOOP, "", None),
        "/b": (2, ChainType.LOOP, "", None),
        "/out": (1, ChainType.PERMANENT, "https://other.test/", None),
        "https://other.test/": nothing,
        "/nowhere": (0, ChainType.BROKEN, "/nowhere", 302),
    }

    def wanted(order: Order = BY_DISCOVERY, **facets: Collection[int | str]) -> list[str]:
        filter_ = Filter(facets=facet_values(**facets))
        ids = reader.ids(View.REDIRECTS, filter_, order)
        return [record.url.removeprefix(SITE) for record in reader.records(ids)]

    assert wanted(chain_type={ChainType.LOOP}) == ["/a", "/b"]
    assert wanted(chain_length={1}) == ["/2", "/out"]
    assert wanted(Order("chain_length", descending=True))[:3] == ["/1", "/a", "/b"]
    assert wanted(Order("final_status")) == ["/1", "/2", "/nowhere", "/a", "/b", "/out"]
    assert wanted(Order("final_url"))[-1] == "/b"
    assert reader.facet(View.REDIRECTS, Filter(), "chain_type") == [
        FacetCount("loop", 2),
        FacetCount("permanent", 2),
        FacetCount("broken", 1),
        FacetCount("mixed", 1),
    ]
    assert [
        (each.value, each.count) for each in reader.facet(View.ALL, Filter(), "chain_length")
    ] == [
        (2, 3),
        (1, 2),
        (0, 1),
    ]


def test_links_that_are_no_redirects_are_no_chain(crawled: Crawled, reader: Reader) -> None:
    crawled.page("/", "/a", ("/b", Link(0, LinkKind.CANONICAL)))
    assert chain_of(reader, crawled.id("/a")) == ["/a"]
    assert chain_of(reader, 1) == ["/"]
    assert all_chains(reader) == []


# ---------------------------------------------------------------- living with others


def test_reader_sees_each_commit_at_once(crawled: Crawled, reader: Reader) -> None:
    assert list(reader.ids(View.ALL)) == []
    crawled.page("/", "/a")
    assert list(reader.ids(View.ALL)) == [1, 2]
    rows = reader.iterate(View.ALL)
    next(rows)
    crawled.page("/a", "/b")
    assert list(reader.ids(View.ALL)) == [1, 2, 3]


def test_open_stream_keeps_no_transaction(crawled: Crawled, reader: Reader, path: Path) -> None:
    """Otherwise an export would make the -wal file grow as long as it runs."""
    crawled.page("/", "/a", "/b")
    rows = reader.iterate(View.ALL)
    next(rows)
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone() == (0, 0, 0)


def test_reader_cannot_write(reader: Reader) -> None:
    with pytest.raises(ProjectError, match="cannot be written"):
        reader._rows("DELETE FROM url", ())  # noqa: SLF001 - there is no public way to try


def test_interrupt_ends_the_running_query(crawled: Crawled, reader: Reader) -> None:
    crawled.page("/")
    endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n"
    running = threading.Event()
    reader._connection.set_progress_handler(running.set, 1000)  # noqa: SLF001 - to know when it runs

    def interrupt() -> None:
        running.wait()
        reader.interrupt()

    thread = threading.Thread(target=interrupt)
    thread.start()
    with pytest.raises(ReadInterrupted):
        reader._rows(f"{endless} WHERE i < 0", ())  # noqa: SLF001 - a query that never ends
    thread.join()
    assert list(reader.ids(View.ALL)) == [1]


def test_interrupting_a_reader_that_is_idle_or_closed_does_nothing(crawled: Crawled) -> None:
    crawled.page("/")
    with Reader(crawled.path) as reader:
        reader.interrupt()
        assert list(reader.ids(View.ALL)) == [1]
    reader.interrupt()
    reader.close()


def test_every_read_is_of_a_whole_commit(crawled: Crawled, path: Path) -> None:
    """A page is never seen without its links, while it is written as fast as can be."""
    crawled.page("/")
    done = threading.Event()
    torn: list[int] = []

    def read() -> None:
        with Reader(path) as reader:
            while not done.is_set():
                newest = reader.records(reader.ids(View.PAGES)[-1:])[0]
                torn.extend(
                    [newest.id] if len(reader.outlinks(newest.id)) != newest.outlinks else []
                )

    thread = threading.Thread(target=read)
    thread.start()
    try:
        for number in range(300):
            crawled.page(f"/{number}", "/", f"/{number + 1}", "/")
    finally:
        done.set()
        thread.join()
    assert torn == []


def test_closed_project_in_a_folder_where_nothing_can_be_made(
    crawled: Crawled, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    crawled.page("/", "/a")
    crawled.writer.close()
    block_side_files(path, monkeypatch)
    with Reader(path) as reader:
        assert list(reader.ids(View.ALL)) == [1, 2]
    check(path)


def test_unclosed_project_in_a_folder_where_nothing_can_be_made(
    crawled: Crawled, path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    crawled.page("/", "/a")
    folder = tmp_path / "copied"
    folder.mkdir()
    copy = folder / path.name
    for name in (path.name, path.name + "-wal"):
        (folder / name).write_bytes(path.with_name(name).read_bytes())
    block_side_files(copy, monkeypatch)
    with pytest.raises(ProjectError, match=r"copy it together with a\.gossamer-wal to another"):
        Reader(copy)
    with pytest.raises(ProjectError):
        Writer(copy)


def block_side_files(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Links to nowhere where SQLite would make files: tests may run as the administrator, to whom
    no folder is closed.
    """
    monkeypatch.setattr(database, "ensure_own_files", lambda _path: None)
    path.with_name(path.name + "-shm").symlink_to("nowhere/shm")


def test_a_hop_says_how_many_redirect_to_it(crawled: Crawled, reader: Reader) -> None:
    crawled.redirect("/old", "/new")
    crawled.redirect("/older", "/new")
    crawled.redirect("/oldest", "/old")
    chain = reader.chain(crawled.id("/new"))
    assert [(hop.id, hop.sources) for hop in chain] == [
        (crawled.id("/oldest"), 0),
        (crawled.id("/old"), 1),
        (crawled.id("/new"), 2),
    ]
