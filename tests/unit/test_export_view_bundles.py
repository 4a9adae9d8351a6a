"""Bundles of views: a file each in a folder, or a worksheet each in one workbook."""

import csv
import sys
from pathlib import Path

import pytest

from gossamer.audit.rule_catalogue import RULES
from gossamer.audit.site_audit import run_site_audit
from gossamer.export.export_selection import ExportSelection
from gossamer.export.exporter import export
from gossamer.export.formats import TABLE_SUFFIXES
from gossamer.export.row_counter import ExportCancelled
from gossamer.export.view_bundles import BUNDLES, BundleRequest
from gossamer.export.view_catalogue import REPORTS
from gossamer.export.view_names import view_named
from gossamer.model.errors import OutputError, UsageError
from gossamer.model.outcome import Outcome
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.store.folder_replacement import exchange
from tests.cases import each_case
from tests.fakes.crawled import SITE, Crawled
from tests.fakes.export_output import workbook

TITLE_TOO_SHORT = next(
    rule.number for rule in RULES.values() if rule.slug == "page-titles-below-characters"
)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    with Crawled(tmp_path / "a.gossamer") as crawled:
        crawled.page("/", "/a", title="The same", issues=[TITLE_TOO_SHORT])
        crawled.page("/a", title="The same")
    run_site_audit(crawled.path)
    return crawled.path


def written(project: Path, name: str, out: Path) -> tuple[Path, ...]:
    request = BundleRequest(BUNDLES[name], out)
    request.check(project)
    return request.write(project, None, lambda: False).files


def test_issues_go_into_a_folder_under_names_that_keep(project: Path, tmp_path: Path) -> None:
    folder = tmp_path / "issues"
    *files, last = written(project, "issues", folder)
    assert last == folder
    assert sorted(folder.iterdir()) == sorted(files)
    with (folder / "page_titles_duplicate.csv").open(encoding="utf-8", newline="") as file:
        assert [row["Address"] for row in csv.DictReader(file)] == [f"{SITE}/", f"{SITE}/a"]
    assert all(file.stem.replace("_", "").isalnum() for file in files)
    written(project, "issues_inlinks", folder)
    with (folder / "page_titles_duplicate_inlinks.csv").open(encoding="utf-8") as file:
        assert [row["Destination"] for row in csv.DictReader(file)] == [f"{SITE}/a"]


def test_a_file_is_named_after_the_issue_with_the_threshold_in_force(
    project: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "issues"
    written(project, "issues", folder)
    assert (folder / "page_titles_below_30_characters.csv").is_file()
    written(project, "issues_inlinks", folder)
    assert (folder / "page_titles_below_30_characters_inlinks.csv").is_file()


def test_what_an_export_with_another_threshold_made_is_replaced(
    project: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "issues"
    written(project, "issues", folder)
    (folder / "page_titles_below_30_characters.csv").rename(
        folder / "page_titles_below_25_characters.csv"
    )
    (folder / "page_titles_below_my_characters.csv").write_text("mine")
    written(project, "issues", folder)
    names = set(files_in(folder))
    assert "page_titles_below_25_characters.csv" not in names
    assert {"page_titles_below_30_characters.csv", "page_titles_below_my_characters.csv"} < names


@each_case(
    ("name", "file"),
    [
        ("Page Titles: Over 50 Characters", "page_titles_over_50_characters"),
        ("Images: Over 100 kB", "images_over_100_kb"),
        ("Validation: HTML Document Over 2MB", "validation_html_document_over_2mb"),
        ("H1: Missing", "h1_missing"),
        ("H1: Non-Sequential", "h1_nonsequential"),
        (
            "Response Codes: Internal Client Error (4xx)",
            "response_codes_internal_client_error_(4xx)",
        ),
        (
            "Response Codes: Internal Blocked by Robots.txt",
            "response_codes_internal_blocked_by_robots_txt",
        ),
        ("Canonicals: Non-Indexable Canonical", "canonicals_nonindexable_canonical"),
        (
            "Security: Missing Content-Security-Policy Header",
            "security_missing_contentsecuritypolicy_header",
        ),
        ("Security: Missing X-Frame-Options Header", "security_missing_xframeoptions_header"),
        ("Hreflang: Non-200 Hreflang URLs", "hreflang_non200_hreflang_urls"),
        (
            "Hreflang: Incorrect Language & Region Codes",
            "hreflang_incorrect_language_region_codes",
        ),
        ("Directives: Unavailable_After", "directives_unavailable_after"),
        ("Page Titles: Outside <head>", "page_titles_outside_head"),
    ],
)
def test_the_names_of_files_are_those_of_issues(name: str, file: str) -> None:
    changed = CrawlSettings(roots=(), title_max_length=50)
    assert view_named(f"issue:{name}", lambda: changed).file_name == file
    assert view_named(f"{file}_inlinks", lambda: changed).file_name == f"{file}_inlinks"
    # the usual name keeps its meaning where the threshold is another
    usual = view_named("page_titles_over_60_characters", lambda: changed)
    assert usual.file_name == "page_titles_over_50_characters"


def test_all_reports_go_into_one_workbook(project: Path, tmp_path: Path) -> None:
    out = tmp_path / "all.xlsx"
    assert written(project, "all_reports", out) == (out,)
    sheets = workbook(out)
    assert list(sheets) == [view.file_name[:31] for view in REPORTS]
    assert len(sheets["internal_all"]) == 3
    assert sorted(path.name for path in tmp_path.iterdir() if path.suffix == ".xlsx") == [out.name]


def test_a_worksheet_has_a_name_that_spreadsheets_take(project: Path, tmp_path: Path) -> None:
    out = tmp_path / "one.xlsx"
    export(project, ExportSelection(view_named("issue:Page Titles: Duplicate")), out)
    assert list(workbook(out)) == ["issue Page Titles Duplicate"]


def test_a_cancelled_workbook_leaves_nothing(project: Path, tmp_path: Path) -> None:
    out = tmp_path / "all.xlsx"
    with pytest.raises(ExportCancelled):
        BundleRequest(BUNDLES["all_reports"], out).write(project, None, lambda: True)
    assert not out.exists()


def files_in(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_a_folder_of_an_earlier_export_is_replaced_as_a_whole(
    project: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "issues"
    written(project, "issues", folder)
    (folder / "notes.txt").write_text("mine")
    (folder / "response_codes_internal_client_error_(4xx).csv").write_text("from before")
    written(project, "issues", folder)
    names = set(files_in(folder))
    assert "response_codes_internal_client_error_(4xx).csv" not in names
    assert {"notes.txt", "page_titles_duplicate.csv"} < names


def exchanges(tmp_path: Path) -> bool:
    one, other = tmp_path / "one", tmp_path / "other"
    one.mkdir()
    other.mkdir()
    return exchange(one, other)


def test_a_folder_with_nothing_else_is_replaced_in_one_step(project: Path, tmp_path: Path) -> None:
    can_exchange = exchanges(tmp_path)
    folder = tmp_path / "issues"
    written(project, "issues", folder)
    folder.chmod(0o750)
    (folder / "page_titles_duplicate.csv").write_text("from before")
    (folder / "page_titles_duplicate.csv").chmod(0o640)
    (folder / "response_codes_internal_client_error_(4xx).csv").write_text("from before")
    number = folder.stat().st_ino
    written(project, "issues", folder)
    assert (folder.stat().st_ino != number) is can_exchange
    found = files_in(folder)
    assert "response_codes_internal_client_error_(4xx).csv" not in found
    assert b"from before" not in found.values()
    if sys.platform != "win32":
        modes = [path.stat().st_mode & 0o777 for path in (folder, folder / min(found))]
        assert modes == [0o750, 0o600]
        assert (folder / "page_titles_duplicate.csv").stat().st_mode & 0o777 == 0o640
    assert {path.name for path in tmp_path.iterdir() if path.name.startswith(".")} == set()


@pytest.mark.parametrize("inside", ["notes.txt", "mine/notes.txt"])
def test_a_folder_with_other_files_stays_the_folder_that_it_is(
    project: Path, tmp_path: Path, inside: str
) -> None:
    folder = tmp_path / "issues"
    written(project, "issues", folder)
    (folder / inside).parent.mkdir(exist_ok=True)
    (folder / inside).write_text("mine")
    (folder / "page_titles_duplicate.csv").write_text("from before")
    number = folder.stat().st_ino
    written(project, "issues", folder)
    assert folder.stat().st_ino == number
    assert (folder / inside).read_text() == "mine"
    assert (folder / "page_titles_duplicate.csv").read_text() != "from before"


def test_the_folder_that_a_shell_is_in_stays_the_folder_that_it_is(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "issues"
    written(project, "issues", folder)
    number = folder.stat().st_ino
    for out in (folder, Path()):
        monkeypatch.chdir(folder)
        written(project, "issues", out)
        assert Path.cwd().stat().st_ino == number == folder.stat().st_ino


@pytest.mark.skipif(sys.platform == "win32", reason="links need a privilege there")
def test_a_link_to_a_folder_stays_a_link(project: Path, tmp_path: Path) -> None:
    folder, link = tmp_path / "issues", tmp_path / "link"
    folder.mkdir()
    link.symlink_to(folder)
    written(project, "issues", link)
    assert link.is_symlink()
    assert "page_titles_duplicate.csv" in files_in(folder)


def test_a_cancelled_export_to_a_folder_changes_nothing(project: Path, tmp_path: Path) -> None:
    folder = tmp_path / "issues"
    written(project, "issues", folder)
    (folder / "page_titles_duplicate.csv").write_text("from before")
    before = files_in(folder)
    told: list[int] = []
    request = BundleRequest(BUNDLES["issues"], folder)
    with pytest.raises(ExportCancelled):
        request.write(project, lambda done, _: told.append(done), lambda: len(told) > 1)
    assert files_in(folder) == before
    new = BundleRequest(BUNDLES["issues"], tmp_path / "new")
    with pytest.raises(ExportCancelled):
        new.write(project, None, lambda: True)
    assert not new.out.exists()


def test_nothing_is_replaced_where_one_file_cannot_be(project: Path, tmp_path: Path) -> None:
    folder = tmp_path / "issues"
    written(project, "issues", folder)
    first = min(folder.iterdir())
    first.write_text("from before")
    last = max(folder.iterdir())
    last.unlink()
    last.mkdir()
    with pytest.raises(OutputError, match="is a folder"):
        written(project, "issues", folder)
    assert first.read_text() == "from before"


@pytest.mark.parametrize("suffix", TABLE_SUFFIXES)
def test_the_tables_of_a_folder_can_have_any_format(
    project: Path, tmp_path: Path, suffix: str
) -> None:
    folder = tmp_path / "all"
    BundleRequest(BUNDLES["all_reports"], folder, suffix).write(project, None, lambda: False)
    assert {path.name for path in folder.iterdir()} == {
        f"{view.file_name}{suffix}" for view in REPORTS
    }


def test_a_site_without_issues_has_an_empty_folder_and_an_empty_overview(tmp_path: Path) -> None:
    with Crawled(tmp_path / "none.gossamer") as crawled:
        crawled.known("/", Outcome.PENDING)
    run_site_audit(crawled.path)
    assert written(crawled.path, "issues", tmp_path / "issues") == (tmp_path / "issues",)
    assert files_in(tmp_path / "issues") == {}
    written(crawled.path, "issues", tmp_path / "issues.xlsx")
    assert [len(rows) for rows in workbook(tmp_path / "issues.xlsx").values()] == [1]


def test_several_tables_do_not_go_into_one_csv_file(project: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="issues is several tables"):
        written(project, "issues", tmp_path / "issues.csv")
    with pytest.raises(OutputError, match="does not exist"):
        written(project, "issues", tmp_path / "no" / "where")
