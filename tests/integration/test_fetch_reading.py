"""Large bodies are read aside, and not for ever."""

import asyncio
import threading
import time
from collections.abc import Iterator
from typing import NoReturn

import pytest

from gossamer.fetch import HttpFetcher
from gossamer.fetch.body_extraction import LARGE_BYTES
from gossamer.fetch.body_readers import HeaderPairs
from gossamer.fetch.fetcher import BodyTimeLimits
from gossamer.fetch.response_body import LARGE_BODY_BYTES
from gossamer.model.outcome import Outcome
from gossamer.model.visit import Extract, Visit
from tests.integration.fetching import (
    LOOPS,
    PATIENCE_S,
    Loop,
    assert_failed,
    content,
    extract,
    run,
    visit,
)
from tests.sites import Site

HASTE = BodyTimeLimits(parse_s=0.1)


class Reader:
    """Extracts; a large page is held until it is let go."""

    def __init__(self) -> None:
        self.let_go = threading.Event()
        self.began = threading.Event()
        self.threads: list[str] = []

    def __call__(
        self, body: bytes, url: str, charset: str | None, headers: HeaderPairs = ()
    ) -> Extract:
        del headers
        self.threads.append(threading.current_thread().name)
        if len(body) >= LARGE_BYTES:
            self.began.set()
            self.let_go.wait(PATIENCE_S)
        return extract(body, url, charset)


@pytest.fixture
def reader() -> Iterator[Reader]:
    reading = Reader()
    yield reading
    reading.let_go.set()


@pytest.fixture
def big(site: Site) -> str:
    site.page("/big", body="x" * LARGE_BYTES)
    return site.url("/big")


def test_large_pages_are_parsed_in_a_thread_and_small_ones_are_not(
    site: Site, big: str, reader: Reader
) -> None:
    site.page("/small")
    reader.let_go.set()
    seen = [visit(url, extract=reader) for url in (big, site.url("/small"))]
    assert [each.outcome for each in seen] == [Outcome.PAGE, Outcome.PAGE]
    assert len(content(seen[0])) == (seen[0].size_bytes or 0) > LARGE_BYTES
    assert reader.threads[0].startswith("aside")
    assert reader.threads[1] == threading.main_thread().name


@pytest.mark.parametrize("loop_factory", LOOPS)
def test_a_page_that_takes_too_long_to_parse_is_abandoned(
    site: Site, big: str, reader: Reader, loop_factory: Loop
) -> None:
    site.page("/small")

    async def act(fetcher: HttpFetcher) -> list[Visit]:
        first = await fetcher.fetch(big)
        reader.let_go.set()
        return [first, await fetcher.fetch(big), await fetcher.fetch(site.url("/small"))]

    seen = run(act, extract=reader, patience=HASTE, loop_factory=loop_factory)
    assert_failed(seen[0], Outcome.PAGE_NOT_PARSED, transient=False)
    assert str(seen[0].detail) == "it took more than 0.1 s"
    assert (seen[0].size_bytes or 0) > LARGE_BYTES
    assert [each.outcome for each in seen[1:]] == [Outcome.PAGE, Outcome.PAGE]


def test_other_fetches_continue_while_a_large_page_is_parsed(
    site: Site, big: str, reader: Reader
) -> None:
    site.page("/small")

    async def act(fetcher: HttpFetcher) -> list[Visit]:
        async with asyncio.TaskGroup() as group:
            large = group.create_task(fetcher.fetch(big), name="large")
            await asyncio.to_thread(reader.began.wait, PATIENCE_S)
            small = await fetcher.fetch(site.url("/small"))
            assert not large.done()
            reader.let_go.set()
            return [small, await large]

    assert [each.outcome for each in run(act, extract=reader)] == [Outcome.PAGE, Outcome.PAGE]


def test_large_pages_are_parsed_one_at_a_time(big: str) -> None:
    reading: list[int] = []
    most: list[int] = []

    def read(body: bytes, url: str, charset: str | None, headers: HeaderPairs) -> Extract:
        del headers
        reading.append(1)
        most.append(len(reading))
        found = extract(body, url, charset)
        reading.pop()
        return found

    async def act(fetcher: HttpFetcher) -> list[Visit]:
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(fetcher.fetch(big), name=big) for _ in range(20)]
        return [task.result() for task in tasks]

    assert {each.outcome for each in run(act, extract=read)} == {Outcome.PAGE}
    assert set(most) == {1}


@pytest.mark.parametrize("loop_factory", LOOPS)
def test_parsing_can_be_cancelled(big: str, reader: Reader, loop_factory: Loop) -> None:
    async def act(fetcher: HttpFetcher) -> Visit:
        async with asyncio.TaskGroup() as group:
            task = group.create_task(fetcher.fetch(big), name="fetch")
            await asyncio.to_thread(reader.began.wait, PATIENCE_S)
            task.cancel()
            await asyncio.wait({task})
            assert task.cancelled()
            assert not reader.let_go.is_set(), "nobody waited for the reader"
        reader.let_go.set()
        return await fetcher.fetch(big)

    assert run(act, extract=reader, loop_factory=loop_factory).outcome is Outcome.PAGE


def test_a_large_page_that_cannot_be_parsed(big: str, caplog: pytest.LogCaptureFixture) -> None:
    def explode(body: bytes, url: str, charset: str | None, headers: HeaderPairs) -> Extract:
        raise ZeroDivisionError(f"{len(body)} {url} {charset} {headers}")

    seen = visit(big, extract=explode)
    assert_failed(seen, Outcome.PAGE_NOT_PARSED, transient=False)
    assert str(seen.detail).startswith("ZeroDivisionError: ")
    assert len(caplog.records) == 1


def test_a_large_sitemap_is_parsed_in_a_thread(site: Site, reader: Reader) -> None:
    site.page("/big.xml", body="x" * LARGE_BYTES, content_type="application/xml")

    def read(body: bytes, url: str) -> NoReturn:
        reader(body, url, None)
        raise AssertionError("it was let go")

    url = site.url("/big.xml")
    seen = run(lambda fetcher: fetcher.fetch_sitemap(url, read), patience=HASTE)
    assert str(seen.detail).startswith("it took more than ")
    assert_failed(seen, Outcome.PAGE_NOT_PARSED, transient=False)


def test_time_spent_waiting_for_the_parser_is_not_response_time(site: Site) -> None:
    """It comes while another one is read, which keeps the loop busy until long after."""
    for path in ("/first", "/second"):
        site.page(path)
    busy_s = 0.5
    waited: list[float] = []

    def read(body: bytes, url: str, charset: str | None, headers: HeaderPairs) -> Extract:
        del headers
        if not waited:
            site.block_until(lambda: len(site.requests) == 2 and not site.in_flight)
            sent_s = time.perf_counter()
            while time.perf_counter() < sent_s + busy_s:
                pass
            waited.append(busy_s)
        return extract(body, url, charset)

    async def act(fetcher: HttpFetcher) -> tuple[Visit, float]:
        second = site.url("/second")
        async with asyncio.TaskGroup() as group:
            slow = site.slow("/first")
            first = group.create_task(fetcher.fetch(site.url("/first")), name="first")
            await site.wait_for_requests(1)
            other = group.create_task(fetcher.fetch(second), name="second")
            began = time.perf_counter()
            gate = site.slow("/second")
            await site.wait_for_requests(2)
            slow.open()
            gate.open()
            await first
        return other.result(), time.perf_counter() - began

    seen, took_s = run(act, extract=read)
    assert seen.outcome is Outcome.PAGE
    assert waited
    assert seen.elapsed_ms / 1000 < took_s - busy_s / 2


def test_a_large_page_releases_its_connection_before_it_is_parsed(
    site: Site, reader: Reader
) -> None:
    """Also where others are read first: of what fits into the memory for it."""
    paths = [f"/{number}" for number in range(4)]
    for path in paths:
        site.page(path, body="x" * (3 * LARGE_BODY_BYTES))

    async def act(fetcher: HttpFetcher) -> list[Visit]:
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(fetcher.fetch(site.url(path)), name=path) for path in paths]
            await asyncio.to_thread(reader.began.wait, PATIENCE_S)
            await site.wait_until(lambda: len(site.requests) == len(paths) and not site.in_flight)
            assert not any(task.done() for task in tasks)
            reader.let_go.set()
        return [task.result() for task in tasks]

    seen = run(act, extract=reader, timeout_s=PATIENCE_S)
    assert [each.outcome for each in seen] == [Outcome.PAGE] * len(paths)
    assert all((each.size_bytes or 0) > 3 * LARGE_BODY_BYTES for each in seen)
