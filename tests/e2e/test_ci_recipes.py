"""The recipes in docs/ci.md do what they say, as a pipeline's shell runs them."""

import json
import re
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

import pytest

from tests.architecture.checkout import ROOT
from tests.e2e.program import run_line
from tests.sites import Site

if TYPE_CHECKING:
    import subprocess

DOCUMENT = (ROOT / "docs" / "ci.md").read_text(encoding="utf-8")
URL = "https://staging.example.com/"

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the recipes are for a POSIX shell")


def shell_lines(heading: str) -> list[str]:
    """The commands of a recipe that start the program, each with what YAML folds into its line."""
    recipe = DOCUMENT.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    code = "".join(line[4:] for line in recipe.splitlines(True) if line.startswith("    "))
    folded = re.sub(r"\n\s+(?=--)", " ", code)
    return re.findall(r"^\s*(?:- (?:run: )?)?(gossamer .*)$", folded, flags=re.MULTILINE)


def shell(line: str, site: Site, folder: Path) -> "subprocess.CompletedProcess[str]":
    """Run a line of a recipe, for a site of ours."""
    return run_line(line.replace(URL, site.url("/")), folder)


def test_the_recipe_for_github_fails_and_writes_what_the_next_steps_upload(
    site: Site, tmp_path: Path
) -> None:
    site.page("/", title="")
    (line,) = shell_lines("GitHub Actions")
    done = shell(line, site, tmp_path)
    assert done.returncode == 5, done.stderr
    (run,) = json.loads((tmp_path / "audit.sarif").read_text())["runs"]
    assert "page-titles-missing" in {result["ruleId"] for result in run["results"]}
    assert (tmp_path / "issues" / "page_titles_missing.csv").is_file()
    for name in re.findall(r"^\s{18}(\S+)$", DOCUMENT, flags=re.MULTILINE):
        assert (tmp_path / name).exists(), name


def test_the_recipe_for_gitlab_fails_with_a_test_case_for_the_issue(
    site: Site, tmp_path: Path
) -> None:
    site.page("/", title="")
    (line,) = shell_lines("GitLab CI")
    assert shell(line, site, tmp_path).returncode == 5
    tests = ET.parse(tmp_path / "audit.xml")  # noqa: S314 - our own file
    names = {
        f"{case.get('classname')}: {case.get('name')}"
        for case in tests.iterfind(".//testcase[failure]")
    }
    assert "Page Titles: Missing" in names
    assert (tmp_path / "report.html").is_file()


def test_the_lines_for_other_systems_run_one_after_the_other(site: Site, tmp_path: Path) -> None:
    site.page("/", title="")
    lines = shell_lines("Any other system")
    assert [shell(line, site, tmp_path).returncode for line in lines] == [0, 5, 0]
    found = {each["name"] for each in json.loads((tmp_path / "audit.json").read_text())["issues"]}
    assert "Page Titles: Missing" in found
    assert (tmp_path / "issues" / "page_titles_missing.csv").is_file()


def bounds(text: str) -> list[str]:
    """The options of a table of them."""
    return re.findall(r"^\| `(--fail-on .+?)` \|", text, flags=re.MULTILINE)


def test_every_bound_in_the_table_is_one(site: Site, tmp_path: Path) -> None:
    site.page("/", title="Home")
    assert shell(f"gossamer crawl {URL} -o site.gossamer -q", site, tmp_path).returncode == 0
    of_audits = bounds(DOCUMENT.partition("\n## ")[0])
    assert len(of_audits) == 5
    for bound in of_audits:
        assert shell(f"gossamer audit site.gossamer {bound}", site, tmp_path).returncode in {0, 5}


def test_the_recipe_for_a_release_fails_for_what_the_staging_copy_makes_worse(
    site: Site, tmp_path: Path
) -> None:
    crawl_live, crawl_staging, compare = shell_lines("Before and after a release")
    live = "https://www.example.com/"
    with Site() as public:
        public.page("/", title="Home", links=["/gone"])
        public.page("/gone")
        site.page("/", title="")
        here = public.url("/")
        assert shell(crawl_live.replace(live, here), site, tmp_path).returncode == 0
        assert shell(crawl_staging, site, tmp_path).returncode == 0
        done = shell(compare.replace(live, here), site, tmp_path)
    assert done.returncode == 5, done.stderr
    assert "--fail-on high: " in done.stderr
    assert "--fail-on missing: 1 found" in done.stderr
    assert "--fail-on errors" not in done.stderr
    assert (tmp_path / "report.html").is_file()
    recipe = DOCUMENT.partition("\n## Before and after a release\n")[2].partition("\n## ")[0]
    text = "gossamer compare live.gossamer live.gossamer -q"
    for bound in bounds(recipe):
        assert shell(f"{text} {bound}", site, tmp_path).returncode == 0


def test_the_recipe_for_the_last_release_fails_for_issues_that_it_did_not_have(
    site: Site, tmp_path: Path
) -> None:
    lines = shell_lines("New issues against the last release")
    crawl, compare = lines[:2]
    assert lines == [crawl, compare] * 3
    site.page("/", title="Home", links=["/gone"])
    site.page("/gone", status=404)
    assert shell(crawl, site, tmp_path).returncode == 0
    shutil.copy(tmp_path / "site.gossamer", tmp_path / "last.gossamer")
    assert shell(compare, site, tmp_path).returncode == 0
    site.page("/", title="", links=["/gone"])
    (tmp_path / "site.gossamer").unlink()
    assert shell(crawl, site, tmp_path).returncode == 0
    done = shell(compare, site, tmp_path)
    assert done.returncode == 5, done.stderr
    assert "--fail-on new-issues: 1 found" in done.stderr
    assert "broken-links" not in done.stderr
