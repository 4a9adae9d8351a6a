"""A crawl in shards comes to what one project comes to, whatever is killed when."""

import os
import random
import tempfile
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from gossamer.model.crawl_state import CrawlState
from gossamer.model.outcome import PAGES, Outcome
from gossamer.model.project_queries import View
from gossamer.shards.shard_merging import merge_shards
from gossamer.store.reading.reader import Reader
from gossamer.urls.shard_ownership import Ownership
from tests.fakes.contents import contents
from tests.fakes.recount import miscounts
from tests.fakes.sharded import ShardedFake, crawl_at_once, random_sites, settings_by

EXAMPLES = int(os.environ.get("GOSSAMER_SHARD_STORIES", "16"))
"""The long form has thousands."""


Rows = dict[str, tuple[Outcome, int | None, int | None]]


def rows_of(path: Path) -> Rows:
    with Reader(path) as reader:
        return {r.url: (r.outcome, r.depth, r.hops) for r in reader.iterate(View.ALL)}


def known_to_shards(rows: Rows, truth: Rows) -> Rows:
    """The rows that a shard can know alone.

    What the scope refuses is no shard's: who finds it keeps it. That redirects of several shards
    make a loop, all of them together tell.
    """
    return {
        url: (Outcome.REDIRECT_LOOP, *row[1:])
        if row[0].is_redirect and truth[url][0] is Outcome.REDIRECT_LOOP
        else row
        for url, row in rows.items()
        if row[0] is not Outcome.OUT_OF_SCOPE
    }


@settings(deadline=None, max_examples=EXAMPLES)
@given(seed=st.integers(0, 2**64), shards=st.integers(1, 4))
def test_shards_and_their_merged_project_have_what_one_crawl_has(seed: int, shards: int) -> None:
    chance = random.Random(seed)
    web, wanted = random_sites(chance), settings_by(chance)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        crawl_at_once(folder / "truth.gossamer", wanted, web)
        truth = rows_of(folder / "truth.gossamer")
        web.answered.clear()
        crawls = ShardedFake(folder, wanted, web, shards, chance)
        crawls.run(chance.choices(range(shards), k=chance.randint(0, 6)))
        owner = Ownership(shards).owner
        found = {
            url: row
            for number, path in enumerate(crawls.paths)
            for url, row in rows_of(path).items()
            if owner(url) == number
        }
        merge_shards(chance.sample(crawls.paths, k=shards), folder / "merged.gossamer")
        assert miscounts(folder / "merged.gossamer") == []
        merged = contents(folder / "merged.gossamer", parents=False)
        expected = contents(folder / "truth.gossamer", parents=False)
    assert known_to_shards(found, truth) == known_to_shards(truth, truth)
    assert merged == expected
    most = max((web.answered.count(url) for url in set(web.answered)), default=0)
    assert most <= 1 + crawls.deaths


@settings(deadline=None, max_examples=EXAMPLES)
@given(seed=st.integers(0, 2**64), shards=st.integers(1, 4), most=st.integers(1, 20))
def test_shards_fetch_as_many_pages_as_one_crawl_with_the_same_limit(
    seed: int, shards: int, most: int
) -> None:
    chance = random.Random(seed)
    web, wanted = random_sites(chance), replace(settings_by(chance), max_pages=most)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        crawl_at_once(folder / "truth.gossamer", wanted, web)
        crawls = ShardedFake(folder, wanted, web, shards, chance)
        crawls.run(chance.choices(range(shards), k=chance.randint(0, 3)))
        merge_shards(crawls.paths, folder / "merged.gossamer")
        pages = [pages_in(folder / f"{each}.gossamer") for each in ("truth", "merged")]
    assert pages[0] == pages[1] <= most


def pages_in(path: Path) -> int:
    return sum(outcome in PAGES for outcome, *_ in rows_of(path).values())


@settings(deadline=None, max_examples=EXAMPLES)
@given(seed=st.integers(0, 2**64), shards=st.integers(1, 4), is_torn=st.booleans())
def test_a_crawl_ended_at_any_moment_goes_on_from_the_merged_project_of_its_shards(
    seed: int, shards: int, *, is_torn: bool
) -> None:
    chance = random.Random(seed)
    web, wanted = random_sites(chance), settings_by(chance)
    with tempfile.TemporaryDirectory() as name:
        folder, merged = Path(name), Path(name) / "merged.gossamer"
        crawl_at_once(folder / "truth.gossamer", wanted, web)
        web.answered.clear()
        crawls = ShardedFake(folder, wanted, web, shards, chance)
        (folder / "torn").mkdir()
        crawls.run(
            chance.choices(range(shards), k=chance.randint(0, 2)),
            stop_after_s=chance.choice([0.0, 0.01, 0.2, 0.5, 1.0, 3.0]),
            torn_into=folder / "torn" if is_torn else None,
        )
        found = {url for path in crawls.paths for url in rows_of(path)}
        merge_shards(chance.sample(crawls.paths, k=shards), merged)
        assert miscounts(merged) == []
        rows = rows_of(merged)
        with Reader(merged) as reader:
            is_finished = reader.summary().state is CrawlState.FINISHED
        assert Outcome.OTHER_SHARD not in {outcome for outcome, *_ in rows.values()}
        assert rows.keys() == found
        before = len(web.answered)
        crawl_at_once(merged, wanted, web)
        assert not (is_finished and web.answered[before:])
        assert contents(merged, parents=False) == contents(folder / "truth.gossamer", parents=False)
    most = max((web.answered.count(url) for url in set(web.answered)), default=0)
    assert most <= 2 + crawls.deaths
