"""Notes of a series where a project is read: in rows, filters, exports and the report."""

import csv
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import pytest

from gossamer.export.export_columns import moment
from gossamer.export.export_selection import ExportSelection
from gossamer.export.exporter import export
from gossamer.export.view_catalogue import VIEWS
from gossamer.model.project_queries import Filter, Order, View, facet_values
from gossamer.model.series_contents import Note, NoteSubject
from gossamer.session.series import identity_of, series_of, write_note
from gossamer.store.reading.note_table import NoteTable
from gossamer.store.reading.reader import Reader
from gossamer.store.series_file import Series
from tests.fakes.crawled import SITE
from tests.fakes.finished_crawl import finished_crawl

_NOTED = Filter(facets=facet_values(noted={"With notes"}))


@pytest.fixture(autouse=True)
def _own_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return finished_crawl(tmp_path / "a.gossamer")


def note_page(series: Series, path: str, text: str) -> Note:
    return write_note(series, Note(text=text, subject=NoteSubject.URL, about=f"{SITE}{path}"))


def test_a_note_is_in_the_row_of_its_url_as_soon_as_it_is_written(project: Path) -> None:
    with Reader(project) as reader:
        assert [each.notes for each in reader.records([1, 2])] == [None, None]
        series = series_of(project)
        first = note_page(series, "/1", "Old")
        note_page(series, "/1", "Ask Anna")
        write_note(series, Note(text="About the site"))
        assert [each.notes for each in reader.records([1, 2])] == [None, "Old · Ask Anna"]
        assert list(reader.ids(View.ALL, _NOTED)) == [2]
        assert {each.value: each.count for each in reader.facet(View.ALL, Filter(), "noted")} == {
            "With notes": 1,
            "Without notes": 2,
        }
        assert reader.ids(View.ALL, order=Order("notes"))[0] == 2
        series.remove_note(first.id)
        assert reader.records([2])[0].notes == "Ask Anna"
        series.path.write_bytes(b"damaged")
        assert reader.records([2])[0].notes is None
        series.path.unlink()
        assert reader.notes() == ()


def test_another_crawl_of_the_series_has_them_and_other_sites_have_not(project: Path) -> None:
    series = series_of(project)
    note_page(series, "/1", "Ask Anna")
    second = finished_crawl(project.with_name("b.gossamer"), series=series.id)
    other = finished_crawl(project.with_name("c.gossamer"))
    for path, noted in ((second, [2]), (other, [])):
        with Reader(path) as reader:
            assert list(reader.ids(View.ALL, _NOTED)) == noted


class GivenUp:
    """A connection on which the `turn`-th statement is given up, as a reader's is."""

    def __init__(self, path: Path, turn: int) -> None:
        self.real = sqlite3.connect(path, isolation_level=None)
        self._left = turn

    def execute(self, sql: str, values: Sequence[str] = ()) -> sqlite3.Cursor:
        self._left -= 1
        if self._left == -1:
            raise sqlite3.OperationalError("interrupted")
        return self.real.execute(sql, values)


def test_reading_that_is_given_up_at_any_place_takes_notes_up_again(project: Path) -> None:
    series = series_of(project)
    note_page(series, "/1", "Ask Anna")
    note_page(series, "/2", "Ask Bob")
    given_up = 0
    for turn in range(30):
        connection = GivenUp(project, turn)
        with closing(connection.real):
            table = NoteTable(connection)  # type: ignore[arg-type]  # all that it uses
            try:
                table.update()
            except sqlite3.OperationalError:
                given_up += 1
                table.update()
            found = connection.real.execute("SELECT text FROM url_note ORDER BY text").fetchall()
            assert found == [("Ask Anna",), ("Ask Bob",)], turn
            assert [note.text for note in table.notes] == ["Ask Anna", "Ask Bob"]
    assert 10 < given_up < 30


def exported(project: Path, view: str) -> list[dict[str, str]]:
    target = project.with_name(f"{view}.csv")
    export(project, ExportSelection(VIEWS[view]), target)
    with target.open(newline="", encoding="utf-8-sig") as file:
        return list(csv.DictReader(file))


def test_exports_have_them(project: Path) -> None:
    assert "Notes" not in exported(project, "internal_all")[0]
    assert exported(project, "notes") == []
    series = series_of(project)
    note_page(series, "/1", "=Ask Anna")
    about = {
        NoteSubject.ISSUE: "400",
        NoteSubject.DATE: "2026-11-20",
        NoteSubject.CRAWL: identity_of(project),
    }
    for subject, what in about.items():
        write_note(series, Note(text="x", subject=subject, about=what))
    noted = [row["Notes"] for row in exported(project, "internal_all")]
    assert sorted(noted) == ["", "", "'=Ask Anna"]
    rows = exported(project, "notes")
    assert [row["Subject"] for row in rows] == ["URL", "Issue", "Date", "Crawl"]
    assert [row["Date"] for row in rows] == [moment(note.created_at) for note in series.notes()]
    assert [row["About"] for row in rows][:3] == [
        f"{SITE}/1",
        "Page Titles: Missing",
        "2026-11-20",
    ]


def test_the_report_lists_them(project: Path) -> None:
    page = project.with_name("report.html")
    export(project, ExportSelection(VIEWS["report"]), page)
    assert "<h2>Notes</h2>" not in page.read_text(encoding="utf-8")
    note_page(series_of(project), "/1", "<script>Ask Anna")
    export(project, ExportSelection(VIEWS["report"]), page)
    text = page.read_text(encoding="utf-8")
    assert "&lt;script&gt;Ask Anna" in text
    assert "<h2>Notes</h2>" in text
