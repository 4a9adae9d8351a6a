"""When servers are asked for what pages load."""

import asyncio

import pytest

from gossamer.model.messages.worker_messages import ConfigureWorker
from gossamer.model.outcome import Outcome
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.visit import Visit
from gossamer.page_worker.resource_politeness import MAX_AT_ONCE, MAX_HOSTS, ResourcePoliteness
from tests.fakes.virtual_loop import run_virtual

OWN = "http://site.test/"
OTHER = "http://other.test/"


def pace(*, crawl_delay_s: float = 0.0, sharers: int = 1, **settings: object) -> ResourcePoliteness:
    crawl = CrawlSettings(**{"roots": (OWN,), **settings})  # type: ignore[arg-type]  # field by field
    configure = ConfigureWorker(crawl, sharers=sharers)
    return ResourcePoliteness(
        configure, lambda url: url.startswith(OWN), lambda _url: crawl_delay_s
    )


def times(of: ResourcePoliteness, *urls: str, takes_s: float = 0.0) -> list[float]:
    """When each of these is asked, if all want to be at once."""

    async def ask(url: str) -> float:
        async with of.leave(url):
            asked_s = asyncio.get_running_loop().time()
            await asyncio.sleep(takes_s)
            return asked_s

    async def main() -> list[float]:
        begun_s = asyncio.get_running_loop().time()
        return [each - begun_s for each in await asyncio.gather(*map(ask, urls))]

    return run_virtual(main())


def test_the_hosts_of_the_crawl_are_asked_at_its_rate_and_others_at_theirs() -> None:
    asked = times(pace(rate=4.0, external_rate=0.5), OWN, OWN, OWN, OTHER, OTHER)
    assert asked == pytest.approx([0, 0.25, 0.5, 0, 2])


def test_without_a_rate_nothing_waits() -> None:
    assert times(pace(), OWN, OWN, OWN) == pytest.approx([0, 0, 0])


def test_the_delay_of_robots_txt_counts_where_it_is_longer() -> None:
    assert times(pace(rate=4.0, crawl_delay_s=3.0), OWN, OWN) == pytest.approx([0, 3])


def test_several_workers_have_the_pace_of_one_together() -> None:
    shared = pace(rate=4.0, external_rate=0.5, sharers=3)
    assert times(shared, OWN, OWN, OTHER, OTHER) == pytest.approx([0, 0.75, 0, 6])
    assert times(pace(crawl_delay_s=3.0, sharers=3), OWN, OWN) == pytest.approx([0, 9])
    slots = times(pace(max_per_host=4, sharers=2), *[OWN] * 5, takes_s=1)
    assert slots == pytest.approx([0, 0, 1, 1, 2])
    assert times(pace(max_per_host=1, sharers=2), OWN, OWN, takes_s=1) == pytest.approx([0, 1])


def test_no_more_requests_run_at_once_than_a_host_may_have() -> None:
    assert times(pace(max_per_host=2), *[OWN] * 5, takes_s=1) == pytest.approx([0, 0, 1, 1, 2])
    assert max(times(pace(), *[OWN] * 12, takes_s=1)) == pytest.approx(1)


def test_all_hosts_together_have_a_bound() -> None:
    urls = [f"http://{n}.test/" for n in range(MAX_AT_ONCE + 1)]
    assert sorted(times(pace(), *urls, takes_s=1))[-2:] == pytest.approx([0, 1])


def test_requests_for_pages_take_turns_with_all_others() -> None:
    async def main() -> float:
        of = pace(rate=1.0)
        begun_s = asyncio.get_running_loop().time()
        await of.page_turn(OWN)
        async with of.leave(OWN):
            await of.page_turn(OWN)
        return asyncio.get_running_loop().time() - begun_s

    assert run_virtual(main()) == pytest.approx(2)


def test_a_request_that_is_given_up_while_it_waits_holds_up_no_other() -> None:
    async def main() -> float:
        of = pace(rate=1.0)
        begun_s = asyncio.get_running_loop().time()
        async with asyncio.TaskGroup() as group:
            await of.page_turn(OWN)
            waiting = [group.create_task(of.page_turn(OWN)) for _ in range(50)]
            await asyncio.sleep(0.5)
            for each in waiting:
                each.cancel()
        await of.page_turn(OWN)
        return asyncio.get_running_loop().time() - begun_s

    assert run_virtual(main()) == pytest.approx(1)


def test_hosts_that_rest_are_remembered_and_idle_ones_are_forgotten() -> None:
    async def main() -> float:
        of = pace(external_rate=1000.0)
        of.note(OWN, Visit(Outcome.FILE, 429, retry_after_s=60.0))
        for number in range(2 * MAX_HOSTS):
            await of.page_turn(f"http://{number}.test/")
        begun_s = asyncio.get_running_loop().time()
        await of.page_turn(OWN)
        return asyncio.get_running_loop().time() - begun_s

    assert run_virtual(main()) > 50


def test_hosts_that_are_asked_slowly_hold_up_no_other() -> None:
    slow = [f"http://{n}.test/" for n in range(MAX_AT_ONCE)] * 3
    assert times(pace(external_rate=0.1), *slow, OWN)[-1] == pytest.approx(0)


def test_another_rate_counts_from_the_next_request_on() -> None:
    of = pace(rate=1.0)

    async def main() -> list[float]:
        begun_s = asyncio.get_running_loop().time()
        asked = []
        for change in ({}, {"rate": 0.1}, {}, {"rate": None}, {}, {}):
            if change:
                of.reconfigure(ConfigureWorker(CrawlSettings(roots=(OWN,), **change)))
            async with of.leave(OWN):
                asked.append(asyncio.get_running_loop().time() - begun_s)
        return asked

    assert run_virtual(main()) == pytest.approx([0, 1, 11, 21, 21, 21])


def test_a_host_may_have_more_or_fewer_requests_from_now_on() -> None:
    of = pace(max_per_host=1)
    times(of, OWN)
    of.reconfigure(ConfigureWorker(CrawlSettings(roots=(OWN,), max_per_host=3)))
    assert times(of, *[OWN] * 4, takes_s=1) == pytest.approx([0, 0, 0, 1])
