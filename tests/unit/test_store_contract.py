"""What the engine may expect of its store: the real one, on a thread and a file, and the fake that
stands for it in other tests."""

import asyncio
import random
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from msgspec import structs

from gossamer.crawl_host.writer_thread import StoreThread
from gossamer.engine.interfaces import Store
from gossamer.model.crawl_state import CrawlState
from gossamer.model.discovery_rank import (
    JUST_RECORDED,
    MAX_HOPS,
    RECORDED,
    SITEMAP,
    UNLINKED,
    Rank,
    SitemapRole,
)
from gossamer.model.errors import BugError
from gossamer.model.fields.page_facts import PageFacts
from gossamer.model.link_kinds import LinkAction, LinkKind
from gossamer.model.messages.crawl_messages import UrlSelection
from gossamer.model.outcome import Outcome
from gossamer.model.outcome_details import free_text
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.store_batch import LinkRows, RobotsRow, StoreBatch, UrlRow, VisitRow
from gossamer.model.visit import Link, Visit
from gossamer.store import project
from tests.fakes.actions import usual_action
from tests.fakes.memory_store import MemoryStore

SETTINGS = CrawlSettings(roots=("http://a.test/",))
DEADLINE_S = 30.0
Test = Callable[[Store], Awaitable[None]]
Run = Callable[[Test], None]


@asynccontextmanager
async def on_file(folder: Path) -> AsyncIterator[Store]:
    path = folder / "a.gossamer"
    if not path.exists():
        project.create(path, SETTINGS)
    store = StoreThread()
    await store.open(path)
    try:
        yield store
    finally:
        await store.close()


@asynccontextmanager
async def in_memory(_: Path) -> AsyncIterator[Store]:
    yield MemoryStore(SETTINGS)


@pytest.fixture(params=[in_memory, on_file])
def run(request: pytest.FixtureRequest, tmp_path: Path) -> Run:
    """Run a test on one of the stores."""

    def run_on(test: Test) -> None:
        async def main() -> None:
            async with asyncio.timeout(DEADLINE_S), request.param(tmp_path) as store:
                await test(store)

        asyncio.run(main())

    return run_on


def url(number: int) -> str:
    return f"http://a.test/{number}"


def new(
    number: int,
    depth: int = 0,
    hops: int = 0,
    outcome: Outcome = Outcome.PENDING,
    parent: int | None = None,
) -> UrlRow:
    return UrlRow(number, url(number), Rank(depth, hops), outcome, parent)


def page(number: int, *targets: int, kind: LinkKind = LinkKind.ANCHOR) -> VisitRow:
    visit = Visit(
        Outcome.PAGE,
        status=200,
        size_bytes=30,
        raw_bytes=10,
        facts=PageFacts(title=f"Page {number}"),
        targets=[url(target) for target in targets],
    )
    links = [(target, usual_action(kind), Link(at, kind)) for at, target in enumerate(targets)]
    return VisitRow(number, visit, Outcome.PAGE, 1, LinkRows.of(links))


def redirect(number: int, target: int, outcome: Outcome = Outcome.REDIRECT) -> VisitRow:
    visit = Visit(Outcome.REDIRECT, status=301, location=url(target))
    links = LinkRows.of([(target, LinkAction.FOLLOW, Link(0, LinkKind.REDIRECT))])
    return VisitRow(number, visit, outcome, 1, links)


async def row(store: Store, number: int) -> UrlRow:
    return (await store.lookup([url(number)]))[url(number)]


async def ranks(store: Store, *numbers: int) -> list[tuple[int | None, int]]:
    rows = [await row(store, number) for number in numbers]
    return [(found.rank.depth, found.rank.hops) for found in rows]


def test_an_empty_project(run: Run) -> None:
    async def test(store: Store) -> None:
        summary = await store.summary()
        assert (summary.settings, summary.state) == (SETTINGS, CrawlState.NEW)
        assert (summary.last_id, summary.received_bytes, summary.seconds) == (0, 0, 0.0)
        assert (summary.statuses, {o: n for o, n in summary.outcomes.items() if n}) == ({}, {})
        assert await store.lookup([]) == {}
        assert await store.lookup([url(1)]) == {}
        assert await store.queued("a.test", 0, 10) == []
        assert await store.refused([Outcome.TOO_DEEP], 0, 10) == []
        assert await store.commit(StoreBatch()) == []

    run(test)


def test_what_is_committed_is_found(run: Run) -> None:
    async def test(store: Store) -> None:
        skipped = new(3, RECORDED, MAX_HOPS, Outcome.NOT_FOLLOWED, 1)
        assert await store.commit(StoreBatch(new=[new(1), new(2, 1, 0, parent=1), skipped])) == []
        assert await store.lookup([url(3), url(1), url(9), url(1)]) == {
            url(1): new(1),
            url(3): skipped,
        }
        assert await row(store, 2) == new(2, 1, 0, parent=1)

    run(test)


def test_a_batch_is_written_in_its_order(run: Run) -> None:
    """New, decided and visited all at once; then carried on through the links just written."""

    async def test(store: Store) -> None:
        await store.commit(
            StoreBatch(new=[new(1), new(2, RECORDED, MAX_HOPS, Outcome.NOT_FOLLOWED)])
        )
        batch = StoreBatch(
            new=[new(3, 7), new(4, 8)],
            decided=[(2, Outcome.PENDING, None), (4, Outcome.BLOCKED_BY_ROBOTS, None)],
            visits=[page(2, 3), page(3, 4)],
            improved=[(2, Rank(1))],
            state=CrawlState.RUNNING,
            seconds=2.5,
        )
        improved = await store.commit(batch)
        assert improved == [
            UrlRow(2, url(2), Rank(1), Outcome.PAGE),
            UrlRow(3, url(3), Rank(2), Outcome.PAGE),
            UrlRow(4, url(4), Rank(3), Outcome.BLOCKED_BY_ROBOTS),
        ]
        summary = await store.summary()
        assert (summary.state, summary.seconds, summary.last_id) == (CrawlState.RUNNING, 2.5, 4)
        assert (summary.statuses, summary.received_bytes) == ({200: 2}, 20)
        assert {outcome: n for outcome, n in summary.outcomes.items() if n} == {
            Outcome.PENDING: 1,
            Outcome.PAGE: 2,
            Outcome.BLOCKED_BY_ROBOTS: 1,
        }

    run(test)


def test_state_and_seconds_stay_when_not_given(run: Run) -> None:
    async def test(store: Store) -> None:
        await store.commit(StoreBatch(state=CrawlState.RUNNING, seconds=3.0))
        await store.commit(StoreBatch(new=[new(1)]))
        summary = await store.summary()
        assert (summary.state, summary.seconds) == (CrawlState.RUNNING, 3.0)

    run(test)


def test_robots_are_replaced(run: Run) -> None:
    async def test(store: Store) -> None:
        for status in (None, 200):
            text = "" if status is None else "User-agent: *"
            robots = RobotsRow("http://a.test", status, text, free_text("why"), 1.0)
            assert await store.commit(StoreBatch(robots=[robots])) == []

    run(test)


def test_queued_comes_by_id_in_parts(run: Run) -> None:
    async def test(store: Store) -> None:
        numbers = list(range(1, 30))
        rows = [new(n, 1, 0, parent=None if n == 1 else 1) for n in numbers]
        await store.commit(StoreBatch(new=rows))
        await store.commit(StoreBatch(visits=[page(3)], decided=[(5, Outcome.CANCELLED, None)]))
        left = [n for n in numbers if n not in {3, 5}]
        found: list[int] = []
        after = 0
        while part := await store.queued("a.test", after, 10):
            assert len(part) <= 10
            found += [found_row.id for found_row in part]
            after = found[-1]
        assert found == left
        assert [r.id for r in await store.queued("a.test", 1, 3)] == [2, 4, 6]
        assert (await store.queued("a.test", 28, 5)) == [rows[28]]
        assert await store.queued("a.test", 29, 5) == []
        assert await store.queued("a.test:8080", 0, 5) == []

    run(test)


def test_hosts_with_queued_urls_come_by_name(run: Run) -> None:
    async def test(store: Store) -> None:
        urls = [
            "http://b.test/",
            "https://b.test/x",
            "https://a.test:8443/?a@b/",
            "http://me:secret@a.test/c",
            "http://[::1]:8080/",
            "https://c.test/",
            "http://b.test/3",
        ]
        rows = [UrlRow(n, text, Rank(0), Outcome.PENDING) for n, text in enumerate(urls, 1)]
        await store.commit(StoreBatch(new=rows))
        await store.commit(StoreBatch(visits=[page(1)], decided=[(6, Outcome.CANCELLED, None)]))
        in_order = [rows[4], rows[3], rows[2], rows[1]]
        assert await store.queued_hosts("", 10) == in_order
        assert await store.queued_hosts("", 4) == in_order
        assert await store.queued_hosts("", 2) == in_order[:2]
        assert await store.queued_hosts("a.test", 10) == in_order[2:]
        assert await store.queued_hosts("b.test", 10) == []
        assert await store.queued("b.test", 0, 10) == [rows[1], rows[6]]
        assert await store.queued("a.test", 0, 10) == [rows[3]]
        assert await store.by_id([7, 99, 1, 7]) == [
            structs.replace(rows[0], outcome=Outcome.PAGE),
            rows[6],
        ]

    run(test)


def test_selections_come_by_id_in_parts(run: Run) -> None:
    async def test(store: Store) -> None:
        paths = ["", "blog/", "blog/a", "blogger", "blog/b"]
        rows = [
            UrlRow(n, f"http://a.test/{path}", Rank(0), Outcome.PENDING, parent)
            for n, path, parent in zip(range(1, 6), paths, [None, 1, 2, 1, 4], strict=True)
        ]
        await store.commit(StoreBatch(new=rows))
        lost = VisitRow(5, Visit(Outcome.TIMEOUT), Outcome.TIMEOUT, 4)
        await store.commit(StoreBatch(visits=[page(1), lost]))

        async def chosen(selection: UrlSelection, after: int = 0, limit: int = 9) -> list[int]:
            return [row.id for row in await store.selected(selection, after, limit)]

        assert await chosen(UrlSelection()) == [1, 2, 3, 4, 5]
        assert await chosen(UrlSelection(), 1, 2) == [2, 3]
        assert await chosen(UrlSelection(ids=(9, 4, 2))) == [2, 4]
        assert await chosen(UrlSelection(folder="http://a.test/blog/")) == [2, 3, 5]
        assert await chosen(UrlSelection(below=2)) == [2, 3]
        assert await chosen(UrlSelection(below=1), 3) == [4, 5]
        assert await chosen(UrlSelection(failed=True)) == [5]
        assert await chosen(UrlSelection(folder="http://a.test/blog/", below=4, failed=True)) == [5]

    run(test)


def test_what_sitemaps_date_is_told_as_long_as_it_waits(run: Run) -> None:
    async def test(store: Store) -> None:
        listed = Rank(UNLINKED, listed=SitemapRole.LISTED)
        rows = [UrlRow(number, url(number), listed, Outcome.PENDING, 1) for number in (2, 3, 4)]
        await store.commit(StoreBatch(new=[new(1), *rows]))
        dated = [Link(0, LinkKind.SITEMAP, text=text) for text in ("2020-01-01", "2021", "")]
        links = LinkRows.of(
            (target, LinkAction.FOLLOW, link) for target, link in zip((2, 2, 3), dated, strict=True)
        )
        visit = structs.replace(page(1), links=links)
        await store.commit(StoreBatch(visits=[visit]))
        assert await store.listed_dates(0, 9) == [(2, url(2), "2020-01-01 2021")]
        assert await store.listed_dates(2, 9) == []
        await store.commit(StoreBatch(visits=[page(2)]))
        assert await store.listed_dates(0, 9) == []

    run(test)


def test_what_waits_is_selected_and_what_sitemaps_were_read_otherwise_is_told(run: Run) -> None:
    async def test(store: Store) -> None:
        seeded = UrlRow(2, url(2), SITEMAP, Outcome.PENDING_SITEMAP)
        index = UrlRow(3, url(3), Rank(1), Outcome.PENDING, 2)
        entry = UrlRow(4, url(4), Rank(UNLINKED), Outcome.PENDING, 3)
        held = UrlRow(5, "http://b.test/", Rank(0), Outcome.HELD)
        await store.commit(StoreBatch(new=[new(1), seeded, index, entry, held]))
        await store.commit(
            StoreBatch(
                visits=[
                    page(2, 3, kind=LinkKind.SITEMAP_INDEX),
                    page(3, 4, kind=LinkKind.SITEMAP),
                    page(4, 1),
                ]
            )
        )
        waiting = UrlSelection(folder="http://a.test/", queued=True)
        assert [row.id for row in await store.selected(waiting, 0, 9)] == [1]
        assert await store.selected(UrlSelection(queued=True), 1, 9) == []
        read = structs.replace(SITEMAP, listed=SitemapRole.READ)
        improved = await store.commit(StoreBatch(improved=[(2, read), (3, SITEMAP)]))
        assert [row.rank for row in improved] == [read, Rank(1, listed=SitemapRole.SITEMAP)]
        assert [row.id for row in await store.refused([], 0, 9)] == [3]
        assert await store.refused([], 3, 9) == []
        settings = structs.replace(SETTINGS, workers=3)
        await store.commit(StoreBatch(settings=settings))
        assert (await store.summary()).settings == settings

    run(test)


def test_an_answer_that_takes_the_place_of_another_is_told(run: Run) -> None:
    async def test(store: Store) -> None:
        await store.commit(StoreBatch(new=[new(1), new(2)], visits=[page(1)]))
        again = StoreBatch(visits=[page(1), page(2)])
        await store.commit(again)
        assert again.replaced == [page(1).visit.counted]

    run(test)


def test_refused_have_one_of_the_outcomes_and_a_depth(run: Run) -> None:
    async def test(store: Store) -> None:
        rows = [
            new(1),
            new(2, 3, 0, Outcome.TOO_DEEP),
            new(3, RECORDED, MAX_HOPS, Outcome.NOT_FOLLOWED),
            new(4, 1, 5, Outcome.BEYOND_REDIRECT_LIMIT),
            new(5, 2, 0, Outcome.TOO_DEEP),
            new(6, 1, 0, Outcome.OUT_OF_SCOPE),
        ]
        await store.commit(StoreBatch(new=rows))
        both = {Outcome.TOO_DEEP, Outcome.NOT_FOLLOWED, Outcome.BEYOND_REDIRECT_LIMIT}
        assert await store.refused(both, 0, 10) == [rows[1], rows[3], rows[4]]
        assert await store.refused(both, 2, 1) == [rows[3]]
        assert await store.refused([Outcome.OUT_OF_SCOPE], 0, 10) == [rows[5]]
        assert await store.refused([], 0, 10) == []

    run(test)


def test_a_better_way_is_carried_on_through_links_and_redirects(run: Run) -> None:
    async def test(store: Store) -> None:
        rows = [new(1), new(2, 9, 3), new(3, 9, 4), new(4, 10), new(5, 11), new(6, RECORDED)]
        await store.commit(StoreBatch(new=rows))
        visits = [redirect(2, 3), page(3, 4), page(4, 5), page(5, 6, kind=LinkKind.IMAGE)]
        await store.commit(StoreBatch(visits=visits))
        improved = await store.commit(StoreBatch(improved=[(2, Rank(1, 0))]))
        assert [(r.id, r.rank.depth, r.rank.hops) for r in improved] == [
            (2, 1, 0),
            (3, 1, 1),
            (4, 2, 0),
            (5, 3, 0),
        ]
        assert await ranks(store, 2, 3, 4, 5, 6) == [(1, 0), (1, 1), (2, 0), (3, 0), (RECORDED, 0)]

    run(test)


def test_a_long_way_is_carried_on_in_parts(run: Run) -> None:
    """The nearest first; a URL that gets better twice counts as the better of both."""

    async def test(store: Store) -> None:
        await store.commit(StoreBatch(new=[new(n, 20 + n) for n in range(1, 9)]))
        pages = [page(n, n + 1) for n in range(1, 8)]
        await store.commit(StoreBatch(visits=pages))
        first = StoreBatch(improved=[(1, Rank(9)), (5, Rank(4))], reach=4)
        assert [row.id for row in await store.commit(first)] == [1, 5, 6, 7]
        assert first.owing
        nothing = StoreBatch(reach=0)
        assert await store.commit(nothing) == []
        assert nothing.owing
        rest = StoreBatch(improved=[(5, Rank(3))], reach=99)
        assert [row.id for row in await store.commit(rest)] == [2, 3, 4, 5, 6, 7, 8]
        assert not rest.owing
        depths = [depth for depth, _ in await ranks(store, *range(1, 9))]
        assert depths == [9, 10, 11, 12, 3, 4, 5, 6]

    run(test)


def test_what_got_better_before_its_links_were_known_is_carried_on(run: Run) -> None:
    async def test(store: Store) -> None:
        await store.commit(StoreBatch(new=[new(1, 5), new(2, 6), new(3, 7)]))
        await store.commit(StoreBatch(improved=[(1, Rank(2))]))
        batch = StoreBatch(visits=[page(1, 2), redirect(2, 3)], owed=[1])
        assert [(row.id, row.rank.depth) for row in await store.commit(batch)] == [(2, 3), (3, 3)]
        assert not batch.owing

    run(test)


def test_depth_and_hops_get_better_apart(run: Run) -> None:
    async def test(store: Store) -> None:
        await store.commit(StoreBatch(new=[new(1, 2, 5), new(2, 4, 0)]))
        assert await store.commit(StoreBatch(improved=[(1, Rank(7, 1)), (2, Rank(3, 9))])) == [
            new(1, 2, 1),
            new(2, 3, 0),
        ]

    run(test)


def test_a_way_that_is_not_better_changes_nothing(run: Run) -> None:
    async def test(store: Store) -> None:
        await store.commit(StoreBatch(new=[new(1, 2, 1)]))
        worse = [(1, Rank(2, 1)), (1, Rank(3, 4)), (1, JUST_RECORDED)]
        assert await store.commit(StoreBatch(improved=worse)) == []
        assert await ranks(store, 1) == [(2, 1)]

    run(test)


def test_a_way_that_is_followed_beats_one_that_is_not_whatever_its_hops(run: Run) -> None:
    async def test(store: Store) -> None:
        await store.commit(StoreBatch(new=[new(1, RECORDED, MAX_HOPS, Outcome.NOT_FOLLOWED)]))
        (better,) = await store.commit(StoreBatch(improved=[(1, Rank(4, 3))]))
        assert better == new(1, 4, 3, Outcome.NOT_FOLLOWED)

    run(test)


def test_improvements_of_one_url_in_one_batch_come_back_once(run: Run) -> None:
    async def test(store: Store) -> None:
        await store.commit(StoreBatch(new=[new(1, 9, 9)]))
        ways = [(1, Rank(5, 5)), (1, Rank(3, 8)), (1, Rank(8, 2))]
        assert await store.commit(StoreBatch(improved=ways)) == [new(1, 3, 2)]

    run(test)


def test_redirects_in_a_circle_come_to_an_end(run: Run) -> None:
    async def test(store: Store) -> None:
        await store.commit(StoreBatch(new=[new(1), new(2, 5, 4), new(3, 5, 5)]))
        await store.commit(StoreBatch(visits=[redirect(2, 3), redirect(3, 2)]))
        await store.commit(StoreBatch(improved=[(3, Rank(2, 0))]))
        assert await ranks(store, 2, 3) == [(2, 1), (2, 0)]

    run(test)


def test_a_long_chain_of_redirects_stays_within_bounds(run: Run) -> None:
    async def test(store: Store) -> None:
        numbers = range(1, MAX_HOPS + 20)
        await store.commit(StoreBatch(new=[new(n, 9, MAX_HOPS) for n in numbers]))
        await store.commit(StoreBatch(visits=[redirect(n, n + 1) for n in numbers[:-1]]))
        await store.commit(StoreBatch(improved=[(1, Rank(1, 0))]))
        assert await ranks(store, 2, MAX_HOPS + 1, numbers[-1]) == [
            (1, 1),
            (1, MAX_HOPS),
            (1, MAX_HOPS),
        ]

    run(test)


def test_a_url_may_be_visited_again(run: Run) -> None:
    async def test(store: Store) -> None:
        await store.commit(StoreBatch(new=[new(1), new(2, 8), new(3, 8)]))
        await store.commit(StoreBatch(visits=[page(1, 2)]))
        await store.commit(StoreBatch(decided=[(1, Outcome.PENDING, None)]))
        await store.commit(StoreBatch(visits=[redirect(1, 3)], improved=[(1, Rank(0))]))
        assert (await row(store, 1)).outcome is Outcome.REDIRECT
        assert (await store.summary()).statuses == {301: 1}

    run(test)


def test_an_outcome_for_a_url_that_is_not_known_is_a_bug(run: Run) -> None:
    async def test(store: Store) -> None:
        await store.commit(StoreBatch(new=[new(1)]))
        with pytest.raises((BugError, KeyError)):
            await store.commit(StoreBatch(decided=[(2, Outcome.PAGE, None)]))

    run(test)


def test_calls_that_overlap_are_carried_out_one_after_the_other(run: Run) -> None:
    async def test(store: Store) -> None:
        async with asyncio.TaskGroup() as group:
            first = group.create_task(store.commit(StoreBatch(new=[new(1)])), name="1")
            looked = group.create_task(store.lookup([url(1)]), name="2")
            second = group.create_task(store.commit(StoreBatch(improved=[(1, Rank(0))])), name="3")
            queued = group.create_task(store.queued("a.test", 0, 5), name="4")
        assert (first.result(), second.result()) == ([], [])
        assert looked.result() == {url(1): new(1)}
        assert queued.result() == [new(1)]

    run(test)


def test_texts_that_files_cannot_hold_do_no_harm(run: Run) -> None:
    async def test(store: Store) -> None:
        odd = [
            "http://a.test/\ud800",
            "http://a.test/\x00",
            "mailto:ä@b",
            "http://a.test/" + "x" * 9000,
        ]
        rows = [UrlRow(n, text, Rank(0), Outcome.PENDING) for n, text in enumerate(odd, 1)]
        await store.commit(StoreBatch(new=rows))
        found = await store.lookup(odd)
        assert {text: found[text].id for text in odd} == {text: n for n, text in enumerate(odd, 1)}

    run(test)


@pytest.mark.parametrize("seed", range(10))
def test_both_stores_answer_alike_whatever_is_written(tmp_path: Path, seed: int) -> None:
    async def story(store: Store) -> list[object]:
        chance = random.Random(seed)
        said: list[object] = []
        known = 0
        for _ in range(25):
            batch = StoreBatch()
            for _ in range(chance.randint(0, 6)):
                known += 1
                depth = chance.choice([RECORDED, *range(12)])
                outcome = Outcome.PENDING if depth < RECORDED else Outcome.NOT_FOLLOWED
                parent = chance.choice([None, *range(1, known)])
                batch.new.append(new(known, depth, chance.randint(0, 3), outcome, parent))
            some = range(1, known + 1)
            for number in chance.sample(some, min(3, known)):
                targets = chance.choices(some, k=chance.randint(0, 3))
                deed = chance.choice(
                    [page(number, *targets), redirect(number, chance.choice(some))]
                )
                batch.visits.append(deed)
            for _ in range(chance.randint(0, 4) if known else 0):
                rank = Rank(chance.randint(0, 9), chance.randint(0, 3))
                batch.improved.append((chance.choice(some), rank))
            batch.owed = chance.choices(some, k=chance.randint(0, 2)) if known else []
            batch.reach = chance.choice([0, 3, 10, 100])
            said += [await store.commit(batch), batch.owing]
            said.append(await store.queued("a.test", chance.randint(0, known), 5))
            said.append(await store.lookup([url(n) for n in some]))
        return [*said, await store.refused([Outcome.NOT_FOLLOWED], 0, 100)]

    async def both() -> None:
        async with in_memory(tmp_path) as fake, on_file(tmp_path) as real:
            for memory, file in zip(await story(fake), await story(real), strict=True):
                assert memory == file

    asyncio.run(both())
