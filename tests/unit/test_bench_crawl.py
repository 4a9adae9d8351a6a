from tests.bench.contestants import Ran
from tests.bench.crawl import PARSING, Outcome, doubts, series_of
from tests.bench.series import PRODUCT, ratios
from tests.bench.sites import Served


def outcome(pages: int, wall_s: float, crawl_s: float | None, *, repeated: int = 0) -> Outcome:
    paths = frozenset(f"/{number}" for number in range(pages))
    return Outcome(Ran(wall_s, crawl_s, cpu_s=0.5), Served(paths, pages + repeated, repeated))


def test_speeds_are_pages_by_whole_and_by_own_time() -> None:
    series = series_of(
        "cppreference", {PRODUCT: [outcome(100, 2.0, 1.0)], "Scrapy": [outcome(100, 40.0, 25.0)]}
    )
    speeds = {(one.what, one.who): list(one.values) for one in series}
    assert speeds["cppreference, whole process", PRODUCT] == [50]
    assert speeds["cppreference, crawl", PRODUCT] == [100]
    assert speeds["cppreference, processor time", PRODUCT] == [5]
    assert ratios(series)["cppreference, whole process", "Scrapy"] == 20
    [target] = [one.target for one in series if (one.who, one.target) > ("Scrapy", "")]
    assert target == "≥ 18"


def test_who_does_not_time_its_crawl_is_compared_by_the_whole_process_alone() -> None:
    outcomes = {"wget2": [outcome(10, 1.0, None)], PARSING: [outcome(10, 1.0, 1.0)]}
    assert not [one for one in series_of("python", outcomes) if one.what.endswith("crawl")]


def test_the_same_work_leaves_no_doubts() -> None:
    assert doubts({PRODUCT: [outcome(5, 1, 1)] * 2, "Scrapy": [outcome(5, 9, 9)] * 2}) == []


def test_other_work_is_told() -> None:
    told = doubts(
        {
            PRODUCT: [outcome(5, 1, 1), outcome(5, 1, 1)],
            "fewer": [outcome(5, 1, 1), outcome(4, 1, 1)],
            "again": [outcome(5, 1, 1, repeated=3)] * 2,
        }
    )
    assert [sentence.split(" (")[0] for sentence in told] == [
        "fewer crawled OTHER PAGES than Gossamer: 1 of 5 missing, 0 more",
        "fewer crawled a DIFFERENT NUMBER of pages each time: [4, 5]",
        "again asked again for 3 pages that it had",
    ]
