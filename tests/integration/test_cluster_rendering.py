"""Crawls whose pages are rendered on the nodes of a cluster."""

import shutil
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from gossamer.model.crawl_state import CrawlState
from gossamer.model.fields.derived_rendering_fields import RenderStatus
from gossamer.model.settings.archive_settings import ArchiveOnNodes
from gossamer.model.settings.rendering_choices import RenderMode
from tests.fakes.archived import archive_files, doms
from tests.fakes.browsers import NEEDS_BROWSER
from tests.fakes.contents import contents
from tests.fakes.dask_cluster import DaskCluster, dask_cluster
from tests.integration.crawling import crawl_all, new_session, records, run, until, until_rest
from tests.sites import Response, Site

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there is no rendering there")

PAGES = 4
SCRIPT = b"""const next = document.body.dataset.next;
document.title = 'Page ' + next;
document.body.insertAdjacentHTML('beforeend', `<a href=/page/${next}>Next</a>`);"""


@pytest.fixture(scope="module")
def scheduler() -> Iterator[DaskCluster]:
    with dask_cluster() as running:
        yield running


@pytest.fixture
def cluster(scheduler: DaskCluster) -> Iterator[DaskCluster]:
    """Without workers; those of the test end with it."""
    yield scheduler
    scheduler.kill_workers()


def shop(site: Site) -> None:
    """Pages that lead to others by a script alone, all from the first one."""
    links = "".join(f"<a href=/page/{number}>p</a>" for number in range(0, PAGES, 2))
    site.respond("/", Response(body=f"<title>Home</title><body>{links}".encode()))
    for number in range(PAGES):
        html = f"<title>Wait</title><body data-next={number + 1}><script src=/a.js></script>"
        site.respond(f"/page/{number}", Response(body=html.encode()))
    site.file("/a.js", SCRIPT, "text/javascript")


@NEEDS_BROWSER
def test_pages_rendered_on_nodes_of_which_one_is_killed_are_those_of_one_machine(
    site: Site, tmp_path: Path, cluster: DaskCluster
) -> None:
    shop(site)
    here, there = tmp_path / "here.gossamer", tmp_path / "there.gossamer"
    crawl_all(here, site.url("/"), render=RenderMode.ON, archive=True)
    once = Counter(site.paths)

    one, _ = cluster.start_worker("one"), cluster.start_worker("two", nanny=False)

    async def main() -> None:
        where = {"cluster": cluster.address, "render": RenderMode.ON, "archive": True}
        async with new_session(there, site.url("/"), **where) as session:
            await session.start()
            await until(session, lambda it: it.fetched >= 3)
            max(one.children(), key=lambda each: len(each.children())).kill()
            assert await until_rest(session) is CrawlState.FINISHED

    run(main())
    assert contents(there, parents=False) == contents(here, parents=False)
    assert doms(there) == doms(here)
    assert len(doms(here)) == 1 + PAGES
    last = records(there)[site.url(f"/page/{PAGES - 1}")]
    assert (last.title, last.render_status) == (f"Page {PAGES}", RenderStatus.RENDERED)
    # Coordinator and nodes have caches of their own; one node comes in the place of another.
    again = Counter(site.paths) - once
    assert max(again.values()) <= 4
    assert max(times for path, times in again.items() if "/page/" in path) <= 2


@NEEDS_BROWSER
def test_doms_stay_on_the_nodes_with_the_archive_and_can_be_copied(
    site: Site, tmp_path: Path, cluster: DaskCluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    shop(site)
    there, project = tmp_path / "there", tmp_path / "a.gossamer"
    monkeypatch.setenv("GOSSAMER_ARCHIVES", str(there))
    cluster.start_worker("four", nanny=False)
    where = {"cluster": cluster.address, "archive_on_nodes": ArchiveOnNodes.LEAVE}
    crawl_all(project, site.url("/"), render=RenderMode.ON, archive=True, **where)
    assert archive_files(project) == []
    shutil.copytree(there / "a.archive", tmp_path / "a.archive")
    found = doms(project)
    assert len(found) == 1 + PAGES
    assert f'<a href="/page/{PAGES}">' in found[site.url(f"/page/{PAGES - 1}")].decode()


def test_a_node_without_the_browser_gets_no_pages_and_the_crawl_says_why(
    site: Site, tmp_path: Path, cluster: DaskCluster
) -> None:
    shop(site)
    cluster.start_worker("three", nanny=False)
    settings = {"render": RenderMode.ON, "browser": "no-such-program", "cluster": cluster.address}

    async def main() -> None:
        async with new_session(tmp_path / "a.gossamer", site.url("/"), **settings) as session:
            await session.start()
            why = "has no browser that renders pages"
            # While the node starts, a busy machine says that none responds.
            told = await until(session, lambda it: why in str(it.notice))
            assert told.waits
            assert {node.workers for node in told.nodes} == {0}
            await session.cancel()
            assert session.state is CrawlState.CANCELLED

    run(main())
    assert not site.requests
