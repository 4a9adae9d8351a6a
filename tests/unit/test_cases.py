"""Tables of cases: all are tried, and the failing ones are named."""

from pathlib import Path

import pytest

from tests.cases import each_case


@pytest.mark.parametrize("letter", ["a", "b"])
@each_case("number", range(1, 9))
def test_other_arguments_are_fixtures_and_parameters(
    tmp_path: Path, letter: str, number: int
) -> None:
    assert tmp_path.is_dir()
    assert letter in {"a", "b"}
    assert number in range(1, 9)


def test_every_case_is_tried_with_every_other() -> None:
    tried = []

    @each_case(("number", "text"), [(1, "one"), pytest.param(2, "two", id="second")])
    @each_case("sign", "+-")
    def add(kept: str, number: int, text: str, sign: str) -> None:
        tried.append((kept, number, text, sign))

    add(kept="K")
    assert tried == [("K", n, text, sign) for n, text in ((1, "one"), (2, "two")) for sign in "+-"]


def test_all_that_fail_are_told_by_name() -> None:
    @each_case(("number", "most"), [(1, 2), (3, 2), pytest.param(4, 2, id="four"), (0, 2)])
    def small(number: int, most: int) -> None:
        if number == 4:
            pytest.fail("DID NOT RAISE")
        assert number <= most

    with pytest.raises(BaseExceptionGroup, match=r"2 of 4 cases: 3-2, four") as told:
        small()
    assert [type(each) for each in told.value.exceptions] == [AssertionError, pytest.fail.Exception]


def test_the_values_of_a_case_can_say_what_it_is() -> None:
    @each_case("number", [1, 2], ids=lambda number: f"number {number}")
    def wrong(number: int) -> None:
        assert not number

    with pytest.raises(ExceptionGroup, match="2 of 2 cases: number 1, number 2"):
        wrong()


def test_a_table_without_cases_or_with_marks_is_refused() -> None:
    for values in ([], [pytest.param(1, marks=pytest.mark.skip)]):
        with pytest.raises(ValueError, match="case"):
            each_case("number", values)
