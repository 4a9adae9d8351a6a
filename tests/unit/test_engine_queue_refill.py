"""What is preferred by id is read from the file once it is there."""

from gossamer.engine.crawl_memory import CrawlMemory, EngineLimits
from gossamer.engine.queue_refill import QueueRefill
from gossamer.engine.url_outcomes import UrlOutcomes
from gossamer.model.discovery_rank import Rank
from gossamer.model.outcome import Outcome
from gossamer.model.store_batch import UrlRow
from gossamer.urls.scope_and_limits import Scope
from tests.fakes.memory_store import MemoryStore
from tests.fakes.virtual_crawl import settings_of
from tests.fakes.virtual_loop import run_virtual
from tests.fakes.web import ROOT

_URLS = 6
_COMMITTED = 3


def test_what_is_not_committed_yet_is_preferred_after_the_next_commit() -> None:
    settings = settings_of()

    async def main() -> None:
        store = MemoryStore(settings)
        memory = CrawlMemory.of(await store.summary(), Scope(settings), EngineLimits())
        for number in range(1, _URLS + 1):
            url = f"{ROOT}/{number}"
            store.add(UrlRow(number, url, Rank(1), Outcome.PENDING))
        refill = QueueRefill(store, memory, UrlOutcomes(memory))
        refill.prefer_ids([5, 6])
        refill.prefer_ids([1, 2])
        await refill.refill([], _COMMITTED)
        await refill.refill([], _URLS)
        preferred = {each for each in range(1, _URLS + 1) if memory.tracker.entry(each)}
        assert preferred == {1, 2, 5, 6}

    run_virtual(main())
