"""The history of a site in the window: crawls, charts, notes."""

import dataclasses
import threading
from collections.abc import Iterator, Sequence
from datetime import date
from pathlib import Path

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QDate, QPoint, QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog, QPlainTextEdit, QWidget
from pytestqt.qtbot import QtBot

from gossamer.audit.site_rule import RuleGroup
from gossamer.gui.actions.window_actions import WindowAction
from gossamer.gui.history import chart_dates
from gossamer.gui.history.crawl_table import ListedCrawl
from gossamer.gui.history.crawls_with_notes import chart_notes, listed_crawls, notes_of_crawls
from gossamer.gui.history.history_window import HistoryWindow
from gossamer.gui.history.trend_chart import ChartNote
from gossamer.gui.history.trend_lines import NOTHING, page_lines
from gossamer.gui.issues.rule_texts import RuleCommand
from gossamer.gui.notes.note_editor import NoteEditor
from gossamer.gui.notes.note_list import NoteList
from gossamer.gui.notes.notes_dialog import NotesDialog
from gossamer.gui.notes.notes_pane import NotesPane
from gossamer.gui.shell.series_controller import SeriesController
from gossamer.gui.tables.item_roles import ACCESSIBLE, DECORATION, DISPLAY
from gossamer.gui.tables.table_tabs import ISSUES
from gossamer.model.crawl_state import CrawlState
from gossamer.model.discovery_rank import Rank
from gossamer.model.fields.page_facts import PageFacts
from gossamer.model.outcome import Outcome
from gossamer.model.project_queries import Filter, View, facet_values
from gossamer.model.series_contents import CrawlSnapshot, Note, NoteSubject, ProjectLocation
from gossamer.model.settings.crawl_settings import DEFAULTS
from gossamer.model.store_batch import LinkRows, StoreBatch, UrlRow, VisitRow
from gossamer.model.visit import Visit
from gossamer.session.series import series_of, write_note
from gossamer.store.series_file import Series
from gossamer.store.writing.writer import Writer
from tests.cases import each_case
from tests.gui.conftest import Play
from tests.gui.desk import BASE
from tests.gui.stage import Stage, until
from tests.patience import PATIENCE_S

_DAY_S = 86_400.0
_BEGUN = 1_700_000_000.0


def snapshots(count: int) -> list[CrawlSnapshot]:
    return [
        CrawlSnapshot(
            created_at=_BEGUN + at * _DAY_S,
            project=f"/crawls/{at}.gossamer",
            state=CrawlState.FINISHED,
            pages=100 + at,
            errors=at,
            high=at,
            median_ms=None if at == 1 else 40,
        )
        for at in range(count)
    ]


def crawls(
    count: int, *, removed: int = -1, gone: ProjectLocation = ProjectLocation.REMOVED
) -> list[ListedCrawl]:
    return [
        ListedCrawl(each, gone if at == removed else ProjectLocation.HERE, is_open=at == count - 1)
        for at, each in enumerate(snapshots(count))
    ]


@pytest.fixture
def window(qtbot: QtBot) -> Iterator[HistoryWindow]:
    parent = QWidget()
    qtbot.addWidget(parent)
    window = HistoryWindow(parent)
    window.show()
    yield window
    window.close()


def pairs_wanted(window: HistoryWindow) -> list[tuple[int, int]]:
    """What is to be compared from now on, as places."""
    wanted: list[tuple[int, int]] = []
    window.crawls.comparison_wanted.connect(
        lambda a, b: wanted.append((a.snapshot.pages - 100, b.snapshot.pages - 100))
    )
    return wanted


def test_the_open_crawl_is_marked_and_selected(window: HistoryWindow) -> None:
    window.show_crawls("example.com", crawls(3, removed=0))
    model = window.crawls.table.model()
    projects = [model.data(model.index(row, 1), DISPLAY) for row in range(3)]
    assert projects == ["Open in this window", "1.gossamer", "Removed"]
    assert window.crawls.selected is not None
    assert window.crawls.selected.is_open
    assert not window.crawls.open_crawl.isEnabled()
    assert window.heading.text() == "example.com"
    assert window.span.text().startswith("3 crawls")


@pytest.mark.parametrize(
    ("place", "said"),
    [
        (ProjectLocation.MISSING, "/crawls/1.gossamer does not exist"),
        (ProjectLocation.OUT_OF_REACH, "The folder /crawls does not exist"),
        (ProjectLocation.REMOVED, "was removed"),
    ],
)
def test_what_became_of_a_project_is_said_and_can_be_mended(
    window: HistoryWindow, place: ProjectLocation, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        QFileDialog, "getOpenFileName", staticmethod(lambda *_: ("/else/1.gossamer", ""))
    )
    listed = crawls(3, removed=1, gone=place)
    window.show_crawls("example.com", listed)
    pane, wanted = window.crawls, list[object]()
    pane.relink_wanted.connect(lambda *pair: wanted.append(pair))
    window.forget_wanted.connect(wanted.append)
    assert not pane.find_file.isVisible()
    pane.table.select_crawl(listed[1].snapshot.created_at)
    assert said in pane.hint.text()
    pane.find_file.click()
    pane.forget.click()
    assert len(wanted) == 1
    window.message.answer("Keep").click()
    pane.forget.click()
    window.message.answer("Forget").click()
    assert wanted == [(listed[1], Path("/else/1.gossamer")), listed[1]]


def test_a_point_leads_to_what_changed_since_the_crawl_before(window: HistoryWindow) -> None:
    window.show_crawls("example.com", crawls(4, removed=1))
    wanted = pairs_wanted(window)
    for at in (2, 0, 1):  # the first has none before it, the second no project
        window.pages.activate(at)
    assert wanted == [(0, 2)]


def test_charts_are_used_with_the_keyboard(window: HistoryWindow) -> None:
    window.show_crawls("example.com", crawls(3))
    wanted = pairs_wanted(window)
    window.errors.setFocus()
    for key in (Qt.Key.Key_Home, Qt.Key.Key_Right, Qt.Key.Key_Return):
        QTest.keyClick(window.errors, key)
    assert wanted == [(0, 1)]


def test_two_selected_crawls_are_compared_the_earlier_one_first(window: HistoryWindow) -> None:
    window.show_crawls("example.com", crawls(4))
    wanted = pairs_wanted(window)
    table = window.crawls.table
    table.selectAll()
    assert not window.crawls.compare.isEnabled()
    table.select_only(0)
    flags = table.selectionModel().SelectionFlag
    table.selectionModel().select(table.model().index(3, 0), flags.Select | flags.Rows)
    window.crawls.compare.click()
    assert wanted == [(0, 3)]


def test_a_crawl_is_opened_unless_it_is_open_or_removed(window: HistoryWindow) -> None:
    window.show_crawls("example.com", crawls(3, removed=0))
    opened: list[ListedCrawl] = []
    window.crawls.open_wanted.connect(opened.append)
    for row in range(3):
        window.crawls.table.select_only(row)
        QTest.keyClick(window.crawls.table, Qt.Key.Key_Return)
    assert [each.snapshot.pages for each in opened] == [101]


def test_a_gap_in_the_times_is_drawn(window: HistoryWindow) -> None:
    window.show_crawls("example.com", crawls(3))
    assert [mark.value_text for mark in window.times.marks()][
        1
    ] == f"Median: {NOTHING}, 90th percentile: {NOTHING}"
    assert not window.times.grab().isNull()


def test_a_thousand_crawls_are_drawn(window: HistoryWindow) -> None:
    window.show_crawls("example.com", crawls(1000))
    for chart in window.charts:
        assert not chart.grab().isNull()
    assert window.crawls.table.model().rowCount() == 1000


@each_case("about", ["1e300", "-1e300", "nan", "inf", "yesterday", ""])
def test_a_note_about_a_crawl_of_no_time_has_no_flag(about: str) -> None:
    note = Note(text="Moved", subject=NoteSubject.CRAWL, about=about)
    assert chart_notes([note]) == []
    assert listed_crawls(snapshots(1), [note], 0.0)[0].notes == ""


def test_what_a_crawl_is_compared_with_is_found_once_for_all(
    window: HistoryWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    count, looks = 300, list[int]()

    def exists(each: ListedCrawl) -> bool:
        looks.append(1)
        return each.place is ProjectLocation.HERE

    monkeypatch.setattr(ListedCrawl, "exists", property(exists))
    all_removed = [
        dataclasses.replace(each, place=ProjectLocation.REMOVED) for each in crawls(count)
    ]
    window.show_crawls("example.com", all_removed)
    assert len(looks) <= 5 * count


def test_the_days_of_all_crawls_are_not_looked_at_for_each_note(
    window: HistoryWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    count, looks = 300, list[float]()
    listed = crawls(count)
    days = [chart_dates.local_day(_BEGUN + at * _DAY_S) for at in range(0, count, 5)]
    usual = chart_dates.local_day

    def local_day(unix_s: float) -> date:
        looks.append(unix_s)
        return usual(unix_s)

    monkeypatch.setattr(chart_dates, "local_day", local_day)
    flags = [ChartNote(day, "", ("Moved",), (at,)) for at, day in enumerate(days)]
    window.show_crawls("example.com", listed, flags)
    charts = len(window.charts) - 1  # all but that of a choice
    assert len(looks) <= charts * len(flags) * (count.bit_length() + 1)


def test_the_crawl_under_the_mouse_is_computed(
    window: HistoryWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    window.show_crawls("example.com", crawls(30))
    chart = window.pages
    places = [chart.area(at).boundingRect().center().toPoint() for at in range(30)]
    below = QPoint(places[3].x(), chart.viewport().height() - 1)
    left = QPoint(0, places[0].y())  # at the values of the axis
    monkeypatch.setattr(chart, "area", None)
    assert [chart.indexAt(place).row() for place in places] == list(range(30))
    assert [chart.indexAt(place).row() for place in (below, left)] == [-1, -1]


def test_a_day_belongs_to_the_next_crawl_or_the_last() -> None:
    three = snapshots(3)  # on 14, 15 and 16 November 2023
    days = ["2023-11-01", "2023-11-15", "2023-12-24"]
    notes = [Note(text=day, subject=NoteSubject.DATE, about=day) for day in days]
    notes.append(Note(text="own", subject=NoteSubject.CRAWL, about=repr(three[0].created_at)))
    notes.append(Note(text="lost", subject=NoteSubject.CRAWL, about="no number"))
    notes.append(Note(text="of nobody", subject=NoteSubject.DATE, about="no day"))
    notes.append(Note(text="site"))
    found = notes_of_crawls(three, notes)
    told = [[note.text for note in found[each.created_at]] for each in three]
    assert told == [["2023-11-01", "own"], ["2023-11-15"], ["2023-12-24"]]
    assert listed_crawls(three, notes, 0.0)[0].notes == "2023-11-01 · own"
    assert notes_of_crawls([], notes) == {}


def texts(notes: NotesPane) -> list[str]:
    rows = [notes.table.rows.record(row) for row in range(notes.table.rows.rowCount())]
    return [each.note.text for each in rows if each is not None]


def type_note(window: QWidget, text: str, day: QDate | None = None) -> None:
    """Type a note into the dialog that is open, and save it."""
    (editor,) = [each for each in window.findChildren(NoteEditor) if each.isVisible()]
    field = editor.findChild(QPlainTextEdit)
    assert field is not None
    field.setPlainText(text)
    if day is not None:
        assert editor.day_field is not None
        editor.day_field.setDate(day)
    editor.accept()


def test_a_click_on_the_days_of_a_chart_asks_for_a_note(window: HistoryWindow) -> None:
    window.show_crawls("example.com", crawls(3))
    added: list[Note] = []
    window.notes.add_wanted.connect(added.append)
    chart = window.pages
    second = chart.visualRect(chart.model_.index(1)).center().x()
    days = QPoint(second, chart.viewport().height() - 2)
    QTest.mouseClick(chart.viewport(), Qt.MouseButton.LeftButton, pos=days)
    type_note(window, "Relaunch")
    QTest.mouseClick(chart.viewport(), Qt.MouseButton.LeftButton, pos=days)
    type_note(window, "Moved", QDate(2023, 12, 24))
    assert [(each.subject, each.about, each.text) for each in added] == [
        (NoteSubject.DATE, "2023-11-15", "Relaunch"),
        (NoteSubject.DATE, "2023-12-24", "Moved"),
    ]


def test_a_flag_of_a_chart_leads_to_its_note(window: HistoryWindow) -> None:
    day = Note(text="Relaunch", subject=NoteSubject.DATE, about="2023-11-15", id=7)
    window.show_crawls("example.com", crawls(3), chart_notes([day]))
    window.show_notes([Note(text="Ask first", id=1), day], DEFAULTS)
    chart = window.errors
    at = QPoint(
        chart.visualRect(chart.model_.index(1)).center().x(), chart.viewport().height() - 20
    )
    assert "Relaunch" in chart.hover_text(at.toPointF())[0]
    QTest.mouseClick(chart.viewport(), Qt.MouseButton.LeftButton, pos=at)
    assert window.tabs.currentWidget() is window.notes
    chosen = window.notes.table.current
    assert chosen is not None
    assert chosen.note == day


def test_the_crawl_under_the_mouse_is_told_with_its_changes(window: HistoryWindow) -> None:
    window.show_crawls("example.com", crawls(3, removed=0))
    chart = window.issues
    told = [
        chart.hover_text(QPointF(chart.visualRect(chart.model_.index(row)).center()))[0]
        for row in range(3)
    ]
    assert "+1" in told[2]
    assert "<b>2</b>" in told[2]
    assert "what changed since" in told[2]
    assert "no project of an earlier crawl" in told[1]
    assert "Its project is not there" in told[0]
    assert "audit was not up to date" in told[0]


@pytest.mark.parametrize("count", [0, 1])
def test_few_crawls_are_drawn_with_notes_of_any_day(window: HistoryWindow, count: int) -> None:
    days = ["0001-01-01", "2023-11-14", "9999-12-31", "no day"]
    notes = [Note(text=day, subject=NoteSubject.DATE, about=day) for day in days]
    window.show_crawls("example.com", crawls(count), chart_notes(notes))
    window.show_notes(notes, DEFAULTS)
    for chart in window.charts:
        assert not chart.grab().isNull()
        chart.hover_text(QPointF(chart.viewport().width() - 1, chart.viewport().height() - 1))
    assert len(texts(window.notes)) == 4


def test_what_cannot_be_done_is_said_in_the_window_itself(play: Play, tmp_path: Path) -> None:
    async def scene(stage: Stage) -> None:
        session = await stage.start()
        store_page(session.path)
        series_of(session.path)
        stage.trigger(WindowAction.HISTORY)
        (history,) = stage.window.findChildren(HistoryWindow)
        (crawl,) = crawls(1)
        history.crawls.relink_wanted.emit(crawl, tmp_path / "none.gossamer")
        await until(lambda: "none.gossamer does not exist" in history.message.text())
        history.crawls.relink_wanted.emit(crawl, session.path)
        await until(lambda: "another crawl of this site" in history.message.text())

    play(scene)


def test_notes_are_filtered(window: HistoryWindow) -> None:
    pane = window.notes
    kinds = {NoteSubject.URL: "https://example.com/a", NoteSubject.ISSUE: "400"}
    notes = [Note(text="Ask Anna"), *(Note(text="x", subject=s, about=a) for s, a in kinds.items())]
    window.show_notes(notes, DEFAULTS)
    for typed, found in (("ANNA", 1), ("titles: missing", 1), ("/a", 1), ("nothing", 0), ("", 3)):
        pane.text.setText(typed)
        assert len(texts(pane)) == found, typed
    pane.kind.setCurrentIndex(pane.kind.findData(NoteSubject.ISSUE))
    assert texts(pane) == ["x"]


def test_a_click_leads_to_what_a_note_is_about(play: Play) -> None:
    async def scene(stage: Stage) -> None:
        session = await stage.start()
        store_page(session.path, issues=[400])
        workspace = stage.window.workspace
        workspace.refresh()
        await until(lambda: workspace.table.urls.rows.rowCount() == 1)
        stage.trigger(WindowAction.NOTES)
        (history,) = stage.window.findChildren(HistoryWindow)
        assert history.tabs.currentWidget() is history.notes
        lead = history.notes.subject_wanted.emit
        lead(Note(text="x", subject=NoteSubject.URL, about=f"{BASE}/1"))
        await until(lambda: workspace.details.views.notes.url == f"{BASE}/1")
        assert workspace.details.tabs.front is workspace.details.views.notes
        lead(Note(text="x", subject=NoteSubject.URL, about=f"{BASE}/unknown"))
        await until(lambda: stage.window.messages.about("noted url") is not None)
        workspace.table.issue_counts.refresh(at_once=True)
        await until(lambda: bool(workspace.table.issue_counts.urls))
        lead(Note(text="x", subject=NoteSubject.ISSUE, about="9" * 5000))
        lead(Note(text="x", subject=NoteSubject.ISSUE, about="402"))
        lead(Note(text="x", subject=NoteSubject.ISSUE, about="400"))
        rule = workspace.table.issues.table.rule
        assert rule is not None
        assert rule.number == 400

    play(scene)


def test_notes_are_added_changed_and_removed(play: Play) -> None:
    async def scene(stage: Stage) -> None:
        session = await stage.start()
        write_note(series_of(session.path), Note(text="Ask first"))
        stage.trigger(WindowAction.HISTORY)
        (history,) = stage.window.findChildren(HistoryWindow)
        notes = history.notes
        await until(lambda: texts(notes) == ["Ask first"])
        notes.add_wanted.emit(Note(text="Second"))
        await until(lambda: texts(notes) == ["Second", "Ask first"])
        notes.table.select_only(1)
        notes.edit.click()
        type_note(history, "Ask Anna first")
        await until(lambda: texts(notes) == ["Second", "Ask Anna first"])
        notes.table.select_only(1)
        notes.remove.click()
        await until(lambda: texts(notes) == ["Second"])
        assert [each.text for each in series_of(session.path).notes()] == ["Second"]
        stage.crawl.leave()
        await until(lambda: not stage.window.findChildren(HistoryWindow))

    play(scene)


def store_page(path: Path, issues: Sequence[int] = ()) -> None:
    """Write a page into the project of a session."""
    with Writer(path) as writer:
        visit = Visit(Outcome.PAGE, 200, facts=PageFacts(word_count=9), issues=list(issues))
        writer.commit(
            StoreBatch(
                new=[UrlRow(1, f"{BASE}/1", Rank(0, 0), Outcome.PENDING, None, None)],
                visits=[VisitRow(1, visit, Outcome.PAGE, 1, LinkRows())],
            )
        )


def note_texts(notes: NoteList) -> list[str]:
    return [notes.items.item(row).text().partition("\n")[0] for row in range(notes.items.count())]


def test_notes_about_a_url_are_in_its_details_and_in_the_table(play: Play) -> None:
    async def scene(stage: Stage) -> None:
        session = await stage.start()
        store_page(session.path)
        stage.window.workspace.refresh()
        table, details = stage.window.workspace.table, stage.window.workspace.details
        await until(lambda: table.urls.rows.rowCount() == 1)
        details.select_url(1)
        await until(lambda: bool(details.views.notes.url))
        details.views.notes.add_wanted.emit("Ask legal before removing")
        await until(lambda: note_texts(details.views.notes) == ["Ask legal before removing"])
        index = table.urls.rows.index(0, 0)
        await until(lambda: table.urls.rows.data(index, DECORATION) is not None)
        assert "Ask legal" in str(table.urls.rows.data(index, ACCESSIBLE))
        with_notes = Filter(facets=facet_values(noted=["With notes"]))
        table.show_rows(View.ALL, with_notes)
        await until(lambda: table.urls.rows.rowCount() == 1)

    play(scene)


def test_notes_on_an_issue_are_in_its_explanation(play: Play) -> None:
    async def scene(stage: Stage) -> None:
        session = await stage.start()
        store_page(session.path, issues=[400])
        issues = stage.window.workspace.table.issues
        stage.window.workspace.table.set_view(ISSUES)
        stage.window.workspace.table.issue_counts.refresh(at_once=True)
        await until(lambda: issues.table.rule is not None)
        issues.explanation.commanded.emit(RuleCommand.NOTES)
        (dialog,) = stage.window.findChildren(NotesDialog)
        dialog.notes.add_wanted.emit("Agreed with the agency")
        await until(lambda: note_texts(dialog.notes) == ["Agreed with the agency"])
        await until(lambda: "Agreed with the agency" in issues.explanation.toPlainText())
        model = issues.table.rows
        last = model.index(0, model.columnCount() - 1)
        assert model.data(last, DISPLAY) == "Agreed with the agency"
        assert model.data(last, DECORATION) is not None
        assert not issues.table.isColumnHidden(last.column())
        dialog.close()

    play(scene)


def test_what_is_asked_of_the_series_later_is_shown_later(play: Play) -> None:
    async def scene(stage: Stage) -> None:
        await stage.start()
        series = stage.window.findChild(SeriesController)
        assert series is not None
        shown: list[str] = []
        may_end = threading.Event()

        def slow(_series: Series) -> str:
            assert may_end.wait(PATIENCE_S)
            return "earlier"

        series.work("same", slow, shown.append)
        series.work("same", lambda _: "later", shown.append)
        series.work("other", lambda _: "beside", shown.append)
        await until(lambda: "beside" in shown)
        may_end.set()
        await until(lambda: len(shown) == 3)
        assert shown == ["beside", "earlier", "later"]

    play(scene)


def test_a_filter_is_saved_used_and_removed(play: Play) -> None:
    async def scene(stage: Stage) -> None:
        session = await stage.start()
        store_page(session.path, issues=[400])
        table = stage.window.workspace.table
        bar = table.bar
        entries = bar.saved.filters

        def names() -> list[str]:
            return [action.text() for action in entries.actions() if action.text()]

        entries.aboutToShow.emit()
        assert names() == ["No saved filters yet", "Save this filter…"]
        wanted = Filter(text="1", facets=facet_values(status={200}))
        table.show_rows(RuleGroup.PAGE_TITLES, wanted)
        bar.choose_rule(400)
        shown = bar.filter_
        bar.saved.save_wanted.emit("Titles & more")
        await until(lambda: "Titles && more" in names())
        bar.show_all()
        bar.choose_rule(None)
        bar.set_view(View.ALL)
        entries.actions()[0].trigger()
        await until(lambda: bar.tab == RuleGroup.PAGE_TITLES)
        assert (bar.filter_, bar.rule) == (shown, 400)
        bar.saved.remove_wanted.emit("titles & MORE")
        await until(lambda: "No saved filters yet" in names())

    play(scene)


def test_a_failed_crawl_is_a_gap_and_nothing_is_compared_with_it(window: HistoryWindow) -> None:
    found = crawls(3)
    failed = replace(found[1].snapshot, state=CrawlState.FAILED, pages=0, high=0)
    found[1] = dataclasses.replace(found[1], snapshot=failed)
    window.show_crawls("example.com", found)
    (line,) = page_lines([each.snapshot for each in found])
    assert line.values == [100, None, 102]
    assert line.change(2) == ("+2", "muted")
    wanted = pairs_wanted(window)
    window.crawls.table.select_crawl(found[2].snapshot.created_at)
    window.crawls.compare_selected()
    assert wanted == [(0, 2)]
