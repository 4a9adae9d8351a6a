"""The engine's store in memory, on which its tests run, and the real one do the same."""

import asyncio
import random
import tempfile
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from gossamer.model.outcome import Outcome
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.store_batch import ProjectSummary, StoreBatch, UrlRow
from gossamer.store.project import create
from gossamer.store.writing.writer import Writer
from tests.fakes.memory_store import MemoryStore
from tests.fakes.random_crawl import Crawl, random_site, url

SETTINGS = CrawlSettings(roots=(url(0),))


@settings(deadline=None)
@given(seed=st.integers(0, 2**64))
def test_fake_and_real_store_agree(seed: int) -> None:
    chance = random.Random(seed)
    with tempfile.TemporaryDirectory() as folder, asyncio.Runner() as runner:
        path = Path(folder, "a.gossamer")
        create(path, SETTINGS)
        memory = MemoryStore(SETTINGS)

        def commit_to_both(batch: StoreBatch) -> list[UrlRow]:
            improved = writer.commit(batch)
            assert improved == runner.run(memory.commit(batch))
            assert writer.queued("a.test", 0, 99) == runner.run(memory.queued("a.test", 0, 99))
            return improved

        with Writer(path) as writer:
            Crawl(random_site(chance), commit_to_both, chance).run()
            urls = [url(number) for number in range(30)]
            assert writer.lookup(urls) == runner.run(memory.lookup(urls))
            assert counted(writer.summary()) == counted(runner.run(memory.summary()))
            for outcomes in ({Outcome.PAGE}, {Outcome.NOT_FOLLOWED, Outcome.REDIRECT}):
                refused = memory.refused(outcomes, 2, 5)
                assert writer.refused(outcomes, 2, 5) == runner.run(refused)


def counted(summary: ProjectSummary) -> tuple[object, ...]:
    return (summary.last_id, summary.received_bytes, summary.statuses, summary.outcomes)
