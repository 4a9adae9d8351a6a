"""Crawls on the nodes of a Dask cluster: the project is that of a crawl on one machine."""

import random
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from gossamer.model.crawl_state import CrawlState
from tests.fakes.contents import contents
from tests.fakes.dask_cluster import DaskCluster, dask_cluster
from tests.integration.crawled_sites import mixed_site
from tests.integration.crawling import crawl_all, new_session, run, until, until_rest
from tests.sites import Site

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="looks for processes of Linux")


PAGES = 300
SETTINGS = {"workers": 8, "max_similar": 10 * PAGES, "use_sitemaps": False}


@pytest.fixture(scope="module")
def cluster() -> Iterator[DaskCluster]:
    with dask_cluster() as running:
        running.start_worker("one")
        running.start_worker("two")
        yield running


@pytest.fixture
def truth(site: Site, tmp_path: Path) -> Path:
    """What one machine makes of the site."""
    mixed_site(site, random.Random(20), PAGES)
    project = tmp_path / "truth.gossamer"
    crawl_all(project, site.url(), **SETTINGS)
    return project


def test_a_crawl_on_local_nodes_is_that_of_one_machine(
    site: Site, truth: Path, tmp_path: Path
) -> None:
    project = tmp_path / "a.gossamer"
    crawl_all(project, site.url(), **SETTINGS, cluster="local:2")
    assert contents(project, parents=False) == contents(truth, parents=False)


def test_a_crawl_goes_on_when_a_worker_of_dask_is_killed(
    site: Site, truth: Path, tmp_path: Path, cluster: DaskCluster
) -> None:
    project = tmp_path / "a.gossamer"

    async def main() -> None:
        async with new_session(project, site.url(), **SETTINGS, cluster=cluster.address) as session:
            await session.start()
            await until(session, lambda progress: progress.fetched > 20)
            assert await until_rest(session) is CrawlState.FINISHED

    run(main())
    assert contents(project, parents=False) == contents(truth, parents=False)
