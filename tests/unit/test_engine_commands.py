"""What a user's commands and the death of a worker do to a crawl, on a virtual clock."""

import asyncio
import re
from functools import partial
from itertools import pairwise
from random import Random

import pytest
from msgspec.structs import replace

from gossamer.engine.crawl import Crawl
from gossamer.engine.crawl_memory import EngineLimits
from gossamer.model.crawl_state import CrawlState
from gossamer.model.discovery_rank import Rank
from gossamer.model.messages.crawl_messages import (
    BulkAction,
    BulkActionKind,
    ChangeSettings,
    UrlSelection,
)
from gossamer.model.outcome import Outcome
from gossamer.model.store_batch import StoreBatch, UrlRow, VisitRow
from gossamer.model.visit import FetchMode
from tests.cases import each_case
from tests.fakes.actions import cancelled
from tests.fakes.virtual_crawl import crawled_outcomes, new_store
from tests.fakes.virtual_loop import run_virtual
from tests.fakes.web import LOST, FakeWeb, absolute


def test_pause_now_is_reported_when_every_connection_is_closed() -> None:
    web = FakeWeb(delay_s=lambda _: 1.0, drop_s=0.5)
    web.page("/", "/a", "/b")
    told: list[tuple[CrawlState, int]] = []

    async def person(subject: Crawl) -> None:
        for moment in (0.5, 1.5):
            await asyncio.sleep(moment)
            await subject.pause_now()
            assert subject.state is CrawlState.PAUSED
            subject.resume()

    crawled_outcomes(web, new_store(), person, lambda state: told.append((state, web.dropped)))
    assert [dropped for state, dropped in told if state is CrawlState.PAUSED] == [1, 2]


def test_pause_now_after_a_pause_closes_idle_connections() -> None:
    web = FakeWeb(delay_s=lambda _: 1.0)
    web.page("/", "/a")

    async def person(subject: Crawl) -> None:
        await asyncio.sleep(0.5)
        subject.pause()
        await asyncio.sleep(10)
        assert (subject.state, web.dropped) == (CrawlState.PAUSED, 0)
        await subject.pause_now()
        assert (subject.state, web.dropped) == (CrawlState.PAUSED, 1)
        subject.resume()

    crawled_outcomes(web, new_store(), person)


def test_an_attempt_interrupted_by_a_pause_does_not_count() -> None:
    web = FakeWeb(delay_s=lambda _: 1.0)
    web.page("/")
    web.fails("/", LOST)

    async def person(subject: Crawl) -> None:
        for _ in range(5):
            await asyncio.sleep(0.5)
            await subject.pause_now()
            subject.resume()

    store = new_store(max_tries=2)
    assert crawled_outcomes(web, store, person) == {"/": Outcome.PAGE}
    assert store.visits[1].tries == 2


def test_a_page_that_kills_its_worker_does_not_fail_other_pages() -> None:
    web = FakeWeb(delay_s=lambda path: 1.0 if path == "/killer" else 5.0)
    others = [f"/{n}" for n in range(6)]
    web.page("/", "/killer", *others)
    for path in others:
        web.page(path)
    web.killers.add("/killer")
    outcomes = crawled_outcomes(web, new_store())
    assert outcomes == {
        "/": Outcome.PAGE,
        "/killer": Outcome.WORKER_DIED,
        **dict.fromkeys(others, Outcome.PAGE),
    }


def test_a_crash_does_not_reset_trap_budgets() -> None:
    def served() -> FakeWeb:
        web = FakeWeb(delay_s=lambda _: 0.1)
        for n in range(200):
            page = f"/calendar/{n}" if n else "/"
            web.page(page, f"/calendar/{n + 1}", title=f"Month {n}")
        return web

    async def stop(subject: Crawl) -> None:
        await asyncio.sleep(4.0)
        await subject.close()

    undisturbed, store = new_store(max_similar=60), new_store(max_similar=60)
    whole = crawled_outcomes(served(), undisturbed)
    crawled_outcomes(served(), store, stop)
    assert crawled_outcomes(served(), store) == whole
    assert Outcome.OVER_BUDGET in whole.values()


def empty_months(slow: float = 0.1) -> FakeWeb:
    web = FakeWeb(delay_s=lambda _: slow)
    web.page("/", "/month/0", says="Welcome")
    for n in range(300):
        others = [f"/month/{other}" for other in (n + 1, n + 2, n + 3)]
        web.page(f"/month/{n}", *others, says="A month")
    return web


def months(outcomes: dict[str, Outcome], outcome: Outcome) -> int:
    return [outcomes[path] for path in outcomes if "month" in path].count(outcome)


def test_with_a_higher_limit_a_finished_crawl_goes_on_with_what_was_left_out() -> None:
    store = new_store(max_similar=20)
    before = crawled_outcomes(empty_months(), store)
    assert months(before, Outcome.OVER_BUDGET) > 0
    assert crawled_outcomes(empty_months(), store) == before, "nothing changes by itself"
    store.settings = replace(store.settings, max_similar=120)
    after = crawled_outcomes(empty_months(), store)
    assert months(after, Outcome.PAGE) == months(before, Outcome.PAGE) + 100
    depths = {row.url: row.rank.depth for row in store.urls.values()}
    assert depths[absolute("/month/9")] == depths[absolute("/month/6")] + 1
    store.settings = replace(store.settings, max_similar=1000)
    last = crawled_outcomes(empty_months(), store)
    assert months(last, Outcome.PAGE) == 300
    assert months(last, Outcome.OVER_BUDGET) == 0


@pytest.mark.parametrize("after_s", [3.0, 8.0])
def test_raising_the_limit_while_the_crawl_runs_queues_what_was_left_out(after_s: float) -> None:
    store, web = new_store(max_similar=20), empty_months()
    web.page("/", "/month/0", "/slow", says="Welcome")
    web.page("/slow", says="At last")
    web.delay_s = lambda path: 60.0 if path == "/slow" else 0.1

    async def raise_limit(subject: Crawl) -> None:
        await asyncio.sleep(after_s)
        await subject.perform(ChangeSettings(replace(store.settings, max_similar=1000)))

    outcomes = crawled_outcomes(web, store, raise_limit)
    assert months(outcomes, Outcome.PAGE) == 300
    assert store.settings.max_similar == 1000


def word(number: int) -> str:
    return "/" + "".join(chr(ord("a") + int(digit)) for digit in str(number))


def made_up(number: int) -> str:
    return f"/x{word(number)[1:]}"


def test_endless_random_words_are_bounded_and_a_flat_wiki_is_not() -> None:
    web = FakeWeb()
    web.page("/", made_up(1), word(10_000))
    for n in range(1, 4000):
        web.page(made_up(n), made_up(2 * n), made_up(2 * n + 1), title="Found", says="Found")
    for n in range(10_000, 10_300):
        web.page(word(n), word(n + 1), title=f"Article {n}", says=f"All of {word(n)}")
    outcomes = crawled_outcomes(web, new_store(max_similar=10, workers=2))
    assert sum(len(path) == 6 and path < "/x" for path in outcomes) == 301
    found = [outcome for path, outcome in outcomes.items() if path.startswith("/x")]
    # Fifty, and two for each page of the wiki, which is in the same folder.
    assert found.count(Outcome.PAGE) <= 50 + 2 * 302 + 3
    assert Outcome.OVER_BUDGET in found


@pytest.mark.parametrize("links", [2, 8, 30])
def test_generated_text_is_bounded_without_cross_links(links: int) -> None:
    web = FakeWeb()
    posts = 150
    web.page("/", "/w/0", "/post/0", says="Welcome")
    for n in range(posts):
        web.page(f"/post/{n}", "/", f"/post/{n + 1}", says=f"What {word(n)} said of {word(7 * n)}")

    def path(n: int) -> str:
        return f"/w/{word(n)[1:]}" if n else "/w/0"

    def make(n: int) -> None:
        further = map(path, range(links * n + 1, links * n + links + 1))
        web.page(path(n), "/", *further, says=f"All {word(n)} {word(3 * n)} {word(5 * n)}")

    web.makers = {absolute(path(n)): partial(make, n) for n in range(6000)}
    outcomes = crawled_outcomes(web, new_store(max_similar=10, workers=2))
    found = [outcome for path, outcome in outcomes.items() if path.startswith("/w/")]
    assert found.count(Outcome.PAGE) <= 1 + links + 50
    assert Outcome.OVER_BUDGET in found
    asked = [path for path in web.paths_asked() if path.startswith("/")]
    last = max(asked.index(f"/post/{n}") for n in range(posts))
    assert last < 3 * posts + 50, "a third of the turns at least, after the first pages"


def test_generated_text_with_cross_links_is_bounded_by_the_page_limit_only() -> None:
    web = FakeWeb()
    web.page("/", word(1000))
    for n in range(1000, 3000):
        web.page(word(n), word(n + 1), word(n + 2), title=f"Found {n}", says=f"All of {word(n)}")
    outcomes = crawled_outcomes(web, new_store(max_similar=10, max_pages=700))
    assert list(outcomes.values()).count(Outcome.PAGE) == 700
    assert Outcome.OVER_BUDGET not in outcomes.values()


@pytest.mark.parametrize("says", ["All {} {}", "The same on each page"])
def test_a_site_with_random_links_is_crawled_completely(says: str) -> None:
    web = FakeWeb()
    pages, chance = 700, Random(7)
    web.page("/", *(f"/wiki/{word(n)[1:]}" for n in range(20)))
    for n in range(pages):
        found = [f"/wiki/{word(chance.randrange(pages))[1:]}" for _ in range(30)]
        said = says.format(word(n), word(3 * n))
        web.page(f"/wiki/{word(n)[1:]}", "/", *found, title=f"On {word(7 * n)}", says=said)
    outcomes = crawled_outcomes(web, new_store(max_similar=10, workers=2))
    assert list(outcomes.values()).count(Outcome.PAGE) == pages + 1


@pytest.mark.parametrize("links", [2, 20])
def test_new_pages_are_fetched_in_order_of_discovery(links: int) -> None:
    web = FakeWeb()
    inner = 400 // links
    for n in range(400):
        further = range(links * n + 1, links * n + links + 1) if n < inner else ()
        web.page(word(n) if n else "/", *map(word, further), says=f"All {word(n)} {word(3 * n)}")
    crawled_outcomes(web, new_store(max_similar=1000, workers=1))
    asked = [path for path in web.paths_asked() if path != "/robots.txt"]
    assert asked == ["/", *(word(n) for n in range(1, links * inner + 1))]


@pytest.mark.parametrize(("links", "deep"), [(2, 9), (5, 4), (30, 2)])
def test_a_finite_tree_is_crawled_completely(links: int, deep: int) -> None:
    web = FakeWeb()
    pages = sum(links**level for level in range(deep + 1))
    inner = pages - links**deep
    for n in range(pages):
        further = [f"/t/{word(links * n + k)[1:]}" for k in range(1, links + 1)]
        path = f"/t/{word(n)[1:]}" if n else "/"
        web.page(path, "/", *(further if n < inner else ()), says=f"All {word(n)} {word(3 * n)}")
    outcomes = crawled_outcomes(web, new_store(max_similar=50, workers=2))
    assert list(outcomes.values()).count(Outcome.PAGE) == pages


@pytest.mark.parametrize(
    ("picture", "found"),
    [("/pictures/{}.jpg", 300), ("/counter.gif?page={}", 12), ("/photo/{}/logo.png", 13)],
)
def test_pages_that_differ_by_their_image_are_crawled_completely(picture: str, found: int) -> None:
    web = FakeWeb()
    web.page("/", "/photo/1")
    for n in range(1, 301):
        images = (picture.format(word(n)[1:]),)
        web.page(f"/photo/{n}", f"/photo/{n + 1}", images=images, title="Photo", says="Photo")
    outcomes = crawled_outcomes(web, new_store(max_similar=10, workers=2))
    pages = [path for path, outcome in outcomes.items() if outcome is Outcome.PAGE]
    assert sum(path.startswith("/photo/") for path in pages) == found


def test_posts_that_differ_in_numbers_alone_have_a_large_budget() -> None:
    web = FakeWeb()
    lists, posts = 100, 5
    web.page("/", "/archive/1", title="Home", says="Home")
    for n in range(1, lists + 1):
        found = [f"/post/{n * posts + k}" for k in range(posts)]
        older = [f"/archive/{n + 1}"] if n < lists else []
        web.page(f"/archive/{n}", "/", *found, *older, title="Archive", says="Archive")
        for path in found:
            web.page(path, "/", title="Post", says="Post")
    outcomes = crawled_outcomes(web, new_store(max_similar=50, workers=2))
    assert list(outcomes.values()).count(Outcome.PAGE) == 1 + lists + lists * posts


def test_cancelling_a_url_twice_counts_once() -> None:
    web = FakeWeb(delay_s=lambda _: 1.0)
    web.page("/", "/a", "/b", "/c")
    store = new_store(workers=1)

    async def stop(subject: Crawl) -> None:
        await asyncio.sleep(1.5)
        await subject.close()

    async def take_out(subject: Crawl) -> None:
        for _ in range(3):
            await subject.perform(cancelled(4))
        assert subject.progress().outcomes.get(Outcome.CANCELLED) == 1

    crawled_outcomes(web, store, stop)
    assert crawled_outcomes(web, store, take_out)["/c"] is Outcome.CANCELLED
    assert absolute("/c") not in web.asked


def test_a_repeated_check_respects_the_rate_of_the_host() -> None:
    moments: dict[str, list[float]] = {}

    def delay_s(path: str) -> float:
        moments.setdefault(path, []).append(asyncio.get_running_loop().time())
        return 0.1

    web = FakeWeb(delay_s=delay_s)
    web.page("/", images=("/a", "/b"))
    web.page("/a")
    web.page("/b")
    web.doubtful = {absolute("/"): FetchMode.UNCOMPRESSED, absolute("/a"): FetchMode.BY_GET}
    store = new_store(rate=1.0, max_tries=1)
    outcomes = crawled_outcomes(web, store)
    assert outcomes == {"/": Outcome.PAGE, "/a": Outcome.CHECKED, "/b": Outcome.CHECKED}
    assert [len(moments[path]) for path in ("/", "/a", "/b")] == [2, 2, 1]
    every = sorted(moment for each in moments.values() for moment in each)
    assert all(later - earlier >= 1.0 for earlier, later in pairwise(every))
    assert store.visits[2].tries == 1


def test_a_limit_lifted_just_before_a_crash_is_lifted_on_resume() -> None:
    """The better way was committed, what follows from it was not."""
    web = FakeWeb()
    web.page("/")
    web.redirect("/r", "/t")
    web.page("/t")
    store = new_store(max_redirects=1)
    redirect = VisitRow(2, web.visits[absolute("/r")], Outcome.REDIRECT_LIMIT, 1)
    page = VisitRow(1, web.visits[absolute("/")], Outcome.PAGE, 1)
    batch = StoreBatch(
        new=[
            UrlRow(1, absolute("/"), Rank(0), Outcome.PENDING),
            UrlRow(2, absolute("/r"), Rank(1, 0), Outcome.PENDING, 1),
            UrlRow(3, absolute("/t"), Rank(1, 1), Outcome.BEYOND_REDIRECT_LIMIT, 2),
        ],
        visits=[page, redirect],
        state=CrawlState.RUNNING,
    )
    run_virtual(store.commit(batch))
    assert crawled_outcomes(web, store) == {
        "/": Outcome.PAGE,
        "/r": Outcome.REDIRECT,
        "/t": Outcome.PAGE,
    }


def test_a_limit_is_lifted_by_a_commit_under_way_when_the_redirect_arrives() -> None:
    """The file carries the better way to "/late" on to "/x", whose visit it does not have yet."""
    web = FakeWeb(delay_s=lambda path: {"/late": 4.0, "/x": 5.0}.get(path, 0.01))
    web.page("/", "/a", "/late")
    web.redirect("/a", "/y")
    web.redirect("/y", "/x")
    web.redirect("/x", "/t")
    web.page("/late", "/y")
    web.page("/t")
    store = new_store(max_redirects=2)

    async def disk(_: Crawl) -> None:
        await asyncio.sleep(3.5)
        store.delay_s = lambda: 1.0

    outcomes = crawled_outcomes(web, store, disk)
    assert outcomes["/x"] is Outcome.REDIRECT
    assert outcomes["/t"] is Outcome.PAGE


def test_failed_urls_are_retried_and_counted_once() -> None:
    web = FakeWeb()
    web.page("/", "/a", "/b")
    web.page("/a")
    store = new_store()
    assert crawled_outcomes(web, store)["/b"] is Outcome.CLIENT_ERROR
    web.page("/b", "/c")
    web.page("/c")
    web.asked.clear()
    action = BulkAction(BulkActionKind.RECRAWL, UrlSelection(failed=True))
    outcomes = crawled_outcomes(web, store, actions=[action])
    assert web.paths_asked() == ["/b", "/c"]
    assert set(outcomes.values()) == {Outcome.PAGE}
    assert store.state is CrawlState.FINISHED


def test_a_finished_url_can_be_recrawled_during_the_crawl() -> None:
    web = FakeWeb(delay_s=lambda path: 5.0 if path == "/slow" else 0.1)
    web.page("/", "/a", "/slow")
    web.page("/a")
    store = new_store()
    statuses: list[dict[int, int]] = []

    async def person(subject: Crawl) -> None:
        await asyncio.sleep(2)
        await subject.perform(BulkAction(BulkActionKind.RECRAWL, UrlSelection(ids=(1, 2))))
        await asyncio.sleep(2)
        statuses.append(subject.progress().statuses)

    crawled_outcomes(web, store, person)
    assert sorted(web.paths_asked()) == ["/", "/", "/a", "/a", "/slow"]
    assert statuses == [{200: 2}]


def test_a_folder_is_excluded_wherever_its_urls_are() -> None:
    web = FakeWeb(delay_s=lambda _: 1.0)
    web.page("/", *[f"/blog/{n}" for n in range(40)], "/a")
    web.page("/a", "/blog/later", "/b")
    web.page("/b")
    store = new_store(workers=3)

    async def person(subject: Crawl) -> None:
        await asyncio.sleep(1.5)
        await subject.perform(
            BulkAction(BulkActionKind.EXCLUDE, UrlSelection(folder=absolute("/blog/")))
        )

    outcomes = crawled_outcomes(web, store, person, limits=EngineLimits(queued_urls=10))
    blog = {path for path, outcome in outcomes.items() if outcome is Outcome.EXCLUDED}
    assert blog == {"/blog/later", *(f"/blog/{n}" for n in range(40))}
    assert [outcomes[path] for path in ("/", "/a", "/b")] == [Outcome.PAGE] * 3
    assert len(web.cancelled) == 3
    assert [
        re.match(pattern, absolute("/blog/x")) is None for pattern in store.settings.exclude
    ] == [False]
    assert crawled_outcomes(web, store) == outcomes, "on resume too"


@each_case("capacity", [10, 10_000])
@each_case("after_s", [0.0, 0.4, 1.0])
def test_a_folder_that_was_excluded_by_mistake_is_crawled_after_all(
    after_s: float, capacity: int
) -> None:
    web = FakeWeb(delay_s=lambda _: 1.0)
    web.page("/", *[f"/blog/{n}" for n in range(20)], "/a")
    web.page("/a", "/blog/later", "/logo.gif", "/b")
    web.page("/b")
    for name in (*range(20), "later"):
        web.page(f"/blog/{name}")
    store = new_store(workers=3, exclude=("[.]gif$",))
    blog = UrlSelection(folder=absolute("/blog/"))

    async def person(subject: Crawl) -> None:
        await asyncio.sleep(1.5)
        await subject.perform(BulkAction(BulkActionKind.EXCLUDE, blog))
        await asyncio.sleep(after_s)
        await subject.perform(BulkAction(BulkActionKind.INCLUDE, blog))

    outcomes = crawled_outcomes(web, store, person, limits=EngineLimits(queued_urls=capacity))
    assert {path for path, fate in outcomes.items() if fate is not Outcome.PAGE} == {"/logo.gif"}
    assert store.settings.exclude == ("[.]gif$",)


def test_everything_found_below_a_page_can_be_cancelled() -> None:
    web = FakeWeb(delay_s=lambda _: 1.0)
    web.page("/", "/a", "/b")
    for name in "ab":
        web.page(f"/{name}", *[f"/{name}/{n}" for n in range(30)])
        for n in range(30):
            web.page(f"/{name}/{n}")
    store = new_store(workers=4)

    async def person(subject: Crawl) -> None:
        await asyncio.sleep(2.5)
        await subject.perform(BulkAction(BulkActionKind.CANCEL, UrlSelection(below=2)))

    outcomes = crawled_outcomes(web, store, person)
    cancelled = {path for path, outcome in outcomes.items() if outcome is Outcome.CANCELLED}
    assert cancelled == {f"/a/{n}" for n in range(30)}
    assert outcomes["/a"] is Outcome.PAGE
