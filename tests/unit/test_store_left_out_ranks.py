"""What a trap budget left out takes no better rank, until it has room for the URL."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from gossamer.model.discovery_rank import JUST_RECORDED, Rank
from gossamer.model.link_kinds import LinkKind
from gossamer.model.outcome import Outcome
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.store_batch import StoreBatch, UrlRow
from gossamer.model.visit import Link, Visit
from gossamer.store.project import create
from gossamer.store.writing.writer import Writer
from tests.fakes.crawled import SITE, Crawled

GRANTED = (1, Rank(13))
"""What queues the URL that was left out."""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "a.gossamer"


@pytest.fixture
def writer(path: Path) -> Iterator[Writer]:
    create(path, CrawlSettings(roots=(SITE,)))
    with Writer(path) as writer:
        writer.commit(StoreBatch(new=[UrlRow(1, SITE, JUST_RECORDED, Outcome.OVER_BUDGET)]))
        yield writer


def test_a_better_way_in_another_shard_counts_from_the_commit_that_has_room(
    writer: Writer,
) -> None:
    assert writer.commit(StoreBatch(propagated=[(1, Rank(12))])) == []
    (row,) = writer.commit(StoreBatch(propagated=[(1, Rank(11))], improved=[GRANTED]))
    assert row.rank.depth == 11
    (row,) = writer.commit(StoreBatch(propagated=[(1, Rank(7))]))
    assert row.rank.depth == 7


def test_a_better_way_to_a_page_that_leads_there_counts_likewise(path: Path) -> None:
    with Crawled(path) as crawled:
        crawled.page("/", "/c")
        page = Visit(Outcome.PAGE, status=200)
        link = Link(0, LinkKind.ANCHOR)
        crawled.visited("/c", page, [("/left-out", link)], found=JUST_RECORDED)
        url_id = crawled.id("/left-out")
        crawled.writer.commit(StoreBatch(decided=[(url_id, Outcome.OVER_BUDGET, None)]))
        better = (crawled.id("/c"), Rank(0))
        found = crawled.writer.commit(StoreBatch(improved=[better, (url_id, Rank(13))]))
        assert {row.id: row.rank.depth for row in found}[url_id] == 1
