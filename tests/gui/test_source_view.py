"""The source of a page: asked for, shown as it is, with a link in sight; rules tried on it."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from gossamer.gui.details.source_view import SourceView
from gossamer.model.crawl_state import CrawlState
from gossamer.model.errors import UsageError
from gossamer.model.messages.inspection_messages import Match, PageSource, SelectorResult
from gossamer.model.outcome import Outcome
from gossamer.model.outcome_details import free_text
from tests.gui.conftest import Run
from tests.gui.desk import BASE, Desk, small_site
from tests.gui.stage import staged, until

URL = f"{BASE}/"
TEXT = "<p>\U0001f577 one\n<a href='/x'>two</a>\n<b>three</b> <a href='x'>four</a>"
SPANS = [(18, 20), (52, 53)]


@pytest.fixture
def view(qtbot: QtBot) -> SourceView:
    view = SourceView()
    qtbot.addWidget(view)
    view.resize(900, 300)
    view.show()
    view.show_url(URL)
    return view


def source(**known: object) -> PageSource:
    facts = {"number": 1, "url": URL, "outcome": Outcome.FILE, "status": 200, "text": TEXT}
    return PageSource(**facts | known)  # type: ignore[arg-type] # each test gives what fits


def selected(view: SourceView) -> list[str]:
    return [each.cursor.selectedText() for each in view.text.extraSelections()]


def test_the_source_is_not_requested_until_the_tab_is_shown(view: SourceView, qtbot: QtBot) -> None:
    assert "Press Fetch" in view.note.text()
    with qtbot.waitSignal(view.wanted) as wanted:
        view.fetch.click()
    assert wanted.args == [URL, "", True]
    assert view.fetch.text() == "Stop"
    with qtbot.waitSignal(view.stopped):
        view.fetch.click()
    assert view.fetch.text() == "Fetch"


def test_links_are_highlighted_in_the_source(view: SourceView) -> None:
    assert [TEXT[start:end] for start, end in SPANS] == ["/x", "x"]
    view.ask(URL, f"{BASE}/x")
    view.show_source(source(spans=SPANS, reason="OK", content_type="text/html", charset="utf-8"))
    assert view.text.toPlainText() == TEXT
    assert selected(view) == ["/x", "x"]
    assert view.position.text() == "Link 1 of 2"
    assert view.text.textCursor().blockNumber() == 1
    view.next.click()
    assert view.text.textCursor().blockNumber() == 2
    view.next.click()
    assert view.position.text() == "Link 1 of 2"
    assert view.state.text() == f"200 OK · text/html · utf-8 · {URL}"


def test_a_link_that_is_not_in_the_source_is_said_to_be_missing(view: SourceView) -> None:
    view.ask(URL, f"{BASE}/other")
    view.show_source(source())
    assert view.position.text() == "The link is not in this page source"


def test_the_source_is_shown_as_plain_text(view: SourceView) -> None:
    view.show_source(source(text="<h1 style='color:red'>x</h1><img src='file:///etc/passwd'>"))
    assert "<h1 style" in view.text.toPlainText()
    assert view.text.document().blockCount() == 1


def test_request_and_response_headers_are_shown(view: SourceView) -> None:
    view.show_source(source(request=[("Cookie", "…")], headers=[("Server", "nginx")]))
    view.heads.click()
    assert view.text.toPlainText() == "> Cookie: …\n\n< Server: nginx"
    view.heads.click()
    assert view.text.toPlainText() == TEXT


@pytest.mark.parametrize(
    ("known", "says"),
    [
        ({"text": "", "is_text": False, "content_type": "image/png"}, "image/png; only text"),
        ({"text": ""}, "The response is empty."),
        (
            {
                "text": "",
                "status": None,
                "outcome": Outcome.BLOCKED_BY_ROBOTS,
                "detail": free_text("line 2"),
            },
            "Disallowed by the site's robots.txt.\nline 2",
        ),
    ],
)
def test_a_missing_source_is_explained(
    view: SourceView, known: dict[str, object], says: str
) -> None:
    view.show_source(source(**known))
    assert says in view.note.text()
    assert view.note.isVisible()
    assert not view.rules.isEnabled()


def test_selecting_another_url_clears_the_source(view: SourceView, qtbot: QtBot) -> None:
    view.show_source(source())
    view.ask(URL, again=True)
    with qtbot.waitSignal(view.stopped):
        view.show_url(f"{BASE}/docs/")
    view.show_source(source())  # too late
    assert view.text.toPlainText() == ""
    view.show_url("")
    assert not view.fetch.isEnabled()
    assert "Select a URL" in view.note.text()


def test_trying_an_extraction_rule(view: SourceView, qtbot: QtBot) -> None:
    view.show_source(source())
    view.rules.field.setText(" a ")
    with qtbot.waitSignal(view.rule_requested) as wanted:
        QTest.keyClick(view.rules.field, Qt.Key.Key_Return)
    assert wanted.args == ["a"]
    matches = [Match("<a href='/x'>", "two", 2), Match("<img>", "", 0)]
    view.show_rule(SelectorResult(1, 1234, matches))
    assert view.rules.status.text() == "Elements: 1,234, showing the first 2"
    shown = [
        view.rules.matches_list.item(row).text() for row in range(view.rules.matches_list.count())
    ]
    assert shown == ["2  two", "<img>"]
    view.rules.matches_list.itemClicked.emit(view.rules.matches_list.item(0))
    assert view.text.textCursor().blockNumber() == 1
    view.rules.matches_list.setCurrentRow(1)
    view.rules.matches_list.setFocus()
    QTest.keyClick(view.rules.matches_list, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == "<img>"
    view.show_rule(SelectorResult(2, error="Malformed attribute selector"))
    assert view.rules.field.property("wrong")
    assert view.rules.matches_list.count() == 0
    view.show_rule(SelectorResult(3))
    assert view.rules.status.text() == "Elements: 0"
    assert not view.rules.field.property("wrong")


@pytest.fixture
def desk(qtbot: QtBot) -> Iterator[Desk]:
    desk = Desk(qtbot, small_site())
    yield desk
    desk.reader.close()


def test_matches_of_a_page_that_is_left_are_no_longer_wanted(
    view: SourceView, qtbot: QtBot
) -> None:
    view.ask(URL)
    view.show_source(source())
    view.rules.field.setText("a")
    view.rules.field.returnPressed.emit()
    with qtbot.waitSignal(view.stopped):
        view.show_url(f"{BASE}/other")
    view.ask(URL)
    view.show_source(source())
    view.rules.field.returnPressed.emit()
    view.show_rule(SelectorResult(1, count=77))
    with qtbot.assertNotEmitted(view.stopped):
        view.show_url(f"{BASE}/other")


def test_a_link_opens_the_source_of_its_page_at_the_link(desk: Desk, qtbot: QtBot) -> None:
    desk.open()
    details = desk.details
    details.show_inlinks(2)
    desk.until(lambda: details.views.inlinks.rows.rowCount() == 1)
    desk.until(lambda: "/docs/" in details.views.source.state.text())
    details.views.inlinks.selectRow(0)
    with qtbot.waitSignal(details.views.source.wanted) as wanted:
        next(
            a for a in details.views.inlinks.actions() if a.shortcut().toString() == "Ctrl+U"
        ).trigger()
    assert wanted.args == [f"{BASE}/", f"{BASE}/docs/", False]
    assert details.tabs.front is details.views.source_tab
    desk.refresh()
    desk.until(lambda: desk.rows.calls.count("records") > 3)
    assert details.views.source.state.text() == f"{BASE}/"


def test_the_source_is_fetched_through_the_session(run: Run[None], tmp_path: Path) -> None:
    async def main() -> None:
        async with staged(tmp_path) as stage:
            session = await stage.start()
            view = stage.window.workspace.details.views.source
            session.inspection.text = TEXT
            view.ask(URL, "x")
            await until(lambda: view.text.toPlainText() == TEXT)
            view.rule_requested.emit("a")
            await until(lambda: view.rules.status.text() == "Elements: 0")
            assert session.inspection.asked == [(URL, "x", ""), ("a",)]
            session.inspection.error = UsageError("This crawl needs something.")
            view.ask(URL, again=True)
            await until(lambda: view.note.text() == "This crawl needs something.")
            assert view.fetch.text() == "Fetch"
            session.inspection.gate.clear()
            view.ask(URL, again=True)
            await until(lambda: len(session.inspection.asked) == 4)
            view.fetch.click()
            await until(lambda: "inspect page" not in stage.tasks.names())
            assert session.state is CrawlState.RUNNING

    run(main())


def test_a_text_with_no_break_spaces_stays_where_it_was_scrolled_to(view: SourceView) -> None:
    view.ask(URL, "")
    view.show_source(source(text="a\u00a0b\n" * 500))
    bar = view.text.verticalScrollBar()
    bar.setValue(300)
    view.stop_waiting()
    assert bar.value() == 300
