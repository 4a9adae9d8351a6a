"""What a table knows of its rows, without a window: ids, load state, records."""

from array import array
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.gui.tables.query_rows import IdList, LoadEvent, LoadState, RecordCache, ranges
from gossamer.gui.tables.row_kind import URLS, Cells
from gossamer.gui.tables.table_columns import INDEX
from gossamer.model.fields.url_record import UrlRecord
from gossamer.model.outcome import Outcome
from tests.fakes.project_rows import FakeRows, site

TITLE = INDEX["title"]
LISTS = st.lists(st.integers(1, 60), unique=True, max_size=40)


def ids(rows: list[int]) -> IdList:
    return IdList(array("q", rows), ascending=rows == sorted(rows))


def cache(most: int = 100) -> RecordCache[UrlRecord]:
    return RecordCache(URLS, Cells(URLS), most)


def record(url_id: int, title: str = "", outcome: Outcome = Outcome.PAGE) -> UrlRecord:
    rows = FakeRows()
    for n in range(1, url_id):
        rows.add(f"https://example.com/{n}")
    rows.add("https://example.com/last", outcome, title=title)
    return rows.urls[url_id]


@pytest.mark.parametrize("ascending", [True, False])
def test_rows_are_found_among_many(ascending: bool) -> None:
    many = ids(list(range(1, 200_001) if ascending else range(200_000, 0, -1)))
    assert many.at(many.row_of(123_456)) == 123_456
    assert many.row_of(200_001) == -1
    wanted = [1, 5, 200_000, 77, 78, 79, 80, 81, 82, 300_000]
    found = many.rows_of(wanted)
    assert {i: many.at(row) for i, row in found.items()} == {i: i for i in wanted if i < 300_000}


def test_rows_outside_the_list_have_no_id() -> None:
    assert [ids([7, 8]).at(row) for row in (-1, 0, 1, 2)] == [None, 7, 8, None]


@given(old=LISTS, new=LISTS)
def test_rows_of_the_old_list_are_mapped_to_the_new_one(old: list[int], new: list[int]) -> None:
    rows = ids(old).rows_in(ids(new), range(-1, len(old) + 1))
    assert rows == [new.index(i) if i in new else -1 for i in (None, *old, None)]


@given(old=LISTS, new=LISTS)
def test_a_list_grows_and_takes_over_new_ids_before_it_shrinks(
    old: list[int], new: list[int]
) -> None:
    """The steps in which a Qt model may change: each has as many rows as Qt was told."""
    before, after = ids(old), ids(new)
    assert len(before.grown_to(after)) == max(len(old), len(new))
    taken_over = before.with_rows_of(after)
    assert len(taken_over) == max(len(old), len(new))
    assert list(taken_over.ids[: len(new)]) == new
    assert list(before.ids) == old, "the reader thread may still look at it"


@pytest.mark.parametrize(
    ("events", "state"),
    [
        ([], LoadState.UNLOADED),
        ([LoadEvent.ASK], LoadState.LOADING),
        ([LoadEvent.ASK, LoadEvent.ANSWER], LoadState.LOADED),
        ([LoadEvent.ANSWER], LoadState.LOADED),
        ([LoadEvent.ANSWER, LoadEvent.FAIL], LoadState.LOADED),
        ([LoadEvent.ANSWER, LoadEvent.ASK, LoadEvent.FAIL], LoadState.UNLOADED),
        ([LoadEvent.ASK, LoadEvent.REFUSE], LoadState.REFUSED),
        ([LoadEvent.ASK, LoadEvent.REFUSE, LoadEvent.FAIL], LoadState.REFUSED),
        ([LoadEvent.ASK, LoadEvent.REFUSE, LoadEvent.ASK], LoadState.LOADING),
        ([LoadEvent.FAIL], LoadState.UNLOADED),
    ],
)
def test_load_state_after_events(events: list[LoadEvent], state: LoadState) -> None:
    now = LoadState.UNLOADED
    for event in events:
        now = now.after(event)
    assert now is state


def test_an_unchanged_record_keeps_its_cached_texts() -> None:
    kept, one = cache(), record(1, "One")
    kept.keep([one])
    kept.records[1].texts[TITLE] = "One"
    assert kept.keep([one]) == {}
    assert kept.records[1].texts[TITLE] == "One"


def test_only_changed_visible_texts_are_repainted() -> None:
    kept = cache()
    assert list(kept.keep([record(1, "One")])[1]) == list(range(len(URLS.columns)))
    kept.records[1].texts[TITLE] = "One"
    kept.records[1].texts[0] = "https://example.com/last"
    assert kept.keep([record(1, "Two")]) == {1: [TITLE]}
    changed = kept.keep([record(1, "Two", Outcome.CLIENT_ERROR)])
    assert list(changed[1]) == list(range(len(URLS.columns))), "icons and colours change, too"


def test_records_of_an_earlier_refresh_are_outdated() -> None:
    kept, rows = cache(), site(4)
    kept.keep(rows.records([1, 2]))
    assert kept.outdated([1, 2, 3]) == [3]
    kept.age += 1
    kept.keep(rows.records([2]))
    assert kept.outdated([1, 2, 3]) == [1, 3]


def test_the_least_recently_read_records_are_evicted_first() -> None:
    kept, rows = cache(most=3), site(6)
    kept.keep(rows.records([1, 2, 3]))
    kept.keep(rows.records([1]))
    kept.keep(rows.records([4, 5]))
    assert sorted(kept.records) == [1, 4, 5]


@given(st.sets(st.integers(0, 30)))
def test_rows_next_to_each_other_are_one_range(rows: set[int]) -> None:
    found = list(ranges(sorted(rows)))
    assert sorted(row for first, last in found for row in range(first, last + 1)) == sorted(rows)
    assert all(second[0] > first[1] + 1 for first, second in pairwise(found))
