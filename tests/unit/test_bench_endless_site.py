"""The generated site is the same in each run, and shaped as its benchmarks say."""

from random import Random

import pytest

from gossamer.engine.traps.url_patterns import pattern_of
from tests.bench.endless_site import (
    EndlessSite,
    Seen,
    Shape,
    html_of,
    links_of,
    number_of,
    path_of,
)
from tests.bench.memory import Mark, Pace, pace_at_end
from tests.cases import each_case
from tests.sites.link_scan import ScannedPage


@each_case("number", [0, 1, 63, 64, 4095, 12_345_678])
def test_a_page_is_found_again_by_its_path(number: int) -> None:
    assert number_of(path_of(number)) == number


@pytest.mark.parametrize(
    "path",
    ["/robots.txt", "/catalogue/ba-be/xx-and-more.html", "/catalogue/ba-be/ba-and-more.html"],
)
def test_other_paths_are_no_pages(path: str) -> None:
    assert number_of(path) is None


def test_a_page_has_as_many_links_as_its_shape_says_and_most_are_its_own() -> None:
    shape = Shape(seed=7, links=(20, 60), fresh=0.9)
    pages = range(300)
    targets = [links_of(number, shape) for number in pages]
    assert {len(found) for found in targets} == set(range(20, 61))
    fresh = [target for number in pages for target in targets[number] if target > number]
    assert len(fresh) == len(set(fresh))
    assert 0.88 < len(fresh) / sum(map(len, targets)) < 0.92


def test_a_page_may_lead_to_a_few_new_pages_and_to_any_that_are_known() -> None:
    shape = Shape(seed=7, links=(20, 60), discovers=13)
    known = {0}
    shares = []
    for number in range(300):
        targets = set(links_of(number, shape))
        assert number in known
        assert len(targets - known) == 13
        known |= targets
        shares += [target / len(known) for target in (targets if number == 299 else ())]
    assert known == set(range(len(known)))
    assert min(shares) < 0.2
    assert max(shares) > 0.8


def test_another_seed_makes_another_site() -> None:
    assert html_of(5, Shape(seed=1)) == html_of(5, Shape(seed=1))
    assert html_of(5, Shape(seed=1)) != html_of(5, Shape(seed=2))


def test_links_stand_in_the_document() -> None:
    shape = Shape(seed=3)
    page = ScannedPage(html_of(9, shape).decode())
    assert page.links == [path_of(target) for target in links_of(9, shape)]
    assert page.title == "Page 9"


def test_a_wide_site_is_its_root_and_leaves() -> None:
    shape = Shape(wide=3)
    assert list(links_of(0, shape)) == [1, 2, 3]
    assert list(links_of(1, shape)) == []


def test_no_guard_against_mazes_takes_it_for_one() -> None:
    chance = Random(1)
    paths = {path_of(chance.randrange(10**7)) for _ in range(2000)}
    assert len({pattern_of(f"http://site.test{path}") for path in paths}) == len(paths)


def test_nothing_was_seen_before_a_client_came() -> None:
    assert EndlessSite(Shape()).seen() == Seen(0, 0, 0, 0, 0, 0)


def test_speed_is_that_of_the_last_half() -> None:
    marks = [
        Mark(1, 0, 0.0, 0.5, 0),
        Mark(50, 100, 10.0, 1.0, 1_000),
        Mark(75, 200, 11.0, 1.5, 2_000),
        Mark(100, 300, 12.0, 2.0, 5_000),
    ]
    assert pace_at_end(marks) == Pace(100, 5_000, 20)
    assert pace_at_end(marks[:1]) == Pace(0, 0, 0)
