"""Numbers, sizes and times in English, as reports and the command line write them."""

import pytest

from gossamer.cli.terminal import counted, listed
from gossamer.model.number_format import (
    clock,
    compact,
    long_duration,
    milliseconds,
    number,
    share,
    short_duration,
    size,
)
from tests.cases import each_case


@pytest.mark.parametrize(
    ("value", "text"), [(0, "0"), (-5, "-5"), (999, "999"), (1_234_567, "1,234,567")]
)
def test_digits_are_grouped(value: int, text: str) -> None:
    assert number(value) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [(999_999, "999,999"), (1_000_000, "1.0M"), (4_699_999, "4.6M"), (123_456_789, "123M")],
)
def test_large_counts_are_rounded_down(value: int, text: str) -> None:
    assert compact(value) == text


@each_case(("part", "text"), [(0, "<1%"), (1, "<1%"), (40, "4%"), (999, "99%"), (1_000, "100%")])
def test_percentages_round_to_0_and_100_only_if_exact(part: int, text: str) -> None:
    assert share(part, 1_000) == text


@each_case(
    ("size_bytes", "text"),
    [
        (-1, "0 bytes"),
        (0, "0 bytes"),
        (1_023, "1,023 bytes"),
        (1_536, "1.5 KiB"),
        (1024**2 - 1, "1.0 MiB"),
        (5 * 1024**4, "5.0 TiB"),
        (5_000 * 1024**4, "5,000.0 TiB"),
    ],
)
def test_sizes_use_the_largest_fitting_unit(size_bytes: int, text: str) -> None:
    assert size(size_bytes) == text


@each_case(
    ("elapsed_ms", "text"),
    [(0, "0 ms"), (999, "999 ms"), (1_234, "1.23 s"), (99_990, "99.99 s"), (250_000, "250 s")],
)
def test_a_response_time_has_about_three_digits(elapsed_ms: int, text: str) -> None:
    assert milliseconds(elapsed_ms) == text


@each_case(
    ("seconds", "text"),
    [(-1, "0:00"), (0, "0:00"), (42.9, "0:42"), (61, "1:01"), (3_599, "59:59"), (3_725, "1:02:05")],
)
def test_a_running_time_is_written_as_on_a_clock(seconds: float, text: str) -> None:
    assert clock(seconds) == text


@pytest.mark.parametrize(
    ("seconds", "text"), [(-1, "0.0 s"), (0, "0.0 s"), (3.21, "3.2 s"), (42.9, "0:42")]
)
def test_a_few_seconds_have_tenths(seconds: float, text: str) -> None:
    assert short_duration(seconds) == text


@pytest.mark.parametrize(
    ("seconds", "text"), [(42.4, "42 s"), (125, "2 min 5 s"), (7_384, "2 h 3 min")]
)
def test_a_duration_in_a_report_names_its_units(seconds: float, text: str) -> None:
    assert long_duration(seconds) == text


def test_counts_and_lists_are_english() -> None:
    assert [counted(n, "row") for n in (0, 1, 2_000)] == ["0 rows", "1 row", "2,000 rows"]
    assert [listed(["a"]), listed(["a", "b", "c"], "or")] == ["a", "a, b or c"]
