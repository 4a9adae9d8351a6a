"""What the window says of a project that is opened, and takes back when its crawl goes on."""

import asyncio
from pathlib import Path

from gossamer.model.crawl_state import CrawlState
from gossamer.model.messages.crawl_messages import Progress
from gossamer.model.outcome import Outcome
from tests.fakes.crawled import Crawled
from tests.gui.conftest import Play
from tests.gui.stage import Stage, until


def test_a_reopened_crawl_without_responses_explains_why_again(play: Play, tmp_path: Path) -> None:
    path = tmp_path / "closed.gossamer"
    with Crawled(path) as crawled:
        crawled.failed("/", Outcome.CONNECTION_REFUSED)

    async def scene(stage: Stage) -> None:
        stage.sessions.reopened = Progress(
            state=CrawlState.FINISHED,
            known=1,
            fetched=1,
            errors=1,
            outcomes={Outcome.CONNECTION_REFUSED: 1},
        )
        stage.crawl.open(path)
        await stage.shows("No pages found")
        await until(lambda: "Check the URL and its port" in stage.message("hint"))
        stage.session.tell(state=CrawlState.RUNNING)
        await until(lambda: stage.message("hint") == "")

    play(scene)


def test_messages_do_not_keep_outdated_counts_after_a_resume(play: Play) -> None:
    async def scene(stage: Stage) -> None:
        session = await stage.start()
        outcomes = {Outcome.PAGE: 3, Outcome.HELD: 1200}
        session.tell(state=CrawlState.FINISHED, outcomes=outcomes)
        await until(lambda: "1,200" in stage.message("aside"))
        session.tell(state=CrawlState.RUNNING)
        await until(lambda: stage.message("aside") == "")

    play(scene)


def test_a_project_that_was_replaced_is_opened_anew(play: Play, tmp_path: Path) -> None:
    """By another window or program, which audited its archive again: the ids of rows are others."""

    async def scene(stage: Stage) -> None:
        path = tmp_path / "paused.gossamer"
        path.touch()
        stage.sessions.reopened = Progress(state=CrawlState.PAUSED)
        stage.sessions.replaced = replaced = asyncio.Event()
        stage.crawl.open(path)
        await until(lambda: len(stage.sessions.made) == 1)
        replaced.set()
        await until(lambda: len(stage.sessions.made) == 2)
        await until(lambda: stage.crawl.session is stage.sessions.made[-1])

    play(scene)


def test_opening_the_project_shown_does_not_pause_its_crawl(play: Play, tmp_path: Path) -> None:
    async def scene(stage: Stage) -> None:
        session = await stage.start()
        session.path.touch()
        same = tmp_path / "link.gossamer"
        same.symlink_to(session.path)
        for path in (session.path, same):
            stage.crawl.open(path)
            await until(lambda: "open project" not in stage.tasks.names())
            assert stage.crawl.session is session
        assert "close" not in session.asked
        session.tell(state=CrawlState.PAUSED)
        session.asked.clear()
        stage.crawl.open(session.path, go_on=True)
        await until(lambda: "open project" not in stage.tasks.names())
        assert session.asked == ["start"]
        assert stage.sessions.made == [session]

    play(scene)
