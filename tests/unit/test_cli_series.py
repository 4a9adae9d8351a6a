"""`gossamer series` and `gossamer note`."""

import csv
import json
from pathlib import Path

import pytest

from gossamer.cli.main import run_cli
from gossamer.session.series import series_of
from tests.cases import each_case
from tests.fakes.crawled import SITE
from tests.fakes.finished_crawl import finished_crawl


@pytest.fixture(autouse=True)
def _own_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return finished_crawl(tmp_path / "a.gossamer")


class Cli:
    """Runs commands; what they print."""

    def __init__(self, capfd: pytest.CaptureFixture[str]) -> None:
        self._capfd = capfd

    def __call__(self, *arguments: object, code: int = 0) -> str:
        assert run_cli([str(each) for each in arguments], lambda _: 1) == code
        said = self._capfd.readouterr()
        return said.err if code else said.out


@pytest.fixture
def cli(capfd: pytest.CaptureFixture[str]) -> Cli:
    return Cli(capfd)


def test_the_crawls_of_a_series_are_shown(cli: Cli, project: Path) -> None:
    series = series_of(project).id
    second = finished_crawl(project.with_name("b.gossamer"), pages=5, series=series)
    told = json.loads(cli("series", "show", second, "--json"))
    assert [(each["pages"], each["exists"]) for each in told["crawls"]] == [(2, True), (5, True)]
    project.unlink()
    lines = cli("series", "show", series[:6]).splitlines()
    assert lines[1].endswith(f"(missing) {project}")
    assert lines[2].endswith(str(second))
    rows = list(csv.DictReader(cli("series", "show", second, "--csv").splitlines()))
    assert [row["Pages"] for row in rows] == ["2", "5"]
    (listed,) = json.loads(cli("series", "list", "--json"))["series"]
    assert (listed["id"], listed["crawls"], listed["missing"]) == (series, 2, 1)
    assert "2 crawls (1 file missing)" in cli("series", "list")


def test_missing_projects_are_found_or_forgotten(cli: Cli, project: Path, tmp_path: Path) -> None:
    series = series_of(project).id
    second = finished_crawl(project.with_name("b.gossamer"), pages=5, series=series)
    series_of(second)
    backup = tmp_path / "backup"
    backup.mkdir()
    moved = project.rename(backup / "old.gossamer")
    assert "series relink" in cli("series", "show", series[:6])
    cli("series", "relink", second, backup)
    told = json.loads(cli("series", "show", second, "--json"))["crawls"]
    assert [(each["project"], each["place"]) for each in told] == [
        (str(moved), "here"),
        (str(second), "here"),
    ]
    moved.unlink()
    cli("series", "forget", second, "--missing")
    assert len(json.loads(cli("series", "show", second, "--json"))["crawls"]) == 1
    when = cli("series", "show", second).splitlines()[1][:16]
    assert "still there" in cli("series", "forget", second, "--crawl", when, code=2)
    second.unlink()
    cli("series", "forget", series, "--crawl", when)
    cli("series", "forget", series, "--all")
    assert cli("series", "list") == ""


def test_crawls_on_a_disk_that_may_come_back_are_not_forgotten_as_missing(
    cli: Cli, project: Path, tmp_path: Path
) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    series = series_of(project).id
    away = finished_crawl(disk / "b.gossamer", series=series)
    series_of(away)
    project.unlink()
    disk.rename(tmp_path / "elsewhere")
    cli("series", "forget", series, "--missing")
    (left,) = json.loads(cli("series", "show", series, "--json"))["crawls"]
    assert (left["project"], left["place"]) == (str(away), "out of reach")


def test_a_note_on_a_url_that_no_crawl_knows_is_asked_about(cli: Cli, project: Path) -> None:
    def refused(url: str) -> str:
        return cli("note", "add", project, "x", "--url", url, code=2)

    assert f"did you mean {SITE}/1?" in refused(f"{SITE}/1/")
    assert f"did you mean {SITE}/1?" in refused(f"{SITE}/l")
    assert "did you mean" not in refused("https://other.example/")
    assert "--force" in refused("https://other.example/")
    assert f"did you mean {SITE}/1?" in refused(f"{SITE}/1#/cart"), "views are no pages here"
    cli("note", "add", project, "x", "--url", f"{SITE}/coming", "--force")
    cli("note", "add", project, "again", "--url", f"{SITE}/coming")
    series = series_of(project).id
    project.unlink()
    cli("note", "add", series, "nobody can tell", "--url", f"{SITE}/2")


@pytest.mark.parametrize(
    ("option", "about"),
    [
        ((), "site"),
        (("--url", "EXAMPLE.com/a b", "--force"), "https://example.com/a%20b"),
        (("--url", "example.com/#/cart", "--force"), "https://example.com/#/cart"),
        (("--issue", "h1: missing"), "H1: Missing"),
        (("--date", "2026-11-20"), "2026-11-20"),
        (("--crawl",), "crawl of "),
    ],
)
def test_a_note_is_listed_with_what_it_is_about(
    cli: Cli, project: Path, option: tuple[str, ...], about: str
) -> None:
    cli("note", "add", project, "Relaunch\x1b[31m", *option)
    cli("note", "add", project, "Another", "--url", f"{SITE}/1")
    asked = [each for each in option if each != "--force"]
    (line,) = cli("note", "list", project, *asked).splitlines()[:1]
    assert about in line
    assert "Relaunch\ufffd[31m" in line
    cli("note", "remove", project, "1")
    assert len(json.loads(cli("note", "list", project, "--json"))["notes"]) == 1


@each_case(
    ("arguments", "code", "said"),
    [
        (("note", "add", "FILE", " "), 2, "Enter the text"),
        (("note", "add", "FILE", "x", "--date", "tomorrow"), 2, "not a date"),
        (("note", "add", "FILE", "x", "--issue", "H7: Missing"), 2, "H1: Missing"),
        (("note", "add", "FILE", "x", "--url", "a.de", "--crawl"), 2, "about one thing"),
        (("note", "remove", "FILE", "7"), 2, "no note with the number 7"),
        (("note", "add", "FILE", "x", "--force"), 2, "goes with --url"),
        (("series", "forget", "FILE"), 2, "--missing"),
        (("series", "forget", "FILE", "--crawl", "1999"), 2, "0 crawls of '1999'"),
        (("series", "forget", "FILE", "--crawl", ""), 2, "0 crawls of ''"),
        (("series", "relink", "FILE", "nowhere"), 2, "no file or folder"),
        (("series", "show", "none.gossamer"), 4, "does not exist"),
        (("series", "show", "deadbeef"), 2, "0 series"),
        (("series", "show", "a" * 300), 4, "too long"),
        (("series", "show", "FILE", "--json", "--csv"), 2, "not both"),
        (("series",), 2, "see 'gossamer series --help'"),
        (("series", "shwo", "FILE"), 2, "shwo"),
    ],
)
def test_mistakes_are_told(
    cli: Cli, project: Path, arguments: tuple[str, ...], code: int, said: str
) -> None:
    typed = [project if each == "FILE" else each for each in arguments]
    told = cli(*typed, code=code)
    assert said in told
    assert len(told.splitlines()) == 1
