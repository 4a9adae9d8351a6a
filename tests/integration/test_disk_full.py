"""Real processes on a real file system that is full, or from which the project is moved away."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from gossamer.comparison.project_comparison import compare
from gossamer.model.crawl_state import CrawlState
from gossamer.model.errors import DiskError
from gossamer.store.project_copy import copy_project
from gossamer.store.reading.reader import Reader
from gossamer.store.rescue.project_rescue import rescue
from tests.fakes.crawled import Crawled
from tests.fakes.damage import crawled_site
from tests.integration.crawling import asked, new_session, run, until, until_rest
from tests.integration.small_disks import PAGES, large_site, small_file_system
from tests.sites import Site


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Callable[[str], Path]]:
    """As `small_file_system`."""
    with small_file_system(tmp_path) as sized:
        yield sized


@pytest.mark.parametrize("asked_to", [True, False])
def test_a_full_disk_is_waited_for(
    site: Site, small_disk: Callable[[str], Path], *, asked_to: bool
) -> None:
    large_site(site)
    project = small_disk("1536k") / "a.gossamer"

    async def main() -> None:
        async with new_session(project, site.url(), max_similar=PAGES) as session:
            await session.start()
            waiting = await until(session, lambda p: p.waits)
            assert waiting.state is CrawlState.PAUSED
            assert "is full; free some space" in str(waiting.notice)
            site.block_until(lambda: site.open_connections == 0)
            with Reader(project) as reader:
                assert reader.summary().outcomes
            small_disk("64m")
            if asked_to:
                await session.resume()
                await until(session, lambda p: not p.waits)
            assert await until_rest(session) is CrawlState.FINISHED

    run(main())
    assert len(asked(project)) == PAGES
    assert [file.name for file in project.parent.iterdir()] == [project.name]


def test_a_project_that_is_moved_away_and_back_is_crawled_to_the_end(
    site: Site, tmp_path: Path
) -> None:
    large_site(site, delay_s=0.05)
    project, aside = tmp_path / "a.gossamer", tmp_path / "b.gossamer"

    async def main() -> None:
        async with new_session(project, site.url(), max_similar=PAGES) as session:
            await session.start()
            await until(session, lambda _: project.exists() and len(asked(project)) >= 30)
            project.rename(aside)
            waiting = await until(session, lambda p: p.waits)
            assert "is missing" in str(waiting.notice)
            assert len(asked(aside)) >= 30, "it is whole where it is now"
            aside.rename(project)
            await session.resume()
            assert await until_rest(session) is CrawlState.FINISHED

    run(main())
    assert len(asked(project)) == PAGES


@pytest.mark.parametrize("make", [copy_project, rescue])
def test_a_project_that_does_not_fit_on_the_disk_leaves_no_file(
    small_disk: Callable[[str], Path], tmp_path: Path, make: Callable[[Path, Path], object]
) -> None:
    with crawled_site(tmp_path / "a.gossamer"):
        pass
    for size in range(8, 180, 12):  # each time the room ends at another step
        place = small_disk(f"{size}k")
        with pytest.raises(DiskError, match=r"a\.gossamer is full; free some space"):
            make(tmp_path / "a.gossamer", place / "a.gossamer")
        assert list(place.iterdir()) == []


def test_a_comparison_without_room_is_told_and_leaves_nothing(
    small_disk: Callable[[str], Path], tmp_path: Path
) -> None:
    paths = []
    for name in ("before", "after"):
        with Crawled(tmp_path / f"{name}.gossamer") as crawled:
            for number in range(100):
                crawled.page(f"/{number}", title=f"{name} {number} " * 500)
            paths.append(crawled.path)
    place = small_disk("200k")
    result = place / "result"
    with pytest.raises(DiskError, match="is full"):
        compare(paths[0], paths[1], result)
    assert list(place.iterdir()) == []
    small_disk("20m")
    assert compare(paths[0], paths[1], result).changed == 100
