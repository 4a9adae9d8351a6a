"""`gossamer series` and `gossamer note`."""

import csv
import json
from pathlib import Path

import pytest

from gossamer.cli.main import run_cli
from gossamer.session.series import series_of
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
    assert lines[1].endswith("(removed)")
    assert lines[2].endswith(str(second))
    rows = list(csv.DictReader(cli("series", "show", second, "--csv").splitlines()))
    assert [row["Pages"] for row in rows] == ["2", "5"]
    (listed,) = json.loads(cli("series", "list", "--json"))["series"]
    assert (listed["id"], listed["crawls"]) == (series, 2)
    assert "2 crawls" in cli("series", "list")


@pytest.mark.parametrize(
    ("option", "about"),
    [
        ((), "site"),
        (("--url", "EXAMPLE.com/a b"), "https://example.com/a%20b"),
        (("--issue", "h1: missing"), "H1: Missing"),
        (("--date", "2026-11-20"), "2026-11-20"),
        (("--crawl",), "crawl of "),
    ],
)
def test_a_note_is_listed_with_what_it_is_about(
    cli: Cli, project: Path, option: tuple[str, ...], about: str
) -> None:
    cli("note", "add", project, "Relaunch\x1b[31m", *option)
    cli("note", "add", project, "Another", "--url", "https://example.com/other")
    (line,) = cli("note", "list", project, *option).splitlines()[:1]
    assert about in line
    assert "Relaunch\ufffd[31m" in line
    cli("note", "remove", project, "1")
    assert len(json.loads(cli("note", "list", project, "--json"))["notes"]) == 1


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("note", "add", "FILE", " "), 2, "Enter the text"),
        (("note", "add", "FILE", "x", "--date", "tomorrow"), 2, "not a date"),
        (("note", "add", "FILE", "x", "--issue", "H7: Missing"), 2, "H1: Missing"),
        (("note", "add", "FILE", "x", "--url", "a.de", "--crawl"), 2, "about one thing"),
        (("note", "remove", "FILE", "7"), 2, "no note with the number 7"),
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
