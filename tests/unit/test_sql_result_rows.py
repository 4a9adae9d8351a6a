"""The rows of a result that the SQL console has are sorted and dropped in parts."""

from collections.abc import Coroutine
from typing import Any, TypeVar

from gossamer.gui.sql.result_rows import ROWS_PER_TURN, ResultRows, sorted_positions

T = TypeVar("T")


def finished(work: Coroutine[Any, Any, T]) -> tuple[T, int]:
    """What it returns, and how many turns of a loop it has left to others."""
    turns = 0
    try:
        while True:
            work.send(None)
            turns += 1
    except StopIteration as e:
        return e.value, turns


def test_many_rows_are_sorted_in_parts_as_they_would_be_at_once() -> None:
    """The window has a turn after each part that is read, sorted or merged."""
    rows = [(n * 7919 % 10_007 % 500, n) for n in range(5 * ROWS_PER_TURN)]
    for descending in (False, True):
        found, turns = finished(sorted_positions(ResultRows.of(rows), 0, descending=descending))
        assert found == sorted(
            range(len(rows)), key=lambda place: rows[place][0], reverse=descending
        )
        assert turns == 15
    assert finished(sorted_positions(ResultRows([]), 0, descending=False)) == ([], 0)


def test_null_comes_before_numbers_and_these_before_texts() -> None:
    rows = ResultRows.of([("b",), (2.5,), (None,), ("A",), (10**15,), ("ä",), ("a",), (None,)])
    found, _ = finished(sorted_positions(rows, 0, descending=False))
    assert [rows.row(place)[0] for place in found] == [
        *(None, None, 2.5, 10**15),
        *("A", "a", "b", "ä"),
    ]
    assert found[:2] == [2, 7], "equal ones stay in their order"
    found, _ = finished(sorted_positions(rows, 0, descending=True))
    assert [rows.row(place)[0] for place in found] == [
        *("ä", "b", "A", "a"),
        *(10**15, 2.5, None, None),
    ]


def test_rows_are_dropped_in_parts() -> None:
    rows = ResultRows.of([(1,)] * 50_000)
    assert rows.row(7) == (1,)
    assert finished(rows.forget()) == (None, 3)
    assert len(rows) == 0
