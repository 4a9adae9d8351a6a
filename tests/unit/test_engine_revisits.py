"""What a recrawl asks for, and when it takes over what the previous crawl has."""

import asyncio
import time
from collections.abc import Sequence

import pytest
from msgspec.structs import replace

from gossamer.engine.crawl_memory import CrawlMemory, EngineLimits
from gossamer.engine.queue_refill import QueueRefill
from gossamer.engine.revisits import Revisits
from gossamer.engine.sitemap_dates import SitemapDates
from gossamer.engine.url_outcomes import UrlOutcomes
from gossamer.engine.url_tracker import FrontierEntry
from gossamer.model.archive_record import ReferredRecord
from gossamer.model.crawl_path import CrawlPath
from gossamer.model.crawl_state import CrawlState
from gossamer.model.discovery_rank import Rank, SitemapRole
from gossamer.model.fields.page_facts import PageFacts
from gossamer.model.freshness import NO_CONDITIONS, Conditions, Freshness
from gossamer.model.messages.worker_messages import FetchKind
from gossamer.model.outcome import Outcome
from gossamer.model.previous_crawl import PreviousPage, PreviousResponse, PreviousText
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.settings.rendering_choices import RenderMode
from gossamer.model.store_batch import ProjectSummary
from gossamer.model.visit import FetchMode, Visit
from gossamer.urls.scope_and_limits import Scope
from tests.fakes.engine import entry_of, settings_of
from tests.fakes.memory_store import MemoryStore
from tests.fakes.web import FakeWeb

PAGE = Visit(Outcome.PAGE, 200, size_bytes=5, facts=PageFacts(content_hash=b"1"))
KNOWN = PreviousResponse(
    id=7,
    outcome=Outcome.PAGE,
    listed=SitemapRole.NONE,
    as_file=False,
    status=200,
    warnings=(),
    headers=[("ETag", '"a"')],
    content_type="text/html",
    content_hash=b"1",
    size_bytes=5,
    raw_bytes=5,
    location=None,
    fetched_at=1_700_000_000.0,
    unchanged_since=1_600_000_000.0,
)


class FakePreviousCrawl:
    """A previous crawl with one page, if it can be read."""

    def __init__(self, known: PreviousResponse | None = KNOWN, before: Visit | None = PAGE) -> None:
        self.known, self.before, self.reads_alike = known, before, True
        self.texts_asked: list[str] = []

    async def response(self, url: str) -> PreviousResponse | None:
        assert url
        return self.known

    async def visit(
        self, url: str, known: PreviousResponse, settings: CrawlSettings
    ) -> Visit | None:
        assert url
        assert known is self.known
        assert settings
        return self.before

    async def text(self, url: str) -> PreviousText | None:
        self.texts_asked.append(url)
        return None

    async def confirmed_text(self, url: str, known: PreviousText) -> Visit | None:
        raise AssertionError((url, known))

    async def pages(self, after: int, limit: int) -> list[PreviousPage]:
        return [PreviousPage(7, "http://site.test/1", "")][:limit] if after < 7 else []

    async def fetched_at(self, urls: Sequence[str]) -> dict[str, float]:
        return dict.fromkeys(urls, KNOWN.fetched_at)


class Asked(FakeWeb):
    """A web of one page that answers 304 to any condition, and notes what was asked."""

    def __init__(self) -> None:
        super().__init__()
        self.conditions: list[Conditions] = []

    async def fetch(
        self,
        url: str,
        kind: FetchKind = FetchKind.PAGE,
        mode: FetchMode = FetchMode.USUAL,
        conditions: Conditions = NO_CONDITIONS,
        path: CrawlPath | None = None,
    ) -> Visit:
        assert url
        assert kind is not FetchKind.TEXT
        assert mode is not None
        assert path is None
        self.conditions.append(conditions)
        if conditions:
            return Visit(Outcome.UNEXPECTED_STATUS, 304, not_modified=True)
        return PAGE


def fetched(
    base: FakePreviousCrawl, entry: FrontierEntry | None = None, **changes: object
) -> tuple[Visit, list[Conditions]]:
    """The visit, and the conditions of each request until it comes."""
    settings = settings_of(**changes)
    summary = ProjectSummary(settings, CrawlState.NEW, 0.0, 0, 0, statuses={}, outcomes={})
    memory = CrawlMemory.of(summary, Scope(settings), EngineLimits())
    web = Asked()
    refill = QueueRefill(MemoryStore(settings), memory, UrlOutcomes(memory))
    dates = SitemapDates(base, memory, refill, is_resumed=False)
    revisits = Revisits(web, base, memory.policy, dates)
    entry, visit = entry or entry_of(1, "/1"), None
    while visit is None:
        visit = asyncio.run(revisits.fetch(entry, FetchKind.PAGE))
    return visit, web.conditions


ETAG = Conditions('"a"')


def test_a_page_that_is_not_modified_is_taken_over() -> None:
    visit, asked = fetched(FakePreviousCrawl())
    assert asked == [ETAG]
    assert (visit.freshness, visit.status) == (Freshness.NOT_MODIFIED, 200)
    assert visit.unchanged_since == KNOWN.unchanged_since


@pytest.mark.parametrize(
    "changes",
    [{"conditional_requests": False}, {"render": RenderMode.ON}, {"render": RenderMode.AUTO}],
)
def test_settings_may_want_everything_in_full(changes: dict[str, object]) -> None:
    visit, asked = fetched(FakePreviousCrawl(), None, **changes)
    assert asked == [NO_CONDITIONS]
    assert visit.freshness is Freshness.SAME


def test_an_archive_wants_in_full_what_it_could_not_copy() -> None:
    """Also where the page is not due; and the worker hears what the 304 is to refer to."""
    kept = ReferredRecord("<urn:uuid:1>", "http://site.test/1", "2026-11-23T00:00:00Z", b"")
    for is_seldom_due in (False, True):
        visit, asked = fetched(FakePreviousCrawl(), archive=True, adaptive_interval=is_seldom_due)
        assert asked == [NO_CONDITIONS]
        assert visit.freshness is Freshness.SAME
    base = FakePreviousCrawl(replace(KNOWN, referred=kept))
    assert fetched(base, archive=True)[1] == [replace(ETAG, referred=kept)]


def test_redirects_are_asked_for_on_conditions_also_where_pages_are_rendered() -> None:
    redirect = replace(KNOWN, status=301, outcome=Outcome.REDIRECT, location="http://site.test/2")
    before = Visit(Outcome.REDIRECT, 301, location="http://site.test/2")
    visit, asked = fetched(FakePreviousCrawl(redirect, before), render=RenderMode.ON)
    assert asked == [ETAG]
    assert (visit.status, visit.location) == (301, "http://site.test/2")


def test_rendered_pages_are_always_due() -> None:
    _, asked = fetched(FakePreviousCrawl(), adaptive_interval=True, render=RenderMode.ON)
    assert asked == [NO_CONDITIONS]


def test_another_way_of_asking_has_no_conditions() -> None:
    by_hand, otherwise = entry_of(1, "/1"), entry_of(1, "/1")
    by_hand.asked_again = True
    otherwise.mode = FetchMode.UNCOMPRESSED
    for entry in (by_hand, otherwise):
        assert fetched(FakePreviousCrawl(), entry)[1] == [NO_CONDITIONS]


def test_what_was_read_otherwise_is_read_anew() -> None:
    base = FakePreviousCrawl()
    base.reads_alike = False
    assert fetched(base)[1] == [NO_CONDITIONS]


def test_a_base_that_cannot_be_read_any_more_costs_a_request() -> None:
    visit, asked = fetched(FakePreviousCrawl(before=None))
    assert asked == [ETAG, NO_CONDITIONS]
    assert visit.freshness is Freshness.SAME


def test_a_page_that_is_not_due_is_not_asked_for() -> None:
    recent = replace(KNOWN, fetched_at=time.time() - 60)
    visit, asked = fetched(FakePreviousCrawl(recent), adaptive_interval=True)
    assert asked == []
    assert (visit.freshness, visit.unchanged_since) == (Freshness.NOT_DUE, KNOWN.unchanged_since)
    _, asked = fetched(
        FakePreviousCrawl(recent), entry_of(1, "/1", Rank(0)), adaptive_interval=True
    )
    assert asked == [ETAG], "start pages are always due"
    _, asked = fetched(FakePreviousCrawl(recent, before=None), adaptive_interval=True)
    assert asked == [NO_CONDITIONS], "it cannot be read"


def test_a_url_that_the_base_has_not_is_new() -> None:
    visit, asked = fetched(FakePreviousCrawl(known=None))
    assert asked == [NO_CONDITIONS]
    assert visit.freshness is Freshness.NEW
