"""The crawl on a web and a project file in memory, on a virtual clock."""

import asyncio
from itertools import pairwise

import pytest

from gossamer.engine.batch_recorder import COMMIT_EVERY_S, FIRST_S, RARELY_S
from gossamer.engine.crawl import Crawl
from gossamer.engine.crawl_memory import EngineLimits
from gossamer.model.crawl_state import CrawlState
from gossamer.model.errors import ProjectError
from gossamer.model.outcome import Outcome
from gossamer.model.outcome_details import free_text
from gossamer.model.secrets import SecretNames
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.store_batch import StoreBatch, UrlRow
from gossamer.model.visit import Visit
from tests.fakes.actions import cancelled
from tests.fakes.memory_store import MemoryStore
from tests.fakes.virtual_crawl import crawl, settings_of
from tests.fakes.web import LOST, ROOT, FakeWeb, absolute, died


def test_every_page_is_fetched_once() -> None:
    web = FakeWeb()
    web.page("/", "/a", "/b")
    web.page("/a", "/b", "/c", "/")
    web.page("/b", "/c")
    web.page("/c", "/gone")
    result = crawl(web)
    assert result.state is CrawlState.FINISHED
    assert sorted(web.paths_asked()) == ["/", "/a", "/b", "/c", "/gone"]
    assert result.outcome("/gone") is Outcome.CLIENT_ERROR
    assert [result.depth(p) for p in ("/", "/a", "/c", "/gone")] == [0, 1, 2, 3]
    assert result.store.state is CrawlState.FINISHED


def test_no_more_urls_in_flight_than_workers() -> None:
    web = FakeWeb()
    web.page("/", *[f"/{n}" for n in range(50)])
    crawl(web, settings_of(workers=7))
    assert web.most_open == 7


def test_redirects_are_followed_one_hop_at_a_time_and_may_converge() -> None:
    web = FakeWeb()
    web.page("/", "/1", "/x")
    web.redirect("/1", "/2", 301)
    web.redirect("/x", "/2", 307)
    web.redirect("/2", "/3", 308)
    web.page("/3")
    result = crawl(web)
    assert web.paths_asked().count("/2") == 1
    assert result.outcome("/1") is Outcome.REDIRECT
    assert result.outcome("/3") is Outcome.PAGE
    assert result.depth("/3") == 1, "a redirect costs no click"
    source = result.store.visits[result.row("/x").id]
    assert source.links.targets == [result.row("/2").id]


def test_the_redirect_limit_ends_a_chain() -> None:
    web = FakeWeb()
    web.page("/", "/1")
    for n in range(1, 6):
        web.redirect(f"/{n}", f"/{n + 1}")
    result = crawl(web, settings_of(max_redirects=3))
    assert result.fetched() == {"/", "/1", "/2", "/3", "/4"}
    assert result.outcome("/4") is Outcome.REDIRECT_LIMIT
    assert result.outcome("/5") is Outcome.BEYOND_REDIRECT_LIMIT
    assert [result.depth(f"/{n}") for n in range(1, 6)] == [1] * 5, "a redirect costs no click"


def test_a_link_into_a_chain_renews_its_budget() -> None:
    web = FakeWeb(delay_s=lambda path: 5.0 if path == "/late" else 0.01)
    web.page("/", "/1", "/late")
    for n in range(1, 6):
        web.redirect(f"/{n}", f"/{n + 1}")
    web.page("/6")
    web.page("/late", "/4")
    result = crawl(web, settings_of(max_redirects=3))
    assert result.outcome("/4") is Outcome.REDIRECT
    assert result.outcome("/6") is Outcome.PAGE
    assert web.paths_asked().count("/4") == 1


def test_a_redirect_loop_ends_by_itself() -> None:
    web = FakeWeb()
    web.page("/", "/a", "/self")
    web.redirect("/a", "/b")
    web.redirect("/b", "/a")
    web.redirect("/self", "/self")
    assert crawl(web).fetched() == {"/", "/a", "/b", "/self"}


def test_redirects_obey_scope() -> None:
    web = FakeWeb()
    web.page("/", "/away")
    web.redirect("/away", "http://elsewhere.test/")
    result = crawl(web)
    assert result.outcome("/away") is Outcome.REDIRECT_OUT_OF_SCOPE
    assert result.outcome("http://elsewhere.test/") is Outcome.OUT_OF_SCOPE
    assert "http://elsewhere.test/" not in web.asked


def test_an_unfollowed_redirect_target_is_recorded_until_it_is_linked() -> None:
    web = FakeWeb()
    web.page("/", "/b", images=("/a", "/i.png"))
    web.page("/b", "/a")
    web.page("/a")
    result = crawl(web)
    assert result.outcome("/i.png") is Outcome.NOT_FOLLOWED
    assert result.outcome("/a") is Outcome.PAGE
    assert result.depth("/a") == 2
    assert result.depth("/i.png") is None


def test_depth_is_the_shortest_path_in_any_order() -> None:
    web = FakeWeb(delay_s=lambda path: 9.0 if path == "/slow" else 0.01)
    web.page("/", "/slow", "/1")
    web.page("/1", "/2")
    web.page("/2", "/3")
    web.page("/3", "/4")
    web.page("/4")
    web.page("/slow", "/3")
    result = crawl(web)
    assert [result.depth(p) for p in ("/1", "/2", "/3", "/4")] == [1, 2, 2, 3]


def test_a_shorter_way_lifts_the_depth_limit() -> None:
    web = FakeWeb(delay_s=lambda path: 9.0 if path == "/slow" else 0.01)
    web.page("/", "/slow", "/1")
    web.page("/1", "/2")
    web.page("/2", "/3")
    web.page("/3", "/4")
    web.page("/4")
    web.page("/slow", "/3")
    result = crawl(web, settings_of(max_depth=2))
    assert result.outcome("/3") is Outcome.PAGE
    assert result.outcome("/4") is Outcome.TOO_DEEP


def long_way_and_short_cut(slow_s: float) -> FakeWeb:
    """Forty pages one behind the other; one that takes so long links to the tenth."""
    web = FakeWeb(delay_s=lambda path: slow_s if path == "/slow" else 0.01)
    web.page("/", "/0", "/slow")
    web.page("/slow", "/10")
    for number in range(40):
        web.page(f"/{number}", f"/{number + 1}")
    return web


def test_better_ranks_are_propagated_in_parts_before_the_crawl_finishes() -> None:
    result = crawl(long_way_and_short_cut(60.0), limits=EngineLimits(propagated_links=3))
    assert result.state is CrawlState.FINISHED
    assert not result.store.owed
    assert [result.depth(f"/{number}") for number in (9, 10, 11, 40)] == [10, 2, 3, 32]
    assert result.store.commits > 15


def test_cancel_does_not_wait_for_rank_propagation() -> None:
    web = long_way_and_short_cut(10.0)
    store = MemoryStore(settings_of())
    commits: list[int] = []
    limits = EngineLimits(propagated_links=1)

    async def person(subject: Crawl) -> None:
        await asyncio.sleep(11.5)
        assert store.owed
        commits.append(store.commits)
        await subject.cancel()
        commits.append(store.commits)

    store.delay_s = lambda: 0.05
    first = crawl(web, store=store, person=person, limits=limits)
    assert first.state is CrawlState.CANCELLED
    assert store.owed
    assert commits[1] - commits[0] <= 3
    second = crawl(web, store=store, limits=limits)
    assert second.state is CrawlState.FINISHED
    assert not store.owed
    assert second.depth("/40") == 32


def test_transient_failures_are_retried() -> None:
    web = FakeWeb()
    web.page("/", "/flaky", "/dead")
    web.page("/flaky")
    web.fails("/flaky", LOST, LOST)
    web.fails("/dead", *[LOST] * 10)
    result = crawl(web, settings_of(max_tries=4))
    assert result.outcome("/flaky") is Outcome.PAGE
    assert result.store.visits[result.row("/flaky").id].tries == 3
    assert result.outcome("/dead") is Outcome.CONNECTION_LOST
    assert web.paths_asked().count("/dead") == 4


def test_an_exception_is_the_outcome_of_its_url_and_the_crawl_continues() -> None:
    web = FakeWeb()
    web.page("/", "/bad", "/good")
    web.page("/good")
    web.fails("/bad", ValueError("boom"))
    result = crawl(web)
    assert result.outcome("/bad") is Outcome.UNEXPECTED_ERROR
    assert "boom" in str(result.store.visits[result.row("/bad").id].visit.detail)
    assert result.outcome("/good") is Outcome.PAGE


def test_a_password_in_an_address_does_not_get_into_the_log(
    caplog: pytest.LogCaptureFixture,
) -> None:
    with_password = ROOT.replace("//", "//jo:s3cret@") + "/bad"
    web = FakeWeb()
    web.page("/", with_password)
    web.fails(with_password, ValueError("boom"))
    assert crawl(web).outcome(with_password) is Outcome.UNEXPECTED_ERROR
    [record] = caplog.records
    assert vars(record)["url"] == f"{ROOT}/bad"


def test_a_url_that_kills_its_worker_again_and_again_is_set_aside() -> None:
    web = FakeWeb()
    web.page("/", "/killer", "/victim")
    web.page("/victim")
    web.fails("/killer", died(), died(), died())
    web.fails("/victim", died(), died())
    result = crawl(web)
    assert result.outcome("/killer") is Outcome.WORKER_DIED
    assert result.outcome("/victim") is Outcome.PAGE


def test_robots_are_asked_first() -> None:
    web = FakeWeb(robots="User-agent: *\nDisallow: /private")
    web.page("/", "/private/x", "/open")
    web.page("/open")
    result = crawl(web, settings_of(obey_robots=True))
    assert result.outcome("/private/x") is Outcome.BLOCKED_BY_ROBOTS
    assert "/private/x" not in web.paths_asked()
    assert result.store.robots[ROOT].text.startswith("User-agent")


def test_an_unresponsive_host_is_not_reported_as_blocked_by_robots() -> None:
    web = FakeWeb()
    refused = Visit(Outcome.CONNECTION_REFUSED, detail=free_text("refused"), transient=True)
    web.fails("/robots.txt", *[refused] * 9)
    result = crawl(web, settings_of(obey_robots=True))
    assert result.outcome("/") is Outcome.CONNECTION_REFUSED


def test_the_page_limit_stops_and_can_be_resumed() -> None:
    web = FakeWeb()
    web.page("/", *[f"/{n}" for n in range(30)])
    for n in range(30):
        web.page(f"/{n}")
    first = crawl(web, settings_of(max_pages=11, workers=4))
    assert first.state is CrawlState.FINISHED
    assert len(web.asked) == 11
    first.store.settings = settings_of(workers=4)
    second = crawl(web, store=first.store)
    assert second.state is CrawlState.FINISHED
    assert len(web.asked) == 31
    assert len(set(web.asked)) == 31


def test_the_page_limit_counts_pages_and_nothing_else() -> None:
    web = FakeWeb()
    web.page("/", *[f"/{kind}{n}" for n in range(20) for kind in ("gone", "moved", "page")])
    for n in range(20):
        web.redirect(f"/moved{n}", f"/gone{n}")
        web.page(f"/page{n}")
    result = crawl(web, settings_of(max_pages=11, workers=4))
    assert result.state is CrawlState.FINISHED
    pages = [n for n in range(20) if result.outcome(f"/page{n}") is Outcome.PAGE]
    assert len(pages) == 10


def test_a_rate_spaces_requests_to_one_host() -> None:
    web = FakeWeb()
    web.page("/", *[f"/{n}" for n in range(20)])
    result = crawl(web, settings_of(rate=2.0))
    assert result.store.seconds >= 10.0


def test_pause_lets_those_in_flight_finish_and_resume_goes_on() -> None:
    web = FakeWeb(delay_s=lambda _: 1.0)
    web.page("/", *[f"/{n}" for n in range(20)])
    seen: list[int] = []

    async def person(subject: Crawl) -> None:
        await asyncio.sleep(1.5)
        subject.pause()
        started = len(web.asked)
        await asyncio.sleep(100)
        assert subject.state is CrawlState.PAUSED
        assert len(web.asked) == started
        assert not web.cancelled
        seen.append(subject.progress().fetched)
        subject.resume()

    result = crawl(web, settings_of(workers=5), person)
    assert seen == [6]
    assert result.state is CrawlState.FINISHED
    assert len(web.asked) == 21
    assert result.store.seconds < 20, "a pause does not count"


def test_pause_now_puts_back_what_was_in_flight() -> None:
    web = FakeWeb(delay_s=lambda _: 1.0)
    web.page("/", *[f"/{n}" for n in range(10)])

    async def person(subject: Crawl) -> None:
        await asyncio.sleep(1.5)
        await subject.pause_now()
        assert web.open == 0
        assert web.dropped == 1
        await asyncio.sleep(50)
        assert subject.state is CrawlState.PAUSED
        subject.resume()

    result = crawl(web, settings_of(workers=4), person)
    assert len(web.cancelled) == 4
    assert result.fetched() == {"/", *[f"/{n}" for n in range(10)]}


def test_cancel_ends_everything_and_the_project_can_go_on() -> None:
    web = FakeWeb(delay_s=lambda _: 1.0)
    web.page("/", *[f"/{n}" for n in range(10)])

    async def person(subject: Crawl) -> None:
        await asyncio.sleep(2.5)
        await subject.cancel()
        assert web.open == 0
        assert web.dropped == 1

    first = crawl(web, settings_of(workers=3), person)
    assert first.state is CrawlState.CANCELLED
    assert first.store.state is CrawlState.CANCELLED
    assert len(first.fetched()) == 4
    second = crawl(web, store=first.store)
    assert second.state is CrawlState.FINISHED
    assert len(second.fetched()) == 11
    assert len([p for p in web.paths_asked() if p == "/"]) == 1


def test_closing_is_a_pause_that_ends_the_run() -> None:
    web = FakeWeb(delay_s=lambda _: 1.0)
    web.page("/", "/a")

    async def person(subject: Crawl) -> None:
        await asyncio.sleep(1.5)
        await subject.close()

    first = crawl(web, person=person)
    assert first.state is CrawlState.PAUSED
    assert first.outcome("/a") is Outcome.PENDING


def test_one_url_is_cancelled_in_flight_and_in_the_queue() -> None:
    web = FakeWeb(delay_s=lambda _: 1.0)
    web.page("/", *[f"/{n}" for n in range(6)])

    async def person(subject: Crawl) -> None:
        await asyncio.sleep(1.5)
        ids = {row.url: row.url_id for row in subject.progress().in_flight}
        await subject.perform(cancelled(ids[absolute("/0")]))
        await subject.perform(cancelled(ids[absolute("/0")] + 5))
        await subject.perform(cancelled(999))

    result = crawl(web, settings_of(workers=2), person)
    assert result.outcome("/0") is Outcome.CANCELLED
    assert result.outcome("/5") is Outcome.CANCELLED
    assert web.cancelled == [absolute("/0")]
    assert result.fetched() == {"/", "/1", "/2", "/3", "/4"}


def test_workers_change_while_it_runs() -> None:
    web = FakeWeb(delay_s=lambda _: 1.0)
    web.page("/", *[f"/{n}" for n in range(40)])
    open_then: list[int] = []

    async def person(subject: Crawl) -> None:
        await asyncio.sleep(1.5)
        open_then.append(web.open)
        subject.set_workers(9)
        open_then.append(subject.progress().active)
        subject.set_workers(3)
        await asyncio.sleep(1.6)
        open_then.append(web.open)

    crawl(web, settings_of(workers=2), person)
    assert open_then == [2, 9, 3]


def test_a_slow_disk_slows_the_crawl_down() -> None:
    web = FakeWeb()
    web.page("/", *[f"/{n}" for n in range(200)])
    store = MemoryStore(settings_of(workers=5))
    counts: list[int] = []

    async def person(subject: Crawl) -> None:
        await asyncio.sleep(0.001)
        store.gate = asyncio.Event()
        await asyncio.sleep(60)
        counts.append(len(web.asked))
        store.gate.set()
        assert subject.state is CrawlState.RUNNING

    crawl(web, store=store, person=person, limits=EngineLimits(pending_visits=20))
    # What may be pending, half of it in the commit that hangs, and what was in flight.
    assert counts[0] <= 20 + 10 + 5
    assert len(web.asked) == 201


class NotingStore(MemoryStore):
    """Remembers when each batch with visits was committed, and how many those were."""

    def __init__(self, settings: CrawlSettings) -> None:
        super().__init__(settings)
        self.noted: list[tuple[float, int]] = []

    async def commit(self, batch: StoreBatch) -> list[UrlRow]:
        if batch.visits:
            self.noted.append((asyncio.get_running_loop().time(), len(batch.visits)))
        return await super().commit(batch)

    def pauses(self) -> list[float]:
        """The seconds between one commit and the next."""
        times = [time for time, _ in self.noted]
        return [round(later - time, 2) for time, later in pairwise(times)]


def broad_site(pages: int, delay_s: float) -> FakeWeb:
    web = FakeWeb(delay_s=lambda _: delay_s)
    web.page("/", *[f"/{n}" for n in range(pages)])
    return web


def test_commits_are_rare_with_a_long_queue_and_frequent_near_the_end() -> None:
    store = NotingStore(settings_of(workers=1))
    crawl(broad_site(800, delay_s=0.01), store=store)
    pauses = store.pauses()
    # 300 pages take 3 s: until then more than 500 wait.
    assert max(pauses[:6]) >= RARELY_S
    assert min(pauses[2:6]) >= RARELY_S
    assert max(pauses[-20:]) <= COMMIT_EVERY_S + 0.02


def test_the_first_page_is_committed_at_once() -> None:
    store = NotingStore(settings_of(workers=1))
    crawl(broad_site(20, delay_s=0.1), store=store)
    first, _ = store.noted[0]
    assert 0.1 <= first <= 0.1 + FIRST_S + 0.001


def test_commits_start_before_pending_results_block_fetching() -> None:
    store = NotingStore(settings_of(workers=10))
    crawl(broad_site(2_500, delay_s=0.002), store=store)
    most = max(visits for _, visits in store.noted)
    pending = EngineLimits().pending_visits
    assert pending / 2 <= most <= pending / 2 + 20
    assert min(store.pauses()[1:5]) < RARELY_S


class ThrottledStore(MemoryStore):
    """Writes so many rows a second, and remembers the largest batch it was given, root aside."""

    ROWS_PER_S = 50
    ROOT_ID = 1

    def __init__(self, settings: CrawlSettings) -> None:
        super().__init__(settings)
        self.most_visits = 0
        self.most_links = 0
        self.written = 0

    async def commit(self, batch: StoreBatch) -> list[UrlRow]:
        rows = len(batch.new) + len(batch.visits)
        self.written += rows
        pages = [visit for visit in batch.visits if visit.id != self.ROOT_ID]
        self.most_visits = max(self.most_visits, len(pages))
        self.most_links = max(self.most_links, sum(len(page.links) for page in pages))
        await asyncio.sleep(rows / self.ROWS_PER_S)
        return await super().commit(batch)


@pytest.mark.parametrize(
    ("limits", "visits", "links"),
    [(EngineLimits(pending_visits=20), 20, 40), (EngineLimits(pending_links=20), 10, 20)],
)
def test_a_throttled_disk_limits_the_crawl_and_pending_results(
    limits: EngineLimits, visits: int, links: int
) -> None:
    workers = 5
    web = FakeWeb(delay_s=lambda _: 0.001)
    web.page("/", *[f"/{n}" for n in range(400)])
    for n in range(400):
        web.page(f"/{n}", "/", f"/{n // 2}")
    store = ThrottledStore(settings_of(workers=workers))
    result = crawl(web, store=store, limits=limits)
    assert len(result.fetched()) == 401
    # The bound, and what was in flight when it was reached.
    assert store.most_visits <= visits + workers
    assert store.most_links <= links + 2 * workers
    at_least_s = store.written / store.ROWS_PER_S
    assert at_least_s <= store.seconds <= 1.5 * at_least_s


def test_a_full_disk_ends_the_run_with_its_sentence() -> None:
    web = FakeWeb(delay_s=lambda _: 1.0)
    web.page("/", *[f"/{n}" for n in range(20)])
    store = MemoryStore(settings_of())
    store.fail_at = 3
    with pytest.raises(ProjectError, match="disk is full"):
        crawl(web, store=store)
    assert web.open == 0
    store.fail_at = None
    assert crawl(web, store=store).state is CrawlState.FINISHED


def test_no_url_is_fetched_twice_where_memory_has_room_for_few() -> None:
    limits = EngineLimits(queued_urls=40, seen_urls=50, seen_hash_slots=1)
    web = FakeWeb()
    count = 600
    for n in range(count):
        nearby = [f"/{m}" for m in (2 * n + 1, 2 * n + 2, n // 2, n - 1) if 0 <= m < count]
        web.page(f"/{n}", *nearby)
    web.page("/", "/0")
    result = crawl(web, limits=limits)
    assert len(result.fetched()) == count + 1
    assert len(web.asked) == count + 1


def test_a_mail_address_is_recorded_and_not_asked() -> None:
    web = FakeWeb()
    web.page("/", "mailto:a@b.test")
    result = crawl(web)
    assert result.outcome("mailto:a@b.test") is Outcome.UNSUPPORTED_SCHEME


def test_a_queued_url_is_not_asked_for_once_a_link_says_that_it_signs_out() -> None:
    web = FakeWeb()
    between = [f"/{number}" for number in range(9)]  # what is found is taken in meanwhile
    web.page("/", "/menu", *between, "/end", "/more")
    web.page("/menu", "/end")
    for path in between:
        web.page(path)
    web.page("/end")
    web.page("/more")
    web.visits[absolute("/menu")].acts[absolute("/end")] = "Sign out"
    needs = (SecretNames(origin=ROOT, cookies=("id",)),)
    result = crawl(web, settings_of(workers=1, needs_secrets=needs))
    assert web.paths_asked() == ["/", "/menu", *between, "/more"]
    assert result.outcome("/end") is Outcome.ENDS_SESSION
    assert str(result.row("/end").detail) == "Sign out"
    assert result.state is CrawlState.FINISHED
    followed = crawl(web, settings_of(workers=1, needs_secrets=needs, follow_sign_out=True))
    assert followed.outcome("/end") is Outcome.PAGE


def test_a_crawl_that_is_resumed_knows_which_queued_urls_sign_out() -> None:
    web = FakeWeb()
    web.page("/", "/menu", *[f"/{number}" for number in range(9)], "/end")
    web.page("/menu", "/end")
    for path in [*(f"/{number}" for number in range(9)), "/end"]:
        web.page(path)
    web.visits[absolute("/menu")].acts[absolute("/end")] = "Sign out"
    needs = (SecretNames(origin=ROOT, cookies=("id",)),)
    settings = settings_of(workers=1, needs_secrets=needs, max_pages=4)
    first = crawl(web, settings)
    assert first.outcome("/end") is Outcome.PENDING
    first.store.settings = settings_of(workers=1, needs_secrets=needs)
    second = crawl(web, store=first.store)
    assert second.outcome("/end") is Outcome.ENDS_SESSION
    assert str(second.row("/end").detail) == "Sign out"
    assert "/end" not in web.paths_asked()
    assert second.outcome("/8") is Outcome.PAGE
