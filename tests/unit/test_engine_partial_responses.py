"""Answers that break off: asked again as after a lost connection, and the best of them kept."""

import asyncio

import pytest

from gossamer.engine.crawl import Crawl
from gossamer.engine.crawl_memory import EngineLimits
from gossamer.engine.failures.failure_guard import FEWEST
from gossamer.engine.failures.url_retries import (
    DEATHS_ALLOWED,
    MAX_PARTIAL_LINKS,
    MAX_PARTIALS,
    PartialResponses,
)
from gossamer.engine.url_tracker import FrontierEntry
from gossamer.model.crawl_state import CrawlState
from gossamer.model.discovery_rank import Rank
from gossamer.model.link_kinds import LinkKind
from gossamer.model.messages.crawl_messages import BulkAction, BulkActionKind, UrlSelection
from gossamer.model.outcome import Outcome, Verdict, verdict
from gossamer.model.outcome_details import free_text
from gossamer.model.response_warnings import ResponseWarning
from gossamer.model.visit import PageLinks, Visit
from gossamer.urls.scope_and_limits import Scope
from tests.cases import each_case
from tests.fakes.memory_store import MemoryStore
from tests.fakes.virtual_crawl import Crawled, crawl, settings_of
from tests.fakes.virtual_loop import run_virtual
from tests.fakes.web import LOST, FakeRules, FakeWeb, absolute, died

BUSY = Visit(Outcome.SERVER_ERROR, status=503, transient=True)


def part(size_bytes: int, *links: str, outcome: Outcome = Outcome.PAGE_INCOMPLETE) -> Visit:
    """What came of a page that broke off."""
    kind = LinkKind.ANCHOR if outcome is Outcome.PAGE_INCOMPLETE else LinkKind.SITEMAP
    return Visit(
        outcome,
        status=200,
        size_bytes=size_bytes,
        transient=True,
        warnings=(ResponseWarning.INCOMPLETE,),
        targets=[absolute(link) for link in links],
        links=PageLinks.of((number, kind, "", "", "", "") for number in range(len(links))),
    )


def test_a_page_that_breaks_off_is_asked_again_and_the_whole_counts() -> None:
    web = FakeWeb()
    web.page("/", "/a", "/b")
    for path in ("/a", "/b"):
        web.page(path)
    web.fails("/", part(50, "/gone"), part(90, "/a"))
    result = crawl(web, settings_of(max_tries=4))
    assert result.outcome("/") is Outcome.PAGE
    assert web.paths_asked().count("/") == 3
    assert sorted(set(web.paths_asked())) == ["/", "/a", "/b"]


@pytest.mark.parametrize(
    "tries",
    [
        [part(50, "/a"), part(90, "/a", "/b"), part(70, "/a")],
        [part(90, "/a", "/b"), part(90, "/a", "/b"), LOST],
        [LOST, part(90, "/a", "/b"), BUSY],
    ],
)
def test_of_a_page_that_always_breaks_off_the_longest_part_counts(tries: list[Visit]) -> None:
    web = FakeWeb()
    web.fails("/", *tries)
    for path in ("/a", "/b"):
        web.page(path)
    result = crawl(web, settings_of(max_tries=3))
    row = result.store.visits[result.row("/").id]
    assert (row.outcome, row.visit.size_bytes, row.tries) == (Outcome.PAGE_INCOMPLETE, 90, 3)
    assert row.visit.truncated
    assert sorted(set(web.paths_asked())) == ["/", "/a", "/b"]


def test_an_answer_for_good_counts_though_a_part_came_before() -> None:
    web = FakeWeb()
    web.fails("/", part(50, "/a"))
    result = crawl(web, settings_of(max_tries=3))
    assert result.outcome("/") is Outcome.CLIENT_ERROR
    assert web.paths_asked() == ["/", "/"]


FORBIDDEN = Visit(Outcome.FORBIDDEN_ADDRESS, detail=free_text("10.0.0.1"))
UNREADABLE = Visit(Outcome.BROKEN_ENCODING, status=200)


@each_case(
    "retries",
    [
        [FORBIDDEN],
        [LOST, FORBIDDEN],
        [UNREADABLE],
        [died()] * (DEATHS_ALLOWED + 1),
        [LookupError("unforeseen")],
    ],
)
def test_what_has_come_counts_though_the_url_can_not_be_asked_again(
    retries: list[Visit | BaseException],
) -> None:
    web = FakeWeb()
    web.fails("/", part(90, "/a"), *retries)
    web.page("/a")
    result = crawl(web, settings_of(max_tries=4))
    row = result.store.visits[result.row("/").id]
    assert (row.outcome, row.visit.size_bytes) == (Outcome.PAGE_INCOMPLETE, 90)
    assert result.outcome("/a") is Outcome.PAGE


class LaterForbidden:
    """A robots.txt that forbids everything from some moment on."""

    def __init__(self) -> None:
        self.disallowed: tuple[str, ...] = ()
        self.crawl_delay_s: float | None = None
        self.sitemaps = ()

    def allowed(self, url: str) -> bool:
        return FakeRules(self.disallowed).allowed(url)

    def blocking_line(self, url: str) -> tuple[int, str] | None:
        return FakeRules(self.disallowed).blocking_line(url)


@pytest.mark.parametrize("kept", [1, 1000])
def test_a_robots_txt_that_forbids_a_url_later_undoes_nothing(kept: int) -> None:
    """It is known, or one of more than are kept: then it is read again."""
    web, rules, other = FakeWeb(), LaterForbidden(), "http://other.test/"
    web.fails("/", part(90, "/a"))
    web.page(other)
    store = MemoryStore(settings_of(roots=(absolute("/"), other), obey_robots=True))

    async def run() -> None:
        subject = Crawl(
            *(await store.summary(), store, web, lambda *_: rules, Scope(store.settings)),
            jitter=lambda: 0.5,
            limits=EngineLimits(robots_origins=kept),
        )
        async with asyncio.TaskGroup() as group:
            group.create_task(subject.run())
            await asyncio.sleep(0.2)
            rules.disallowed = ("/",)

    run_virtual(run())
    result = Crawled(store, CrawlState.FINISHED)
    row = store.visits[result.row("/").id]
    assert (row.outcome, row.visit.size_bytes) == (Outcome.PAGE_INCOMPLETE, 90)
    assert row.tries == 1
    assert result.outcome("/a") is Outcome.BLOCKED_BY_ROBOTS


@each_case("action", [BulkActionKind.CANCEL, BulkActionKind.HOLD, BulkActionKind.EXCLUDE])
@each_case("in_flight", [True, False])
def test_what_a_person_takes_out_is_out_whatever_has_come_of_it(
    action: BulkActionKind, in_flight: bool
) -> None:
    web = FakeWeb(delay_s=lambda path: 0.2 if path == "/x/a" else 0.01)
    web.page("/", "/x/a")
    web.fails("/x/a", part(90, "/b"))

    async def take_out(subject: Crawl) -> None:
        await asyncio.sleep(0.7 if in_flight else 0.4)  # asked from 0.02 and from 0.62
        await subject.perform(BulkAction(action, UrlSelection(folder="http://site.test/x/")))

    result = crawl(web, settings_of(max_tries=4), take_out)
    taken_out = {BulkActionKind.CANCEL: Outcome.CANCELLED, BulkActionKind.HOLD: Outcome.HELD}
    assert result.outcome("/x/a") is taken_out.get(action, Outcome.EXCLUDED)
    assert len(web.asked) == 2 + in_flight
    assert absolute("/b") not in result.store.by_url()


def test_what_has_come_is_kept_over_a_pause() -> None:
    web = FakeWeb()
    web.fails("/", part(90, "/a"), *[LOST] * 3)
    web.page("/a")

    async def pause(subject: Crawl) -> None:
        for _ in range(3):
            await asyncio.sleep(0.3)
            await subject.pause_now()
            await asyncio.sleep(9.0)
            subject.resume()

    result = crawl(web, settings_of(max_tries=4), pause)
    assert result.outcome("/") is Outcome.PAGE_INCOMPLETE
    assert result.outcome("/a") is Outcome.PAGE
    assert len(web.asked) == 5


def test_a_url_that_was_not_asked_to_its_end_is_asked_anew_by_the_next_crawl() -> None:
    """Where the crawl closes, is cancelled, killed or at its limit of pages meanwhile."""
    web = FakeWeb()
    web.page("/", "/a", "/b")
    web.page("/b")
    web.fails("/a", part(90, "/gone"))
    store = MemoryStore(settings_of(max_tries=4, max_pages=2))
    assert crawl(web, store=store).outcome("/a") is Outcome.PENDING
    store.settings = settings_of(max_tries=4)
    web.page("/a", "/c")
    web.page("/c")
    result = crawl(web, store=store)
    assert [result.outcome(path) for path in ("/a", "/c")] == [Outcome.PAGE] * 2


def test_a_sitemap_that_breaks_off_is_asked_again() -> None:
    web = FakeWeb()
    web.page("/")
    web.sitemap("/s.xml", "/a", "/b")
    web.page("/a")
    web.page("/b")
    web.fails("/s.xml", part(50, "/a", outcome=Outcome.FILE_INCOMPLETE))
    result = crawl(web, settings_of(sitemaps=(absolute("/s.xml"),)))
    assert result.outcome("/s.xml") is Outcome.FILE
    assert web.paths_asked().count("/s.xml") == 2
    assert result.outcome("/b") is Outcome.PAGE


def test_a_site_whose_pages_all_break_off_is_crawled_to_its_end() -> None:
    web = FakeWeb()
    paths = [f"/{number}" for number in range(2 * FEWEST)]
    web.page("/", *paths)
    for path in paths:
        web.visits[absolute(path)] = part(9)
    result = crawl(web, settings_of(max_tries=2))
    assert result.state is CrawlState.FINISHED
    assert {result.outcome(path) for path in paths} == {Outcome.PAGE_INCOMPLETE}


@pytest.mark.parametrize("outcome", [Outcome.PAGE_INCOMPLETE, Outcome.FILE_INCOMPLETE])
def test_what_broke_off_is_uncertain(outcome: Outcome) -> None:
    assert verdict(outcome, 200) is Verdict.UNVERIFIED


def entry(number: int) -> FrontierEntry:
    return FrontierEntry(number, f"http://site.test/{number}", Rank(0), None, "site.test")


def test_memory_for_parts_is_bounded() -> None:
    partials = PartialResponses()
    entries = [entry(number) for number in range(MAX_PARTIALS + 2)]
    for each in entries:
        partials.keep(each, part(9))
    kept = [each for each in entries if partials.best(each, part(1)).size_bytes == 9]
    assert kept == entries[2:]
    links = [f"/{number}" for number in range(MAX_PARTIAL_LINKS // 4)]
    for each in entries[:6]:
        partials.keep(each, part(9, *links))
    kept = [each for each in entries[:6] if partials.best(each, part(1)).size_bytes == 9]
    assert kept == entries[2:6]


def test_parts_of_what_was_taken_out_need_no_room() -> None:
    partials = PartialResponses()
    entries = [entry(number) for number in range(MAX_PARTIALS + 2)]
    for each in entries[:MAX_PARTIALS]:
        partials.keep(each, part(9))
    entries[1].withdrawn = entries[2].withdrawn = Outcome.CANCELLED
    for each in entries[MAX_PARTIALS:]:
        partials.keep(each, part(9))
    kept = [each for each in entries if partials.best(each, part(1)).size_bytes == 9]
    assert kept == entries[:1] + entries[3:]
