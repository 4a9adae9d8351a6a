"""What was forgotten is never taken for new, and what is new seldom for forgotten."""

from hypothesis import given
from hypothesis import strategies as st

from gossamer.engine.forgotten import Forgotten
from gossamer.engine.known import KnownUrls
from gossamer.model.rows import Rank


@given(st.lists(st.text()))
def test_what_was_added_is_always_in_it(texts: list[str]) -> None:
    forgotten = Forgotten()
    forgotten.add(texts)
    assert all(map(forgotten.may_have, texts))


def test_nothing_is_in_an_empty_one() -> None:
    assert not Forgotten().may_have("")


def test_hardly_anything_else_is_however_many_there_are() -> None:
    forgotten = Forgotten()
    there = [f"http://a.example/{number}" for number in range(300_000)]  # in two parts
    forgotten.add(there)
    assert all(map(forgotten.may_have, there))
    others = (f"http://b.example/{number}" for number in range(100_000))
    assert sum(map(forgotten.may_have, others)) < 1_000


def test_a_memory_tells_what_it_forgot_from_what_it_never_had() -> None:
    known = KnownUrls(10, complete=True)
    for number in range(20):
        known.put(f"/{number}", number, Rank(1))
    known.trim(committed_id=19)
    gone = [f"/{number}" for number in range(20) if known.get(f"/{number}") is None]
    assert len(gone) == 11
    assert not known.complete
    assert all(map(known.may_be_forgotten, gone))
    assert sum(map(known.may_be_forgotten, (f"/new{number}" for number in range(1000)))) < 100


def test_of_a_project_that_had_urls_before_only_the_file_can_tell() -> None:
    assert KnownUrls(10, complete=False).may_be_forgotten("/never seen")
