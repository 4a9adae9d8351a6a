"""The archive stays in step with its project: kills, full disks, folders that are gone."""

import random
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from gossamer.model.archive_record import archive_folder
from gossamer.model.crawl_state import CrawlState
from gossamer.model.errors import ProjectError
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.session.project_files import copy_project, delete_project, rescue
from gossamer.store import project as projects
from tests.fakes.archived import archive_files, archived, host_bodies, types_in
from tests.integration.crawled_sites import mixed_site
from tests.integration.crawling import (
    asked,
    closing,
    crawl_all,
    new_session,
    resume_all,
    run,
    sessions,
    until,
    until_rest,
)
from tests.integration.killed_crawls import one_life
from tests.integration.small_disks import PAGES, large_site, small_file_system
from tests.sites import Site
from tests.sites.site import Gate

ROUNDS = 4
KEPT = {"workers": 8, "processes": 2, "use_sitemaps": False, "archive": True}


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Callable[[str], Path]]:
    """As `small_file_system`."""
    with small_file_system(tmp_path) as sized:
        yield sized


def assert_in_step(project: Path, *, is_settled: bool = True) -> None:
    """Every answered URL has its answer in the archive, and the archive is whole."""
    kept = archived(project)
    assert {url for url in asked(project) if url not in kept} == set()
    if is_settled:
        for path in archive_files(project):
            assert types_in(path)[0][0] == "warcinfo"


@pytest.mark.skipif(sys.platform == "win32", reason="looks for processes of Linux")
def test_whatever_is_killed_what_is_committed_is_archived(site: Site, tmp_path: Path) -> None:
    chance = random.Random(20)
    mixed_site(site, chance, 120)
    project = tmp_path / "a.gossamer"
    settings = CrawlSettings(roots=(site.url(),), max_similar=5_000, **KEPT)  # type: ignore[arg-type]  # field by field
    projects.create(project, settings)
    for _ in range(ROUNDS):
        one_life(site, project, chance)
        assert_in_step(project, is_settled=False)
    resume_all(project)
    assert_in_step(project)


def test_a_full_disk_loses_no_page_of_the_archive(
    site: Site, small_disk: Callable[[str], Path]
) -> None:
    large_site(site)
    project = small_disk("1536k") / "a.gossamer"

    async def main() -> None:
        async with new_session(project, site.url(), max_similar=PAGES, archive=True) as session:
            await session.start()
            waiting = await until(session, lambda p: p.waits)
            assert "is full; free some space" in str(waiting.notice)
            small_disk("64m")
            assert await until_rest(session) is CrawlState.FINISHED

    run(main())
    assert len(asked(project)) == PAGES
    assert_in_step(project)


def test_a_folder_that_cannot_be_written_is_told_before_anything_is_asked(
    site: Site, tmp_path: Path, small_disk: Callable[[str], Path]
) -> None:
    """Be it that of the project, or that of its archive alone, which may be a link elsewhere."""
    place, here = small_disk("64m"), tmp_path / "a.gossamer"
    kept_site(site, here)
    there = place / "b.gossamer"
    copy_project(here, there)
    shutil.move(archive_folder(here), place / "elsewhere")
    archive_folder(here).symlink_to(place / "elsewhere")
    asked_before = len(site.requests)
    small_disk("64m,ro")

    async def start(project: Path) -> None:
        async with closing(sessions().open(project)) as session:
            await session.start()

    for project, sentence in (
        (there, r"b\.gossamer is not writable; check its permissions"),
        (here, r"a\.archive cannot be written; check its permissions"),
    ):
        with pytest.raises(ProjectError, match=sentence):
            run(start(project))
    assert len(site.requests) == asked_before


def kept_site(site: Site, project: Path) -> None:
    """A project with an archive of three pages."""
    site.page("/", links=["/a", "/b"])
    site.page("/a")
    site.page("/b")
    crawl_all(project, site.url(), archive=True)


def test_a_missing_archive_is_told_and_an_empty_folder_goes_on_without(
    site: Site, tmp_path: Path
) -> None:
    project = tmp_path / "a.gossamer"
    kept_site(site, project)
    shutil.rmtree(archive_folder(project))

    async def main() -> None:
        async with closing(sessions().open(project)) as session:
            with pytest.raises(ProjectError, match=r"a\.archive is missing; put it back"):
                await session.start()

    run(main())
    archive_folder(project).mkdir()
    resume_all(project)
    assert archived(project) == {}
    assert len(asked(project)) == 3


FEW = 30
"""Pages that are kept before something happens to the archive."""


def held_site(site: Site) -> Gate:
    """A root, pages, and a last one that is held back."""
    paths = [f"/{number}" for number in range(FEW - 1)]
    site.page("/", links=[*paths, "/held"])
    for path in paths:
        site.page(path)
    return site.slow("/held")


def test_an_archive_moved_away_while_crawling_is_waited_for(site: Site, tmp_path: Path) -> None:
    held = held_site(site)
    project, aside = tmp_path / "a.gossamer", tmp_path / "aside"

    async def main() -> None:
        async with new_session(project, site.url(), archive=True) as session:
            await session.start()
            await until(session, lambda _: project.exists() and len(asked(project)) == FEW)
            archive_folder(project).rename(aside)
            held.open()
            waiting = await until(session, lambda p: p.waits and "empty folder" in str(p.notice))
            assert "a.archive is missing; put it back" in str(waiting.notice)
            aside.rename(archive_folder(project))
            await session.resume()
            assert await until_rest(session) is CrawlState.FINISHED
            assert session.progress.archive_trouble is None

    run(main())
    assert len(asked(project)) == FEW + 1
    assert_in_step(project)


def test_files_deleted_from_the_archive_while_crawling_are_told(site: Site, tmp_path: Path) -> None:
    held = held_site(site)
    project = tmp_path / "a.gossamer"

    async def main() -> str:
        async with new_session(project, site.url(), archive=True) as session:
            await session.start()
            await until(session, lambda _: project.exists() and len(asked(project)) == FEW)
            for path in archive_files(project):
                path.unlink()
            held.open()
            assert await until_rest(session) is CrawlState.FINISHED
            return str(session.progress.archive_trouble)

    told = run(main())
    missing = len(asked(project)) - len(archived(project))
    assert missing >= FEW
    assert f"URLs without a record now: {missing}." in told
    assert "went missing or were cut short: a-" in told


def test_an_archive_emptied_before_a_crawl_is_told(site: Site, tmp_path: Path) -> None:
    project = tmp_path / "a.gossamer"
    kept_site(site, project)

    async def main() -> str:
        async with closing(sessions().open(project)) as session:
            await session.start()
            await until_rest(session)
            return str(session.progress.archive_trouble)

    shutil.rmtree(archive_folder(project))
    archive_folder(project).mkdir()
    assert "URLs without a record now: 3." in run(main())


def test_the_archive_goes_where_the_project_goes(site: Site, tmp_path: Path) -> None:
    project, copy, saved = (tmp_path / f"{name}.gossamer" for name in ("a", "copy", "saved"))
    kept_site(site, project)
    copy_project(project, copy)
    rescue(project, saved)
    kept = archived(project)
    assert len(kept) == 3
    assert archived(copy) == archived(saved) == kept
    for make in (copy_project, rescue):
        with pytest.raises(ProjectError, match=r"copy\.gossamer already exists"):
            make(project, copy)
    texts = host_bodies(project)
    assert site.url("/robots.txt") in texts
    assert host_bodies(copy) == host_bodies(saved) == texts
    (archive_folder(copy) / "mine.txt").touch()
    delete_project(copy)
    assert [path.name for path in archive_files(copy)] == ["mine.txt"]
    with pytest.raises(ProjectError, match=r"copy\.archive is in the way"):
        copy_project(project, copy)
    delete_project(project)
    assert not archive_folder(project).exists()
    assert archived(saved) == kept
