"""Large bodies: one at a time is held in memory, and waiting for it costs nobody its time."""

import asyncio

import pytest

from gossamer.fetch import HttpFetcher
from gossamer.fetch.response_head import SMALL_BODY_BYTES
from gossamer.model.outcome import Outcome
from gossamer.model.visit import Visit
from tests.integration.fetching import PARTLY_S, ScriptedServer, run, visit
from tests.sites import Site

LARGE = b"<p>" + b"word " * 600_000


def test_several_large_bodies_are_received_completely(site: Site) -> None:
    for n in range(6):
        site.file(f"/{n}", LARGE, "text/html")

    async def act(fetcher: HttpFetcher) -> list[Visit]:
        return list(await asyncio.gather(*(fetcher.fetch(site.url(f"/{n}")) for n in range(6))))

    visits = run(act)
    assert [visit.size_bytes for visit in visits] == [len(LARGE)] * 6
    assert {visit.outcome for visit in visits} == {Outcome.PAGE}


def test_a_hanging_large_body_delays_others_for_its_timeout_only(site: Site) -> None:
    head = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 99999999\r\n\r\n"
    site.hang("/hangs", after=head + LARGE)
    site.file("/large", LARGE, "text/html")
    site.page("/small")

    async def act(fetcher: HttpFetcher) -> tuple[Visit, Visit, Visit]:
        async with asyncio.TaskGroup() as group:
            hanging = group.create_task(fetcher.fetch(site.url("/hangs")), name="hangs")
            await site.wait_for_in_flight(1)
            large = group.create_task(fetcher.fetch(site.url("/large")), name="large")
            small = group.create_task(fetcher.fetch(site.url("/small")), name="small")
        return hanging.result(), large.result(), small.result()

    hanging, large, small = run(act, timeout_s=PARTLY_S)
    assert hanging.outcome is Outcome.TIMEOUT
    assert large.outcome is Outcome.PAGE
    assert large.size_bytes == len(LARGE)
    assert small.outcome is Outcome.PAGE


def test_a_cancelled_fetch_releases_its_large_body_slot(site: Site) -> None:
    head = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 99999999\r\n\r\n"
    site.hang("/hangs", after=head + LARGE)
    site.file("/large", LARGE, "text/html")
    site.page("/small")

    async def act(fetcher: HttpFetcher) -> Visit:
        async with asyncio.TaskGroup() as group:
            hanging = group.create_task(fetcher.fetch(site.url("/hangs")), name="hangs")
            await site.wait_for_in_flight(1)
            assert (await fetcher.fetch(site.url("/small"))).outcome is Outcome.PAGE
            hanging.cancel()
            return await fetcher.fetch(site.url("/large"))

    assert run(act).size_bytes == len(LARGE)


@pytest.mark.parametrize("size", [SMALL_BODY_BYTES, SMALL_BODY_BYTES + 1])
def test_how_much_of_a_file_counts_does_not_depend_on_how_fast_it_came(size: int) -> None:
    head = b"HTTP/1.1 200 OK\r\nContent-Type: application/pdf\r\n"
    file = head + b"Content-Length: %d\r\n\r\n" % size + bytes(size)
    with ScriptedServer([[file]]) as server:
        seen = visit(server.url())
    assert (seen.outcome, seen.size_bytes) == (Outcome.FILE, size)
    assert seen.raw_bytes == (size if size <= SMALL_BODY_BYTES else 0)
