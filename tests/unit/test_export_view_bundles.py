"""Bundles of views: a file each in a folder, or a worksheet each in one workbook."""

import csv
from pathlib import Path

import pytest

from gossamer.audit.site_audit import run_site_audit
from gossamer.export.export_selection import ExportSelection
from gossamer.export.exporter import ExportCancelled, export
from gossamer.export.view_bundles import BUNDLES, BundleRequest
from gossamer.export.view_catalogue import REPORTS, view_named
from gossamer.model.errors import OutputError, UsageError
from gossamer.model.settings.crawl_settings import CrawlSettings
from tests.fakes.crawled import SITE, Crawled
from tests.fakes.export_output import workbook


@pytest.fixture
def project(tmp_path: Path) -> Path:
    with Crawled(tmp_path / "a.gossamer") as crawled:
        crawled.page("/", "/a", title="The same")
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


def test_a_threshold_does_not_change_the_name_of_a_file() -> None:
    changed = CrawlSettings(roots=(), title_max_length=50)
    usual = view_named("issue:Page Titles: Over 60 Characters")
    other = view_named("issue:Page Titles: Over 50 Characters", lambda: changed)
    assert usual.file_name == other.file_name == "page_titles_over_characters"


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


def test_several_tables_do_not_go_into_one_csv_file(project: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="issues is several tables"):
        written(project, "issues", tmp_path / "issues.csv")
    with pytest.raises(OutputError, match="does not exist"):
        written(project, "issues", tmp_path / "no" / "where")
