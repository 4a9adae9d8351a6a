"""Copies of projects, and projects deleted, with nothing left that should not be."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from gossamer.model.crawl_state import CrawlState
from gossamer.model.errors import ProjectError
from gossamer.model.outcome import Outcome
from gossamer.model.project_queries import View
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.store_batch import StoreBatch
from gossamer.model.translatable import said
from gossamer.store import project_copy as copying
from gossamer.store.project import check, create
from gossamer.store.project_copy import CopyCancelled, copy_project, delete_project
from gossamer.store.reading.project_listing import ProjectInfo, glance
from gossamer.store.reading.reader import Reader
from tests.fakes.crawled import Crawled
from tests.fakes.damage import crawled_site


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "a.gossamer"


def names(path: Path) -> list[str]:
    return sorted(file.name for file in path.parent.iterdir())


def test_copy_in_mid_crawl_is_of_one_moment(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The crawl goes on between two steps of the copy, and takes nothing away from it."""
    monkeypatch.setattr(copying, "PAGES_AT_ONCE", 5)
    target = path.with_name("copy.gossamer")
    with crawled_site(path) as crawled:
        with Reader(path) as reader:
            known = len(reader.ids(View.ALL))
        steps: list[tuple[int, int]] = []

        def go_on(done: int, of: int) -> None:
            steps.append((done, of))
            crawled.page(f"/later/{len(steps)}")

        copy_project(path, target, go_on)
    assert 5 < len(steps) < 20
    assert steps[-1][0] == steps[-1][1]
    check(target, budget_s=60)
    with Reader(target) as reader, Reader(path) as original:
        assert len(reader.ids(View.ALL)) == known
        assert len(original.ids(View.ALL)) == known + len(steps)
    assert names(path) == ["a.gossamer", "copy.gossamer"]


def test_copy_that_is_given_up_leaves_nothing(path: Path) -> None:
    with crawled_site(path):
        pass
    with pytest.raises(CopyCancelled):
        copy_project(path, path.with_name("copy.gossamer"), cancelled=lambda: True)
    assert names(path) == ["a.gossamer"]


def test_copy_is_never_put_over_a_file(path: Path) -> None:
    create(path, CrawlSettings(roots=("a.example",)))
    with pytest.raises(ProjectError, match="already exists"):
        copy_project(path, path)
    with pytest.raises(ProjectError, match="does not exist; create it first"):
        copy_project(path, path.parent / "missing" / "copy.gossamer")
    check(path)


def test_deleted_project_is_gone_with_all_its_files(path: Path) -> None:
    create(path, CrawlSettings(roots=("a.example",)))
    for suffix in ("-wal", "-shm", "-journal", ".lock"):
        path.with_name(path.name + suffix).touch()
    delete_project(path)
    assert names(path) == []


def test_project_that_is_crawled_is_not_deleted(path: Path) -> None:
    with Crawled(path), pytest.raises(ProjectError, match="is being crawled"):
        delete_project(path)
    check(path)


def test_only_projects_are_deleted(path: Path) -> None:
    other = path.with_name("thesis.txt")
    other.write_text("years of work")
    for wrong in (other, path, path.parent):
        with pytest.raises(ProjectError):
            delete_project(wrong)
    assert other.read_text() == "years of work"
    path.write_bytes(b"damaged")
    delete_project(path)
    assert names(path) == ["thesis.txt"]


def test_glance_at_a_project(path: Path) -> None:
    with Crawled(path) as crawled:
        crawled.page("/", "/a", "/b")
        crawled.failed("/a", Outcome.TIMEOUT)
        # Never asked, so the progress line of the window does not count it either.
        crawled.known("https://other.test/", Outcome.OUT_OF_SCOPE, parent="/")
        crawled.writer.commit(StoreBatch(state=CrawlState.RUNNING))
        seen = glance(path)
        assert seen.state is CrawlState.RUNNING
        assert seen.held_by is not None
    seen = glance(path)
    assert (seen.roots, seen.state) == (("https://example.com",), CrawlState.PAUSED)
    assert (seen.known, seen.queued, seen.held_by) == (3, 1, None)
    assert seen.size_bytes == path.stat().st_size
    assert seen.changed_at >= seen.created_at - 1 > 1e9


@pytest.mark.parametrize(
    ("outcomes", "nothing"),
    [
        ([Outcome.CONNECTION_REFUSED], Outcome.CONNECTION_REFUSED),
        ([Outcome.REDIRECT, Outcome.DNS_FAILURE], Outcome.DNS_FAILURE),
        ([Outcome.TIMEOUT, Outcome.CLIENT_ERROR, Outcome.CLIENT_ERROR], Outcome.CLIENT_ERROR),
        ([Outcome.BLOCKED_BY_ROBOTS], Outcome.BLOCKED_BY_ROBOTS),
        ([Outcome.REDIRECT, Outcome.OUT_OF_SCOPE], Outcome.OUT_OF_SCOPE),
        ([Outcome.TIMEOUT, Outcome.CHECKED], None),
        ([], None),
    ],
)
def test_glance_at_a_crawl_that_got_nothing_says_what_happened(
    path: Path, outcomes: list[Outcome], nothing: Outcome | None
) -> None:
    with Crawled(path) as crawled:
        for number, outcome in enumerate(outcomes):
            crawled.known(f"/{number}", outcome)
        assert glance(path).nothing is None, "it is not finished"
        crawled.writer.commit(StoreBatch(state=CrawlState.FINISHED))
    assert glance(path).nothing is nothing


def test_glance_reads_no_url(path: Path) -> None:
    """There may be millions."""
    with Crawled(path) as crawled:
        crawled.page("/", "/a")
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("DELETE FROM url")
    assert (glance(path).known, glance(path).queued) == (2, 1)


def test_glance_at_what_cannot_be_opened_says_why(path: Path) -> None:
    missing = said("The project file {path} does not exist; check the path.", path=path)
    assert glance(path) == ProjectInfo(path, trouble=missing)
    path.write_bytes(b"x")
    assert "is not a Gossamer project" in str(glance(path).trouble)
