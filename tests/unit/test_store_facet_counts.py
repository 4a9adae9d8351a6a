"""A value of a facet promises so many rows: whoever filters by it gets as many."""

import sqlite3
from collections import Counter
from collections.abc import Collection, Iterator
from contextlib import closing
from functools import cache
from itertools import product
from pathlib import Path

import pytest

from gossamer.model.content_types import KIND_OF_TYPE, content_kind
from gossamer.model.facets import FACETS, choose, concerns, without
from gossamer.model.link_kinds import LinkKind
from gossamer.model.outcome import Outcome, Verdict
from gossamer.model.project_queries import Filter, View, facet_values
from gossamer.model.visit import Link, Visit
from gossamer.store.reading.filter_conditions import FACET_SQL, FAR
from gossamer.store.reading.queries import facet_counts
from gossamer.store.reading.reader import Reader
from gossamer.store.schema import TABLES
from gossamer.store.writing import inlink_tables as inlinks
from tests.cases import each_case
from tests.fakes.crawled import Crawled

FILTERS = (
    Filter(),
    Filter("o"),
    Filter(r"/[ab]$", expression=True),
    Filter(folder=2),
    Filter(found_on=1),
    Filter(facets=facet_values(kind={LinkKind.ANCHOR})),
    Filter(facets=facet_values(kind={LinkKind.IMAGE}, verdict={Verdict.BROKEN})),
    Filter(facets=facet_values(verdict={Verdict.OK, Verdict.BROKEN})),
    Filter(facets=facet_values(content_type={"text/html"}, depth={1, 2})),
    Filter("a", facets=facet_values(chain_length={1, 2})),
    Filter(facets=facet_values(issue={400, 600})),
)


WAITING = {"entered": 0, "in part": 6, "waiting": 1_000}
"""How many links may wait to be entered where they lead to."""


@pytest.fixture(params=list(WAITING))
def waiting(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def reader(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, waiting: str) -> Iterator[Reader]:
    """A crawl that goes on: of its links all, some or none are entered where they lead to."""
    monkeypatch.setattr(inlinks, "SMALL_FILE", 0)
    monkeypatch.setattr(inlinks, "PER_PAGE", 1_000)
    monkeypatch.setattr(inlinks, "MOST_WAITING", WAITING[waiting])
    image = Link(0, LinkKind.IMAGE, "logo")
    with Crawled(tmp_path / "a.gossamer") as crawled:
        crawled.page(
            "/", "/docs/a", "/docs/b", "/old", "/gone", "/gone", title="Home", issues=[400]
        )
        crawled.page(
            "/docs/a", "/docs/b", "/docs/a", ("/logo.png", image), title="Apple", issues=[400, 600]
        )
        crawled.page("/docs/b", "/", "/docs/c", ("/lost.png", image), title="banana", issues=[401])
        crawled.redirect("/old", "/older")
        crawled.redirect("/older", "/docs/b")
        crawled.failed("/gone", Outcome.CLIENT_ERROR, status=404)
        crawled.failed("/lost.png", Outcome.CLIENT_ERROR, status=410)
        crawled.known("http://other.test/", Outcome.OUT_OF_SCOPE, parent="/")
        crawled.page("/docs/c", "/gone", "http://other.test/", "/", ("/logo.png", image))
        with Reader(crawled.path) as reader:
            yield reader


def in_turn(facets: Collection[str], waiting: str, view: View) -> Iterator[tuple[Filter, str]]:
    """A filter and a facet meet in each view with links entered, in part or waiting, in turn.

    Each view meets each filter and each facet with all of these.
    """
    turn = list(WAITING).index(waiting) + list(View).index(view)
    for number, (filter_, facet) in enumerate(product(FILTERS, facets)):
        if (number + number // len(facets) + turn) % len(WAITING) == 0:
            yield filter_, facet


@each_case("view", list(View))
def test_each_value_promises_the_rows_that_it_gives(
    reader: Reader, waiting: str, view: View, monkeypatch: pytest.MonkeyPatch
) -> None:
    for filter_, facet in in_turn(FACETS, waiting, view):
        with monkeypatch.context() as patch:
            patch.setattr("gossamer.store.reading.reader.MAX_LINKS", 3)
            counts = reader.facet(view, filter_, facet)
        for each in counts:
            rows = reader.ids(view, choose(filter_, facet, [each.value]))
            assert each.count == len(rows) > 0, (filter_, each)


@each_case("view", list(View))
def test_every_row_has_one_value_of_what_all_have(reader: Reader, waiting: str, view: View) -> None:
    of_all = ("verdict", "status_class", "outcome", "content_kind", "content_type", "depth")
    rows = cache(lambda filter_: len(reader.ids(view, filter_)))
    for filter_, facet in in_turn(of_all, waiting, view):
        rest = without(filter_, facet)
        counted = sum(each.count for each in reader.facet(view, rest, facet))
        assert counted == rows(rest), (filter_, facet)


def test_only_what_may_redirect_has_chains_and_only_links_have_kinds() -> None:
    chained = {view for view in View if concerns("chain_type", view)}
    assert chained == set(View) - {View.PAGES, View.RESOURCES, View.SKIPPED, View.FORMER}
    assert {v for v in View if concerns("kind", v)} == {View.LINKS, View.BROKEN_LINKS}


def test_the_kind_of_content_is_that_of_the_content_type(tmp_path: Path) -> None:
    types = [
        *("", *KIND_OF_TYPE, "image/svg+xml", "audio/ogg", "video/mp4", "font/woff2"),
        *("text/javascript", "application/ecmascript", "application/x-font-ttf"),
        *("application/rss+xml", "application/json", "x/openxmlformats"),
    ]
    with Crawled(tmp_path / "a.gossamer") as crawled:
        for number, each in enumerate(types):
            crawled.visited(f"/{number}", Visit(Outcome.FILE, 200, content_type=each), [])
        with Reader(crawled.path) as reader:
            counts = reader.facet(View.ALL, Filter(), "content_kind")
    assert {each.value: each.count for each in counts} == Counter(map(content_kind, types))


@pytest.mark.parametrize("view", [View.ALL, View.LINKS])
def test_a_value_is_computed_once_for_each_row(view: View) -> None:
    expression, _ = FACET_SQL["indexability"]
    query = facet_counts(view, Filter(), "indexability", 10, FAR)
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.executescript(TABLES)
        program = connection.execute(f"EXPLAIN {query.sql}", query.values).fetchall()
    called = [str(step[5]) for step in program if step[1] == "Function"]
    assert sum(name.startswith("instr(") for name in called) == expression.count("instr(")
