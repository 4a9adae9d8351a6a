"""Whole crawls from the command line: what they find, write, print, and end with."""

import csv
import gzip
import json
import os
import re
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from gossamer.model.fields.url_record import UrlRecord
from gossamer.model.outcome import Outcome, UrlState
from gossamer.model.project_queries import View
from gossamer.session.default_paths import log_path
from gossamer.store.reading.reader import Reader
from tests.e2e.program import command, gossamer, running, started
from tests.patience import PATIENCE_S
from tests.sites import Response, Site, html_page
from tests.sites.demo_truth import NO_REAL_PAGES, expected
from tests.sites.refused import refusing_port

CHECKED_FILES = 12
"""Style sheet, icon, script and pictures of the demo site, which are checked by default."""
TORN_OUT = 2
"""Pages that are named like this and do not exist."""
ONLY_NAMED = 3
"""Pages of its workshop that canonicals and the like name, and no link."""
IN_SITEMAPS = 4
"""Its two sitemaps, and the two pages that nothing else leads to."""


def records(project: Path) -> dict[str, UrlRecord]:
    """All URLs of a project by address."""
    with Reader(project) as reader:
        return {record.url: record for record in reader.iterate(View.ALL)}


def json_report(done: "subprocess.CompletedProcess[str]") -> dict[str, Any]:
    report: dict[str, Any] = json.loads(done.stdout)
    return report


@pytest.fixture
def demo_address(tmp_path: Path) -> Iterator[str]:
    """Serve the demo site as `gossamer demo --serve` does; give its address."""
    with running("demo", "--serve", cwd=tmp_path) as serving:
        assert serving.stdout is not None
        yield serving.stdout.readline().strip()


def test_the_whole_demo_site_is_crawled(demo_address: str, tmp_path: Path) -> None:
    asked_for = ("-o", "x.gossamer", "--json", "--profile", "links")
    done = gossamer("crawl", demo_address, *asked_for, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    truth = expected()
    origin = demo_address.rstrip("/")
    found = records(tmp_path / "x.gossamer")
    asked = {
        url.removeprefix(origin): (record.status, record.depth)
        for url, record in found.items()
        if record.state is UrlState.DONE
    }
    assert asked == {
        path: (url.status, url.depth) for path, url in truth.urls.items() if url.status is not None
    }
    # Whether a page that refreshes itself away counts as a redirect is for the engine to say.
    refreshing = [r for r in found.values() if r.outcome.is_redirect and r.status == 200]
    away = ("/visit/map.html", "/workshop/answers/refresh.html")
    assert {record.url for record in refreshing} <= {origin + path for path in away}
    assert json_report(done) == {
        **json_report(done),
        "state": "finished",
        "roots": [demo_address],
        "root_count": 1,
        "known": len(found),
        "fetched": len(asked),
        "pages": len(truth.pages.keys() | NO_REAL_PAGES) - len(refreshing),
        "redirects": len(truth.redirects) + len(refreshing),
        "project": str(tmp_path / "x.gossamer"),
    }


def test_the_demo_command_crawls_it_and_reports(tmp_path: Path) -> None:
    done = gossamer("demo", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    statuses = Counter(url.status for url in expected().urls.values())
    statuses[200] += CHECKED_FILES + ONLY_NAMED + IN_SITEMAPS
    statuses[404] += TORN_OUT
    for status, number in statuses.items():
        if status is not None:
            assert f"  {status} " in done.stdout
            (line,) = (n for n in done.stdout.splitlines() if n.startswith(f"  {status} "))
            assert line.split()[-1] == str(number)
    project = Path(done.stdout.rpartition("Project: ")[2].strip())
    assert project.suffix == ".gossamer"
    assert project.is_file()
    assert str(project) in done.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="sends a POSIX signal")
def test_serving_the_demo_ends_well_with_an_interrupt(tmp_path: Path) -> None:
    with started("demo", "--serve", cwd=tmp_path) as serving:
        assert serving.stdout is not None
        assert serving.stdout.readline().startswith("http://127.0.0.1:")
        serving.send_signal(signal.SIGINT)
        assert serving.wait(PATIENCE_S) == 0
        assert serving.stderr is not None
        assert serving.stderr.read() == ""


def test_exports_are_written_at_the_end(site: Site, tmp_path: Path) -> None:
    site.page("/", links=["/a", "/old", "/gone"], title="Home")
    site.page("/a", title="A")
    site.redirect("/old", "/a")
    exports = ("--export", "pages=p.csv", "--export", "redirects=r.csv")
    done = gossamer("crawl", site.url(), "-o", "x.gossamer", *exports, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert {path.name for path in tmp_path.iterdir()} == {"x.gossamer", "p.csv", "r.csv"}
    with (tmp_path / "p.csv").open(encoding="utf-8", newline="") as file:
        assert [row["Address"] for row in csv.DictReader(file)] == [site.url(), site.url("/a")]
    again = gossamer("export", "x.gossamer", "errors", "-o", "e.csv", cwd=tmp_path)
    assert again.returncode == 0, again.stderr
    assert again.stderr == "Saved 1 row to e.csv.\n"
    assert site.url("/gone") in (tmp_path / "e.csv").read_text(encoding="utf-8")


def test_options_reach_the_server(site: Site, tmp_path: Path) -> None:
    site.robots("User-agent: *\nDisallow: /")
    site.page("/", links=["/in/a", "/in/b", "/out", "/in/private"])
    for path in ("/in/a", "/in/b", "/out", "/in/private"):
        site.page(path)
    options = ("--no-robots", "--user-agent", "Spinne/8", "-q")
    headers = ("--header", "X-Legs: eight", "--public-header", "X-Eyes: many")
    patterns = ("--include", "/in/", "--exclude", "private$")
    done = gossamer(
        "crawl", site.url(), *options, *headers, *patterns, "-o", "x.gossamer", cwd=tmp_path
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert sorted(site.paths) == ["/", "/in/a", "/in/b"]
    assert {request.header("User-Agent") for request in site.requests} == {"Spinne/8"}
    assert {request.header("X-Legs") for request in site.requests} == {"eight"}
    assert {request.header("X-Eyes") for request in site.requests} == {"many"}


def test_verbose_lists_settings_and_errors(site: Site, tmp_path: Path) -> None:
    site.page("/", links=["/gone"])
    done = gossamer("crawl", site.url(), "-v", "-o", "x.gossamer", cwd=tmp_path)
    assert re.search(r"^  max_redirects +10$", done.stderr, re.MULTILINE)
    assert f"{site.url('/gone')}, found on {site.url()}: 404 Not Found" in done.stderr


def test_a_finished_crawl_is_only_reported_again(site: Site, tmp_path: Path) -> None:
    site.page("/")
    gossamer("crawl", site.url(), "-o", "x.gossamer", cwd=tmp_path)
    asked = list(site.paths)
    done = gossamer("resume", "x.gossamer", "--json", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert json_report(done)["pages"] == 1
    assert site.paths == asked


def test_info_prints_the_same_figures_as_the_report(site: Site, tmp_path: Path) -> None:
    site.page("/", links=["/gone"])
    crawled = gossamer("crawl", site.url(), "-o", "x.gossamer", "--json", cwd=tmp_path)
    told = gossamer("info", "x.gossamer", "--json", cwd=tmp_path)
    assert told.returncode == 0, told.stderr
    report = json_report(crawled)
    assert {key: json_report(told)[key] for key in report} == report
    assert json_report(told)["statuses"] == {"200": 1, "404": 1}


def test_bytes_received_are_those_sent_over_the_wire(site: Site, tmp_path: Path) -> None:
    packed = gzip.compress(html_page("Silk", [], '<img src="/large.png">' + "silk " * 1000))
    headers = (("Content-Encoding", "gzip"),)
    site.respond("/", Response(200, packed, "text/html", headers))
    site.file("/large.png", bytes(1_000_000), "image/png")  # asked for its headers only
    done = gossamer("crawl", site.url(), "-o", "x.gossamer", "--json", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert json_report(done)["fetched"] == 2
    assert json_report(done)["bytes"] == len(packed)


# ---------------------------------------------------------------- roots in trouble


def in_vain(tmp_path: Path, *arguments: str) -> list[str]:
    """Crawl roots that cannot be fetched; what is said on standard error, line by line."""
    done = gossamer("crawl", *arguments, "-q", "-o", "x.gossamer", cwd=tmp_path)
    assert done.returncode == 3, done.stderr
    return done.stderr.splitlines()


def test_roots_that_cannot_be_reached_end_with_3(tmp_path: Path) -> None:
    with refusing_port() as port:
        roots = [f"http://127.0.0.1:{port}/{name}" for name in "ab"]
        said = in_vain(tmp_path, *roots, "--max-tries", "1")
    sentence = Outcome.CONNECTION_REFUSED.sentence
    detail = f"(connection refused (127.0.0.1, port {port}))"
    assert said == [f"gossamer: {root}: {sentence} {detail}" for root in roots]


def test_a_root_that_robots_txt_forbids_ends_with_3(site: Site, tmp_path: Path) -> None:
    site.robots("User-agent: *\nDisallow: /")
    said = in_vain(tmp_path, site.url())
    line = f"({site.url('/robots.txt')}, line 2: Disallow: /)"
    assert said == [f"gossamer: {site.url()}: {Outcome.BLOCKED_BY_ROBOTS.sentence} {line}"]
    assert site.paths == ["/robots.txt"]


def test_a_root_that_is_excluded_ends_with_3(site: Site, tmp_path: Path) -> None:
    said = in_vain(tmp_path, site.url(), "--exclude", "127")
    pattern = "(exclude pattern 127)"
    assert said == [f"gossamer: {site.url()}: {Outcome.EXCLUDED.sentence} {pattern}"]
    assert site.paths == []


def test_one_fetched_root_is_enough_for_success(site: Site, tmp_path: Path) -> None:
    site.page("/")
    with refusing_port() as port:
        bad = f"http://127.0.0.1:{port}/"
        few = ("-q", "--max-tries", "1", "-o", "x.gossamer")
        done = gossamer("crawl", site.url(), bad, *few, cwd=tmp_path)
    assert done.returncode == 0
    assert done.stderr.startswith(f"gossamer: {bad}: {Outcome.CONNECTION_REFUSED.sentence}")


def test_a_root_with_an_error_status_counts_as_fetched(site: Site, tmp_path: Path) -> None:
    done = gossamer("crawl", site.url("/gone"), "-q", "-o", "x.gossamer", cwd=tmp_path)
    assert done.returncode == 0
    assert "(status 404)" in done.stderr


def test_a_root_that_redirects_off_site_gets_a_hint(site: Site, tmp_path: Path) -> None:
    site.redirect("/", "http://elsewhere.test/")
    done = gossamer("crawl", site.url(), "-q", "-o", "x.gossamer", cwd=tmp_path)
    assert done.returncode == 3
    assert f"{site.url()} redirects to http://elsewhere.test/" in done.stderr
    assert "--host-match lenient" in done.stderr


# ---------------------------------------------------------------- where output goes


def test_a_closed_output_pipe_does_not_end_the_crawl(site: Site, tmp_path: Path) -> None:
    site.page("/")
    reading, writing = os.pipe()
    os.close(reading)
    try:
        done = subprocess.run(
            command("crawl", site.url(), "-q", "-o", "x.gossamer"),
            cwd=tmp_path,
            check=False,
            stdout=writing,
            stderr=subprocess.PIPE,
            text=True,
            timeout=PATIENCE_S,
        )
    finally:
        os.close(writing)
    # A busy machine takes long to open the project, which is said.
    said = [line for line in done.stderr.splitlines() if "Still opening" not in line]
    assert (done.returncode, said) == (0, [])


def test_control_characters_from_the_web_do_not_reach_the_terminal(
    site: Site, tmp_path: Path
) -> None:
    site.page("/", links=["/\x1b[2J", "/a\u202eb", "/\x9b2J"], title="\x1b]0;owned\x07")
    site.raw("/%1B[2J", b"HTTP/1.1 404 \x1b[2J\r\nContent-Length: 0\r\n\r\n")
    done = gossamer("crawl", site.url(), "-v", "-o", "x.gossamer", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    lines = (done.stdout + done.stderr).splitlines()
    assert [line for line in lines if not line.isprintable()] == []


def test_files_with_hostile_names_are_written_and_printed_safely(
    site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a user names is called so; what is named after it can be had on every system."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    site.page("/", links=["/a"])
    project, export = "nul.\n\x1b[31m\u202e" + "漢" * 60 + ".gossamer", "=\x1b[2J\u202e.csv"
    done = gossamer(
        "crawl", site.url(), "-v", "-o", project, "--export", f"pages={export}", cwd=tmp_path
    )
    assert done.returncode == 0, done.stderr
    lines = (done.stdout + done.stderr).splitlines()
    assert [line for line in lines if not line.isprintable()] == []
    assert {project, export} <= {path.name for path in tmp_path.iterdir()}
    assert not [*tmp_path.glob("gossamer/log/*.log")], "nothing had to be logged"
    log = log_path(tmp_path / project)
    log.touch()
    assert log.name.startswith("_nul.--[31m-漢")
    assert log.name.isprintable()
