"""What a script gets: exports on standard output, a code to stop on, completion in a shell."""

import csv
import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.e2e.program import command, gossamer
from tests.patience import PATIENCE_S
from tests.sites import Site


def run(*arguments: str | Path) -> "subprocess.CompletedProcess[str]":
    return gossamer(*arguments, cwd=Path.cwd())


@pytest.fixture
def project(site: Site, tmp_path: Path) -> Path:
    site.page("/", links=["/a", "/gone", "/moved"])
    site.page("/a")
    site.redirect("/moved", "/a")
    path = tmp_path / "p.gossamer"
    assert run("crawl", site.url("/"), "-o", path, "-q").returncode == 0
    return path


def test_an_export_can_go_to_standard_output(project: Path) -> None:
    done = run("export", project, "all", "-o", "-", "--columns", "Address,Status Code")
    assert done.returncode == 0
    rows = list(csv.DictReader(io.StringIO(done.stdout, newline="")))
    assert sorted(row["Status Code"] for row in rows) == ["200", "200", "302", "404"]
    lines = run("export", project, "all", "-o", "-", "--format", "jsonl").stdout.splitlines()
    assert len([json.loads(line) for line in lines]) == len(rows)
    assert sorted(path.name for path in project.parent.iterdir()) == [project.name]


def test_facets_filter_an_export(project: Path) -> None:
    where = ["--where", "status-class=4xx", "--where", "status-class=3xx"]
    done = run("export", project, "all", "-o", "-", *where)
    found = {row["Status Code"] for row in csv.DictReader(io.StringIO(done.stdout, newline=""))}
    assert found == {"404", "302"}
    refused = run("export", project, "redirects", "-o", "-", *where)
    assert (refused.returncode, refused.stdout) == (2, "")


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["-o", "-", "--format", "doc"], "Unknown format 'doc'; choose csv, tsv, "),
        (["-o", "x.csv", "--format", "csv"], "The suffix of a file sets its format"),
    ],
)
def test_an_unknown_format_is_refused(project: Path, options: list[str], sentence: str) -> None:
    done = run("export", project, "all", *options)
    assert (done.returncode, done.stdout) == (2, "")
    assert sentence in done.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no device that is full")
def test_a_failure_to_write_standard_output_is_reported(project: Path) -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            command("export", project, "all", "-o", "-"),
            check=False,
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            timeout=PATIENCE_S,
        )
    assert done.returncode == 2
    (line,) = done.stderr.splitlines()
    assert line.startswith("gossamer: Standard output cannot be written (")


def test_an_empty_sitemap_on_standard_output_is_reported(site: Site, tmp_path: Path) -> None:
    site.redirect("/", "/gone")
    path = tmp_path / "p.gossamer"
    run("crawl", site.url("/"), "-o", path, "-q")
    done = run("export", path, "sitemap", "-o", "-", "--format", "xml")
    assert done.returncode == 2
    assert "There are no pages to list in a sitemap" in done.stderr


@pytest.mark.parametrize(
    "words", [("export", "FILE", "all", "-o", "-"), ("series", "show", "FILE", "--csv")]
)
def test_a_reader_that_closes_the_pipe_early_is_no_error(
    project: Path, words: tuple[str, ...]
) -> None:
    typed = [project if each == "FILE" else each for each in words]
    reading, writing = os.pipe()
    os.close(reading)
    with open(writing, "wb") as closed:  # noqa: PTH123 - a descriptor
        done = subprocess.run(
            command(*typed),
            check=False,
            stdout=closed,
            stderr=subprocess.PIPE,
            timeout=PATIENCE_S,
        )
    assert (done.returncode, done.stderr) == (0, b"")


def test_fail_on_has_its_own_exit_code(project: Path, site: Site) -> None:
    done = run("resume", project, "-q", "--fail-on", "errors")
    assert done.returncode == 5
    assert "--fail-on errors: 1 found, 0 allowed." in done.stderr
    assert run("resume", project, "-q", "--fail-on", "errors:1").returncode == 0
    fresh = project.with_name("q.gossamer")
    mistaken = run("crawl", site.url("/"), "-o", fresh, "--fail-on", "colour")
    assert mistaken.returncode == 2
    assert not fresh.exists()


def test_a_shell_completes_commands_views_and_options() -> None:
    script = run("completion", "bash")
    assert script.returncode == 0
    assert "_GOSSAMER_COMPLETE=complete_bash" in script.stdout
    assert run("completion", "tcsh").returncode == 2
    for words, expected in (
        ("gossamer exp", "export"),
        ("gossamer export x.gossamer resou", "resources"),
    ):
        done = subprocess.run(
            [sys.executable, "-P", "-m", "gossamer"],
            check=True,
            capture_output=True,
            text=True,
            env={
                **os.environ,
                "_GOSSAMER_COMPLETE": "complete_bash",
                "COMP_WORDS": words,
                "COMP_CWORD": str(len(words.split()) - 1),
            },
            timeout=PATIENCE_S,
        )
        assert done.stdout.split() == [expected]
