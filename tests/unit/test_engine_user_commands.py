"""Held back, released, crawled first; other settings for a crawl that runs; on a virtual clock."""

import asyncio

import pytest
from msgspec.structs import replace

from gossamer.engine.crawl import Crawl
from gossamer.engine.crawl_memory import EngineLimits
from gossamer.model.crawl_state import CrawlState
from gossamer.model.link_kinds import LinkKind
from gossamer.model.messages.crawl_messages import (
    BulkAction,
    BulkActionKind,
    ChangeSettings,
    UrlSelection,
)
from gossamer.model.outcome import Outcome
from gossamer.model.secrets import SecretNames
from gossamer.model.settings.folder_priority import FolderPriority, QueuePriority, decided, turn_of
from gossamer.model.visit import Link, PageLinks, Visit
from gossamer.urls.scope_and_limits import Scope
from tests.fakes.memory_store import MemoryStore
from tests.fakes.virtual_crawl import Person, crawled_outcomes, new_store
from tests.fakes.virtual_loop import run_virtual
from tests.fakes.web import ROOT, FakeWeb, absolute, fake_rules

BLOG = UrlSelection(folder=absolute("/blog/"))


def blog(count: int) -> FakeWeb:
    """A root that leads to a folder of so many pages, and to as many others."""
    web = FakeWeb(delay_s=lambda _: 1.0)
    web.page("/", *[f"/blog/{n}" for n in range(count)], *[f"/{n}" for n in range(count)])
    for n in range(count):
        web.page(f"/blog/{n}", "/blog/new")
        web.page(f"/{n}", "/blog/later", "/end")
    for path in ("/blog/new", "/blog/later", "/end"):
        web.page(path)
    return web


def of(outcomes: dict[str, Outcome], wanted: Outcome) -> set[str]:
    return {path for path, outcome in outcomes.items() if outcome is wanted}


limited = pytest.mark.parametrize(
    "limits", [EngineLimits(), EngineLimits(queued_urls=8)], ids=["usual", "little memory"]
)


@limited
def test_a_folder_is_held_back_and_released_when_the_crawl_is_over(limits: EngineLimits) -> None:
    web, store = blog(20), new_store(workers=4)

    async def hold(subject: Crawl) -> None:
        await asyncio.sleep(1.5)
        await subject.perform(BulkAction(BulkActionKind.HOLD, BLOG))
        assert all("/blog/" not in shown.url for shown in subject.progress().in_flight)

    outcomes = crawled_outcomes(web, store, hold, limits=limits)
    held = {"/blog/later", *(f"/blog/{n}" for n in range(20))}
    assert of(outcomes, Outcome.HELD) == held
    assert store.state is CrawlState.FINISHED
    assert crawled_outcomes(web, store, limits=limits) == outcomes, "on resume too"
    outcomes = crawled_outcomes(
        web, store, actions=[BulkAction(BulkActionKind.RELEASE, BLOG)], limits=limits
    )
    assert set(outcomes.values()) == {Outcome.PAGE}
    assert "/blog/new" in outcomes
    assert store.settings.turns == ()


def test_what_an_answer_below_a_held_page_leads_to_is_held_too() -> None:
    web = FakeWeb(delay_s=lambda path: 60.0 if path == "/a/1" else 1.0)
    web.page("/", "/a", "/b")
    web.page("/a", "/a/1")
    store = new_store()

    async def hold(subject: Crawl) -> None:
        await asyncio.sleep(1.5)
        store.delay_s = lambda: 0.5  # the look-up for /a/1 falls into the action
        await asyncio.sleep(0.3)
        await subject.perform(BulkAction(BulkActionKind.HOLD, UrlSelection(below=2)))

    async def stop(subject: Crawl) -> None:
        await asyncio.sleep(0.5)
        await subject.close()

    crawled_outcomes(web, store, stop)
    outcomes = crawled_outcomes(web, store, hold)
    assert outcomes == {
        "/": Outcome.PAGE,
        "/a": Outcome.PAGE,
        "/b": Outcome.CLIENT_ERROR,
        "/a/1": Outcome.HELD,
    }


@pytest.mark.parametrize("is_restored", [False, True])
def test_a_response_held_back_for_the_sake_of_a_login_can_still_be_cancelled(
    *, is_restored: bool
) -> None:
    """It was received long ago, but until others show what it means, it is in flight."""
    web = FakeWeb(delay_s=lambda path: 9.0 if path == "/end" else 1.0)
    web.page("/", "/refused", "/end")
    web.fails("/refused", Visit(Outcome.CLIENT_ERROR, status=403))
    web.page("/end", "/later")
    store = new_store(needs_secrets=(SecretNames(origin=ROOT, login=True),))

    async def cancel(subject: Crawl) -> None:
        await asyncio.sleep(5.0)
        selection = UrlSelection(ids=(store.by_url()[absolute("/refused")].id,))
        await subject.perform(BulkAction(BulkActionKind.CANCEL, selection))
        if is_restored:
            await subject.perform(BulkAction(BulkActionKind.RESTORE, selection))

    outcome = crawled_outcomes(web, store, cancel)["/refused"]
    assert outcome is (Outcome.CLIENT_ERROR if is_restored else Outcome.CANCELLED)


@limited
def test_what_was_cancelled_by_mistake_is_queued_again(limits: EngineLimits) -> None:
    web, store = blog(20), new_store(workers=4)
    between: list[set[str]] = []

    async def cancel_and_restore(subject: Crawl) -> None:
        await asyncio.sleep(1.5)
        await subject.perform(BulkAction(BulkActionKind.CANCEL, BLOG))
        between.append({url for url in web.answered if "/blog/" in url})
        await subject.perform(BulkAction(BulkActionKind.RESTORE, BLOG))

    outcomes = crawled_outcomes(web, store, cancel_and_restore, limits=limits)
    assert between == [set()]
    assert set(outcomes.values()) == {Outcome.PAGE}
    assert "/blog/new" in outcomes


def test_of_a_project_that_is_not_crawled_only_what_was_cancelled_is_restored() -> None:
    web, store = blog(3), new_store()
    crawled_outcomes(web, store)
    asked = len(web.answered)
    outcomes = applied(web, store, BulkAction(BulkActionKind.RESTORE, UrlSelection()))
    assert set(outcomes.values()) == {Outcome.PAGE}
    assert len(web.answered) == asked


def test_a_folder_is_crawled_before_everything_else() -> None:
    web, store = blog(20), new_store(workers=1)

    async def prefer(subject: Crawl) -> None:
        await asyncio.sleep(4.5)
        await subject.perform(BulkAction(BulkActionKind.FIRST, UrlSelection(folder=absolute("/1"))))
        await subject.perform(BulkAction(BulkActionKind.FIRST, UrlSelection(ids=(19,))))

    crawled_outcomes(web, store, prefer)
    asked = web.paths_asked()
    first = {f"/{n}" for n in (1, *range(10, 20))}
    assert set(asked[5:17]) == {*first, store.urls[19].url.removeprefix(ROOT)}


def test_what_is_found_in_a_preferred_folder_is_crawled_next_even_after_a_restart() -> None:
    web, store = blog(20), new_store(workers=1)

    async def prefer(subject: Crawl) -> None:
        await asyncio.sleep(0.5)
        await subject.perform(BulkAction(BulkActionKind.FIRST, BLOG))
        await asyncio.sleep(3.0)
        await subject.close()

    crawled_outcomes(web, store, prefer)
    assert crawled_outcomes(web, store)["/end"] is Outcome.PAGE
    assert all(path.startswith("/blog/") for path in web.paths_asked()[2:22])


def test_a_held_url_that_is_preferred_is_released() -> None:
    web, store = blog(2), new_store()
    crawled_outcomes(web, store, actions=[BulkAction(BulkActionKind.HOLD, BLOG)])
    assert (
        crawled_outcomes(web, store, actions=[BulkAction(BulkActionKind.FIRST, BLOG)])["/blog/0"]
        is Outcome.PAGE
    )


def test_a_long_act_does_not_hold_up_the_end() -> None:
    web, store = blog(20), new_store()
    took: list[float] = []

    async def person(subject: Crawl) -> None:
        loop = asyncio.get_running_loop()
        await asyncio.sleep(1.5)
        store.delay_s = lambda: 1.0
        async with asyncio.TaskGroup() as group:
            held = group.create_task(
                subject.perform(BulkAction(BulkActionKind.HOLD, BLOG)), name="hold"
            )
            await asyncio.sleep(20.0)
            begun = loop.time()
            await subject.cancel()
            took.append(loop.time() - begun)
        assert held.result() is False

    crawled_outcomes(web, store, person, limits=EngineLimits(rows_per_read=1))
    assert took[0] < 15.0, "calls to the store that are under way, not all that are left"
    assert store.state is CrawlState.CANCELLED


def test_bulk_actions_on_a_project_that_is_not_crawled() -> None:
    web, store = blog(3), new_store()

    async def stop(subject: Crawl) -> None:
        await asyncio.sleep(0.5)
        await subject.close()

    crawled_outcomes(web, store, stop)
    store_of = applied(
        web, store, BulkAction(BulkActionKind.CANCEL, UrlSelection(folder=absolute("/")))
    )
    assert store_of == {"/": Outcome.CANCELLED}
    assert store.state is CrawlState.PAUSED
    assert not web.answered


def applied(
    web: FakeWeb, store: MemoryStore, *actions: BulkAction | ChangeSettings
) -> dict[str, Outcome]:
    """Do `actions` to a project without crawling it; the outcomes by path."""

    async def main() -> None:
        summary = await store.summary()
        await Crawl(summary, store, web, fake_rules, Scope(store.settings)).apply(actions)

    run_virtual(main())
    return {row.url.removeprefix(ROOT): row.outcome for row in store.urls.values()}


def test_a_sitemap_that_is_crawled_again_is_read_as_one() -> None:
    web = FakeWeb()
    web.page("/")
    web.page("/a")
    web.page("/b")

    def names(*paths: str) -> Visit:
        links = PageLinks.of(Link(n, LinkKind.SITEMAP) for n, _ in enumerate(paths))
        return Visit(Outcome.FILE, status=200, targets=[absolute(p) for p in paths], links=links)

    web.visits[absolute("/map.xml")] = names("/a")
    store = new_store(sitemaps=(absolute("/map.xml"),))
    assert "/a" in crawled_outcomes(web, store)
    web.visits[absolute("/map.xml")] = names("/a", "/b")
    again = UrlSelection(folder=absolute("/map.xml"))
    assert (
        crawled_outcomes(web, store, actions=[BulkAction(BulkActionKind.RECRAWL, again)])["/b"]
        is Outcome.PAGE
    )
    assert web.kinds[absolute("/map.xml")] == {"SITEMAP"}


def changing(store: MemoryStore, after_s: float, **changes: object) -> Person:
    async def person(subject: Crawl) -> None:
        await asyncio.sleep(after_s)
        await subject.perform(ChangeSettings(replace(store.settings, **changes)))

    return person


def test_a_slow_pace_ends_at_once_when_the_rate_is_raised() -> None:
    web = blog(5)
    moments: list[float] = []

    def delay_s(_: str) -> float:
        moments.append(asyncio.get_running_loop().time())
        return 0.01

    web.delay_s = delay_s
    store = new_store(rate=0.001)
    crawled_outcomes(web, store, changing(store, 1000.5, rate=10.0))
    assert moments[1] - moments[0] == pytest.approx(1000.0)
    assert moments[-1] - moments[0] < 1010
    assert store.settings.rate == 10.0


def test_limits_are_moved_while_the_crawl_runs() -> None:
    web = FakeWeb(delay_s=lambda _: 1.0)
    for n in range(8):
        web.page(f"/{n}" if n else "/", f"/{n + 1}", "/slow")
    web.page("/slow", "/x")
    web.page("/x")
    store = new_store(max_depth=2)

    def delay_s(path: str) -> float:
        return 20.0 if path == "/slow" else 1.0

    web.delay_s = delay_s
    outcomes = crawled_outcomes(web, store, changing(store, 10.0, max_depth=5))
    assert of(outcomes, Outcome.TOO_DEEP) == {"/6"}
    assert outcomes["/5"] is Outcome.PAGE


@limited
def test_a_pattern_that_is_added_takes_out_what_is_queued(limits: EngineLimits) -> None:
    web, store = blog(20), new_store(workers=2)
    outcomes = crawled_outcomes(
        web, store, changing(store, 3.5, exclude=("/blog/1",)), limits=limits
    )
    excluded = of(outcomes, Outcome.EXCLUDED)
    assert {f"/blog/{n}" for n in range(12, 20)} <= excluded
    assert all(path.startswith("/blog/1") for path in excluded)
    assert store.settings.exclude == ("/blog/1",)


def test_fewer_pages_and_a_longer_timeout_count_at_once() -> None:
    web, store = blog(20), new_store(workers=1)
    outcomes = crawled_outcomes(web, store, changing(store, 3.5, max_pages=4, timeout_s=99.0))
    assert len(of(outcomes, Outcome.PAGE)) == 4
    assert web.timeout_s == 99.0


def test_the_innermost_folder_tells() -> None:
    turns: tuple[FolderPriority, ...] = ()
    for folder, turn in (
        ("a/", QueuePriority.HELD),
        ("a/b/", QueuePriority.USUAL),
        ("a/b/c/", QueuePriority.FIRST),
    ):
        turns = decided(turns, folder, turn)
    assert [turn_of(url, turns) for url in ("x", "a/", "a/b/x", "a/b/c/x")] == [
        QueuePriority.USUAL,
        QueuePriority.HELD,
        QueuePriority.USUAL,
        QueuePriority.FIRST,
    ]
    assert decided(turns, "a/", QueuePriority.USUAL) == (
        FolderPriority("a/b/c/", QueuePriority.FIRST),
    )
    assert decided(turns, "a/", QueuePriority.HELD) == (FolderPriority("a/", QueuePriority.HELD),)
    assert decided((), "a/", QueuePriority.USUAL) == ()
    assert decided(turns, "", QueuePriority.HELD) == (FolderPriority("", QueuePriority.HELD),)
    assert turn_of("x", (FolderPriority("", QueuePriority.HELD),)) is QueuePriority.HELD
