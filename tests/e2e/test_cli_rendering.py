"""What the command line says of a crawl whose pages no browser has shown."""

import sys
from pathlib import Path

import pytest

from tests.e2e.program import gossamer
from tests.sites import Site

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the browser is a shell script")


def crawled_with(browser: Path, site: Site) -> str:
    """What a crawl prints as its complaints."""
    site.page("/", links=["/a", "/b"])
    site.page("/a")
    site.page("/b")
    options = ("--render", "on", "--browser", browser, "-o", "x.gossamer")
    done = gossamer("crawl", site.url(), *options, cwd=browser.parent)
    assert done.returncode == 0, done.stderr
    return done.stderr


def test_a_browser_that_does_not_start_is_told_once(site: Site, tmp_path: Path) -> None:
    broken = tmp_path / "headless-nothing"
    broken.write_text("#!/bin/sh\nexit 1\n")
    broken.chmod(0o700)
    printed = crawled_with(broken, site)
    assert printed.count("The browser did not start, so pages were not rendered: 3.") == 1


def test_where_a_browser_is_missing_the_crawl_says_so_at_once(site: Site, tmp_path: Path) -> None:
    site.page("/")
    options = ("--render", "on", "--browser", tmp_path / "nowhere", "-o", "x.gossamer")
    done = gossamer("crawl", site.url(), *options, cwd=tmp_path)
    assert f"There is no browser {tmp_path / 'nowhere'}" in done.stderr


def test_accessibility_without_rendering_is_told_before_the_crawl(
    site: Site, tmp_path: Path
) -> None:
    site.page("/")
    options = ("--accessibility", "aa", "-o", "x.gossamer")
    done = gossamer("crawl", site.url(), *options, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stderr.count("--accessibility has no effect without --render") == 1


def test_a_site_that_needs_javascript_is_told_with_the_option_that_helps(
    site: Site, tmp_path: Path
) -> None:
    empty = "<div id=app></div><script src=app.js></script>"
    site.page("/", links=["/a", "/b", "/c"])
    for path in ("/a", "/b", "/c"):
        site.page(path, body=empty)
    done = gossamer("crawl", site.url(), "-o", "x.gossamer", cwd=tmp_path)
    assert "Crawl it again with '--render on'" in done.stderr


def test_a_start_page_that_is_empty_without_javascript_is_told_too(
    site: Site, tmp_path: Path
) -> None:
    site.page("/", body="<div id=app></div><script src=app.js></script>")
    done = gossamer("crawl", site.url(), "-o", "x.gossamer", cwd=tmp_path)
    assert "Crawl it again with '--render on'" in done.stderr
