"""Crawls in shards by real processes that are killed, compared with one project row by row."""

import random
import sys
from pathlib import Path

import psutil
import pytest

from gossamer.model.cluster_address import ClusterChoice
from gossamer.model.crawl_state import CrawlState
from gossamer.model.messages.crawl_messages import Trouble
from gossamer.model.project_queries import Filter, View
from gossamer.model.search_query import Search
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.session.crawl_host_pool import CrawlHostPool
from gossamer.shards.shard_folder import create_shards, shards_in
from gossamer.shards.shard_merging import merge_shards
from gossamer.shards.sharded_crawl import ShardedCrawl
from gossamer.store.reading.reader import Reader
from tests.fakes.archived import archive_files, bodies, host_bodies, types_in
from tests.fakes.dask_cluster import dask_cluster
from tests.fakes.preloaded import preloaded_host
from tests.fakes.recount import miscounts
from tests.fakes.whole_rows import differences
from tests.integration.crawling import crawl_all, run
from tests.sites.many_hosts import ManyHosts

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="needs many loopback addresses")
SETTINGS = {
    "workers": 6,
    "processes": 1,
    "max_similar": 10_000,
    "guard": False,
    "full_text_search": True,
}


def crawl_in_shards(
    paths: list[Path], stop_after: int | None = None, killed: int = 0, cluster: str = ""
) -> CrawlState:
    """Crawl to the end, or until `stop_after` URLs are fetched; kill so many hosts meanwhile.

    Pages are fetched by nodes of the `cluster`, if one is named.
    """
    chance = random.Random(7)

    async def main() -> CrawlState:
        crawl = ShardedCrawl(paths, CrawlHostPool(begin=preloaded_host))
        crawl.choose_cluster(ClusterChoice(cluster))
        left = killed
        try:
            await crawl.start()
            next_kill = 20
            async for news in crawl.updates():
                assert not isinstance(news, Trouble), news.sentence
                if news.state is CrawlState.FINISHED:
                    break
                if stop_after is not None and news.fetched >= stop_after and not left:
                    break
                if left and news.fetched >= next_kill:
                    left -= 1
                    next_kill = news.fetched + 15
                    pid = chance.choice(crawl.shards).host_pid
                    if pid is not None:
                        psutil.Process(pid).kill()
        finally:
            await crawl.close()
        return crawl.state

    return run(main())


def found(project: Path, words: str) -> set[str]:
    """The URLs of the pages that have the words."""
    with Reader(project) as reader:
        filter_ = Filter(search=Search(words))
        return {each.url for each in reader.iterate(View.ALL, filter_)}


def test_a_crawl_whose_shards_are_killed_merges_to_what_one_project_has(tmp_path: Path) -> None:
    """With its archive; what page workers of this machine began, nodes end."""
    with ManyHosts(10, delay_s=0.005) as sites, dask_cluster() as cluster:
        roots = sites.roots[:-1]  # links to the last one are out of scope
        settings = CrawlSettings(roots=roots, archive=True, **SETTINGS)  # type: ignore[arg-type]  # field by field
        crawl_all(tmp_path / "one.gossamer", roots[0], roots=roots, archive=True, **SETTINGS)
        paths = create_shards(tmp_path / "many.shards", settings, 2, "")
        state = crawl_in_shards(paths, stop_after=60, killed=1)
        assert state in {CrawlState.PAUSED, CrawlState.FINISHED}
        for name in ("one", "two"):
            cluster.start_worker(name, nanny=False)
        shards = shards_in(tmp_path / "many.shards")
        state = crawl_in_shards(shards, killed=1, cluster=cluster.address)
        assert state is CrawlState.FINISHED
    merge_shards(paths, tmp_path / "merged.gossamer")
    assert differences(tmp_path / "one.gossamer", tmp_path / "merged.gossamer") == []
    assert miscounts(tmp_path / "merged.gossamer") == []
    assert bodies(tmp_path / "merged.gossamer") == bodies(tmp_path / "one.gossamer")
    asked_of_hosts = host_bodies(tmp_path / "one.gossamer").keys()
    assert host_bodies(tmp_path / "merged.gossamer").keys() == asked_of_hosts
    assert asked_of_hosts
    assert all(map(types_in, archive_files(tmp_path / "merged.gossamer")))
    for words in ("page", "in:title 1", "-1"):
        assert found(tmp_path / "merged.gossamer", words) == found(tmp_path / "one.gossamer", words)
    assert found(tmp_path / "merged.gossamer", "page")
