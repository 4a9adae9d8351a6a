"""What a project file counts as it goes is what its rows come to, whatever happened to it."""

import asyncio
import random
import shutil
import tempfile
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import structs

from gossamer.engine.crawl import Crawl
from gossamer.model.crawl_state import LIVE, CrawlState
from gossamer.model.messages.crawl_messages import BulkAction, BulkActionKind, UrlSelection
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.urls.scope_and_limits import Scope
from tests.fakes.empty_project import make_empty_project
from tests.fakes.inline_store import InlineStore
from tests.fakes.random_web import RandomWeb
from tests.fakes.recount import miscounts
from tests.fakes.virtual_loop import run_virtual
from tests.fakes.web import ROOT, fake_rules

# With images that are only recorded, of which some are pages: they get a folder late.
SETTINGS = CrawlSettings(
    roots=(f"{ROOT}/",), workers=5, max_redirects=3, max_similar=10, check_kinds=(), guard=False
)


class Story:
    """A project that is crawled, changed by a user, killed and taken up again."""

    def __init__(self, chance: random.Random, folder: Path) -> None:
        self._chance = chance
        self._folder = folder
        self._path = folder / "0.gossamer"
        self._lives = 0
        self._deeds = chance.choices(
            [
                "kill",
                "kill",
                "recrawl",
                "failed",
                "cancel",
                "exclude",
                "include",
                "pause now",
                "close",
            ],
            k=chance.randint(3, 10),
        )
        self._web = RandomWeb.made_by(chance).served(chance)
        for url, visit in self._web.visits.items():
            self._web.visits[url] = structs.replace(
                visit,
                elapsed_ms=chance.randrange(5_000),
                raw_bytes=chance.randrange(5_000),
                resource_bytes=chance.choice([None, 0, 70]),
                content_type=chance.choice(["", "text/html", "text/plain"]),
                issues=chance.sample(range(400, 410), chance.randrange(5)),
            )
        make_empty_project(self._path, SETTINGS)

    async def run(self) -> None:
        state = CrawlState.NEW
        while state is not CrawlState.FINISHED or self._deeds:
            state = await self._live()
            assert miscounts(self._path) == []

    async def _live(self) -> CrawlState:
        """One run of the crawl, to its end or until it is killed."""
        store = InlineStore(delay_s=0.01)
        summary = await store.open(self._path)
        scope = Scope(summary.settings)
        crawl = Crawl(summary, store, self._web, fake_rules, scope, jitter=self._chance.random)
        killed = False
        with suppress(asyncio.CancelledError):
            async with asyncio.TaskGroup() as group:
                running = group.create_task(crawl.run(self._first()), name="crawl")
                person = group.create_task(self._act(crawl, running), name="person")
                await asyncio.wait([running])
                killed = running.cancelled()
                person.cancel()
        if killed:
            self._keep_what_a_kill_leaves()
        await store.close()
        return crawl.state

    def _first(self) -> tuple[BulkAction, ...]:
        """What makes a crawl that is finished begin again."""
        ids = tuple(self._chance.sample(range(1, 20), 5))
        return (BulkAction(BulkActionKind.RECRAWL, UrlSelection(ids=ids)),) if self._lives else ()

    def _keep_what_a_kill_leaves(self) -> None:
        """Go on with the file as it stands, with its -wal file and nothing put in order."""
        self._lives += 1
        left = self._folder / f"{self._lives}.gossamer"
        for suffix in ("", "-wal"):
            shutil.copy(f"{self._path}{suffix}", f"{left}{suffix}")
        self._path = left

    async def _act(self, crawl: Crawl, running: "asyncio.Task[CrawlState]") -> None:
        while self._deeds:
            await asyncio.sleep(self._chance.choice([0.0, 0.05, 0.2, 1.0]))
            if crawl.state not in LIVE:
                return
            deed = self._deeds.pop()
            if deed == "kill":
                running.cancel()
                return
            await self._do(deed, crawl)
        crawl.resume()

    async def _do(self, deed: str, crawl: Crawl) -> None:
        ids = tuple(self._chance.sample(range(1, 25), 3))
        match deed:
            case "recrawl":
                await crawl.perform(BulkAction(BulkActionKind.RECRAWL, UrlSelection(ids=ids)))
            case "failed":
                await crawl.perform(BulkAction(BulkActionKind.RECRAWL, UrlSelection(failed=True)))
            case "cancel":
                await crawl.perform(BulkAction(BulkActionKind.CANCEL, UrlSelection(ids=ids)))
            case "exclude" | "include":
                folder = f"{ROOT}/{self._chance.randint(1, 9)}"
                await crawl.perform(BulkAction(BulkActionKind(deed), UrlSelection(folder=folder)))
            case "pause now":
                await crawl.pause_now()
                crawl.resume()
            case "close":
                await crawl.close()


@pytest.mark.parametrize("waiting", [0, 7, 1000])
@settings(deadline=None, max_examples=12)
@given(seed=st.integers(0, 2**64))
def test_counts_match_the_rows_after_any_sequence_of_events(waiting: int, seed: int) -> None:
    """Rows of indexes wait: none, some, or all of them until nobody crawls."""
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setattr("gossamer.store.writing.url_indexes.FEWEST", waiting)
        patch.setattr("gossamer.store.writing.inlink_tables.SMALL_FILE", 0)
        patch.setattr("gossamer.store.writing.inlink_tables.MOST_WAITING", waiting)
        patch.setattr("gossamer.store.writing.inlink_tables.PER_PAGE", 1000)
        patch.setattr("gossamer.store.writing.deferred_indexes.MOST_AT_ONCE", max(waiting, 3))
        patch.setattr("gossamer.store.writing.deferred_indexes.PART", max(waiting, 3))
        run_virtual(Story(random.Random(seed), Path(folder)).run())
