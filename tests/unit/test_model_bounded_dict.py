"""Dictionaries that forget."""

from gossamer.model.bounded_dict import drop_oldest, make_newest


def test_the_oldest_tenth_goes() -> None:
    remembered = {n: str(n) for n in range(30)}
    assert drop_oldest(remembered) == [0, 1, 2, 3]
    assert list(remembered) == list(range(4, 30))


def test_something_always_goes_while_there_is_anything() -> None:
    remembered = {"only": 1}
    assert drop_oldest(remembered) == ["only"]
    assert drop_oldest(remembered) == []


def test_what_is_used_is_forgotten_last() -> None:
    remembered = {n: str(n) for n in range(3)}
    make_newest(remembered, 0)
    make_newest(remembered, 7)
    assert drop_oldest(remembered) == [1]
    assert remembered == {2: "2", 0: "0"}


def test_what_is_spared_is_forgotten_only_when_there_is_nothing_else() -> None:
    remembered = {n: str(n) for n in range(30)}
    assert drop_oldest(remembered, spared=lambda n: n < 28) == [28, 29]
    assert drop_oldest(remembered, spared=lambda n: n < 28) == [0, 1, 2]
