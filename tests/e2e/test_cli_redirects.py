"""`gossamer redirects`: whether old addresses lead to the new ones of a table."""

import json
from collections.abc import Iterator
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from gossamer.session.crawl_host_connection import OPENING
from tests.e2e.program import gossamer
from tests.sites import Site


@pytest.fixture
def moved(site: Site, tmp_path: Path) -> Iterator[Path]:
    """The table of a site that has moved: four pairs are right, three are not."""
    with Site() as other:
        other.page("/shop", title="Shop")
        site.redirect("/shop", other.url("/shop"), status=301)
        site.redirect("/old", "/new", status=301)
        site.redirect("/detour", "/old", status=302)
        site.redirect("/lost", "/", status=301)
        site.page("/new", title="New")
        site.page("/", title="Home")
        site.page("/still", title="Still here")
        site.page("/gone", status=404)
        table = tmp_path / "moves.csv"
        rows = [("/old", "/new"), ("/detour", "/new"), ("/new", "/new"), ("/lost", "/new")]
        rows += [("/still", "/new"), ("/gone", "/new"), ("/shop", other.url("/shop"))]
        table.write_text("".join(f"{old};{new}\r\n" for old, new in [("Old", "New"), *rows]))
        yield table


def run(*arguments: str | Path, folder: Path) -> CompletedProcess[str]:
    return gossamer("redirects", *arguments, "-q", cwd=folder)


def test_each_pair_is_requested_and_told_with_its_redirects(
    moved: Path, site: Site, tmp_path: Path
) -> None:
    project, out = tmp_path / "moved.gossamer", tmp_path / "checked.csv"
    base = ("--base", site.url("/"))
    done = run(moved, "--project", project, *base, "--json", "-o", out, folder=tmp_path)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    counts = {key: value for key, value in found.items() if isinstance(value, int)}
    assert counts == {
        "pairs": 7,
        "not_checked": 0,
        "broken": 1,
        "right": 4,
        "not_redirected": 1,
        "wrong_target": 1,
        "chains": 1,
        "temporary": 1,
    }
    assert [each["line"] for each in found["redirects"]] == [2, 3, 4, 5, 6, 7, 8]
    hops = [(hop["url"], hop["status"]) for hop in found["redirects"][1]["hops"]]
    assert hops == [(site.url("/detour"), 302), (site.url("/old"), 301), (site.url("/new"), 200)]
    assert out.read_text(encoding="utf-8").count("\n") == 8
    before = len(site.requests)
    again = run(moved, project, *base, folder=tmp_path)
    assert len(site.requests) == before, "a project is only read"
    assert f"Wrong target: {site.url('/lost')}" in again.stdout
    assert f"Not redirected: {site.url('/still')}" in again.stdout


@pytest.mark.parametrize(
    ("bounds", "sentences"),
    [
        (["wrong"], ["--fail-on wrong: 3 found, 0 allowed."]),
        (["wrong:3"], []),
        (["wrong:3", "chains", "temporary:1"], ["--fail-on chains: 1 found, 0 allowed."]),
    ],
)
def test_bounds_make_the_exit_code(
    moved: Path, site: Site, tmp_path: Path, bounds: list[str], sentences: list[str]
) -> None:
    options = [word for bound in bounds for word in ("--fail-on", bound)]
    done = run(moved, "--base", site.url("/"), *options, folder=tmp_path)
    assert done.returncode == (5 if sentences else 0)
    told = [line for line in done.stderr.splitlines() if OPENING not in line]  # on a busy machine
    assert told == [f"gossamer: {each}" for each in sentences]


def test_a_workbook_is_to_be_saved_as_csv(tmp_path: Path) -> None:
    (tmp_path / "Moves.XLSX").write_bytes(b"PK")
    done = run("Moves.XLSX", folder=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert "Moves.XLSX is a workbook; save its sheet as CSV." in done.stderr


@pytest.mark.parametrize(
    ("table", "options", "sentence"),
    [
        ("a,b", [], "has no addresses"),
        ("https://a.example/", [], "line 1"),
        ("/a,/b", [], "--base"),
        ("https://a.example/,https://b.example/", ["-o", "x.html"], "'x.html'"),
        ("https://a.example/,https://b.example/", ["-o", "moves.csv"], "is what is read"),
        ("https://a.example/,https://b.example/", ["--fail-on", "errors"], "wrong, chains or"),
        ("https://a.example/,https://b.example/", ["p.gossamer", "--workers", "2"], "crawling"),
        ("https://a.example/,https://b.example/", ["p.gossamer", "--project", "q"], "leave out"),
    ],
)
def test_mistakes_are_told_before_anything_is_requested(
    table: str, options: list[str], sentence: str, tmp_path: Path
) -> None:
    (tmp_path / "moves.csv").write_text(table)
    done = run("moves.csv", *options, folder=tmp_path)
    assert done.returncode == 2, done.stderr
    assert sentence in done.stderr
    assert done.stdout == ""


def test_a_project_that_is_none_is_told_as_such(moved: Path, site: Site, tmp_path: Path) -> None:
    done = run(moved, "none.gossamer", "--base", site.url("/"), folder=tmp_path)
    assert done.returncode == 4
    assert "none.gossamer" in done.stderr
