"""Crawls on the nodes of a Dask cluster: the project is that of a crawl on one machine."""

import random
import shutil
import sys
import zipfile
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

import psutil
import pytest

from gossamer.export.archive_exports import ARCHIVE_EXPORTS, ArchiveRequest, source_of_archive
from gossamer.ipc import ChildRole
from gossamer.model.cluster_address import ClusterChoice
from gossamer.model.crawl_state import CrawlState
from gossamer.model.errors import UsageError
from gossamer.model.messages.crawl_messages import Progress, Trouble
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.session.crawl_host_pool import CrawlHostPool
from gossamer.session.crawl_session import CrawlSession
from gossamer.shards.shard_folder import create_shards
from gossamer.shards.shard_merging import merge_shards
from gossamer.shards.sharded_crawl import ShardedCrawl
from gossamer.store.reading.reader import Reader
from tests.fakes.archived import archive_files, archived, bodies, types_in
from tests.fakes.contents import contents
from tests.fakes.dask_cluster import (
    DaskCluster,
    dask_cluster,
    has_ended,
    started_local_cluster,
)
from tests.fakes.whole_rows import differences
from tests.integration.crawled_sites import mixed_site
from tests.integration.crawling import (
    assert_gone,
    crawl_all,
    new_session,
    resume_all,
    run,
    trouble_of,
    until,
    until_rest,
)
from tests.integration.small_disks import small_file_system
from tests.sites import Site
from tests.sites.many_hosts import ManyHosts

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="looks for processes of Linux")

PAGES = 80
WORKERS = 8
SETTINGS = {"workers": WORKERS, "max_similar": 10 * PAGES, "use_sitemaps": False}


@pytest.fixture(scope="module")
def scheduler() -> Iterator[DaskCluster]:
    with dask_cluster() as running:
        yield running


@pytest.fixture
def cluster(scheduler: DaskCluster) -> Iterator[DaskCluster]:
    """Without workers; those of the test end with it."""
    yield scheduler
    scheduler.kill_workers()


SET_BY_NANNIES = {"MALLOC_TRIM_THRESHOLD_", "PYTHONHASHSEED"}
"""Environment variables of Dask workers. One slows page workers down, one makes hashes known."""
HELD = "/gone/0"
"""A page that the root links to. Where it is held back, no crawl ends."""


class Mixed(NamedTuple):
    """A site, and what one machine makes of it."""

    site: Site
    truth: Path

    def check(self, project: Path) -> None:
        """A project says the same as the crawl on one machine."""
        assert contents(project, parents=False) == contents(self.truth, parents=False)


@pytest.fixture(scope="module")
def crawled_once(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Mixed]:
    project = tmp_path_factory.mktemp("mixed") / "truth.gossamer"
    with Site() as site:
        mixed_site(site, random.Random(20), PAGES)
        site.slow(HELD).open()
        crawl_all(project, site.url(), **SETTINGS, archive=True)
        yield Mixed(site, project)


@pytest.fixture
def mixed(crawled_once: Mixed) -> Mixed:
    """The same for all tests, with nothing held back by the one before."""
    crawled_once.site.slow(HELD).open()
    return crawled_once


@asynccontextmanager
async def begun(project: Path, site: Site, cluster: DaskCluster) -> AsyncIterator[CrawlSession]:
    """A crawl on the cluster that has fetched a page."""
    where = {"cluster": cluster.address, "archive": True}
    async with new_session(project, site.url(), **SETTINGS, **where) as session:
        await session.start()
        await fetched(session, 1)
        yield session


async def fetched(session: CrawlSession, more: int) -> None:
    """Wait until so many more URLs are fetched, or all."""
    wanted = session.progress.fetched + more
    await until(session, lambda it: it.fetched >= wanted or it.state is CrawlState.FINISHED)


def dask_worker(nanny: psutil.Process) -> psutil.Process:
    """The worker that a nanny has, as far as its children tell: the one that has begun work."""
    return max(nanny.children(), key=lambda each: len(each.children()))


def page_workers_below(nanny: psutil.Process) -> list[psutil.Process]:
    """Those of the node that a nanny has, if it is one by now."""
    below = nanny.children(recursive=True)
    return [each for each in below if ChildRole.PAGE_WORKER in each.cmdline()]


def test_a_crawl_on_local_nodes_is_that_of_one_machine_and_its_archive_is_collected(
    mixed: Mixed, tmp_path: Path
) -> None:
    project, site = tmp_path / "a.gossamer", mixed.site
    before = len(site.paths)
    crawl_all(project, site.url(), **SETTINGS, archive=True, cluster="local:2")
    mixed.check(project)
    assert max(Counter(site.paths[before:]).values()) == 1
    assert bodies(project) == bodies(mixed.truth)
    files = archive_files(project)
    named = {record.file for found in archived(project).values() for record, _ in found}
    assert named == {path.name for path in files}
    assert len(files) > 1, "each node writes its own"
    for path in files:
        assert types_in(path)


def test_a_cluster_on_this_machine_that_is_killed_is_started_again(
    mixed: Mixed, tmp_path: Path
) -> None:
    project, site = tmp_path / "a.gossamer", mixed.site
    held = site.slow(HELD)

    async def main() -> None:
        async with new_session(project, site.url(), **SETTINGS, cluster="local:1") as session:
            await session.start()
            (await started_local_cluster()).kill()
            await fetched(session, 1)
            (await started_local_cluster()).kill()
            lost = await until(session, lambda it: it.notice is not None)
            assert "others are being started" in str(lost.notice)
            assert lost.waits
            held.open()
            assert await until_rest(session) is CrawlState.FINISHED

    run(main())
    mixed.check(project)


def test_nodes_may_come_go_hang_and_be_killed(
    mixed: Mixed, tmp_path: Path, cluster: DaskCluster
) -> None:
    project, site = tmp_path / "a.gossamer", mixed.site
    before = len(site.paths)
    one, two = cluster.start_worker("one"), cluster.start_worker("two")

    async def main() -> None:
        async with begun(project, site, cluster) as session:
            # Two faults and no more: a page that is lost three times is given up.
            await fetched(session, 20)
            dask_worker(two).kill()
            await fetched(session, 20)
            dask_worker(one).suspend()
            await fetched(session, 20)
            cluster.start_worker("three", nanny=False)
            assert await until_rest(session) is CrawlState.FINISHED

    run(main())
    dask_worker(one).resume()
    mixed.check(project)
    assert bodies(project) == bodies(mixed.truth)
    again = [path for path, times in Counter(site.paths[before:]).items() if times > 1]
    assert len(again) <= 4 * WORKERS


def test_shards_are_crawled_on_nodes_and_go_on_elsewhere_when_one_is_killed(
    tmp_path: Path, cluster: DaskCluster
) -> None:
    with ManyHosts(6, delay_s=0.02) as sites:
        roots, settings = sites.roots, {"max_similar": 10_000, "guard": False, "workers": 4}
        crawl_all(tmp_path / "one.gossamer", roots[0], roots=roots, **settings)
        paths = create_shards(
            tmp_path / "a.shards",
            CrawlSettings(roots=roots, **settings),  # type: ignore[arg-type]  # field by field
            2,
            "",
        )
        for name in ("left", "right"):
            cluster.start_worker(name, nanny=False)

        async def main() -> None:
            crawl = ShardedCrawl(paths, CrawlHostPool())
            crawl.crawl_on_nodes(ClusterChoice(cluster.address))
            try:
                await crawl.start()
                is_killed = False
                async for news in crawl.updates():
                    assert not isinstance(news, Trouble), news.sentence
                    pid = crawl.shards[0].host_pid
                    if news.fetched >= 20 and pid is not None and not is_killed:
                        is_killed = True
                        there = psutil.Process(pid).parent()
                        assert there is not None
                        there.kill()
                    if news.state is CrawlState.FINISHED:
                        break
            finally:
                await crawl.close()
            assert is_killed

        run(main())
    merge_shards(paths, tmp_path / "merged.gossamer")
    assert differences(tmp_path / "one.gossamer", tmp_path / "merged.gossamer") == []


def test_a_node_without_gossamer_is_told_of_and_left_alone(
    site: Site, tmp_path: Path, cluster: DaskCluster
) -> None:
    site.page("/")
    odd = cluster.start_worker("odd", version="", nanny=False)

    async def main() -> None:
        where = {"cluster": cluster.address}
        async with new_session(tmp_path / "a.gossamer", site.url(), **where) as session:
            await session.start()
            await until(session, lambda it: "The node odd has no Gossamer" in str(it.notice))
            assert not has_ended(odd), "it may work for others"
            cluster.start_worker("usable", nanny=False)
            assert await until_rest(session) is CrawlState.FINISHED

    run(main())


def test_a_crawl_waits_for_its_scheduler_and_goes_on_when_it_is_back(
    mixed: Mixed, tmp_path: Path, cluster: DaskCluster
) -> None:
    project, site = tmp_path / "a.gossamer", mixed.site
    cluster.start_worker("four", nanny=False)
    held = site.slow(HELD)

    async def main() -> None:
        async with begun(project, site, cluster) as session:
            cluster.kill_all()
            lost = await until(session, lambda it: it.notice is not None)
            assert "cannot be reached" in str(lost.notice)
            assert lost.waits
            cluster.start_scheduler_again()
            empty = await until(session, lambda it: it.notice not in (None, lost.notice))
            assert "has no worker" in str(empty.notice)
            held.open()
            cluster.start_worker("five", nanny=False)
            assert await until_rest(session) is CrawlState.FINISHED

    run(main())
    mixed.check(project)


def test_a_cluster_may_lose_all_its_nodes_and_get_others_while_the_crawl_is_paused(
    mixed: Mixed, tmp_path: Path, cluster: DaskCluster
) -> None:
    project, site = tmp_path / "a.gossamer", mixed.site
    old = cluster.start_worker("old", nanny=False)
    held = site.slow(HELD)

    def names(progress: Progress) -> set[str]:
        return {each.name for each in progress.nodes if each.trouble is None}

    async def main() -> None:
        async with begun(project, site, cluster) as session:
            await session.pause(now=True)
            old.kill()
            gone = await until(session, lambda it: "old" not in names(it))
            assert gone.state is CrawlState.PAUSED
            for name in ("new", "newer"):
                cluster.start_worker(name, nanny=False)
            there = await until(session, lambda it: names(it) >= {"new", "newer"})
            assert there.state is CrawlState.PAUSED, "that nodes are there is no wish to go on"
            held.open()
            await session.start()
            assert await until_rest(session) is CrawlState.FINISHED

    run(main())
    mixed.check(project)


def test_without_its_coordinator_a_node_ends_all_requests_and_another_machine_goes_on(
    mixed: Mixed, tmp_path: Path, cluster: DaskCluster
) -> None:
    project, site = tmp_path / "a.gossamer", mixed.site
    nanny = cluster.start_worker("six")
    held = site.slow(HELD)

    async def main() -> list[psutil.Process]:
        async with begun(project, site, cluster) as session:
            await until(session, lambda _: bool(page_workers_below(nanny)))
            page_workers = page_workers_below(nanny)
            assert SET_BY_NANNIES.isdisjoint(page_workers[0].environ())
            psutil.Process(session.host_pid).kill()
            await trouble_of(session)
            return page_workers

    assert_gone(run(main()))
    site.block_until(lambda: site.open_connections == 0)
    held.open()
    resume_all(project)
    mixed.check(project)


def test_no_byte_leaves_a_node_after_a_pause_or_a_cancel(
    mixed: Mixed, tmp_path: Path, cluster: DaskCluster
) -> None:
    site = mixed.site
    site.slow(HELD)
    cluster.start_worker("seven", nanny=False)

    async def main() -> int:
        async with begun(tmp_path / "a.gossamer", site, cluster) as session:
            await session.pause(now=True)
            site.block_until(lambda: site.open_connections == 0)
            paused = len(site.requests)
            await session.pause(now=True)  # is answered after all that was on its way
            assert len(site.requests) == paused
            await session.start()
            await fetched(session, 1)
            await session.cancel()
            assert session.progress.silent_after_ms is not None
            site.block_until(lambda: site.open_connections == 0)
            return len(site.requests)

    requests = run(main())
    assert len(site.requests) == requests


def test_archives_stay_on_their_nodes_where_that_is_wanted_and_can_be_copied(
    site: Site, tmp_path: Path, cluster: DaskCluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    site.page("/", links=[f"/{number}" for number in range(9)])
    for number in range(9):
        site.page(f"/{number}")
    there, project = tmp_path / "there", tmp_path / "a.gossamer"
    monkeypatch.setenv("GOSSAMER_ARCHIVES", str(there))
    cluster.start_worker("eight", nanny=False)
    settings: dict[str, Any] = {**SETTINGS, "cluster": cluster.address, "archive": True}
    crawl_all(project, site.url(), **settings, archive_on_nodes="leave")
    folder = there / "a.archive"
    with Reader(project) as reader:
        (remote,) = reader.remote_archives()
        with pytest.raises(UsageError, match=r"copy the files to .*a\.archive first"):
            source_of_archive(project, reader)
    assert (remote.node, remote.folder) == ("eight", str(folder))
    assert remote.files == len(list(folder.iterdir()))
    assert archive_files(project) == []
    copied = Path(shutil.copytree(folder, tmp_path / "a.archive"))
    assert len(bodies(project)) == 10
    file = archive_files(project)[0]
    (copied / "others.warc.gz").write_bytes(file.read_bytes())
    file.rename(tmp_path / "left")
    with Reader(project) as reader, pytest.raises(UsageError, match=f"copy it from {folder} to"):
        source_of_archive(project, reader)
    (copied / "others.warc.gz").unlink()
    (tmp_path / "left").rename(file)
    whole = file.read_bytes()
    file.write_bytes(whole + whole[:600])  # the node was killed while it wrote
    ArchiveRequest(ARCHIVE_EXPORTS["wacz"], tmp_path / "a.wacz").write(project, None, lambda: False)
    with zipfile.ZipFile(tmp_path / "a.wacz") as package:
        assert package.read(f"archive/{file.name}") == whole
    resume_all(project)
    assert len(bodies(project)) == 10, "copies are no leftovers"


def test_a_full_disk_of_a_node_is_told_with_its_name_and_place(
    site: Site, tmp_path: Path, cluster: DaskCluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is lost: what the disk had no room for is asked for again when it has."""
    site.page("/", links=["/a", HELD])
    site.page("/a")
    held = site.slow(HELD, title=random.Random(1).randbytes(20_000).hex())
    project = tmp_path / "a.gossamer"
    with small_file_system(tmp_path) as sized:
        there = sized("4m")
        monkeypatch.setenv("GOSSAMER_ARCHIVES", str(there))
        cluster.start_worker("nine", nanny=False)
        where = {"cluster": cluster.address, "archive": True, "archive_on_nodes": "leave"}

        async def main() -> None:
            async with new_session(project, site.url(), **SETTINGS, **where) as session:
                await session.start()
                await fetched(session, 2)
                with suppress(OSError), (there / "others").open("wb", buffering=0) as others:
                    while others.write(bytes(4096)):
                        pass
                held.open()
                waiting = await until(session, lambda it: it.notice is not None)
                place = there / "a.archive"
                assert str(waiting.notice).endswith(
                    f"The disk of the node nine with {place} is full; free some space there."
                )
                (there / "others").unlink()
                assert await until_rest(session) is CrawlState.FINISHED

        run(main())
        shutil.copytree(there / "a.archive", tmp_path / "a.archive")
    assert len(bodies(project)) == 3
