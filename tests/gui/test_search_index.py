"""The window has a process index an old project, and shows the project meanwhile."""

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest

from gossamer.model.errors import CrawlHostError
from gossamer.model.messages.process_messages import ProcessStep
from gossamer.model.project_queries import Filter, View
from gossamer.model.search_query import Search
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.session import index_process
from gossamer.store.database import open_for_reading
from gossamer.store.reading import search_hits
from gossamer.store.searching.incremental_indexing import bring_up_to_date
from tests.fakes.crawled import SITE, Crawled
from tests.gui.conftest import Play
from tests.gui.stage import Stage, until

SETTINGS = CrawlSettings(roots=(SITE,), full_text_search=True)


class Run:
    """Stands for the process: says how far it is, and enters the texts when it is told to."""

    def __init__(self) -> None:
        self.may_end = asyncio.Event()
        self.begun = self.cancelled = 0
        self.is_broken = False

    async def index_project(self, project: Path, on_step: Callable[[ProcessStep], None]) -> None:
        self.begun += 1
        on_step(ProcessStep("Entering", self.begun, 4))
        try:
            await self.may_end.wait()
        except asyncio.CancelledError:
            self.cancelled += 1
            raise
        if self.is_broken:
            raise CrawlHostError("It cannot be started.")
        connection = open_for_reading(project)
        bring_up_to_date(connection, lambda _: None)
        connection.close()


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(search_hits, "FAR_BEHIND", 1)
    with Crawled(tmp_path / "old.gossamer", SETTINGS) as crawled:
        crawled.page("/", "/shoes", text=b"All kinds")
        crawled.page("/shoes", text=b"Red leather")
    return crawled.path


async def searching(stage: Stage, project: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    run = Run()
    monkeypatch.setattr(index_process, "index_project", run.index_project)
    stage.window.crawl_target(str(project))
    await until(lambda: stage.window.workspace.table.model.rowCount() == 2)
    search(stage, "red")
    await until(lambda: "25" in stage.message("search-index"))
    return run


def search(stage: Stage, words: str) -> None:
    search_for = Search(words) if words else None
    stage.window.workspace.table.bar.show_rows(View.ALL, Filter(search=search_for))


@pytest.mark.parametrize("is_broken", [False, True])
def test_a_search_waits_for_the_process_and_others_do_not(
    is_broken: bool,
    play: Play,
    project: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Where the process cannot be had, the search does what it would have done."""

    async def scene(stage: Stage) -> None:
        run = await searching(stage, project, monkeypatch)
        run.is_broken = is_broken
        table = stage.window.workspace.table
        search(stage, "leather")
        others: list[int | None] = []
        stage.window.reader.submit(lambda rows: rows.lookup(SITE), others.append, key="other")
        await until(lambda: bool(others))
        assert not table.model.loaded
        run.may_end.set()
        await until(lambda: table.model.loaded)
        assert (table.model.rowCount(), run.begun, run.cancelled) == (1, 1, 0)
        assert stage.message("search-index") == ""
        search(stage, "kinds")
        await until(lambda: table.model.loaded)
        assert run.begun == 1

    play(scene)


def test_it_ends_when_it_is_cancelled_or_nobody_searches_any_more(
    play: Play, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scene(stage: Stage) -> None:
        run = await searching(stage, project, monkeypatch)
        table = stage.window.workspace.table
        stage.window.messages.withdraw_newest()  # as Escape does; the next step would tell it again
        assert "25" in stage.message("search-index")
        stage.answer("search-index", "Cancel")
        await until(lambda: "search again" in table.bar.text.error.text())
        assert (run.cancelled, stage.message("search-index")) == (1, "")
        table.bar.text.field.returnPressed.emit()
        await until(lambda: "50" in stage.message("search-index"))
        search(stage, "")
        await until(lambda: table.model.loaded and run.cancelled == 2)
        assert table.model.rowCount() == 2
        assert stage.message("search-index") == ""
        search(stage, "red")
        await until(lambda: run.begun == 3)
        stage.crawl.leave()
        await until(lambda: run.cancelled == 3)

    play(scene)
