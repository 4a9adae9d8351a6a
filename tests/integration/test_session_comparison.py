"""The comparison in a process of its own: progress, cancelling, kills."""

import asyncio
from contextlib import suppress
from pathlib import Path

import psutil
import pytest

from gossamer.gui.comparison.session_comparisons import SessionComparisons
from gossamer.model.errors import CrawlHostError, OutputError, ProjectError
from gossamer.model.messages.process_messages import ProcessStep
from gossamer.model.outcome import Outcome
from gossamer.model.visit import Visit
from gossamer.session.comparison_process import compare_projects, comparison_folder
from gossamer.store.comparing.comparison_reader import ComparisonReader
from gossamer.store.reading.crawl_snapshot import take_snapshot
from gossamer.urls.url_mapping import UrlMapping
from tests.fakes.crawled import SITE, Crawled
from tests.fakes.pausing_child import pause_children
from tests.integration.crawling import run


@pytest.fixture
def projects(tmp_path: Path) -> tuple[Path, Path]:
    with Crawled(tmp_path / "before.gossamer") as before:
        before.page("/", title="A")
    with Crawled(tmp_path / "after.gossamer") as after:
        after.page("/", title="B")
    return before.path, after.path


def children() -> list[psutil.Process]:
    """The processes of comparisons."""
    found = []
    for each in psutil.Process().children(recursive=True):
        with suppress(psutil.Error):  # others may end at any time
            if "comparison" in each.cmdline():
                found.append(each)
    return found


def test_a_crawl_on_offer_has_as_many_urls_as_in_the_history_of_its_site(tmp_path: Path) -> None:
    with Crawled(tmp_path / "some.gossamer") as some:
        some.page("/", title="A")
        some.visited("/out", Visit(Outcome.OUT_OF_SCOPE))
    _, kept, _ = take_snapshot(some.path, {})
    assert SessionComparisons().look(some.path).urls == kept.urls == 2


def test_two_projects_are_compared_with_progress(
    projects: tuple[Path, Path], tmp_path: Path
) -> None:
    steps: list[ProcessStep] = []
    result = tmp_path / "result"
    mapping = UrlMapping.parsed([f"{SITE}/old={SITE}/new"])
    run(
        compare_projects(
            *projects, result, mapping=mapping, fields=("title",), on_step=steps.append
        )
    )
    with ComparisonReader(result) as reader:
        assert reader.summary().fields == {"title": 1}
        assert reader.summary().mapping == ((f"{SITE}/old", f"{SITE}/new"),)
    stages = [step.stage for step in steps]
    assert stages[0] == "Matching addresses"
    assert stages[-1] == "Writing the comparison"
    assert [step.done for step in steps] == sorted(step.done for step in steps)


def leftovers(folder: Path) -> list[str]:
    return [each.name for each in folder.iterdir() if each.name.startswith(".")]


def test_cancelling_ends_the_process_and_the_next_comparison_clears_up(
    projects: tuple[Path, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    result = tmp_path / "result"

    async def cancelled() -> None:
        async with asyncio.TaskGroup() as group:

            def cancel(_: ProcessStep) -> None:
                task.cancel()

            work = compare_projects(*projects, result, on_step=cancel)
            task = group.create_task(work, name="comparison")
        assert task.cancelled()

    with monkeypatch.context() as patch:
        pause_children(patch)
        run(cancelled())
    assert children() == []
    run(compare_projects(*projects, result))
    assert leftovers(tmp_path) == []


def test_a_killed_process_is_told_and_its_leftovers_are_removed_by_the_next(
    projects: tuple[Path, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    result = tmp_path / "result"

    def kill(_: ProcessStep) -> None:
        for each in children():
            each.kill()

    with monkeypatch.context() as patch:
        pause_children(patch)
        with pytest.raises(CrawlHostError, match="exited unexpectedly"):
            run(compare_projects(*projects, result, on_step=kill))
    run(compare_projects(*projects, result))
    assert leftovers(tmp_path) == []
    with ComparisonReader(result) as reader:
        assert reader.count() == 1


def test_what_the_process_says_comes_as_the_error_that_it_is(
    projects: tuple[Path, Path], tmp_path: Path
) -> None:
    before, after = projects
    with pytest.raises(ProjectError, match="does not exist"):
        run(compare_projects(before, tmp_path / "none", tmp_path / "result"))
    with pytest.raises(OutputError, match="cannot be written"):
        run(compare_projects(before, after, tmp_path / "no folder" / "result"))


def test_a_folder_for_comparisons_goes_with_its_use(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    with comparison_folder() as folder:
        (folder / "result").write_text("kept while it is used")
        assert folder.is_relative_to(tmp_path)
    assert not folder.exists()
