"""What links say of signing out and deleting stays known to the project, however it is copied."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from gossamer.model.discovery_rank import Rank
from gossamer.model.link_kinds import LinkKind
from gossamer.model.outcome import Outcome
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.store_batch import StoreBatch, UrlRow
from gossamer.model.visit import Link
from gossamer.shards.shard_folder import create_shards
from gossamer.shards.shard_merging import merge_shards
from gossamer.store.rescue.project_rescue import rescue
from gossamer.store.targets_by_link_text import targets_by_text
from gossamer.store.writing.writer import Writer
from gossamer.urls.shard_ownership import Ownership
from tests.fakes.crawled import Crawled


@pytest.fixture
def crawled(tmp_path: Path) -> Iterator[Crawled]:
    with Crawled(tmp_path / "a.gossamer") as crawled:
        crawled.page("/")
        crawled.known("/end", Outcome.PENDING)
        yield crawled


def test_what_the_first_link_says_is_kept(crawled: Crawled) -> None:
    for words in ("Sign out", "Log off"):
        crawled.writer.commit(StoreBatch(risky=[(crawled.id("/end"), words)]))
    assert crawled.writer.summary().risky == {crawled.url("/end"): "Sign out"}


def test_stored_links_tell_what_they_say_of_their_targets(tmp_path: Path) -> None:
    with Crawled(tmp_path / "b.gossamer") as crawled:
        crawled.known("/off", Outcome.PAGE)
        crawled.page(
            "/",
            ("/off", Link(0, LinkKind.ANCHOR, "Sign out")),
            ("/news", Link(0, LinkKind.ANCHOR, "News")),
            ("/part", Link(0, LinkKind.ANCHOR, "Sign out", fragment="#x")),
            ("/long", Link(0, LinkKind.ANCHOR, "Sign out of everything")),
        )
        crawled.known("/away", Outcome.PENDING)
        crawled.page("/b", ("/away", Link(0, LinkKind.ANCHOR, "Sign out")))
        found = targets_by_text(crawled.path, lambda text: "Sign out" in text, len("Sign out"))
        assert found == [
            (crawled.id("/away"), crawled.url("/away"), "Sign out"),
            (crawled.id("/off"), crawled.url("/off"), "Sign out"),
        ]
        assert targets_by_text(crawled.path, lambda _: False, 99) == []


def test_a_rescue_keeps_it(crawled: Crawled, tmp_path: Path) -> None:
    crawled.writer.commit(StoreBatch(risky=[(crawled.id("/end"), "Sign out")]))
    crawled.writer.close()
    rescue(crawled.path, tmp_path / "b.gossamer")
    with Writer(tmp_path / "b.gossamer") as rescued:
        assert rescued.summary().risky == {crawled.url("/end"): "Sign out"}


def test_shards_that_are_merged_keep_it(tmp_path: Path) -> None:
    roots = tuple(f"https://{name}.test/" for name in "abcdefgh")
    paths = create_shards(tmp_path / "a.shards", CrawlSettings(roots=roots), 2, "")
    owner = Ownership(2).owner
    for number, path in enumerate(paths):
        own = next(root for root in roots if owner(root) == number)
        with Writer(path) as writer:
            row = UrlRow(1, f"{own}end", Rank(1), Outcome.PENDING, None)
            writer.commit(StoreBatch(new=[row], risky=[(1, f"Sign out {number}")]))
            assert writer.outgoing(1 - number, 0, 9) == []
    merge_shards(paths, tmp_path / "merged.gossamer")
    with Writer(tmp_path / "merged.gossamer") as merged:
        assert sorted(merged.summary().risky.values()) == ["Sign out 0", "Sign out 1"]
