"""Whoever follows the tutorial in a terminal gets where it says."""

import csv
import json
import re
import runpy
import shlex
from pathlib import Path

import pytest

from gossamer.demo.server import serve
from tests.architecture.checkout import ROOT
from tests.e2e.program import gossamer

TUTORIAL = ROOT / "docs" / "tutorial.md"
ADDRESS = "http://127.0.0.1:8400/"
PICTURES = ROOT / "packaging" / "tutorial_pictures.py"


def blocks(page: Path, language: str) -> list[str]:
    """The blocks of code of a language."""
    text = page.read_text(encoding="utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```", text, flags=re.MULTILINE | re.DOTALL)


def test_the_pictures_have_the_same_steps() -> None:
    assert blocks(TUTORIAL, "html") == [runpy.run_path(str(PICTURES))["MENDED"]]
    pictures = re.findall(r"!\[.+?\]\((.+?)\)", TUTORIAL.read_text(encoding="utf-8"))
    assert len(pictures) == 6


def test_the_problem_of_the_tutorial_is_found_and_mended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("DATA", "CONFIG", "STATE"):
        monkeypatch.setenv(f"XDG_{name}_HOME", str(tmp_path / "home"))
    museum = tmp_path / "museum"
    museum.mkdir()
    (page,) = blocks(TUTORIAL, "html")
    with serve(folder=museum) as origin:
        for line in blocks(TUTORIAL, "sh")[1].splitlines():
            if " recrawl " in line:
                (museum / "collections" / "dust").mkdir(parents=True)
                (museum / "collections" / "dust" / "index.html").write_text(page, encoding="utf-8")
            words = shlex.split(line.replace(ADDRESS, f"{origin}/"))[1:]
            done = gossamer(*words, cwd=tmp_path)
            assert done.returncode == 0, f"{line}\n{done.stderr}"
    with (tmp_path / "broken.csv").open(encoding="utf-8", newline="") as file:
        sources = {row["Source"] for row in csv.DictReader(file) if "/dust/" in row["Destination"]}
    assert f"{origin}/collections/" in sources
    comparison = ("compare", "before.gossamer", "after.gossamer", "--json", "-q")
    compared = json.loads(gossamer(*comparison, cwd=tmp_path).stdout)
    moves = {issue["name"]: (issue["before"], issue["after"]) for issue in compared["issues"]}
    assert moves["Response Codes: Internal Client Error (4xx)"] == (8, 7)
    assert (tmp_path / "report.html").is_file()
