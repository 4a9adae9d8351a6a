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


def test_a_project_that_was_replaced_is_opened_anew(play: Play) -> None:
    """By another window or program, which audited its archive again: the ids of rows are others."""

    async def scene(stage: Stage) -> None:
        session = await stage.start()
        session.tell(state=CrawlState.FINISHED)
        session.path.touch()
        stage.sessions.replaced = replaced = asyncio.Event()
        stage.crawl.open(session.path)
        await until(lambda: len(stage.sessions.made) == 2)
        replaced.set()
        await until(lambda: len(stage.sessions.made) == 3)
        await until(lambda: stage.crawl.session is stage.sessions.made[-1])

    play(scene)
