"""Full disks and kills while archives are read: nothing half is left, and all can be repeated."""

import os
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing as sqlite3_closing
from contextlib import contextmanager
from pathlib import Path
from typing import Final, NamedTuple, TextIO

import psutil
import pytest

from gossamer.export.archive_exports import ARCHIVE_EXPORTS, ArchiveRequest
from gossamer.model.archive_record import archive_folder
from gossamer.model.crawl_state import CrawlState
from gossamer.model.errors import OutputError, ProjectError
from gossamer.model.outcome import Outcome
from gossamer.model.visit import Visit
from gossamer.page_worker.archive_job_runner import ArchivedResponses
from gossamer.session.archive_import import create_import, index_archives, source_of_project
from gossamer.session.audit_again import audit_again
from gossamer.session.audit_process import audit_project
from gossamer.store.locking.file_identity import BESIDE
from tests.fakes.preloaded import start_script
from tests.fakes.project_content import content_of
from tests.integration.crawling import (
    assert_gone,
    closing,
    crawl_all,
    kill_together,
    resume_all,
    run,
    sessions,
    until,
    until_rest,
)
from tests.integration.small_disks import small_file_system
from tests.patience import PATIENCE_S
from tests.sites import Site

PAGES: Final = 80
_HOSTS = """
import asyncio, sys
from pathlib import Path
from gossamer.__main__ import _begin_host
from gossamer.session.crawl_host_pool import CrawlHostPool
from gossamer.session.session_factory import SessionFactory

hosts = CrawlHostPool(lambda _, stderr: _begin_host(1, stderr))
hosts.prepare()
sessions = SessionFactory(hosts)
"""
"""The crawl host of a script is a copy of it, as that of the command line is."""
_AGAIN = """
from gossamer.session.audit_again import audit_again
from gossamer.session.audit_process import audit_project
from gossamer.store.locking.file_identity import BESIDE

stages = set()

def tell(step):
    if step.stage not in stages:
        stages.add(step.stage)
        print(step.stage, flush=True)
        sys.stdin.readline()

asyncio.run(audit_again(Path(sys.argv[1]), on_step=tell, sessions=sessions))
"""


_CRAWL = """
async def main():
    session = sessions.open(Path(sys.argv[1]))
    await session.start()
    async for report in session.updates():
        print(report.fetched, flush=True)
        if report.state == "finished":
            break
    await session.close()

asyncio.run(main())
"""


class Running(NamedTuple):
    """A script that runs, and the other ends of its standard streams."""

    pid: int
    stdin: TextIO
    stdout: TextIO


@contextmanager
def running(script: str, project: Path) -> Iterator[Running]:
    """Runs a script about a project. Its end is that of all its processes."""
    (asked, asking), (told, telling) = os.pipe(), os.pipe()
    with os.fdopen(asking, "w") as stdin, os.fdopen(told) as stdout:
        process = start_script(_HOSTS + script, str(project), streams=(asked, telling))
        os.close(asked)
        os.close(telling)
        yield Running(process.pid, stdin, stdout)
        family = psutil.Process(process.pid).children(recursive=True)
        process.kill()
        process.wait(PATIENCE_S)
    assert_gone(family)


@pytest.fixture(scope="module")
def crawled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A crawl with an archive, audited; each test has a copy of it. No server is there any more."""
    project = tmp_path_factory.mktemp("crawled") / "a.gossamer"
    with Site() as site:
        site.page("/", links=[f"/{number}" for number in range(PAGES - 1)])
        for number in range(PAGES - 1):
            site.page(f"/{number}", title=f"{number} " + "long title " * 700, links=["/"])
        crawl_all(project, site.url("/"), archive=True, workers=4)
        run(audit_project(project))
    return project


def copied(crawled: Path, folder: Path) -> Path:
    shutil.copy(crawled, folder)
    shutil.copytree(archive_folder(crawled), folder / archive_folder(crawled).name)
    return folder / crawled.name


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Callable[[str], Path]]:
    """As `small_file_system`."""
    with small_file_system(tmp_path) as sized:
        yield sized


def fill(place: Path, sized: Callable[[str], Path], spare_kib: int) -> None:
    """Leave so much room on a file system, and no more."""
    used = shutil.disk_usage(place).used
    sized(f"{used // 1024 + spare_kib}k")


def files_of(folder: Path) -> list[tuple[str, bytes]]:
    """All files, hidden ones too, with what is in them; without those of SQLite's readers."""
    return [
        (str(path.relative_to(folder)), path.read_bytes())
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not path.name.endswith(BESIDE)
    ]


def test_a_full_disk_leaves_the_project_as_it_was(
    crawled: Path, small_disk: Callable[[str], Path]
) -> None:
    """Whether it is full early or late; with room, the same command succeeds."""
    project = copied(crawled, small_disk("64m"))
    content = content_of(project)
    before = files_of(project.parent)
    for spare in (200, project.stat().st_size // 1024 - 200):
        fill(project.parent, small_disk, spare)
        with pytest.raises(ProjectError, match="full") as refused:
            run(audit_again(project, sessions=sessions()))
        assert ".part" not in str(refused.value)
        assert files_of(project.parent) == before
    small_disk("64m")
    run(audit_again(project, sessions=sessions()))
    assert content_of(project) == content
    assert [name for name, _ in files_of(project.parent)] == [name for name, _ in before]


@pytest.mark.parametrize("name", ["wacz", "offline"])
def test_a_full_disk_leaves_nothing_of_an_export(
    crawled: Path, small_disk: Callable[[str], Path], name: str
) -> None:
    project = copied(crawled, small_disk("64m"))
    before = files_of(project.parent)
    out = project.parent / ("copy" if name == "offline" else "a.wacz")
    request = ArchiveRequest(ARCHIVE_EXPORTS[name], out)
    fill(project.parent, small_disk, 100)
    with pytest.raises(OutputError, match="The disk is full"):
        request.write(project, None, lambda: False)
    assert files_of(project.parent) == before
    small_disk("64m")
    assert request.write(project, None, lambda: False).rows == PAGES
    assert out.exists()


def test_an_import_waits_for_a_full_disk(crawled: Path, small_disk: Callable[[str], Path]) -> None:
    project = small_disk("768k") / "again.gossamer"
    source, settings = source_of_project(crawled)
    index_archives(source)

    async def main() -> None:
        session = create_import(settings, source, project, sessions(), begins_series=True)
        async with closing(session):
            await session.start()
            waiting = await until(session, lambda progress: progress.waits)
            assert "is full; free some space" in str(waiting.notice)
            small_disk("64m")
            assert await until_rest(session) is CrawlState.FINISHED

    run(main())
    found, again = content_of(crawled), content_of(project)
    assert again["urls"] == found["urls"]
    assert again["links"] == found["links"]


def test_an_import_goes_on_after_a_kill(crawled: Path, tmp_path: Path) -> None:
    project = tmp_path / "again.gossamer"
    source, settings = source_of_project(crawled)
    index_archives(source)

    async def make() -> None:
        session = create_import(settings, source, project, sessions(), begins_series=True)
        await session.close()

    run(make())
    with running(_CRAWL, project) as process:
        while (line := process.stdout.readline()) and int(line) < PAGES // 4:
            pass
        kill_together(psutil.Process(process.pid).children(recursive=True))
    resume_all(project)
    found, again = content_of(crawled), content_of(project)
    assert again["urls"] == found["urls"]
    assert again["links"] == found["links"]


@pytest.mark.parametrize(("stages", "whole_family"), [(1, True), (2, False), (4, True)])
def test_a_kill_leaves_the_project_as_it_was(
    crawled: Path, tmp_path: Path, stages: int, *, whole_family: bool
) -> None:
    """Of the shell, or of all its processes; what is left aside goes with the next run."""
    project = copied(crawled, tmp_path)
    content, archive = content_of(project), files_of(archive_folder(project))
    before = project.read_bytes()
    with running(_AGAIN, project) as process:
        for stage in range(stages):  # after each, it waits
            assert process.stdout.readline()
            if stage < stages - 1:
                process.stdin.write("\n")
                process.stdin.flush()
        if whole_family:
            kill_together(psutil.Process(process.pid).children(recursive=True))
    assert project.read_bytes() == before
    run(audit_again(project, sessions=sessions()))
    assert content_of(project) == content
    assert files_of(archive_folder(project)) == archive
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.archive", "a.gossamer"]


def test_a_damaged_project_does_not_keep_its_archive_from_being_read(
    site: Site, tmp_path: Path
) -> None:
    """What workers read of it besides is missing then, for all pages, and no worker dies of it."""
    site.page("/", links=["/a"])
    site.page("/a", body="kept")
    project = tmp_path / "a.gossamer"
    crawl_all(project, site.url("/"), archive=True)
    source, settings = source_of_project(project)
    index_archives(source)
    with sqlite3_closing(sqlite3.connect(project)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        query = "SELECT rootpage, (SELECT page_size FROM pragma_page_size) FROM sqlite_master"
        root, page_bytes = connection.execute(f"{query} WHERE name = 'visit'").fetchone()
    with project.open("r+b") as file:
        file.seek((root - 1) * page_bytes)
        file.write(b"\xff" * page_bytes)
    with ArchivedResponses(source) as answers:
        assert answers.original_visit(site.url("/gone"), settings) is None
        answer = answers.response(site.url("/a"), is_head=False)
        assert b"kept" in b"".join(answer.body)
        assert answers.known_of(site.url("/a"), Visit(Outcome.PAGE, status=200)) is None
        assert answers.original_text(site.url("/robots.txt")) is None
