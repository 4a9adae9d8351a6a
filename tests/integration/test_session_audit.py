"""The site audit in a process of its own."""

import asyncio
import signal
from pathlib import Path

import psutil
import pytest
from msgspec.structs import replace

from gossamer.audit.site_audit import is_current
from gossamer.model.errors import CrawlHostError, ProjectError
from gossamer.session.audit_process import audit_project
from gossamer.session.default_paths import log_path
from gossamer.store.project import stored_settings
from tests.fakes.audited import issues
from tests.fakes.crawled import Crawled
from tests.fakes.pausing_child import pause_children
from tests.fakes.preloaded import start_forking
from tests.integration.crawling import run


def site_with_faults(path: Path) -> None:
    with Crawled(path) as crawled:
        crawled.page("/", "/a", title="Same")
        crawled.page("/a", "/", title="Same")


class Children:
    """The processes that were started since, by whatever a test does."""

    def __init__(self) -> None:
        start_forking()  # it stays, and whether a test before this one has started it is chance
        self._before = set(psutil.Process().children(recursive=True))

    def __call__(self) -> set[psutil.Process]:
        return set(psutil.Process().children(recursive=True)) - self._before


@pytest.fixture
def children() -> Children:
    return Children()


def test_project_is_audited_by_a_process_that_reports_and_ends(
    tmp_path: Path, children: Children
) -> None:
    path = tmp_path / "a.gossamer"
    site_with_faults(path)
    stages: list[str] = []
    run(audit_project(path, lambda step: stages.append(step.stage)))
    assert issues(path)["Page Titles: Duplicate"] == ["/", "/a"]
    assert is_current(path)
    assert "Duplicates" in stages
    assert children() == set()


def test_audit_starts_no_process_unless_pages_or_thresholds_have_changed(tmp_path: Path) -> None:
    path = tmp_path / "a.gossamer"
    site_with_faults(path)
    stages: list[str] = []

    def audit(**thresholds: int) -> bool:
        stages.clear()
        settings = replace(stored_settings(path), **thresholds)
        run(audit_project(path, lambda step: stages.append(step.stage), settings))
        return bool(stages)

    assert audit()
    assert not audit()
    assert audit(title_max_length=2)
    assert issues(path)["Page Titles: Over 60 Characters"] == ["/", "/a"]


def test_cancelled_audit_leaves_no_process(
    tmp_path: Path, children: Children, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.gossamer"
    site_with_faults(path)

    async def main() -> None:
        started = asyncio.Event()
        async with asyncio.TaskGroup() as group:
            audit = group.create_task(audit_project(path, lambda _: started.set()), name="audit")
            await started.wait()
            audit.cancel()

    with monkeypatch.context() as patch:
        pause_children(patch)
        run(main())
    assert children() == set()
    run(audit_project(path))
    assert issues(path)["Page Titles: Duplicate"] == ["/", "/a"]


def test_audit_whose_process_is_killed_says_so_and_can_be_repeated(
    tmp_path: Path, children: Children, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.gossamer"
    site_with_faults(path)

    def kill(step: object) -> None:
        del step
        for child in children():
            child.kill()

    with monkeypatch.context() as patch:
        pause_children(patch)
        with pytest.raises(CrawlHostError, match="exited unexpectedly; see the log"):
            run(audit_project(path, kill))
    assert f'"exit_code":{-signal.SIGKILL:d}' in log_path(path).read_text()
    assert not is_current(path)
    run(audit_project(path))
    assert is_current(path)
    assert issues(path)["Page Titles: Duplicate"] == ["/", "/a"]


def test_audit_of_what_is_no_project_says_so(tmp_path: Path, children: Children) -> None:
    path = tmp_path / "a.gossamer"
    path.write_bytes(b"no project")
    with pytest.raises(ProjectError, match="not a Gossamer project"):
        run(audit_project(path))
    assert children() == set()


def test_project_is_audited_while_a_writer_has_it_open(tmp_path: Path) -> None:
    path = tmp_path / "a.gossamer"
    with Crawled(path) as crawled:  # which holds the lock of the project
        crawled.page("/", "/a", title="Same")
        crawled.page("/a", "/", title="Same")
        run(audit_project(path))
        crawled.page("/b", "/", title="Same")
        run(audit_project(path))
    assert issues(path)["Page Titles: Duplicate"] == ["/", "/a", "/b"]
