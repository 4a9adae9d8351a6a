"""What a user's commands do, and how soon, as the server sees it."""

import time
from pathlib import Path

import pytest

from gossamer.model.crawl_state import CrawlState
from gossamer.model.messages.crawl_messages import BulkActionKind, UrlSelection
from gossamer.model.outcome import Outcome
from tests.integration.crawled_sites import ENDLESS, endless_tree, star
from tests.integration.crawling import (
    asked,
    closing,
    ms_since,
    new_session,
    records,
    resume_all,
    run,
    sessions,
    summary,
    until,
    until_rest,
)
from tests.sites import Site

SOON_MS = 10_000.0
"""Far less than what is held back takes, and more than a busy machine needs. How little it really
is, `tests/bench/cancel.py` measures.
"""

QUIET_S = 0.3
"""How long a server is watched for what must not come."""


def busy_site(site: Site) -> set[str]:
    """All kinds of answers that take long, among pages without end; the paths that take long."""
    stuck = [f"/hang/{n}" for n in range(8)]
    for path in stuck:
        site.hang(path)
    half = [f"/half/{n}" for n in range(4)]
    for path in half:
        site.hang(path, after=b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n")
    drips = [f"/drip/{n}" for n in range(8)]
    for path in drips:
        site.drip(path, interval_s=0.005, n=1_000_000)
    head_drips = [f"/head-drip/{n}" for n in range(4)]
    for path in head_drips:
        site.drip(path, interval_s=0.005, n=1_000_000, in_head=True)
    long = [*stuck, *half, *drips, *head_drips]
    site.page("/", links=[*long, "/t/1"])
    endless_tree(site)
    return set(long)


async def until_busy(site: Site, long: set[str], since: int = 0) -> None:
    """Wait until all that takes long is in flight, and many pages have come."""
    await site.wait_for_requests(since + 300)
    await site.wait_until(lambda: long <= set(site.paths[since:]))


async def assert_quiet(site: Site, what: str = "request") -> None:
    """See that nothing more reaches the server."""
    requests, connections, last_byte_ns = (
        site.ledger.request_count,
        len(site.connections),
        site.last_byte_ns,
    )
    with pytest.raises(TimeoutError):
        await site.wait_until(lambda: site.ledger.request_count > requests, QUIET_S)
    assert len(site.connections) == connections, what
    assert site.last_byte_ns == last_byte_ns, what


def test_after_a_pause_no_request_starts(site: Site, tmp_path: Path) -> None:
    site.page("/", links=["/t/1"])
    endless_tree(site)

    async def main() -> None:
        async with new_session(
            tmp_path / "a.gossamer", site.url(), workers=50, **ENDLESS
        ) as session:
            await session.start()
            await site.wait_for_requests(300)
            paused_ns = time.monotonic_ns()
            await session.pause()
            assert ms_since(paused_ns) < SOON_MS
            await until(session, lambda progress: progress.state is CrawlState.PAUSED)
            await assert_quiet(site)
            assert site.in_flight == 0
            done = site.ledger.request_count
            await session.resume()
            await site.wait_for_requests(done + 100)

    run(main())
    paths = site.paths
    assert len(paths) - len(set(paths)) <= 50, "those in flight at the end may come again"


def test_a_pause_lets_fetches_in_flight_finish(site: Site, tmp_path: Path) -> None:
    paths = star(site, 30)
    gates = [site.slow(f"/{n}", title="slow") for n in range(5)]

    async def main() -> None:
        async with new_session(tmp_path / "a.gossamer", site.url(), workers=5) as session:
            await session.start()
            await site.wait_for_in_flight(5)
            await session.pause()
            assert session.state is CrawlState.PAUSING
            for gate in gates:
                gate.open()
            paused = await until(session, lambda progress: progress.state is CrawlState.PAUSED)
            assert (paused.fetched, paused.active, paused.in_flight) == (6, 0, [])
            await session.resume()
            assert await until_rest(session) is CrawlState.FINISHED

    run(main())
    assert sorted(site.paths) == sorted([*paths, "/robots.txt"])


def test_pause_now_closes_every_connection_and_loses_nothing(site: Site, tmp_path: Path) -> None:
    long = busy_site(site)

    async def main() -> None:
        async with new_session(
            tmp_path / "a.gossamer", site.url(), workers=50, **ENDLESS
        ) as session:
            await session.start()
            await until_busy(site, long)
            paused_ns = time.monotonic_ns()
            await session.pause(now=True)
            assert session.state is CrawlState.PAUSED
            await site.wait_for_disconnect()
            assert ms_since(paused_ns) < SOON_MS
            await assert_quiet(site)
            seen = len(site.paths)
            await session.resume()
            await until_busy(site, long, since=seen)

    run(main())


def test_pause_now_after_a_pause_closes_idle_connections(site: Site, tmp_path: Path) -> None:
    site.page("/", links=["/t/1"])
    endless_tree(site)

    async def main() -> None:
        async with new_session(
            tmp_path / "a.gossamer", site.url(), workers=10, **ENDLESS
        ) as session:
            await session.start()
            await site.wait_for_requests(50)
            await session.pause()
            await until(session, lambda progress: progress.state is CrawlState.PAUSED)
            assert site.open_connections > 0, "they are kept for later"
            await session.pause(now=True)
            await site.wait_for_disconnect()

    run(main())


def test_no_byte_is_sent_after_a_cancel(site: Site, tmp_path: Path) -> None:
    long = busy_site(site)
    project = tmp_path / "a.gossamer"

    async def main() -> None:
        async with new_session(project, site.url(), workers=50, processes=2, **ENDLESS) as session:
            await session.start()
            await until_busy(site, long)
            cancelled_ns = time.monotonic_ns()
            await session.cancel()
            assert session.state is CrawlState.CANCELLED
            await site.wait_for_disconnect()
            assert ms_since(cancelled_ns) < SOON_MS
            await assert_quiet(site)

    run(main())
    assert summary(project).state is CrawlState.CANCELLED
    assert {record.url for record in records(project).values()} >= {
        site.url(path) for path in set(site.paths) - {"/robots.txt"}
    }


def test_a_worker_deep_in_a_huge_page_does_not_hold_up_a_cancel(site: Site, tmp_path: Path) -> None:
    site.page("/", links=["/huge", "/hang"])
    site.file("/huge", b"<p><a href=x>and then</a>\n" * 1_500_000, "text/html")
    site.hang("/hang")

    async def main() -> None:
        async with new_session(tmp_path / "a.gossamer", site.url()) as session:
            await session.start()
            await site.wait_until(lambda: len(site.paths) == 4 and site.in_flight == 1)
            cancelled_ns = time.monotonic_ns()
            await session.cancel()
            await site.wait_for_disconnect()
            assert ms_since(cancelled_ns) < SOON_MS

    run(main())


def test_a_cancelled_crawl_resumes_where_it_stopped(site: Site, tmp_path: Path) -> None:
    paths = star(site, 200, delay_s=0.01)
    last = site.slow("/199")
    project = tmp_path / "a.gossamer"

    async def main() -> set[str]:
        async with new_session(project, site.url(), workers=10) as session:
            await session.start()
            await site.wait_for_requests(60)
            await session.cancel()
            return set(asked(project))

    committed = run(main())
    assert len(committed) >= 20
    seen = len(site.paths)
    last.open()
    resume_all(project)
    again = site.paths[seen:]
    assert not {site.url(path) for path in again} & committed, "fetched twice"
    assert len(set(again)) == len(again)
    assert set(asked(project)) == {site.url(path) for path in paths}
    assert all(record.outcome is Outcome.PAGE for record in asked(project).values())


def test_a_closed_crawl_resumes_where_it_stopped(site: Site, tmp_path: Path) -> None:
    paths = star(site, 200, delay_s=0.01)
    last = site.slow("/199")
    project = tmp_path / "a.gossamer"

    async def main() -> set[str]:
        async with new_session(project, site.url(), workers=10) as session:
            await session.start()
            await site.wait_for_requests(60)
        assert session.state is CrawlState.PAUSED
        await site.wait_for_disconnect()
        return set(asked(project))

    committed = run(main())
    assert summary(project).state is CrawlState.PAUSED
    seen = len(site.paths)
    last.open()
    resume_all(project)
    again = site.paths[seen:]
    assert not {site.url(path) for path in again} & committed, "fetched twice"
    assert set(asked(project)) == {site.url(path) for path in paths}


def test_cancelling_one_url_does_not_stop_the_crawl(site: Site, tmp_path: Path) -> None:
    star(site, 10)
    site.hang("/3")
    project = tmp_path / "a.gossamer"

    async def main() -> None:
        async with new_session(project, site.url(), workers=4) as session:
            await session.start()
            stuck = await until(
                session, lambda progress: progress.fetched == 10 and len(progress.in_flight) == 1
            )
            (row,) = stuck.in_flight
            assert (row.url, row.tries) == (site.url("/3"), 1)
            connection = next(r.connection for r in site.requests if r.path == "/3")
            await session.perform(BulkActionKind.CANCEL, UrlSelection(ids=(row.url_id,)))
            await site.wait_until(lambda: site.connections[connection].closed_ns is not None)
            assert await until_rest(session) is CrawlState.FINISHED

    run(main())
    assert records(project)[site.url("/3")].outcome is Outcome.CANCELLED
    assert len(asked(project)) == 10
    resume_all(project)
    assert site.paths.count("/3") == 1


def test_the_number_of_workers_takes_effect_at_once(site: Site, tmp_path: Path) -> None:
    star(site, 40)
    gates = {n: site.slow(f"/{n}") for n in range(40)}

    async def main() -> None:
        async with new_session(tmp_path / "a.gossamer", site.url(), workers=3) as session:
            await session.start()
            await site.wait_for_in_flight(3)
            await session.set_workers(12)
            await site.wait_for_in_flight(12)
            await until(session, lambda progress: (progress.workers, progress.active) == (12, 12))
            await session.set_workers(2)
            await until(session, lambda progress: progress.workers == 2)
            seen = len(site.paths)
            for n in range(10):
                gates[n].open()
            await site.wait_for_in_flight(2)
            assert len(site.paths) == seen, "none starts while there are too many"
            for n in range(10, 40):
                gates[n].open()
            assert await until_rest(session) is CrawlState.FINISHED
            assert site.peak_in_flight == 12
            assert len(site.paths) == 42

    run(main())


def test_the_number_of_workers_can_be_set_at_start(site: Site, tmp_path: Path) -> None:
    star(site, 30)
    for n in range(30):
        site.hang(f"/{n}")

    async def main() -> None:
        async with new_session(tmp_path / "a.gossamer", site.url(), workers=3) as session:
            await session.start(workers=17)
            await site.wait_for_in_flight(17)
            await session.cancel()

    run(main())
    assert site.peak_in_flight == 17


def test_each_url_is_fetched_once(site: Site, tmp_path: Path) -> None:
    pages = [f"/{n}" for n in range(60)]
    for n, path in enumerate(pages):
        links = [pages[(n * k + 1) % 60] for k in range(1, 30)]
        site.page(path, links=[*links, f"/r/{n}", "/r/0", "/gone", f"{path}#top"])
        site.redirect(f"/r/{n}", f"/r/{n + 1}" if n % 7 else path)
    project = tmp_path / "a.gossamer"

    async def main() -> None:
        async with new_session(project, site.url("/0"), workers=30, processes=2) as session:
            await session.start()
            assert await until_rest(session) is CrawlState.FINISHED

    run(main())
    paths = site.paths
    assert len(paths) == len(set(paths))
    assert {site.url(path) for path in paths} - {site.url("/robots.txt")} == set(asked(project))
    assert set(paths) >= {*pages, "/gone", "/r/0", "/r/59"}


def test_a_reopened_session_reports_its_state(site: Site, tmp_path: Path) -> None:
    star(site, 20)
    site.status("/7", 500)
    project = tmp_path / "a.gossamer"

    async def main() -> None:
        async with new_session(project, site.url(), max_tries=1) as session:
            await session.start()
            assert await until_rest(session) is CrawlState.FINISHED
            live = session.progress
        async with closing(sessions().open(project)) as opened:
            assert opened.progress.state is CrawlState.FINISHED
            for name in ("known", "queued", "fetched", "pages", "redirects", "errors", "skipped"):
                assert getattr(opened.progress, name) == getattr(live, name), name
            assert opened.progress.statuses == live.statuses == {200: 20, 500: 1}
            assert opened.progress.outcomes == live.outcomes
            assert opened.progress.received_bytes == live.received_bytes

    run(main())


def test_a_paused_project_is_cancelled_without_a_host_process(site: Site, tmp_path: Path) -> None:
    site.page("/", links=["/slow"])
    site.hang("/slow")
    project = tmp_path / "a.gossamer"

    async def main() -> None:
        async with new_session(project, site.url()) as session:
            await session.start()
            await site.wait_for_in_flight(1)
        async with closing(sessions().open(project)) as again:
            states = [again.state]
            await again.cancel()
            states += [again.state, sessions().open(project).state]
        assert states == [CrawlState.PAUSED, CrawlState.CANCELLED, CrawlState.CANCELLED]

    run(main())


def test_failed_urls_can_be_retried_after_the_crawl(site: Site, tmp_path: Path) -> None:
    star(site, 5)
    site.page("/", links=["/0", "/gone"])

    async def test() -> None:
        async with new_session(tmp_path / "actions.gossamer", site.url()) as session:
            await session.start()
            await until_rest(session)
            assert session.progress.statuses == {200: 2, 404: 1}
            site.page("/gone", links=["/1"])
            await session.perform(BulkActionKind.RECRAWL, UrlSelection(failed=True))
            await until_rest(session)
            assert session.progress.statuses == {200: 4}
            assert summary(session.path).statuses == {200: 4}

    run(test())


def test_retrying_failures_of_a_cancelled_crawl_queues_them_only(
    site: Site, tmp_path: Path
) -> None:
    site.page("/", links=["/gone", "/slow"])
    site.hang("/slow")

    async def test() -> None:
        async with new_session(tmp_path / "actions.gossamer", site.url()) as session:
            await session.start()
            await site.wait_until(lambda: "/slow" in site.paths)
            await until(session, lambda progress: progress.errors == 1)
            await session.cancel()
            asked = list(site.paths)
            for _ in range(2):
                await session.perform(BulkActionKind.RECRAWL, UrlSelection(failed=True))
                assert session.state is CrawlState.CANCELLED
            assert session.progress.errors == 0
            assert session.progress.queued == 2
        assert site.paths == asked
        assert summary(tmp_path / "actions.gossamer").state is CrawlState.CANCELLED

    run(test())


def test_a_folder_is_excluded_while_the_crawl_runs(site: Site, tmp_path: Path) -> None:
    endless_tree(site)
    site.page("/", links=["/t/1", "/a"])
    site.page("/a")

    async def test() -> None:
        async with new_session(tmp_path / "actions.gossamer", site.url(), **ENDLESS) as session:
            await session.start()
            await until(session, lambda progress: progress.pages > 50)
            await session.perform(BulkActionKind.EXCLUDE, UrlSelection(folder=site.url("/t/")))
            await until_rest(session)
            assert session.state is CrawlState.FINISHED
            outcomes = {row.outcome for row in records(session.path).values()}
            assert outcomes == {Outcome.PAGE, Outcome.EXCLUDED}
            assert summary(session.path).settings.exclude == session.settings.exclude

    run(test())
