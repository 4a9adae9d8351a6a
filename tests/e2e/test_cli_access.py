"""`gossamer crawlers` and `robots`: who may fetch a URL, and what an edited robots.txt changes."""

import json
import subprocess
from pathlib import Path

import pytest

from tests.cases import each_case
from tests.e2e.program import gossamer
from tests.sites import Site


def run(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    return gossamer(*arguments, cwd=Path.cwd())


@pytest.fixture
def project(site: Site, tmp_path: Path) -> Path:
    site.robots("User-agent: GPTBot\nDisallow: /\n")
    site.page("/", title="Home", links=["/private/a"])
    site.page("/private/a", title="A", headers=[("X-Robots-Tag", "googlebot: noindex")])
    path = tmp_path / "p.gossamer"
    assert run("crawl", site.url("/"), "-o", path, "-q").returncode == 0
    return path


def access(project: Path, *url: str) -> dict[str, dict[str, object]]:
    done = run("crawlers", project, *url, "--json")
    assert done.returncode == 0, done.stderr
    return {each["name"]: each for each in json.loads(done.stdout)["crawlers"]}


def test_each_crawler_is_told_with_the_line_that_decides(project: Path, site: Site) -> None:
    found = access(project)
    assert (found["GPTBot"]["may_fetch"], found["GPTBot"]["line"]) == (
        False,
        {"number": 2, "text": "Disallow: /"},
    )
    assert found["Googlebot"]["may_use"]
    text = run("crawlers", project).stdout
    assert "line 2: Disallow: /" in text
    assert all(name in text for name in found)
    private = access(project, site.url("/private/a"))
    assert (private["Googlebot"]["may_fetch"], private["Googlebot"]["may_use"]) == (True, False)
    assert private["Googlebot"]["directive"] == "X-Robots-Tag: noindex"


def test_an_edited_file_is_tried_on_all_urls(project: Path, site: Site, tmp_path: Path) -> None:
    edited = tmp_path / "robots.txt"
    edited.write_text("User-agent: *\nDisallow: /private/\n")
    done = run("robots", project, "--try", edited, "--json")
    changes = {each["url"]: each for each in json.loads(done.stdout)["changes"]}
    assert "GPTBot" in changes[site.url("/")]["allowed"]
    assert "Googlebot" in changes[site.url("/private/a")]["disallowed"]
    text = run("robots", project, "--try", edited).stdout
    assert f"{len(changes)} URLs of {site.url('/')[:-1]} would change." in text


@each_case(
    ("status", "options", "changes"),
    [
        (503, ("--max-tries", "1"), 1),  # nothing may be fetched
        (404, (), 0),
        (503, ("--no-robots",), 0),  # it was not requested
    ],
)
def test_a_robots_txt_that_could_not_be_read_is_what_an_edited_one_is_compared_with(
    site: Site, tmp_path: Path, status: int, options: tuple[str, ...], changes: int
) -> None:
    site.page("/robots.txt", status=status)
    site.page("/", title="Home")
    path, edited = tmp_path / f"{status}{len(options)}.gossamer", tmp_path / "robots.txt"
    run("crawl", site.url("/"), "-o", path, "-q", *options)
    edited.write_text("User-agent: *\nAllow: /\n")
    for crawler in ((), ("--crawler", "Googlebot")):
        done = run("robots", path, "--try", edited, "--json", *crawler)
        found = [each["url"] for each in json.loads(done.stdout)["changes"]]
        assert found == [site.url("/")] * changes


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["crawlers", "p.gossamer", "https://elsewhere.test/"], "was not crawled"),
        (["robots", "p.gossamer", "--try", "no.txt"], "cannot be read"),
    ],
)
def test_a_mistake_is_told_in_one_sentence(
    project: Path, arguments: list[str], sentence: str
) -> None:
    done = gossamer(*arguments, cwd=project.parent)
    assert done.returncode == 2
    assert sentence in done.stderr
