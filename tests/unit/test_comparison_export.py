"""A comparison as a table, a workbook, a report, and as text."""

import csv
import io
import json
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from msgspec.structs import replace

from gossamer.audit.rules.h1 import MISSING as H1_MISSING
from gossamer.audit.rules.page_titles import MISSING as TITLE_MISSING
from gossamer.cli.comparison_text import comparison_object, comparison_text
from gossamer.cli.fail_on_comparison import comparison_thresholds
from gossamer.comparison.project_comparison import compare
from gossamer.export.comparison_export import check_comparison_output, export_comparison
from gossamer.export.comparison_issues import IssueTrend, by_trend, compared_issues
from gossamer.export.comparison_sheets import COMPARISON_TABLES, changes_sheet
from gossamer.model.comparison_field_choice import COMPARED, compared_fields
from gossamer.model.comparison_notes import comparison_notes
from gossamer.model.comparison_results import ComparisonFilter, PageChange
from gossamer.model.crawl_state import CrawlState
from gossamer.model.errors import OutputError, UsageError
from gossamer.model.outcome import Outcome
from gossamer.model.settings.crawl_settings import DEFAULTS, CrawlSettings
from gossamer.store.comparing.comparison_reader import ComparisonReader
from tests.cases import each_case
from tests.fakes.crawled import SITE, Crawled

TITLE, H1 = TITLE_MISSING.number, H1_MISSING.number
EVIL: Final = "<script>alert(1)</script>"
NOT_FOUND: Final = "Not found: nothing that the later crawl has read leads there."
TABLE: Final = [
    ["Address", "Change", "Field", "Before", "After"],
    [f"{SITE}/", "Changed", "Outlinks", f"{SITE}/gone", f"{SITE}/new"],
    [f"{SITE}/a", "Changed", "Title 1", "A", EVIL],
    [f"{SITE}/a", "Changed", "Word Count", "3", "4"],
    [f"{SITE}/a", "Changed", "Page Titles: Missing", "No", "Yes"],
    [f"{SITE}/a", "Changed", "H1: Missing", "Yes", "No"],
    [f"{SITE}/moved", "Changed", "Redirect URL", f"{SITE}/a", f"{SITE}/"],
    [f"{SITE}/new", "New", "Status Code", "", "200"],
    [f"{SITE}/gone", "Missing", "Status", "", NOT_FOUND],
]


@pytest.fixture(scope="module")
def comparison(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("compared")
    with Crawled(folder / "before.gossamer") as crawled:
        crawled.page("/", "/a", "/moved", "/gone")
        crawled.page("/a", title="A", issues=[H1])
        crawled.redirect("/moved", "/a")
        crawled.page("/gone", issues=[H1])
        before = crawled.path
    with Crawled(folder / "after.gossamer") as crawled:
        crawled.page("/", "/a", "/moved", "/new")
        crawled.page("/a", title=EVIL, word_count=4, issues=[TITLE])
        crawled.redirect("/moved", "/")
        crawled.page("/new", issues=[TITLE])
        after = crawled.path
    compare(before, after, folder / "result")
    return folder / "result"


@pytest.fixture
def reader(comparison: Path) -> Iterator[ComparisonReader]:
    with ComparisonReader(comparison) as opened:
        yield opened


def test_a_table_has_a_row_for_each_difference(reader: ComparisonReader, tmp_path: Path) -> None:
    out = tmp_path / "changes.csv"
    assert export_comparison(reader, out) == len(TABLE) - 1
    rows = list(csv.reader(io.StringIO(out.read_text(encoding="utf-8"), newline="")))
    assert rows == TABLE
    new = ComparisonFilter(frozenset({PageChange.NEW}))
    assert export_comparison(reader, out, sheet=changes_sheet(reader, new)) == 1


def test_lines_of_json_keep_numbers(reader: ComparisonReader, tmp_path: Path) -> None:
    out = tmp_path / "changes.jsonl"
    export_comparison(reader, out)
    rows = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    assert {"Address": f"{SITE}/a", "Change": "Changed", "Field": "Word Count"} | {
        "Before": 3,
        "After": 4,
    } in rows


def test_a_column_of_a_parquet_file_holds_values_of_any_field(
    reader: ComparisonReader, tmp_path: Path
) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    out = tmp_path / "changes.parquet"
    export_comparison(reader, out)
    table = parquet.read_table(out).to_pylist()
    assert [[each or "" for each in row.values()] for row in table] == TABLE[1:]


def test_a_workbook_has_all_sheets(reader: ComparisonReader, tmp_path: Path) -> None:
    out = tmp_path / "all.xlsx"
    export_comparison(reader, out)
    with zipfile.ZipFile(out) as archive:
        names = archive.read("xl/workbook.xml").decode()
        changes = archive.read("xl/worksheets/sheet3.xml").decode()
    for name in ("Summary", "Issues", "Changes", "Redirects", "Structure"):
        assert f'<sheet name="{name}"' in names
    assert "Title 1" in changes
    sheets = {
        sheet.name: list(sheet.rows)
        for sheet in (make(reader) for make in COMPARISON_TABLES.values())
    }
    assert sheets["Redirects"] == [
        (f"{SITE}/moved", "Leads elsewhere", f"{SITE}/a", f"{SITE}/"),
    ]
    assert ("Page Titles: Missing", "Issue", "High", 0, 2, 1, 1, *[0] * 6) in sheets["Issues"]
    assert ("Tabs", "Pages", 3, 3, 0, 1, 0, 0, 1, 0, 0, 0) in sheets["Summary"]
    assert sheets["Structure"] == [(f"{SITE}/", 4, 4, 0)]


def test_the_report_escapes_what_pages_say(reader: ComparisonReader, tmp_path: Path) -> None:
    out = tmp_path / "report.html"
    export_comparison(reader, out)
    page = out.read_text(encoding="utf-8")
    assert EVIL not in page
    assert "&lt;script&gt;" in page
    assert "Content-Security-Policy" in page
    for words in ("What got worse", "Page Titles: Missing", "Redirects that changed", "Title"):
        assert words in page


@pytest.mark.parametrize("name", ["a.xml", "a.txt", "a"])
def test_other_formats_have_no_place_for_a_comparison(name: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot be written"):
        check_comparison_output(tmp_path / name)
    with pytest.raises(OutputError, match="does not exist"):
        check_comparison_output(tmp_path / "none" / "a.csv")


def test_the_text_tells_first_what_got_worse(reader: ComparisonReader) -> None:
    text = comparison_text(reader)
    places = [text.index(each) for each in ("What got worse", "What got better", "URLs by filter")]
    assert places == sorted(places)
    *_, changed, _redirect, new, missing, hint, _, _ = text.splitlines()
    assert changed == f"Changed  {SITE}/a (Title 1, Word Count, + Page Titles: Missing and 1 more)"
    assert new == f"New      {SITE}/new (status 200)"
    assert missing == f"Missing  {SITE}/gone ({NOT_FOUND})"
    assert hint.startswith("-o changes.csv writes all")
    assert places[0] < text.index("Page Titles: Missing") < places[1] < text.index("H1: Missing")
    assert "1 new, 1 missing and 3 changed URLs" in text


def test_the_object_has_all_counts(reader: ComparisonReader) -> None:
    told = json.loads(json.dumps(comparison_object(reader)))
    assert (told["new"], told["missing"], told["changed"]) == (1, 1, 3)
    assert told["fields"]["Title 1"] == 1
    titles = next(each for each in told["issues"] if each["name"] == "Page Titles: Missing")
    assert (titles["before"], titles["after"], titles["added"], titles["new"]) == (0, 2, 1, 1)
    assert told["before"]["audited"] is False
    assert any("not up to date" in note for note in told["notes"])


def test_issues_are_told_by_their_trend(reader: ComparisonReader) -> None:
    trends = by_trend(compared_issues(reader))
    assert [each.rule.number for each in trends[IssueTrend.WORSE]] == [TITLE]
    assert [each.rule.number for each in trends[IssueTrend.BETTER]] == [H1]


@each_case(
    ("text", "is_exceeded"),
    [
        ("high", True),
        ("high:1", True),
        ("high:2", False),
        ("low", True),
        ("new-issues", True),
        ("new-issues:2", False),
        ("Page Titles: Missing", True),
        ("Page Titles: Missing:1", True),
        ("Page Titles: Missing:2", False),
        ("H1: Missing", False),
        ("errors", False),
        ("new", True),
        ("missing:1", False),
        ("changed:1", True),
        ("any:5", False),
        ("any:3", True),
        ("status-code", False),
        ("title-1", True),
        ("title 1:1", False),
        ("redirect-url", True),
    ],
)
def test_thresholds_count_what_got_worse(
    reader: ComparisonReader, text: str, *, is_exceeded: bool
) -> None:
    (gate,) = comparison_thresholds([text], DEFAULTS, COMPARED)
    assert (gate.exceeded(reader) is not None) == is_exceeded


@each_case("text", ["", "x", "high:", "high:x", "H1: Nothing", "size", "status_code:"])
def test_what_is_no_threshold_is_refused_in_one_sentence(text: str) -> None:
    with pytest.raises(UsageError, match="--fail-on"):
        comparison_thresholds([text], DEFAULTS, COMPARED)


def test_what_makes_a_comparison_doubtful_is_told(reader: ComparisonReader) -> None:
    summary = reader.summary()
    audited = {"page_rules": True, "stages": True, "unseen": 0, "state": CrawlState.FINISHED}
    before, after = replace(summary.before, **audited), replace(summary.after, **audited)
    plain = replace(summary, before=before, after=after)
    assert comparison_notes(plain) == []
    cases = {
        "same project": replace(plain, after=replace(after, path=before.path)),
        "later one": replace(plain, before=replace(before, created_at=after.created_at + 1)),
        "7 URLs": replace(plain, before=replace(before, pending=7)),
        "issues after": replace(plain, after=replace(after, stages=False)),
        "begins with": replace(plain, mapping=(("https://a", "https://b"),)),
        "in common": replace(plain, new=after.urls, missing=before.urls),
    }
    for words, doubtful in cases.items():
        (note,) = comparison_notes(doubtful)
        assert words in str(note)


def test_settings_are_told_by_name(tmp_path: Path) -> None:
    paths = []
    for depth in (2, 3):
        settings = CrawlSettings(roots=(SITE,), max_depth=depth)
        with Crawled(tmp_path / f"{depth}.gossamer", settings) as crawled:
            crawled.failed("/", Outcome.TIMEOUT)
            paths.append(crawled.path)
    summary = compare(paths[0], paths[1], tmp_path / "result")
    assert any("Max depth" in str(note) for note in comparison_notes(summary))


def test_fields_are_named_as_exports_name_them() -> None:
    assert compared_fields(["Title 1, size (BYTES)"]) == ("title", "size_bytes")
    assert compared_fields(["status", "Status Code"]) == ("status",)
    assert "elapsed_ms" in compared_fields(["all"])
    assert compared_fields([]) == COMPARED
    with pytest.raises(UsageError, match="no field 'colour'"):
        compared_fields(["colour"])
