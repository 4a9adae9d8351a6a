"""Crawl hosts that start ahead of need: used if there is a crawl, gone without a trace if not."""

import sys
from pathlib import Path
from typing import IO

import pytest

from gossamer.ipc.process_start import LaunchedProcess, launch_command
from gossamer.model.crawl_state import CrawlState
from gossamer.model.errors import CrawlHostError
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.session.crawl_host_pool import CrawlHostPool, StartedHost
from gossamer.session.default_paths import log_path
from gossamer.session.session_factory import SessionFactory
from tests.fakes.preloaded import preloaded_host
from tests.fakes.processes import child_processes
from tests.integration.crawling import assert_gone, closing, run, until_rest
from tests.sites import Site


def failing(_page_workers: int, stderr: IO[bytes]) -> LaunchedProcess:
    """Start a crawl host that fails as it imports."""
    return launch_command([sys.executable, "-c", "raise ImportError('gone')"], stderr)


def crawl(hosts: CrawlHostPool, root: str, project: Path, **changes: int) -> set[int]:
    """Crawl to the end; the ids of the processes that were there in between."""
    settings = CrawlSettings(roots=(root,), processes=changes.get("processes"))

    async def main() -> set[int]:
        async with closing(SessionFactory(hosts).create(settings, project)) as session:
            await session.start()
            pids = {child.pid for child in child_processes()}
            assert session.host_pid in pids
            assert await until_rest(session) is CrawlState.FINISHED
        return pids

    return run(main())


@pytest.mark.parametrize("processes", [1, 2, 3])
def test_a_spare_host_is_used_whatever_the_settings(
    site: Site, tmp_path: Path, processes: int
) -> None:
    site.page("/")
    with CrawlHostPool(begin=preloaded_host) as hosts:
        hosts.prepare()
        hosts.prepare()
        [waiting] = child_processes(recursive=False)
        assert waiting.pid in crawl(hosts, site.url("/"), tmp_path / "a", processes=processes)
        assert child_processes() == []
        assert waiting.pid not in crawl(hosts, site.url("/"), tmp_path / "b")
    assert child_processes() == []


def test_sessions_share_the_host_pool(site: Site, tmp_path: Path) -> None:
    site.page("/")
    with CrawlHostPool() as hosts:
        sessions = SessionFactory(hosts)
        sessions.create(CrawlSettings(roots=(site.url("/"),)), tmp_path / "a")
        hosts.prepare()
        [waiting] = child_processes(recursive=False)

        async def main() -> None:
            async with closing(sessions.open(tmp_path / "a")) as session:
                await session.start()
                assert session.host_pid == waiting.pid

        run(main())


def test_an_unused_spare_host_is_ended_with_its_page_workers() -> None:
    with CrawlHostPool(begin=preloaded_host) as hosts:
        hosts.prepare()
        while len(ended := child_processes()) < 2:  # a process that starts tells nobody
            pass
    assert_gone(ended)


def test_a_spare_host_that_died_is_replaced(site: Site, tmp_path: Path) -> None:
    site.page("/")
    with CrawlHostPool(begin=preloaded_host) as hosts:
        hosts.prepare()
        [waiting] = child_processes(recursive=False)  # whose page workers end with it
        waiting.kill()
        waiting.wait()
        crawl(hosts, site.url("/"), tmp_path / "a")


def test_a_failure_to_start_a_spare_host_is_reported_when_one_is_needed() -> None:
    def begin(_page_workers: int, stderr: IO[bytes]) -> LaunchedProcess:
        return launch_command(["/nowhere/gossamer"], stderr)

    with CrawlHostPool(begin, begin) as hosts:
        hosts.prepare()
        with pytest.raises(CrawlHostError, match="cannot be started"):
            hosts.take(1)


def test_output_of_a_spare_host_is_logged_once(tmp_path: Path) -> None:
    host, log = StartedHost(1, failing), tmp_path / "a.log"
    host.launched.process.wait()
    host.keep_output(log)
    host.keep_output(log)  # given up as it connected: its end is told after that
    assert log.read_text().count("ImportError: gone") == 1
    host.abandon()


def test_the_reason_a_host_failed_to_start_is_in_the_crawl_log(tmp_path: Path) -> None:
    project = tmp_path / f"{tmp_path.name}.gossamer"

    async def main() -> None:
        settings = CrawlSettings(roots=("http://127.0.0.1:9/",))
        async with closing(
            SessionFactory(CrawlHostPool(begin=failing)).create(settings, project)
        ) as session:
            with pytest.raises(CrawlHostError, match="see the log"):
                await session.start()

    run(main())
    assert "ImportError: gone" in log_path(project).read_text()
