import pytest

from tests.bench.rounds import in_turn, order_of
from tests.bench.series import PRODUCT, Series, percentile, ratio, ratios
from tests.cases import each_case


def rates(who: str, *values: float, what: str = "crawl") -> Series:
    return Series(what, who, "pages/s", values)


def test_ratio_compares_round_by_round() -> None:
    # The second round was slow for both: medians of each alone would tell of the machine.
    assert ratio(rates(PRODUCT, 200, 20, 100), rates("other", 100, 10, 50)) == 2


def test_rounds_in_which_the_other_took_no_time_do_not_count() -> None:
    assert ratio(rates(PRODUCT, 200, 20), rates("other", 0, 10)) == 2
    assert ratio(rates(PRODUCT, 200), rates("other", 0)) is None
    assert ratios([rates(PRODUCT, 200), rates("other", 0)]) == {}


def test_what_is_not_the_same_has_no_ratio() -> None:
    with pytest.raises(ValueError, match="is not"):
        ratio(rates(PRODUCT, 1), rates("other", 1, what="start"))
    with pytest.raises(ValueError, match="zip"):
        ratio(rates(PRODUCT, 1), rates("other", 1, 2))


def test_ratios_are_those_of_the_product_to_each_other() -> None:
    series = [rates("a", 1), rates(PRODUCT, 3), rates("b", 6), rates("a", 1, what="start")]
    assert ratios(series) == {("crawl", "a"): 3, ("crawl", "b"): 0.5}


def test_median_and_spread() -> None:
    assert rates("a", 4, 2, 3).median == 3
    assert rates("a", 4, 2, 3).spread == pytest.approx(2 / 3)
    assert rates("a", 0, 0).spread == 0


@each_case(
    ("share", "expected"), [(0, 1), (0.01, 1), (0.5, 50), (0.99, 99), (0.991, 100), (1, 100)]
)
def test_percentile_is_a_value_that_occurred(share: float, expected: float) -> None:
    assert percentile(range(100, 0, -1), share) == expected


def test_percentile_of_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="no values"):
        percentile([], 0.5)


def test_each_round_begins_with_another_contestant() -> None:
    assert [order_of("abc", number) for number in range(4)] == [
        ["a", "b", "c"],
        ["b", "c", "a"],
        ["c", "a", "b"],
        ["a", "b", "c"],
    ]


def test_results_are_in_the_order_of_the_rounds() -> None:
    ran: list[str] = []

    def run(contestant: str) -> int:
        ran.append(contestant)
        return len(ran)

    assert in_turn(["a", "b"], 3, run) == {"a": [1, 4, 5], "b": [2, 3, 6]}
