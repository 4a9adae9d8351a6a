"""What the overview shows is kept as it changes, and is what a count of the tables comes to."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from gossamer.model.discovery_rank import Rank
from gossamer.model.outcome import Outcome
from gossamer.model.overview_data import OverviewData, by_step, percentile, rounded_ms
from gossamer.model.store_batch import StoreBatch, UrlRow, VisitRow
from gossamer.model.visit import Visit
from gossamer.store.reading.reader import Reader
from gossamer.store.writing.slowest_and_largest_pages import KEPT
from gossamer.store.writing.writer import Writer
from tests.cases import each_case
from tests.fakes.crawled import SITE, Crawled


@pytest.fixture
def crawled(tmp_path: Path) -> Iterator[Crawled]:
    with Crawled(tmp_path / "a.gossamer") as crawled:
        yield crawled


def figures(crawled: Crawled) -> OverviewData:
    with Reader(crawled.path) as reader:
        return reader.figures()


def visit(crawled: Crawled, answers: dict[int, tuple[int, int]], kind: str = "text/html") -> None:
    """Let pages, by id, be visited: milliseconds and bytes of each."""
    known = crawled.writer.by_id(list(answers))
    there = {row.id for row in known}
    new = [UrlRow(i, f"{SITE}/{i}", Rank(1), Outcome.PENDING, None) for i in sorted(answers)]
    visits = [
        VisitRow(
            i,
            Visit(Outcome.PAGE, 200, content_type=kind, elapsed_ms=ms, size_bytes=size),
            Outcome.PAGE,
            1,
        )
        for i, (ms, size) in answers.items()
    ]
    crawled.writer.commit(
        StoreBatch(new=[row for row in new if row.id not in there], visits=visits)
    )


def test_figures_of_a_crawl(crawled: Crawled) -> None:
    crawled.failed("/gone", Outcome.CLIENT_ERROR, status=404)
    visit(crawled, {2: (1239, 10), 3: (1231, 30), 4: (80, 20)})
    visit(crawled, {5: (80, 5)}, kind="application/xhtml+xml")
    found = figures(crawled)
    assert found.depths == {1: 4}
    assert found.times == {0: 1, 80: 2, 1230: 2}
    assert found.types == {"text/html": 3, "application/xhtml+xml": 1}
    assert [(page.id, page.value) for page in found.slowest] == [
        (2, 1239),
        (3, 1231),
        (4, 80),
        (5, 80),
    ]
    assert [(page.url, page.value) for page in found.largest][:2] == [
        (f"{SITE}/3", 30),
        (f"{SITE}/4", 20),
    ]


def test_a_recrawled_page_counts_once(crawled: Crawled) -> None:
    visit(crawled, {1: (5000, 10), 2: (300, 30)})
    visit(crawled, {1: (20, 40)}, kind="text/plain")
    found = figures(crawled)
    assert found.times == {20: 1, 300: 1}
    assert found.types == {"text/html": 1, "text/plain": 1}
    assert [(page.id, page.value) for page in found.slowest] == [(2, 300), (1, 20)]
    assert [(page.id, page.value) for page in found.largest] == [(1, 40), (2, 30)]


def test_a_crawl_that_goes_on_counts_the_types_of_both_its_parts(crawled: Crawled) -> None:
    visit(crawled, {1: (10, 10), 2: (10, 10)})
    crawled.writer.close()
    crawled.writer = Writer(crawled.path)
    visit(crawled, {3: (10, 10)})
    assert figures(crawled).types == {"text/html": 3}


def test_only_the_most_extreme_pages_are_kept(crawled: Crawled) -> None:
    random = Random(1)
    times = {i: random.randrange(100_000) for i in range(1, 4 * KEPT)}
    ids = list(times)
    for start in range(0, len(ids), 37):
        visit(crawled, {i: (times[i], 1) for i in ids[start : start + 37]})
    with Reader(crawled.path) as reader:
        slowest = reader.figures(limit=10**6).slowest
    assert [page.value for page in slowest] == sorted(times.values(), reverse=True)[:KEPT]
    assert figures(crawled).times == Counter(rounded_ms(ms) for ms in times.values())


def test_rolled_back_pages_are_not_counted(crawled: Crawled) -> None:
    visit(crawled, {1: (7, 7)})
    bad = VisitRow(9, Visit(Outcome.PAGE, elapsed_ms=90_000), Outcome.PAGE, 1)
    with pytest.raises(Exception, match="not in the project file"):
        crawled.writer.commit(StoreBatch(visits=[bad]))
    visit(crawled, {2: (8, 8)})
    assert [page.id for page in figures(crawled).slowest] == [2, 1]
    assert figures(crawled).times == {7: 1, 8: 1}


@each_case(("percent", "time"), [(1, 10), (50, 10), (51, 20), (90, 20), (99, 400), (100, 400)])
def test_percentiles(percent: int, time: int) -> None:
    assert percentile({10: 50, 20: 45, 30: 0, 400: 5}, percent) == time


def test_no_percentile_without_values() -> None:
    assert percentile({}, 50) is None
    assert percentile({7: 0}, 50) is None


def test_times_are_counted_in_buckets() -> None:
    steps = by_step({0: 1, 99: 2, 100: 4, 2990: 8, 3000: 16, 99_900: 32})
    assert steps == {0: 3, 100: 4, 200: 0, 500: 0, 1000: 8, 3000: 48}
