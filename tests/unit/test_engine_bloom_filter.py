"""What was forgotten is never taken for new, and what is new seldom for forgotten."""

from collections.abc import Iterable

from hypothesis import given
from hypothesis import strategies as st

from gossamer.engine.seen_urls import MOST_SLOTS, BloomFilter, SeenUrls, pack
from gossamer.model.discovery_rank import Rank


@given(st.lists(st.text()))
def test_added_items_are_always_found(texts: list[str]) -> None:
    forgotten = BloomFilter()
    forgotten.add(texts)
    assert all(map(forgotten.may_have, texts))


def test_an_empty_filter_contains_nothing() -> None:
    assert not BloomFilter().may_have("")


def test_false_positives_are_rare_at_any_size() -> None:
    forgotten = BloomFilter()
    there = [f"http://a.example/{number}" for number in range(300_000)]  # in two parts
    forgotten.add(there)
    assert all(map(forgotten.may_have, there[::7]))
    others = (f"http://b.example/{number}" for number in range(20_000))
    assert sum(map(forgotten.may_have, others)) < 200


NO_PLACES = 1
"""For older URLs, so that they are forgotten."""


def known_of(number: int, *, complete: bool = True, hash_slots: int = MOST_SLOTS) -> SeenUrls:
    known = SeenUrls(10, complete=complete, hash_slots=hash_slots)
    for each in range(number):
        known.put(f"/{each}", each, Rank(each % 5))
    return known


def test_evicted_urls_are_distinguished_from_unknown_ones() -> None:
    known = known_of(20, hash_slots=NO_PLACES)
    known.trim(committed_id=19)
    gone = [f"/{number}" for number in range(20) if known.get(f"/{number}") is None]
    assert len(gone) == 11
    assert not known.complete
    assert all(map(known.may_be_forgotten, gone))
    assert sum(map(known.may_be_forgotten, (f"/new{number}" for number in range(1000)))) < 100


class ListedTexts(BloomFilter):
    """What is in it, one by one."""

    def __init__(self) -> None:
        super().__init__()
        self.added: list[str] = []

    def add(self, texts: Iterable[str]) -> None:
        self.added.extend(texts)

    def may_have(self, text: str) -> bool:
        return text in self.added


def test_evicting_a_url_twice_takes_no_more_memory() -> None:
    forgotten = ListedTexts()
    known = SeenUrls(10, complete=True, hash_slots=NO_PLACES, forgotten=forgotten)
    for _ in range(5):
        for number in range(200):
            known.put(f"/{number}", number, Rank(1))
        known.trim(committed_id=199)
    assert len(forgotten.added) == len(set(forgotten.added)) >= 190


def test_old_urls_are_remembered_in_less_memory() -> None:
    known = known_of(5_000)
    known.trim(committed_id=3_999)
    assert len(known) == 1_000, "the file does not know these yet"
    assert all(known.get(f"/{n}") == pack(n, Rank(n % 5)) for n in range(5_000))
    assert known.complete
    assert known.get("/5000") is None
    known.put("/7", 7, Rank(0))
    known.trim(committed_id=4_999)
    assert known.get("/7") == pack(7, Rank(0)), "what was learnt last"


def test_old_urls_stay_known_where_there_is_no_room_for_more() -> None:
    known = known_of(10_000, hash_slots=16)
    known.trim(committed_id=9_999)
    kept = [n for n in range(10_000) if known.get(f"/{n}") is not None]
    assert 2_000 < len(kept) < 3_000
    assert all(known.may_be_forgotten(f"/{n}") for n in set(range(10_000)).difference(kept))
    assert not known.complete


def test_of_a_project_that_had_urls_before_only_the_file_can_tell() -> None:
    assert known_of(0, complete=False).may_be_forgotten("/never seen")
