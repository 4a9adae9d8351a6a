"""A crawl that is not over, compared with one that is: what its audit has not seen is unknown."""

from pathlib import Path
from typing import Any, Final

from gossamer.audit.rules.page_titles import DUPLICATE
from gossamer.model.comparison_results import ComparisonFilter, FilterMove
from gossamer.model.crawl_state import CrawlState
from gossamer.session.audit_process import audit_project
from gossamer.session.comparison_process import compare_projects
from gossamer.session.crawl_session import CrawlSession
from gossamer.store.comparing.comparison_reader import ComparisonReader
from tests.integration.crawling import crawl_all, new_session, run
from tests.sites import Site

_FEW: Final[dict[str, Any]] = {
    "workers": 1,
    "soft_404_probe": False,
    "obey_robots": False,
    "llms_txt": False,
}
_ALIKE: Final = [f"/{number}" for number in range(6)]


def build(site: Site) -> None:
    """Pages of one title, in the order in which they are fetched one by one."""
    site.page("/", title="Home", links=_ALIKE)
    for path in _ALIKE:
        site.page(path, title="Alike", links=["/"])


async def pause_at(session: CrawlSession, site: Site, path: str) -> None:
    """Pause while this page, asked for the second time, does not answer: others are done."""
    await site.wait_until(lambda: site.paths.count(path) == 2)
    await session.pause(now=True)
    assert session.state is CrawlState.PAUSED


async def moved(before: Path, after: Path, result: Path) -> dict[FilterMove, set[str]]:
    """The paths that came among those whose title others have, or left them, by how."""
    await compare_projects(before, after, result)
    found = {}
    with ComparisonReader(result) as reader:
        assert reader.summary().after.pending
        for move in FilterMove:
            pages = reader.iterate(ComparisonFilter(moved=("issue", DUPLICATE.number, move)))
            found[move] = {page.url[page.url.rindex("/") :] for page in pages}
    return {move: paths for move, paths in found.items() if paths}


def test_a_paused_crawl_makes_no_page_better_that_its_audit_has_not_seen(
    site: Site, tmp_path: Path
) -> None:
    whole, partial, result = (tmp_path / name for name in ("a.gossamer", "b.gossamer", "result"))
    build(site)
    crawl_all(whole, site.url("/"), **_FEW)

    async def main() -> None:
        await audit_project(whole, lambda _: None)
        site.hang("/3")
        async with new_session(partial, site.url("/"), **_FEW) as session:
            await session.start()
            await pause_at(session, site, "/3")
            await audit_project(partial, lambda _: None)
            assert await moved(whole, partial, result) == {}
            site.page("/3", title="Alike", links=["/"])
            site.hang("/5")
            await session.resume()
            await pause_at(session, site, "/5")
            assert await moved(whole, partial, result) == {FilterMove.UNKNOWN: {"/3", "/4"}}
            await audit_project(partial, lambda _: None)
            assert await moved(whole, partial, result) == {}

    run(main())
