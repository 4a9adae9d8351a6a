"""How good the values are that were measured of a page's loading."""

from gossamer.model.messages.page_load_messages import LoadRun
from gossamer.model.page_load_metrics import PAGE_LOAD_METRICS, PageLoadRating
from tests.cases import each_case

GOOD, BETWEEN, POOR = PageLoadRating


@each_case(
    ("name", "good", "poor"),
    [
        ("ttfb_ms", 800, 1800),
        ("fcp_ms", 1800, 3000),
        ("lcp_ms", 2500, 4000),
        ("cls", 0.1, 0.25),
        ("tbt_ms", 200, 600),
    ],
)
def test_a_limit_belongs_to_the_better_of_the_two_ratings(
    name: str, good: float, poor: float
) -> None:
    [measure] = [each for each in PAGE_LOAD_METRICS if each.name == name]
    values = (0, good, good * 1.01, poor, poor * 1.01)
    assert [*map(measure.rating, values)] == [GOOD, GOOD, BETWEEN, BETWEEN, POOR]
    assert measure.rating(None) is None


def test_sizes_and_numbers_are_not_rated() -> None:
    rated = {each.name for each in PAGE_LOAD_METRICS if each.rating(0.0) is not None}
    assert rated == {"ttfb_ms", "fcp_ms", "lcp_ms", "cls", "tbt_ms"}


def test_all_that_a_run_has_is_shown() -> None:
    assert [each.name for each in PAGE_LOAD_METRICS] == list(LoadRun.__struct_fields__)
