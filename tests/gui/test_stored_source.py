"""The stored source of a page, and its difference from what the server sends now."""

from pathlib import Path

import pytest
from msgspec.structs import replace
from pytestqt.qtbot import QtBot

from gossamer.gui.details.detail_views import DetailViews
from gossamer.gui.details.stored_source_view import StoredSourceView
from gossamer.model.archive_record import ArchiveRecord, RecordKind
from gossamer.model.errors import UsageError
from gossamer.model.messages.inspection_messages import PageSource, StoredSource
from gossamer.model.messages.page_contents_messages import (
    ComparedRow,
    PageFetchOutcome,
    SideBySide,
    TextPart,
)
from gossamer.model.outcome import Outcome
from tests.gui.conftest import Run
from tests.gui.desk import BASE, Desk
from tests.gui.stage import staged, until

URL = f"{BASE}/"
RECORD = ArchiveRecord(RecordKind.RESPONSE, "a-1-1-1.warc.gz", 100, 50, b"")
OTHER = replace(RECORD, offset=900)
STORED = StoredSource(
    1,
    URL,
    PageSource(0, URL, Outcome.FILE, 200, "OK", text="<p>old</p>", content_type="text/html"),
    "2026-11-01T10:00:00Z",
)
READ = PageFetchOutcome(Outcome.FILE, 200, is_read=True)
EQUAL = ComparedRow([TextPart("<p>same</p>")], [TextPart("<p>same</p>")])
CHANGED = ComparedRow([TextPart("<p>old</p>", differs=True)], [])


def compared(*rows: ComparedRow, is_cut: bool = False) -> StoredSource:
    return replace(STORED, now=READ, difference=SideBySide(list(rows), is_cut))


@pytest.fixture
def view(qtbot: QtBot) -> StoredSourceView:
    view = StoredSourceView()
    qtbot.addWidget(view)
    view.resize(900, 300)
    view.show()
    return view


def test_the_choice_is_there_where_the_archive_has_the_page(desk: Desk) -> None:
    desk.open()
    tab = desk.details.views.source_tab
    desk.rows.archive_records[2] = RECORD
    desk.details.select_url(1)
    desk.until(lambda: bool(desk.details.views.source.state.text()))
    assert tab.choice.isHidden()
    desk.details.select_url(2)
    desk.until(lambda: not tab.choice.isHidden())
    asked: list[tuple[object, ...]] = []
    tab.stored.wanted.connect(lambda *request: asked.append(request))
    tab.choice.setCurrentIndex(1)
    assert asked == []  # another tab is in front
    desk.details.tabs.bring_to_front(DetailViews.source_tab)
    assert asked == [(f"{BASE}/docs/", RECORD, False, False)]
    desk.details.select_url(1)
    desk.until(tab.choice.isHidden)
    assert desk.details.views.source.isVisible()
    desk.details.select_url(2)
    desk.until(tab.stored.isVisible)
    tab.ask(URL)
    assert desk.details.views.source.isVisible()


def test_the_stored_source_says_when_it_was_stored(view: StoredSourceView, qtbot: QtBot) -> None:
    with qtbot.waitSignal(view.wanted) as wanted:
        view.show_record(URL, RECORD)
    assert wanted.args == [URL, RECORD, False, False]
    assert view.note.text() == "Reading the archive…"
    view.show_stored(replace(STORED, url="http://other/"))
    assert view.text.toPlainText() == ""
    view.show_stored(replace(STORED, repeats=True))
    assert view.text.toPlainText() == "<p>old</p>"
    state = view.bar.state.text()
    assert state.startswith("Stored ")
    assert "200 OK · text/html · same content as an earlier record" in state
    assert view.bar.button.isHidden()


def test_no_request_is_made_until_the_difference_is_wanted(
    view: StoredSourceView, qtbot: QtBot
) -> None:
    view.show_record(URL, RECORD)
    view.show_stored(STORED)
    with qtbot.waitSignal(view.wanted) as wanted:
        view.show_difference(wanted=True)
    assert wanted.args == [URL, RECORD, True, False]
    view.show_stored(compared(EQUAL, CHANGED))
    assert "<p>old</p>" in view.difference.toPlainText()
    with qtbot.assertNotEmitted(view.wanted):
        view.show_record("http://next/", OTHER)
        assert "Press Fetch and compare" in view.difference.note.text()
    with qtbot.waitSignal(view.wanted) as wanted:
        view.bar.button.click()
    assert wanted.args == ["http://next/", OTHER, True, True]
    with qtbot.waitSignal(view.stopped):
        view.bar.button.click()


@pytest.mark.parametrize(
    ("found", "says"),
    [
        (compared(EQUAL), "The sources are the same"),
        (compared(EQUAL, is_cut=True), "the sources continue"),
        (replace(STORED, now=PageFetchOutcome(Outcome.BLOCKED_BY_ROBOTS)), "robots.txt"),
    ],
)
def test_why_no_difference_is_shown(view: StoredSourceView, found: StoredSource, says: str) -> None:
    view.show_record(URL, RECORD)
    view.show_difference(wanted=True)
    view.show_stored(found)
    assert says in view.difference.note.text()


def test_a_record_of_a_new_crawl_is_read_anew(view: StoredSourceView, qtbot: QtBot) -> None:
    view.show_record(URL, RECORD)
    view.show_stored(STORED)
    with qtbot.assertNotEmitted(view.wanted):
        view.show_record(URL, replace(RECORD))
    with qtbot.waitSignal(view.wanted):
        view.show_record(URL, OTHER)
    assert view.text.toPlainText() == ""


def test_the_archive_is_read_through_the_session(run: Run[None], tmp_path: Path) -> None:
    async def main() -> None:
        async with staged(tmp_path) as stage:
            session = await stage.start()
            view = stage.window.workspace.details.views.source_tab.stored
            session.inspection.stored = STORED
            view.show_record(URL, RECORD)
            view.show_difference(wanted=True)
            await until(lambda: not view.bar.is_waiting)
            assert session.inspection.asked == [(URL, RECORD.file, "compare", "")]
            view.show_difference(wanted=False)
            assert view.text.toPlainText() == "<p>old</p>"
            session.inspection.error = UsageError("The file is missing.")
            view.show_record(URL, OTHER)
            view.show_difference(wanted=True)
            await until(lambda: view.difference.note.text() == "The file is missing.")

    run(main())


def test_a_text_with_no_break_spaces_stays_where_it_was_scrolled_to(view: StoredSourceView) -> None:
    view.show_record(URL, RECORD)
    assert STORED.source is not None
    text = "a\u00a0b\n" * 500
    view.show_stored(replace(STORED, source=replace(STORED.source, text=text)))
    bar = view.text.verticalScrollBar()
    bar.setValue(300)
    view.stop_waiting()
    assert bar.value() == 300
