"""How URLs were reached, as archives say it."""

import asyncio

from gossamer.engine.crawl_paths import CrawlPaths
from gossamer.engine.url_tracker import FrontierEntry
from gossamer.model.crawl_path import CrawlPath, path_of
from gossamer.model.discovery_rank import RECORDED, UNLINKED, Rank, SitemapRole
from gossamer.model.outcome import Outcome
from gossamer.model.store_batch import StoreBatch, UrlRow
from gossamer.model.visit import Visit
from tests.cases import each_case
from tests.fakes.engine import settings_of
from tests.fakes.memory_store import MemoryStore

PAGE = "http://site.test/"


@each_case(
    ("rank", "found_on", "hops"),
    [
        (Rank(1), CrawlPath(), "L"),
        (Rank(1), CrawlPath(PAGE, "RR"), "RRL"),
        (Rank(2, 1), None, "LLR"),
        (Rank(50), None, "L" * 50),
        (Rank(400, 1), None, "351+" + "L" * 49 + "R"),
        (Rank(RECORDED, as_file=True), CrawlPath(PAGE, "LL"), "LLE"),
        (Rank(RECORDED, 1, as_file=True), CrawlPath(PAGE, "LLE"), "LLEE"),
        (Rank(RECORDED, as_file=True), CrawlPath(PAGE, f"9+{'L' * 50}"), f"10+{'L' * 49}E"),
        (Rank(UNLINKED, listed=SitemapRole.LISTED), CrawlPath(), "M"),
        (Rank(RECORDED, as_file=True), None, ""),
    ],
)
def test_each_hop_has_its_letter(rank: Rank, found_on: CrawlPath | None, hops: str) -> None:
    assert path_of(rank, found_on, PAGE) == CrawlPath(PAGE, hops)


def test_a_seed_was_reached_from_nowhere() -> None:
    assert path_of(Rank(0), None, "").is_seed


def test_pages_of_an_earlier_run_are_looked_up() -> None:
    store = MemoryStore(settings_of())
    page = UrlRow(7, PAGE, Rank(2), Outcome.PENDING)

    async def main() -> list[CrawlPath | None]:
        await store.commit(StoreBatch(new=[page]))
        paths = CrawlPaths(store)
        linked = FrontierEntry(8, f"{PAGE}a", Rank(3), 7, "site.test")
        paths.visited(linked, Visit(Outcome.REDIRECT, location=f"{PAGE}r"))
        onward = FrontierEntry(11, f"{PAGE}r", Rank(3, 1), 8, "site.test")
        lost = FrontierEntry(10, f"{PAGE}b", Rank(3), 5, "site.test")
        return [await paths.of(each) for each in (linked, onward, lost)]

    found = asyncio.run(main())
    assert found == [CrawlPath(PAGE, "LLL"), CrawlPath(f"{PAGE}a", "LLLR"), None]
