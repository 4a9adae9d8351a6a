"""`gossamer measure`: how pages load, from the command line."""

import json

import pytest

from gossamer.cli import EXIT_NO_ROOT
from gossamer.cli.measure_command import measure
from gossamer.cli.parsed_commands import MeasureCommand
from gossamer.model.errors import UsageError
from gossamer.model.settings.crawl_settings import DEFAULTS, CrawlSettings
from tests.fakes.browsers import NEEDS_BROWSER
from tests.fakes.preloaded import preload_children
from tests.sites import Response, Site

SCRIPT = b"//" + b"x" * 998


@pytest.fixture(autouse=True)
def _preloaded_inspector(monkeypatch: pytest.MonkeyPatch) -> None:
    """What loads the pages is a copy of a process that has imported all."""
    preload_children(monkeypatch)


@NEEDS_BROWSER
def test_pages_are_measured_several_times_with_nothing_cached(
    site: Site, capsys: pytest.CaptureFixture[str]
) -> None:
    page = b"<!doctype html><title>x</title><p>text</p><script src=/a.js></script>"
    site.respond("/page", Response(body=page, delay_s=0.2))
    site.file("/a.js", SCRIPT, "text/javascript")
    site.robots("User-agent: *\nDisallow: /private\n")
    urls = (site.url("/page"), site.url("/missing"), site.url("/private"))
    assert measure(MeasureCommand(urls, DEFAULTS, 2, json=True)) == 0
    printed = capsys.readouterr()
    found, missing, private = json.loads(printed.out)["pages"]
    assert (site.paths.count("/page"), site.paths.count("/a.js")) == (2, 2)
    assert (found["status"], len(found["runs"])) == (200, 2)
    median, runs = found["median"], found["runs"]
    least = 150  # of 200: clocks round, and timers come early
    assert median["ttfb_ms"] == sum(run["ttfb_ms"] for run in runs) / 2 >= least
    assert median["lcp_ms"] >= median["fcp_ms"] >= least
    assert (median["page_requests"], median["page_bytes"]) == (1, len(page) + len(SCRIPT))
    assert (missing["status"], missing["runs"]) == (404, [])
    assert (private["outcome"], private["runs"]) == ("blocked_by_robots", [])
    assert f"{site.url('/missing')} was not measured: the status is 404" in printed.err


@NEEDS_BROWSER
def test_the_table_says_how_often_a_page_was_loaded(
    site: Site, capsys: pytest.CaptureFixture[str]
) -> None:
    site.page("/")
    assert measure(MeasureCommand((site.url("/"),), DEFAULTS, 1)) == 0
    head, columns, first, *_ = capsys.readouterr().out.splitlines()
    assert head == f"{site.url('/')} (1 run)"
    assert columns.split() == ["median", "lowest", "highest", "rating"]
    assert first.strip().startswith("Time to First Byte")
    assert first.endswith("good")


@NEEDS_BROWSER
def test_the_exit_code_says_that_no_page_was_measured(site: Site) -> None:
    assert measure(MeasureCommand((site.url("/missing"),), DEFAULTS, 1)) == EXIT_NO_ROOT


def test_a_browser_that_is_not_there_is_named() -> None:
    settings = CrawlSettings(roots=(), browser="/nowhere/chromium")
    with pytest.raises(UsageError, match="/nowhere/chromium"):
        measure(MeasureCommand(("http://127.0.0.1/",), settings, 1))
