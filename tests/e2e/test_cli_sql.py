"""Queries from the command line: where they come from, where rows go, how they end."""

import hashlib
from pathlib import Path

import pytest

from tests.e2e.program import gossamer
from tests.fakes.finished_crawl import finished_crawl

ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT sum(i) FROM n"
HUGE = f"SELECT {', '.join(['hex(zeroblob(6000000))'] * 6)}"
STUCK = "SELECT length(printf('%.*c', 1000000000, 'x'))"
"""Holds SQLite up for many seconds without a look at the clock."""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    finished_crawl(tmp_path / "a.gossamer", pages=3)
    return tmp_path


def test_rows_go_to_standard_output_or_a_file(folder: Path) -> None:
    query = "SELECT status_code, count(*) AS urls FROM internal GROUP BY 1"
    (folder / "q.sql").write_text(query, encoding="utf-8")
    shown = gossamer("sql", "a.gossamer", query, cwd=folder)
    assert shown.returncode == 0, shown.stderr
    assert shown.stdout.startswith("status_code,urls\n200,")
    saved = gossamer("sql", "a.gossamer", "--query-file", "q.sql", "-o", "out.csv", cwd=folder)
    assert (saved.returncode, saved.stdout) == (0, "")
    assert saved.stderr.startswith("Saved 2 rows to out.csv")
    assert (folder / "out.csv").read_text(encoding="utf-8") == shown.stdout


@pytest.mark.parametrize(
    ("query", "code", "words"),
    [
        ("DELETE FROM url", 2, "the console only reads"),
        ("SELECT * FROM intrnal", 2, "similar names: internal"),
        ("SELECT i.title FROM internal AS i", 2, "no column title; similar names: title_1,"),
        (ENDLESS, 9, "still running after 0.5 s"),
        (STUCK, 9, "still running after 0.5 s"),
        ("SELECT zeroblob(1000000000)", 9, "more than 16 MB"),
        (HUGE, 9, "the 16 MB of memory"),
    ],
)
def test_a_query_that_cannot_be_answered_ends_with_a_sentence(
    query: str, code: int, words: str, folder: Path
) -> None:
    project = folder / "a.gossamer"
    before = hashlib.sha256(project.read_bytes()).hexdigest()
    limits = ("--time-limit", "0.5") if "still" in words else ("--memory-limit", "16")
    done = gossamer("sql", "a.gossamer", query, *limits, "-o", "x.csv", cwd=folder)
    assert (done.returncode, done.stdout) == (code, "")
    assert words in done.stderr
    assert done.stderr.count("\n") == 1
    assert not (folder / "x.csv").exists()
    assert hashlib.sha256(project.read_bytes()).hexdigest() == before


def test_issues_that_the_audit_has_not_decided_yet_are_told_to_be_missing(folder: Path) -> None:
    queries = ("SELECT count(*) FROM issues", 'SELECT address FROM "page_titles_missing"')
    before = [gossamer("sql", "a.gossamer", each, cwd=folder) for each in queries]
    assert all("First run: gossamer audit a.gossamer" in each.stderr for each in before)
    assert gossamer("audit", "a.gossamer", "--quiet", cwd=folder).returncode == 0
    after = gossamer("sql", "a.gossamer", queries[0], cwd=folder)
    assert after.stderr == ""
    assert int(after.stdout.split()[1]) > int(before[0].stdout.split()[1])


def test_what_is_no_project_is_told(folder: Path) -> None:
    assert gossamer("sql", "no.gossamer", "SELECT 1", cwd=folder).returncode == 4


def test_templates_and_plans_are_told(folder: Path) -> None:
    listed = gossamer("sql", "a.gossamer", "--templates", cwd=folder).stdout
    assert "broken-links: Which links" in listed
    query = "SELECT source FROM links WHERE destination = 'x'"
    explained = gossamer("sql", "a.gossamer", "--explain", query, cwd=folder).stdout
    assert "reads every row of " in explained
