"""Dictionaries that forget."""

from gossamer.model.bounded_dict import drop_oldest


def test_the_oldest_tenth_goes() -> None:
    remembered = {n: str(n) for n in range(30)}
    assert drop_oldest(remembered) == [0, 1, 2, 3]
    assert list(remembered) == list(range(4, 30))


def test_something_always_goes_while_there_is_anything() -> None:
    remembered = {"only": 1}
    assert drop_oldest(remembered) == ["only"]
    assert drop_oldest(remembered) == []
