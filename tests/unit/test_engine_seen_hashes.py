"""URLs that were not seen lately: what a table of hashes remembers, and when it is full."""

from gossamer.engine.seen_urls import SeenHashes

MANY = [f"https://example.com/{number}" for number in range(5_000)]


def test_every_url_has_the_number_that_it_was_given_last() -> None:
    older = SeenHashes()
    assert all(older.put(url, number) for number, url in enumerate(MANY))
    assert all(older.put(url, number + 2**63) for number, url in enumerate(MANY[:100]))
    assert [older.get(url) for url in MANY[:100]] == [number + 2**63 for number in range(100)]
    assert [older.get(url) for url in MANY[100:]] == list(range(100, len(MANY)))
    assert older.get("https://example.com/unknown") is None


def test_a_full_table_takes_no_other_url_but_better_numbers_for_those_it_has() -> None:
    older = SeenHashes(most_slots=4)
    taken = [url for number, url in enumerate(MANY) if older.put(url, number)]
    assert 256 < len(taken) < len(MANY)
    assert all(older.put(url, 7) for url in taken)
    assert {older.get(url) for url in taken} == {7}
