"""`gossamer compare`, as a script uses it."""

import csv
import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.cases import each_case
from tests.e2e.program import gossamer
from tests.sites import Site


def run(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    return gossamer(*arguments, cwd=Path.cwd())


@pytest.fixture
def projects(site: Site, tmp_path: Path) -> tuple[Path, Path]:
    before, after = tmp_path / "before.gossamer", tmp_path / "after.gossamer"
    site.page("/", title="Home", links=["/a", "/gone"])
    site.page("/a", title="A")
    site.page("/gone", title="Gone")
    assert run("crawl", site.url("/"), "-o", before, "-q").returncode == 0
    site.page("/", title="Home", links=["/a", "/new"])
    site.page("/a", title="")
    site.page("/new", title="New")
    assert run("crawl", site.url("/"), "-o", after, "-q").returncode == 0
    return before, after


def test_two_crawls_are_compared_with_their_issues(
    projects: tuple[Path, Path], site: Site, tmp_path: Path
) -> None:
    changes, report = tmp_path / "changes.csv", tmp_path / "report.html"
    done = run(
        *("compare", *projects, "-o", changes, "-o", report),
        *("--fail-on", "Page Titles: Missing", "--fail-on", "new:1"),
    )
    assert done.returncode == 5, done.stderr
    assert "--fail-on Page Titles: Missing: 1 found, 0 allowed." in done.stderr
    assert "new" not in [line.split()[1] for line in done.stderr.splitlines() if "--fail" in line]
    assert "1 new, 1 missing" in done.stdout
    with changes.open(newline="") as file:
        rows = [tuple(row.values()) for row in csv.DictReader(file)]
    assert (site.url("/a"), "Changed", "Title 1", "A", "") in rows
    assert (site.url("/a"), "Changed", "Page Titles: Missing", "No", "Yes") in rows
    assert (site.url("/new"), "New", "Status Code", "", "200") in rows
    assert (site.url("/gone"), "Missing", "Status") in [row[:3] for row in rows]
    assert report.read_text().startswith("<!doctype html>")
    told = json.loads(run("compare", *projects, "--json").stdout)
    assert told["after"]["audited"]
    assert told["notes"] == []
    cache = os.environ.get("XDG_CACHE_HOME")
    left = [] if cache is None else list(Path(cache).rglob("*.comparison"))
    assert left == []


def test_links_and_single_tables_of_what_passes_a_filter(
    projects: tuple[Path, Path], site: Site, tmp_path: Path
) -> None:
    before, _ = projects
    after, links = tmp_path / "broken.gossamer", tmp_path / "links.csv"
    site.status("/a", 404)
    site.page("/", title="Home", links=["/a", "/new"])
    assert run("crawl", site.url("/"), "-o", after, "-q").returncode == 0
    done = run(
        *("compare", before, after, "--export", f"broken-links={links}"),
        *("--fail-on", "broken-links", "--where", "status-class=4xx"),
    )
    assert done.returncode == 5, done.stderr
    assert "--fail-on broken-links: 1 found, 0 allowed." in done.stderr
    assert "Only:   status-class=4xx" in done.stdout
    assert "0 new, 0 missing and 1 changed URLs" in done.stdout
    with links.open(newline="") as file:
        rows = list(csv.reader(file))
    assert rows[1:] == [[site.url("/"), site.url("/a"), "Added", "200", "404"]]


def test_a_project_compared_with_itself_or_a_copy_differs_in_nothing(
    projects: tuple[Path, Path], tmp_path: Path
) -> None:
    before, _ = projects
    copy = tmp_path / "copy.gossamer"
    assert run("copy", before, "-o", copy).returncode == 0
    for other in (before, copy):
        done = run("compare", before, other, "--fail-on", "any", "--fields", "all")
        assert done.returncode == 0, done.stderr
        assert "The crawls do not differ." in done.stdout


@each_case(
    ("arguments", "code", "sentence"),
    [
        (("{before}", "{none}"), 4, "does not exist"),
        (("{before}", "{text}"), 4, "is not a Gossamer project"),
        (("{before}", "{newer}"), 4, "newer Gossamer"),
        (("{before}", "{damaged}"), 4, "damaged"),
        (("{before}", "{before}", "-o", "{before}"), 2, "cannot be written"),
        (("{before}", "{before}", "-o", "x.csv", "-o", "x.csv"), 2, "one file"),
        (("{before}", "{before}", "--fields", "colour"), 2, "no field"),
        (("{before}", "{before}", "--export", "links=x.csv"), 2, "not TABLE=FILE"),
        (("{before}", "{before}", "--export", "moved=x.html"), 2, "a report has all"),
        (("{before}", "{before}", "--where", "colour=red"), 2, "not FACET=VALUE"),
        (("{before}", "{before}", "--map", "a=b"), 2, "maps no addresses"),
        (("{before}", "{before}", "--fail-on", "worse"), 2, "--fail-on takes"),
    ],
)
def test_what_cannot_be_compared_is_told_in_one_sentence(
    projects: tuple[Path, Path],
    tmp_path: Path,
    arguments: tuple[str, ...],
    code: int,
    sentence: str,
) -> None:
    before, _ = projects
    names = {name: str(tmp_path / f"{name}.gossamer") for name in ("none", "text", "newer")}
    Path(names["text"]).write_text("no project")
    shutil.copyfile(before, names["newer"])
    with Path(names["newer"]).open("r+b") as file:
        file.seek(60)
        file.write((99).to_bytes(4, "big"))
    damaged = tmp_path / "damaged.gossamer"
    content = before.read_bytes()
    damaged.write_bytes(content[:8192] + bytes(len(content) - 8192))
    given = [each.format(before=before, damaged=damaged, **names) for each in arguments]
    done = run("compare", *given)
    assert (done.returncode, done.stdout) == (code, "")
    assert sentence in done.stderr
    assert done.stderr.count("\n") == 1
