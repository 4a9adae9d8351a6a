"""Commands in random order, on real processes, against a model of what each of them may lead to."""

import asyncio
import os
import random
from pathlib import Path

from gossamer.model.crawl_state import LIVE, CrawlState
from gossamer.model.messages.crawl_messages import BulkActionKind, UrlSelection
from gossamer.session.crawl_session import CrawlSession
from gossamer.store.reading.project_listing import glance
from tests.fakes.processes import child_processes
from tests.integration.crawling import (
    closing,
    new_session,
    open_files,
    run,
    sessions,
    until,
    until_open_files,
)
from tests.sites import Response, Site
from tests.sites.responses import html_page

COMMANDS = int(os.environ.get("GOSSAMER_RANDOM_COMMANDS", "40"))
"""The long form has 1000 and more."""
SEED = int(os.environ.get("GOSSAMER_SEED", "20"))
DEADLINE_S = 30.0 + COMMANDS
_S = CrawlState
STOPPED = frozenset({_S.NEW, _S.CANCELLED, _S.FINISHED, _S.FAILED})


def endless_site(site: Site) -> None:
    """Each page leads to two more, and takes a moment."""

    def answer(path: str) -> Response | None:
        name = path[1:]
        if name and not name.isdigit():
            return None
        number = int(name or 0)
        links = [f"/{2 * number + 1}", f"/{2 * number + 2}"]
        return Response(body=html_page(path, links), delay_s=0.005)

    site.generate(answer)


class Person:
    """Does anything at any time, and knows what it may lead to."""

    def __init__(self, site: Site, seed: int) -> None:
        self._site = site
        self._chance = random.Random(seed)
        self.log: list[str] = []

    async def live(self, session: CrawlSession, commands: int) -> int:
        """Do so many commands at most, until the session is closed; how many are left."""
        while commands:
            commands -= 1
            before, hosted = session.state, session.host_pid is not None
            deed = self._chance.choice(DEEDS)
            self.log.append(f"{before} {deed}")
            if deed == "reopen":
                return commands
            await self._do(deed, session)
            if before is _S.FAILED and session.state is not before and deed != "start":
                # A process that only notes what is to become of a URL tells what the file says: NEW
                # where the crawl was killed before its first commit.
                assert session.state is glance(session.path).state
                continue
            assert session.state in expected(deed, before, hosted=hosted)
        return 0

    async def _do(self, deed: str, session: CrawlSession) -> None:
        chance = self._chance
        match deed:
            case "start":
                await session.start(chance.choice([None, 1, 20]))
                await until(session, lambda p: p.state is _S.RUNNING)
            case "workers":
                await session.set_workers(chance.choice([1, 5, 40]))
            case "cancel url":
                await session.perform(
                    BulkActionKind.CANCEL, UrlSelection(ids=(chance.randint(1, 100),))
                )
            case "ask again" if session.state in LIVE and session.host_pid is not None:
                await session.perform(BulkActionKind.RECRAWL, UrlSelection(ids=(1, 2, 3)))
            case "kill" if session.host_pid is not None:
                session.force()
                await until_gone(session)
            case _:
                await self._steer(deed, session)

    async def _steer(self, deed: str, session: CrawlSession) -> None:
        match deed:
            case "pause":
                await session.pause()
            case "pause now":
                await session.pause(now=True)
            case "resume":
                await session.resume()
            case "cancel":
                await session.cancel()
            case "several at once":
                async with asyncio.TaskGroup() as group:
                    for command in (session.pause(), session.pause(now=True), session.resume()):
                        group.create_task(command, name="at once")
        if deed in {"pause now", "cancel"} and session.state in {_S.PAUSED, _S.CANCELLED}:
            await self._site.wait_for_disconnect()


def expected(deed: str, before: CrawlState, *, hosted: bool) -> set[CrawlState]:
    """The states that a command may lead to, with a crawl process or without."""
    if deed == "start":
        return {_S.RUNNING}
    if not hosted or before not in LIVE:
        if deed == "cancel" and before is _S.PAUSED:
            return {_S.CANCELLED}
        return {before}
    there = LEADS_TO.get(deed, {before})
    return there | {_S.PAUSED} if before is _S.PAUSING and before in there else there


LEADS_TO = {
    "pause": {_S.PAUSING, _S.PAUSED},
    "pause now": {_S.PAUSED},
    "resume": {_S.RUNNING},
    "cancel": {_S.CANCELLED},
    "several at once": {_S.RUNNING, _S.PAUSING, _S.PAUSED},
    "kill": {_S.FAILED, _S.PAUSED},
}
DEEDS = (*("start", "start", "resume"), *LEADS_TO, "workers", "cancel url", "ask again", "reopen")


async def until_gone(session: CrawlSession) -> None:
    """Wait until the crawl process has ended, whatever is told of that."""
    async for _ in session.updates():
        if session.host_pid is None:
            return


def test_commands_in_any_order_lead_to_allowed_states_and_leave_no_process(
    site: Site, tmp_path: Path
) -> None:
    path = tmp_path / "a.gossamer"
    endless_site(site)
    person = Person(site, SEED)

    async def lives() -> None:
        async with new_session(path, site.url(), max_similar=10**6, workers=5) as session:
            left = await person.live(session, COMMANDS)
        while left:
            async with closing(sessions().open(path)) as session:
                state = session.state
                assert state in STOPPED | {_S.PAUSED}
                left = await person.live(session, left)

    async def main() -> None:
        files = open_files()
        try:
            await lives()
        except BaseException:
            print(f"seed {SEED}", *person.log, sep="\n")  # noqa: T201 - shown for a failure only
            raise
        await asyncio.get_running_loop().shutdown_default_executor()
        assert asyncio.all_tasks() == {asyncio.current_task()}
        assert child_processes() == []
        await site.wait_for_disconnect()
        await until_open_files(files)

    run(main(), DEADLINE_S)
