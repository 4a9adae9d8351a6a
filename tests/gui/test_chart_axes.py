"""Where days lie in the charts of a site, and which values their axes name."""

from datetime import date
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.gui.history.chart_dates import day_at, local_day, place_of_day
from gossamer.gui.history.value_axis import axis_values

_DAY_S = 86_400.0
_BEGUN = [1_700_000_000.0 + at * _DAY_S for at in (0, 1, 11)]
_FIRST, _SECOND, _THIRD = map(local_day, _BEGUN)


@pytest.mark.parametrize(
    ("day", "place"), [(_FIRST, 0.0), (_SECOND, 1.0), (_THIRD, 2.0), (date(2000, 1, 1), -0.4)]
)
def test_a_day_with_a_crawl_is_at_its_crawl(day: date, place: float) -> None:
    assert place_of_day(day, _BEGUN) == place


def test_a_day_between_crawls_lies_in_proportion() -> None:
    day = date.fromordinal(_SECOND.toordinal() + 5)
    assert 1.4 < place_of_day(day, _BEGUN) < 1.6


@given(st.integers(-3, 15))
def test_a_place_leads_back_to_its_day(offset: int) -> None:
    day = date.fromordinal(_FIRST.toordinal() + offset)
    found = day_at(place_of_day(day, _BEGUN), _BEGUN)
    inside = min(max(day, _FIRST), _THIRD)
    assert abs((found - inside).days) <= 1
    if day in {_FIRST, _SECOND, _THIRD}:
        assert found == day


def test_two_crawls_of_one_day_are_told_by_their_first() -> None:
    begun = [_BEGUN[0], _BEGUN[0] + 60]
    assert place_of_day(_FIRST, begun) == 0
    assert day_at(0.7, begun) == _FIRST


@given(st.integers(0, 10**9))
def test_an_axis_has_few_round_values_up_to_the_largest(largest: int) -> None:
    values = axis_values(largest)
    assert 2 <= len(values) <= 5
    assert values[0] == 0
    assert values[-1] >= largest > values[-2] or largest == 0
    assert len({after - before for before, after in pairwise(values)}) == 1
