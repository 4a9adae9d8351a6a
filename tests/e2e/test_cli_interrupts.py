"""A crawl that is interrupted and resumed finds all there is and asks for nothing twice."""

import json
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path

import psutil
import pytest

from gossamer.cli.interrupt_signals import BOUNCE_S
from gossamer.demo.site import DemoSite, build_site
from gossamer.model.fields.url_record import UrlRecord
from gossamer.model.outcome import UrlState
from gossamer.model.project_queries import View
from gossamer.store.reading.reader import Reader
from tests.e2e.program import Running, gossamer, running, started, without_delays
from tests.fakes.preloaded import PRELOADED
from tests.integration.crawled_sites import star
from tests.patience import PATIENCE_S
from tests.sites import Response, Site
from tests.sites.demo_truth import expected

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="sends POSIX signals")


def records(project: Path) -> list[UrlRecord]:
    with Reader(project) as reader:
        return list(reader.iterate(View.ALL))


HELD = "/thread/ball.html"
"""A page of the demo site that leads to no others."""


def serve_demo(site: Site) -> DemoSite:
    """Let the site answer as the demo site does, but at once."""
    demo = build_site(site.url("").rstrip("/"))
    site.generate(partial(demo_response, demo))
    return demo


def demo_response(demo: DemoSite, path: str) -> Response:
    response = demo.respond(path)
    return Response(response.status, response.body, None, response.headers)


def interrupted(
    process: "Running | subprocess.Popen[str]", number: signal.Signals = signal.SIGINT
) -> tuple[str, str]:
    """Send a signal; what was written on standard output and standard error in all."""
    process.send_signal(number)
    written = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 130, written
    return written


def host_of(process: "Running | subprocess.Popen[str]") -> psutil.Process:
    """The crawl host; `running` has a process beside it that forks others."""
    children = psutil.Process(process.pid).children()
    (host,) = (each for each in children if each.name() != PRELOADED)
    return host


def crawled_in_two_parts(
    site: Site, folder: Path, number: signal.Signals, after: int, release: Callable[[], None]
) -> dict[str, int | None]:
    """The URLs that a crawl fetched, which got a signal when so many were asked for.

    Whatever holds it back is released before it is resumed. Nothing is asked for twice.
    """
    project = folder / "x.gossamer"
    arguments = ("crawl", site.url(), "-o", project.name, "--json", "--profile", "links")
    with running(*arguments, cwd=folder) as process:
        site.block_until(lambda: site.ledger.request_count >= after)
        out, said = interrupted(process, number)
    release()

    assert json.loads(out)["state"] == "paused"
    assert f"gossamer: Interrupted; resume with: gossamer resume {project.name}\n" in said
    done_before = {r.url for r in records(project) if r.state is UrlState.DONE}
    assert json.loads(out)["fetched"] == len(done_before) > 0
    asked_before = len(site.requests)

    resumed = gossamer("resume", project.name, "--json", cwd=folder)

    assert resumed.returncode == 0, resumed.stderr
    found = {r.url: r.status for r in records(project) if r.state is UrlState.DONE}
    assert json.loads(resumed.stdout)["fetched"] == len(found)
    asked_after = {site.url(path) for path in site.paths[asked_before:]}
    assert asked_after & done_before == set()
    return found


def test_a_resumed_crawl_finds_what_an_uninterrupted_one_does(site: Site, tmp_path: Path) -> None:
    demo = serve_demo(site)
    site.slow(HELD)  # however late the signal is sent, the crawl has not ended

    def release() -> None:
        site.respond(HELD, demo_response(demo, HELD))

    found = crawled_in_two_parts(site, tmp_path, signal.SIGINT, 150, release)
    truth = {p: url.status for p, url in expected().urls.items() if url.status is not None}
    assert found == {site.url(path): status for path, status in truth.items()}


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_other_signals_interrupt_a_crawl_too(
    number: signal.Signals, site: Site, tmp_path: Path
) -> None:
    paths = star(site, 40)
    gate = site.slow("/0")
    found = crawled_in_two_parts(site, tmp_path, number, 20, gate.open)
    assert found == {site.url(path): 200 for path in paths}


def test_only_urls_in_flight_are_fetched_again_after_an_interrupt(
    site: Site, tmp_path: Path
) -> None:
    site.page("/", links=["/a", "/held", "/b"])
    for path in ("/a", "/b"):
        site.page(path)
    gate = site.slow("/held")
    arguments = ("crawl", site.url(), "-o", "x.gossamer", "--workers", "1", "--no-robots")
    with running(*arguments, cwd=tmp_path) as process:
        site.block_until(lambda: "/held" in site.paths)
        interrupted(process)
        site.block_until(lambda: site.open_connections == 0)
    assert site.paths == ["/", "/a", "/held"]
    gate.open()
    resumed = gossamer("resume", "x.gossamer", "-q", cwd=tmp_path)
    caution = "This crawl ignores robots.txt.\n"
    assert (resumed.returncode, resumed.stderr) == (0, caution)
    assert Counter(site.paths) == {"/": 1, "/a": 1, "/held": 2, "/b": 1}


def test_no_export_is_written_by_an_interrupted_crawl(site: Site, tmp_path: Path) -> None:
    site.page("/", links=["/held"])
    site.slow("/held")
    arguments = ("crawl", site.url(), "-o", "x.gossamer", "--export", "pages=p.csv")
    with running(*arguments, cwd=tmp_path) as process:
        site.block_until(lambda: "/held" in site.paths)
        interrupted(process)
    assert [path.name for path in tmp_path.iterdir()] == ["x.gossamer"]


def test_a_second_interrupt_does_not_wait_for_a_hung_process(site: Site, tmp_path: Path) -> None:
    site.page("/", links=["/held"])
    site.slow("/held")
    with running("crawl", site.url(), "-o", "x.gossamer", cwd=tmp_path) as process:
        site.block_until(lambda: "/held" in site.paths)
        host = host_of(process)
        host.suspend()
        process.send_signal(signal.SIGINT)
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(BOUNCE_S * 1.5)
        process.send_signal(signal.SIGINT)
        assert process.wait(PATIENCE_S) == 130
        assert process.stderr is not None
        said = process.stderr.read()
    assert said.endswith("gossamer: Quit at once; resume with: gossamer resume x.gossamer\n")
    assert "Traceback" not in said
    told = gossamer("info", "x.gossamer", "--json", cwd=tmp_path)
    assert json.loads(told.stdout)["state"] == "paused"


def test_the_exit_code_of_a_crashed_crawl_process_is_reported(site: Site, tmp_path: Path) -> None:
    site.page("/", links=["/held"])
    site.slow("/held")
    with running("crawl", site.url(), "-o", "x.gossamer", "-q", cwd=tmp_path) as process:
        site.block_until(lambda: "/held" in site.paths)
        host = host_of(process)
        host.kill()
        out, said = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 4
    assert out == ""
    stopped = "gossamer: The crawl stopped because its process exited;"
    assert without_delays(said).startswith(stopped)
    assert "gossamer: Resume with: gossamer resume x.gossamer\n" in said


def test_a_project_that_is_being_crawled_is_not_opened_twice(site: Site, tmp_path: Path) -> None:
    site.page("/", links=["/held"])
    site.slow("/held")
    with running("crawl", site.url(), "-o", "x.gossamer", cwd=tmp_path) as process:
        site.block_until(lambda: "/held" in site.paths)
        second = gossamer("resume", "x.gossamer", "-q", cwd=tmp_path)
        assert second.returncode == 4
        (line,) = second.stderr.splitlines()
        host = host_of(process)
        assert f"is being crawled by another Gossamer (process {host.pid} on" in line
        told = gossamer("info", "x.gossamer", cwd=tmp_path)
        assert f"State:   crawling (held by process {host.pid} on" in told.stdout
        told = gossamer("info", "x.gossamer", "--json", cwd=tmp_path)
        assert json.loads(told.stdout)["state"] == "running"
        assert json.loads(told.stdout)["held_by"]["process"] == host.pid
        assert (
            gossamer("export", "x.gossamer", "pages", "-o", "x.csv", cwd=tmp_path).returncode == 0
        )
        interrupted(process)


_OF_THE_INTERPRETER = ("Fatal Python error: init_", "Could not import runpy module")
"""What Python prints if it is interrupted before it runs anything of ours, on a busy machine."""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("after_s", [0.1, 0.2, 0.35, 0.5, 0.8])
def test_an_interrupt_during_start_leaves_no_process(
    after_s: float, number: signal.Signals, site: Site, tmp_path: Path
) -> None:
    site.page("/", links=["/held"])
    site.slow("/held")
    with started("crawl", site.url(), "-o", "x.gossamer", cwd=tmp_path) as process:
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(after_s)
        process.send_signal(number)
        said = process.communicate(timeout=PATIENCE_S)
    # Before anybody listens for signals, they end the process as they end any other.
    if not any(each in said[1] for each in _OF_THE_INTERPRETER):
        assert process.returncode in {130, -number}, said
        assert "Traceback" not in said[1]
    left = [p for p in psutil.process_iter(["cwd"]) if p.info["cwd"] == str(tmp_path)]
    psutil.wait_procs(left, timeout=PATIENCE_S)
    assert not [p for p in left if p.is_running()]
    site.block_until(lambda: site.open_connections == 0)
