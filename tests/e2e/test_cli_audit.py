"""`gossamer audit` and exports of issues, as a script uses them."""

import csv
import io
import json
import subprocess
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from gossamer.store.reading.crawl_snapshot import read_identity
from tests.cases import each_case
from tests.e2e.program import gossamer
from tests.sites import Site

MISSING = "Page Titles: Missing"


def run(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    return gossamer(*arguments, cwd=Path.cwd())


@pytest.fixture
def project(site: Site, tmp_path: Path) -> Path:
    site.page("/", title="Home", links=["/a", "/gone", "/moved"])
    site.page("/a", title="")
    site.redirect("/moved", "/moved-again")
    site.redirect("/moved-again", "/a")
    path = tmp_path / "p.gossamer"
    assert run("crawl", site.url("/"), "-o", path, "-q").returncode == 0
    return path


def issues(project: Path, *options: str) -> dict[str, int]:
    done = run("audit", project, "--json", *options)
    assert done.returncode == 0, done.stderr
    return {each["name"]: each["urls"] for each in json.loads(done.stdout)["issues"]}


def test_the_issues_of_a_project_are_listed_and_exported(project: Path, site: Site) -> None:
    found = issues(project)
    assert found[MISSING] == 1
    assert found["Response Codes: Internal Client Error (4xx)"] == 1
    assert found["Response Codes: Internal Redirect Chain"] == 1
    text = run("audit", project).stdout
    assert [name for name in found if name not in text] == []
    done = run("export", project, f"issue:{MISSING}", "-o", "-")
    (row,) = csv.DictReader(io.StringIO(done.stdout, newline=""))
    assert row["Address"] == site.url("/a")
    done = run("export", project, "redirect_chains", "-o", "-")
    (chain,) = csv.DictReader(io.StringIO(done.stdout, newline=""))
    assert (chain["Address"], chain["Final Address"]) == (site.url("/moved"), site.url("/a"))


def test_the_gravest_issues_are_explained_below_the_table(project: Path) -> None:
    found = json.loads(run("audit", project, "--json").stdout)["issues"]
    table, *explained = run("audit", project).stdout.split("\n\n")
    assert table.startswith("Issue ")
    told = [" ".join(each.split()) for each in explained]
    for issue, text in zip(found[:3], told, strict=False):
        assert text.startswith(f"{issue['name']}: {issue['urls']} URL")
        assert " http://127.0.0.1" in text
        assert issue["description"] in text
        assert f"How to fix it: {issue['how_to_fix']}" in text
        assert text.endswith(issue["help_url"])
    assert found[3]["description"] not in "".join(told)
    assert f"{len(found)} issues on 5 URLs" in told[3]


def test_explanations_name_the_first_urls_and_where_the_others_are(
    site: Site, tmp_path: Path
) -> None:
    pages = [f"/{number}" for number in range(5)]
    site.page("/", links=pages)
    for page in pages:
        site.page(page, headers=[("X-Robots-Tag", "noindex")])
    text = run("audit", site.url("/"), "-o", tmp_path / "a.gossamer", "-q").stdout
    (told,) = [each for each in text.split("\n\n") if each.startswith("Directives: Noindex: ")]
    shown = [line.strip() for line in told.splitlines()]
    assert shown[1:5] == [*(site.url(page) for page in pages[:3]), "and 2 more"]
    assert 'gossamer export FILE "issue:NAME"' in text.split("\n\n")[-1]


def test_an_export_of_issues_brings_the_audit_up_to_date(project: Path) -> None:
    done = run("export", project, "issues_overview", "-o", "-")
    names = {row["Issue Name"] for row in csv.DictReader(io.StringIO(done.stdout, newline=""))}
    assert "Response Codes: Internal Redirect Chain" in names


def test_a_changed_threshold_holds_without_crawling_and_is_kept(project: Path) -> None:
    requests = run("info", project, "--json").stdout
    assert "Page Titles: Over 1 Characters" in issues(project, "--title-max-length", "1")
    assert "Page Titles: Over 1 Characters" in issues(project)
    known = json.loads(requests)["fetched"]
    assert json.loads(run("info", project, "--json").stdout)["fetched"] == known


def test_a_url_is_crawled_first_and_a_bound_has_its_exit_code(site: Site, tmp_path: Path) -> None:
    site.page("/", title="")
    junit, sarif = tmp_path / "audit.xml", tmp_path / "audit.sarif"
    new = tmp_path / "new.gossamer"
    done = run(
        *("audit", site.url("/"), "-o", new, "-q", "--fail-on", MISSING),
        *("--junit", junit, "--sarif", sarif),
    )
    assert done.returncode == 5
    assert f"--fail-on {MISSING}: 1 found, 0 allowed." in done.stderr
    tests = ET.parse(junit)  # noqa: S314 - our own file
    failures = [case.get("name") for case in tests.iterfind(".//testcase[failure]")]
    assert failures == ["Missing"]
    (run_,) = json.loads(sarif.read_text())["runs"]
    assert site.url("/") in json.dumps(run_["results"])
    assert run("audit", new, "--fail-on", "high:99").returncode == 0


def test_bounds_of_what_is_no_issue_make_no_test_fail(project: Path) -> None:
    """A pipeline with `--fail-on errors:9` passes, and its tests with it."""
    for bound, code in (("errors:9", 0), ("errors", 5)):
        done = run("audit", project, "-q", "--fail-on", bound, "--format", "junit")
        root = ET.fromstring(done.stdout)  # noqa: S314 - our own
        assert (done.returncode, root.get("failures")) == (code, "0")


def test_ignored_issues_count_nowhere_until_they_are_taken_back(project: Path, site: Site) -> None:
    gate = ("audit", project, "-q", "--fail-on", MISSING)
    assert run(*gate).returncode == 5
    ignored = f"{MISSING}={site.url('/a')}"
    done = run(*gate, "--ignore", ignored, "--reason", "made for print")
    assert done.returncode == 0, done.stderr
    assert f"{ignored} (1 URL; made for print)" in done.stdout
    assert MISSING not in issues(project)
    assert issues(project, "--include-ignored")[MISSING] == 1
    assert run(*gate, "--include-ignored").returncode == 5
    (told,) = json.loads(run("audit", project, "--json").stdout)["ignored"]
    assert (told["name"], told["reason"], told["urls"]) == (MISSING, "made for print", 1)
    rows = run("export", project, f"issue:{MISSING}", "-o", "-").stdout.splitlines()
    assert len(rows) == 1, "the header alone"
    assert MISSING not in run("export", project, "issues_overview", "-o", "-").stdout
    assert "made for print" in run("export", project, "ignored_issues", "-o", "-").stdout
    where = ("--where", f"ignored={MISSING}")
    assert site.url("/a") in run("export", project, "all", "-o", "-", *where).stdout
    sarif = json.loads(run("audit", project, "--format", "sarif").stdout)
    suppressed = [each for each in sarif["runs"][0]["results"] if "suppressions" in each]
    assert [each["suppressions"][0]["justification"] for each in suppressed] == ["made for print"]
    junit = ET.fromstring(run("audit", project, "--format", "junit").stdout)  # noqa: S314 - our own
    assert "made for print" in [each.get("message", "")[9:] for each in junit.iter("skipped")]
    assert run(*gate, "--stop-ignoring", MISSING).returncode == 5
    assert "Ignored:" not in run("audit", project).stdout


def test_ignored_issues_that_are_included_are_listed_like_others(
    project: Path, site: Site, tmp_path: Path
) -> None:
    junit, sarif = tmp_path / "audit.xml", tmp_path / "audit.sarif"
    ignored = f"{MISSING}={site.url('/a')}"
    files = ("--junit", junit, "--sarif", sarif)
    assert run("audit", project, "-q", "--ignore", ignored, "--include-ignored", *files).stdout
    cases = ET.parse(junit).iterfind(".//testcase[@classname='Page Titles']")  # noqa: S314 - our own
    (failure,) = (case.findtext("failure") for case in cases if case.get("name") == "Missing")
    assert failure is not None
    assert failure.splitlines()[-1] == site.url("/a")
    (told,) = json.loads(sarif.read_text())["runs"]
    found = [each for each in told["results"] if each["ruleId"] == "page-titles-missing"]
    assert [(each["properties"]["url"], each.get("suppressions")) for each in found] == [
        (site.url("/a"), None)
    ]
    assert told["invocations"] == [{"executionSuccessful": True}]


def test_an_audit_of_a_segment_counts_its_urls_alone(project: Path, site: Site) -> None:
    define = ("--segment", "A=address ends with /a", "--segment", "Other=status >= 400")
    assert issues(project, *define)[MISSING] == 1
    assert issues(project, "--segment", "a")[MISSING] == 1
    assert MISSING not in issues(project, "--segment", "Other")
    gate = ("audit", project, "-q", "--fail-on", MISSING, "--segment")
    assert run(*gate, "A").returncode == 5
    assert run(*gate, "Other").returncode == 0
    assert run(*gate, "Shop").returncode == 2
    table = run("export", project, "issues_by_segment", "-o", "-").stdout
    row = next(each for each in csv.DictReader(io.StringIO(table)) if each["Issue Name"] == MISSING)
    assert (row["A"], row["Other"], row["(no segment)"]) == ("1", "0", "0")
    pages = run("export", project, "internal_all", "-o", "-", "--where", "segment=A").stdout
    (page,) = csv.DictReader(io.StringIO(pages))
    assert (page["Address"], page["Segments"]) == (site.url("/a"), "A")


def test_segments_may_be_called_like_columns(project: Path) -> None:
    segments = ("Issue Name=address ends with /a", "URLS=status >= 400", "(no segment)=depth = 0")
    options = [each for segment in segments for each in ("--segment", segment)]
    assert issues(project, *options)[MISSING] == 1
    lines = run("export", project, "issues_by_segment", "--format", "jsonl", "-o", "-").stdout
    row = next(
        each for each in map(json.loads, lines.splitlines()) if each["Issue Name"] == MISSING
    )
    columns = ("URLs", "Issue Name (2)", "URLS (2)", "(no segment)", "(no segment) (2)")
    assert [row[each] for each in columns] == [1, 1, 0, 0, 0]


@each_case(
    "options, bound, code",
    [
        (("--where", "status=200"), "errors", 0),
        (("--where", "status=404"), "errors", 5),
        (("--where", "outcome=page"), "client_error", 0),
        (("--where", "outcome=client_error"), "client_error", 5),
        (("--where", "outcome=client_error"), "client_error:1", 0),
        (("--where", "status=302"), "redirects:2", 0),
        (("--where", "status=302"), "redirects:1", 5),
        (("--segment", "A=address ends with /a", "--segment", "A"), "errors", 0),
        (("--segment", "A=address ends with /gone", "--segment", "A"), "errors", 5),
    ],
)
def test_bounds_of_outcomes_count_the_chosen_urls_alone(
    project: Path, options: tuple[str, ...], bound: str, code: int
) -> None:
    done = run("audit", project, "-q", *options, "--fail-on", bound)
    assert done.returncode == code, done.stderr


def test_a_project_is_audited_again_from_its_archive(site: Site, tmp_path: Path) -> None:
    site.page("/", title="Twelve letters", links=["/a"])
    site.page("/a", title="A")
    kept = tmp_path / "kept.gossamer"
    assert run("crawl", site.url("/"), "-o", kept, "--archive", "-q").returncode == 0
    asked, before = len(site.requests), read_identity(kept)
    found = run("audit", kept, "--again", "--title-max-length", "5", "--search", "letters=Twelve")
    assert (found.returncode, found.stderr) == (0, "")
    assert "Page Titles: Over 5 Characters" in found.stdout
    assert len(site.requests) == asked
    assert read_identity(kept) == before
    assert "letters" in run("export", kept, "custom_search", "-o", "-").stdout
    assert run("audit", kept, "--again", "--max-pages", "5").returncode == 2
    assert sorted(path.name for path in tmp_path.iterdir()) == ["kept.archive", "kept.gossamer"]


@each_case(
    ("arguments", "sentence"),
    [
        (
            ["audit", "p.gossamer", "--max-depth", "3"],
            "cannot change without reading the pages again",
        ),
        (["audit", "p.gossamer", "--again"], "has no archive"),
        (["audit", "http://127.0.0.1:1/", "--again"], "--again is for projects"),
        (["audit", "p.gossamer", "--fail-on", "H1: Mising"], "did you mean H1: Missing"),
        (["audit", "p.gossamer", "--ignore", "H1: Mising"], "did you mean H1: Missing"),
        (["audit", "p.gossamer", "--ignore", "H1: Missing="], "* stands for all"),
        (["audit", "p.gossamer", "--stop-ignoring", "H1: Missing"], "is not ignored"),
        (["audit", "p.gossamer", "--reason", "why"], "--reason goes with --ignore"),
        (["audit", "p.gossamer", "--format", "pdf"], "--format takes text, json, junit, sarif"),
        (["audit", "p.gossamer", "--junit", "no/where.xml"], "does not exist"),
        (["export", "p.gossamer", "issue:H1: Mising", "-o", "x.csv"], "H1: Missing"),
    ],
)
def test_a_mistake_is_told_in_one_sentence(
    project: Path, arguments: list[str], sentence: str
) -> None:
    done = gossamer(*arguments, cwd=project.parent)
    assert done.returncode != 0
    assert sentence in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_an_issue_without_urls_is_a_header(project: Path) -> None:
    done = run("export", project, "issue:AMP: Non-200 Response", "-o", "-")
    assert (done.returncode, len(done.stdout.splitlines())) == (0, 1)
