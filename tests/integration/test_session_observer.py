"""A project that is crawled by one session and looked at by another."""

import asyncio
import os
from pathlib import Path

from gossamer.model.crawl_state import CrawlState
from gossamer.model.messages.crawl_messages import Progress
from gossamer.session.session_timings import SessionTimings
from tests.fakes.crawled import Crawled
from tests.integration.crawling import closing, new_session, run, sessions, until, until_rest
from tests.sites import Site

PAGES = 40
OFTEN = SessionTimings(observe_every_s=0.05)


def test_an_observer_sees_the_progress_and_the_end_of_another_crawl(
    site: Site, tmp_path: Path
) -> None:
    project = tmp_path / "a.gossamer"
    site.page("/", links=[f"/{number}" for number in range(PAGES)])
    for number in range(PAGES - 1):
        site.page(f"/{number}")
    gate = site.slow(f"/{PAGES - 1}")

    async def main() -> None:
        async with (
            new_session(project, site.url(), workers=4) as crawling,
            closing(sessions(OFTEN).open(project)) as looking,
            asyncio.TaskGroup() as group,
        ):
            group.create_task(looking.observe(), name="observe")
            await crawling.start()
            seen = await until(looking, lambda p: p.fetched == PAGES)
            assert looking.held_by is not None
            assert looking.held_by.pid == crawling.host_pid
            assert seen.state is CrawlState.PAUSED, "it is not ours to pause"
            assert seen.revision > 0
            gate.open()
            assert await until_rest(crawling) is CrawlState.FINISHED

            def over(progress: Progress) -> bool:
                return progress.state is CrawlState.FINISHED and looking.held_by is None

            last = await until(looking, over)
            assert last.fetched == PAGES + 1
            await looking.close()

    run(main())


def test_an_observer_can_resume_when_the_other_crawl_has_ended(site: Site, tmp_path: Path) -> None:
    project = tmp_path / "a.gossamer"
    site.page("/", links=["/0"])
    gate = site.slow("/0")

    async def main() -> None:
        async with (
            new_session(project, site.url()) as crawling,
            closing(sessions(OFTEN).open(project)) as looking,
            asyncio.TaskGroup() as group,
        ):
            group.create_task(looking.observe(), name="observe")
            await crawling.start()
            await until(looking, lambda _: looking.held_by is not None)
            await crawling.close()
            await until(looking, lambda _: looking.held_by is None)
            await looking.start()
            assert looking.held_by is None
            gate.open()
            assert await until_rest(looking) is CrawlState.FINISHED
            assert looking.held_by is None, "a process of ours is nobody else"
            await looking.close()

    run(main())


def test_an_observer_ends_where_another_file_takes_the_place_of_the_project(tmp_path: Path) -> None:
    """Whose ids are others, as after an audit of its archive by somebody else."""
    project, other = tmp_path / "a.gossamer", tmp_path / "b.gossamer"
    for path in (project, other):
        with Crawled(path) as site:
            site.page("/")
    os.utime(other, ns=(1, 1))

    async def main() -> None:
        async with closing(sessions(OFTEN).open(project)) as looking, asyncio.TaskGroup() as group:
            looks = group.create_task(looking.observe(), name="observe")
            async with closing(sessions().open(project)) as changing:
                await changing.change({"title_max_length": 7})  # that is the same file
            assert not looks.done()
            await asyncio.to_thread(other.replace, project)
            assert await looks

    run(main())
