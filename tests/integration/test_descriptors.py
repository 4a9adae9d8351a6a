"""Few file descriptors: the crawl takes longer, and comes to the same."""

import asyncio
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path

import pytest

from gossamer.fetch import HttpFetcher
from gossamer.model.fields.url_record import UrlRecord
from gossamer.model.outcome import Outcome
from gossamer.model.visit import Visit
from tests.e2e.program import command
from tests.integration.crawling import records
from tests.integration.fetching import run, visits
from tests.patience import PATIENCE_S
from tests.sites import Site

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="connections are no files there")

PAGES = 120


def limited(limit: str, *arguments: str | Path) -> list[str]:
    """The words that start the program where `ulimit` has set this."""
    return ["sh", "-c", f'ulimit {limit} && exec "$@"', "sh", *command(*arguments)]


def crawled(site: Site, project: Path, limit: str, *arguments: str) -> dict[str, UrlRecord]:
    """All rows of a crawl with a hundred workers, which ended well."""
    done = subprocess.run(
        limited(limit, "crawl", site.url(), "--workers", "100", "-q", "-o", project, *arguments),
        check=False,
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return records(project)


@pytest.mark.parametrize("processes", ["1", "2"])
def test_a_crawl_with_few_descriptors_is_whole(site: Site, tmp_path: Path, processes: str) -> None:
    site.page("/", links=[f"/{n}" for n in range(PAGES)])
    for n in range(PAGES):
        site.page(f"/{n}", delay_s=0.05)
    rows = crawled(site, tmp_path / "few.gossamer", "-n 64", "--processes", processes)
    assert len(rows) == PAGES + 1
    assert {(row.outcome, row.tries) for row in rows.values()} == {(Outcome.PAGE, 1)}
    assert site.peak_in_flight < 64


def test_a_soft_descriptor_limit_is_raised(site: Site, tmp_path: Path) -> None:
    """Systems give a program few descriptors, but many for the asking."""
    site.page("/", links=[f"/{n}" for n in range(100)])
    gates = [site.slow(f"/{n}") for n in range(100)]
    arguments = ("crawl", site.url(), "--workers", "100", "--processes", "1", "-q")
    with subprocess.Popen(
        limited("-S -n 64", *arguments, "-o", tmp_path / "soft.gossamer")
    ) as process:
        site.block_until(lambda: site.in_flight == 100)
        for gate in gates:
            gate.open()
        assert process.wait(PATIENCE_S) == 0


def test_idle_connections_make_room_for_new_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gossamer.fetch.http_client.room_for_connections", lambda: 4)
    with ExitStack() as opened:
        sites = [opened.enter_context(Site()) for _ in range(9)]
        for site in sites:
            site.page("/")
        first = sites[0]

        def all_open() -> int:
            return sum(site.open_connections for site in sites)

        async def act(fetcher: HttpFetcher) -> list[Visit]:
            seen = []
            for url in [first.url(), *(site.url() for site in sites), first.url()]:
                seen.append(await fetcher.fetch(url))
                async with asyncio.timeout(PATIENCE_S):
                    while all_open() > 4:  # noqa: ASYNC110 - sites notice an end a little later
                        await asyncio.sleep(0)
            return seen

        assert {seen.outcome for seen in run(act)} == {Outcome.PAGE}
        assert [len(site.connections) for site in sites] == [2] + [1] * 8


def test_connections_are_kept_where_there_is_room_for_one_alone(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gossamer.fetch.http_client.room_for_connections", lambda: 1)
    site.page("/")
    assert {seen.outcome for seen in visits([site.url()] * 5)} == {Outcome.PAGE}
    assert len(site.connections) == 1


def test_waiting_for_a_descriptor_does_not_use_up_the_timeout(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gossamer.fetch.http_client.room_for_connections", lambda: 1)
    for n in range(12):
        site.page(f"/{n}", delay_s=0.2)

    async def act(fetcher: HttpFetcher) -> list[Visit]:
        return await asyncio.gather(*(fetcher.fetch(site.url(f"/{n}")) for n in range(12)))

    assert {seen.outcome for seen in run(act, timeout_s=2.0)} == {Outcome.PAGE}
    assert site.peak_in_flight == 1
