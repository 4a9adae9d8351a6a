"""What the details show of a rendered page: stored by the crawl, or rendered on request."""

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QBuffer, Qt
from PySide6.QtGui import QColor, QGuiApplication, QImage, QImageWriter
from PySide6.QtWidgets import QLabel, QTreeWidget, QTreeWidgetItem
from pytestqt.qtbot import QtBot

from gossamer.audit.site_rule import RuleGroup
from gossamer.gui.actions.view_actions import ViewAction
from gossamer.gui.details.detail_views import DetailViews
from gossamer.gui.details.rendered_page_view import RenderedPageView
from gossamer.gui.details.request_waterfall import RequestWaterfall
from gossamer.gui.details.screenshot_view import ScreenshotView
from gossamer.gui.tables.item_roles import ACCESSIBLE
from gossamer.gui.tables.table_tabs import ISSUES
from gossamer.gui.text.browser_sentences import browser_trouble
from gossamer.model.accessibility_report import Violation, ViolationNode
from gossamer.model.archive_record import ArchiveRecord, RecordKind
from gossamer.model.axe_rules import AccessibilityLevel
from gossamer.model.errors import ProjectError, UsageError
from gossamer.model.fields.rendering_fields import AccessibilityOutcome, RenderOutcome
from gossamer.model.link_traits import ORIGIN_SHIFT, LinkOrigin
from gossamer.model.messages.page_contents_messages import (
    ComparedRow,
    PageFetchOutcome,
    SideBySide,
    TextPart,
)
from gossamer.model.messages.page_rendering_messages import (
    ComparedFact,
    LinkTally,
    RenderedLink,
    RenderingReport,
    StoredDomComparison,
)
from gossamer.model.outcome import Outcome
from gossamer.model.rendering import (
    BlockedBy,
    ConsoleMessage,
    PageResource,
    Rendering,
    RenderingDetails,
    ResourceType,
)
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.settings.rendering_choices import RenderMode
from gossamer.model.translatable import said
from tests.gui.conftest import Play
from tests.gui.desk import BASE, Desk, DetailsDesk
from tests.gui.stage import Stage, until

NOTHING = "\N{EN DASH}"
READ = PageFetchOutcome(Outcome.PAGE, 200, is_read=True)
SCRIPT = PageResource(f"{BASE}/app.js", ResourceType.SCRIPT, 200, 2048, 40, 60)
TRACKER = PageResource(
    f"{BASE}/track.js", ResourceType.SCRIPT, started_ms=10, blocked_by=BlockedBy.ROBOTS
)
DATA = PageResource(f"{BASE}/data", ResourceType.XHR, 500, 10, 100, 100)
LOST = PageResource(f"{BASE}/a.png", ResourceType.IMAGE, started_ms=20, failure="timed out")
SVG = b'<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'
DETAILS = RenderingDetails(
    [SCRIPT, TRACKER, DATA, LOST],
    [ConsoleMessage(is_error=True, text="out of wool", source=f"{BASE}/app.js", line=12)],
    popups=["https://ads.example/"],
)
RENDERED = RenderingReport(
    0,
    f"{BASE}/",
    READ,
    Rendering(
        RenderOutcome.RENDERED,
        page_requests=4,
        blocked_requests=1,
        failed_requests=1,
        console_errors=1,
        console_warnings=0,
        load_ms=1200,
        details=DETAILS,
    ),
    facts=[ComparedFact("title", "Loading", "Home"), ComparedFact("canonical", None, None)],
    links=LinkTally(
        1,
        1,
        3,
        [
            RenderedLink(f"{BASE}/made", "made", LinkOrigin.RENDERED),
            RenderedLink(f"{BASE}/removed", "removed", LinkOrigin.HTML_ONLY),
        ],
    ),
)


def jpeg(width: int, height: int) -> bytes:
    image = QImage(width, height, QImage.Format.Format_RGB32)
    image.fill(Qt.GlobalColor.darkGreen)
    buffer = QBuffer()
    buffer.open(QBuffer.OpenModeFlag.WriteOnly)
    QImageWriter(buffer, b"jpg").write(image)
    return bytes(buffer.data().data())


def texts(tree: QTreeWidget) -> list[list[str]]:
    """Every row with those below it, in the order shown."""
    found: list[list[str]] = []

    def add(item: QTreeWidgetItem) -> None:
        for place in range(item.childCount()):
            child = item.child(place)
            assert child is not None
            found.append([child.text(column) for column in range(tree.columnCount())])
            add(child)

    add(tree.invisibleRootItem())
    return found


@pytest.fixture
def desk(details_desk: DetailsDesk) -> DetailsDesk:
    """The details are enough here."""
    return details_desk


def opened(desk: DetailsDesk) -> RenderedPageView:
    """The tab of the first URL, once its record is there."""
    view = desk.details.views.rendered_page
    desk.details.tabs.bring_to_front(DetailViews.rendered_page)
    desk.details.select_url(1)
    desk.until(view.bar.button.isEnabled)
    return view


def test_a_stored_rendering_is_read_when_its_tab_is_looked_at(desk: DetailsDesk) -> None:
    desk.rows.change(
        1,
        render_outcome=RenderOutcome.RENDERED,
        html_title="Loading",
        page_requests=4,
        blocked_requests=1,
        load_ms=1200,
    )
    desk.rows.renderings[1] = DETAILS
    desk.rows.screenshots[1] = jpeg(1024, 768)
    desk.rows.link(1, 4, "made", traits=LinkOrigin.RENDERED << ORIGIN_SHIFT)
    desk.details.select_url(1)
    view = desk.details.views.rendered_page
    desk.until(lambda: "Home" in desk.details.views.summary.toPlainText())
    assert not view.screenshot.has_screenshot, "nobody looks at it"
    desk.details.tabs.bring_to_front(DetailViews.rendered_page)
    desk.until(lambda: view.screenshot.has_screenshot)
    assert view.bar.state.text() == "4 requests · 1 blocked · loaded in 1.20 s"
    assert view.bar.button.text() == "Render again"
    rows = texts(view.facts)
    assert ["Title", "Loading", "Home", "differs"] in rows
    assert ["Links", "5", "6", "1 by JavaScript"] in rows
    assert ["made", "", f"{BASE}/new", "only as rendered"] in rows


def test_facts_links_and_popups_are_compared_with_the_html(desk: DetailsDesk) -> None:
    view = opened(desk)
    view.show_rendering(RENDERED)
    assert texts(view.facts) == [
        ["Title", "Loading", "Home", "differs"],
        ["Canonical", NOTHING, NOTHING, ""],
        ["Links", "4", "4", "1 by JavaScript · 1 removed"],
        ["made", "", f"{BASE}/made", "only as rendered"],
        ["removed", f"{BASE}/removed", "", "only in HTML"],
        ["Window it tried to open", "", "https://ads.example/", ""],
    ]


def test_facts_that_only_one_of_the_two_has_and_numbers_that_change_are_named(
    desk: DetailsDesk,
) -> None:
    view = opened(desk)
    facts = [
        ComparedFact("h1", "", "Shop"),
        ComparedFact("robots", "noindex", None),
        ComparedFact("word_count", 12, 1_412),
        ComparedFact("word_count", 12, 10),
    ]
    view.show_rendering(replace(RENDERED, facts=facts, redirect=f"{BASE}/login"))
    assert texts(view.facts)[:5] == [
        ["Address", f"{BASE}/", f"{BASE}/login", "differs"],
        ["H1", NOTHING, "Shop", "only as rendered"],
        ["Meta robots", "noindex", NOTHING, "only in HTML"],
        ["Word count", "12", "1,412", "+1,400"],
        ["Word count", "12", "10", "\N{MINUS SIGN}2"],
    ]
    assert f"scripts redirect to {BASE}/login" in view.bar.state.text()
    unseen = replace(RENDERED.rendering, screenshot=b"")
    view.show_rendering(replace(RENDERED, rendering=unseen, redirect=f"{BASE}/login"))
    assert (
        view.screenshot.text() == "Scripts of this page redirect, so there is no screenshot of it."
    )


def test_the_console_has_messages_with_source_and_line(desk: DetailsDesk) -> None:
    view = opened(desk)
    view.show_rendering(RENDERED)
    assert texts(view.console) == [["out of wool", f"{BASE}/app.js", "12"]]
    assert view.lists.tabText(view.lists.indexOf(view.console)).startswith("Console  1")


def test_text_and_dom_of_a_page_rendered_now_are_side_by_side(desk: DetailsDesk) -> None:
    view = opened(desk)
    same, other = TextPart("Welcome"), TextPart("Made by a script", differs=True)
    rows = [ComparedRow([same], [same]), ComparedRow([], [other])]
    element = [TextPart("    "), TextPart("<h1>", differs=True)]
    view.show_rendering(
        replace(
            RENDERED,
            texts=SideBySide(rows, is_cut=True),
            dom=SideBySide([ComparedRow([], element)]),
        )
    )
    shown = view.comparisons.texts.text.toPlainText()
    assert shown.index("In the HTML") < shown.index("Welcome") < shown.index("Made by a script")
    assert "More paragraphs are not shown." in shown
    view.lists.setCurrentWidget(view.comparisons.texts)
    assert view.comparisons.texts.only_differences.isVisible()
    indented = "\N{NO-BREAK SPACE}" * 4 + "<h1>"
    assert indented in view.comparisons.dom.text.document().toRawText()


def test_text_and_dom_that_no_crawl_keeps_say_how_to_see_them(desk: DetailsDesk) -> None:
    view = opened(desk)
    view.show_rendering(RENDERED)
    assert "Press “Render again”" in view.comparisons.texts.text.note.text()
    assert "Press “Render again”" in view.comparisons.dom.text.note.text()
    view.lists.setCurrentWidget(view.comparisons.texts)
    assert not view.comparisons.texts.only_differences.isVisible(), (
        "there is nothing to choose from"
    )


HTML_RECORD = ArchiveRecord(RecordKind.RESPONSE, "a.warc.gz", 10, 20, bytes(32))
DOM_RECORD = ArchiveRecord(RecordKind.DOM, "a.warc.gz", 40, 20, bytes(32))
BEFORE_AND_AFTER = SideBySide(
    [ComparedRow([TextPart("Wait", differs=True)], [TextPart("Ready", differs=True)])]
)


def keep(desk: DetailsDesk, url_id: int) -> None:
    """Have the archive keep the HTML and the DOM of a page."""
    desk.rows.change(url_id, render_outcome=RenderOutcome.RENDERED)
    desk.rows.archive_records[url_id] = HTML_RECORD
    desk.rows.dom_records[url_id] = DOM_RECORD


def archived(desk: DetailsDesk) -> RenderedPageView:
    """The tab of the first URL, whose archive has its HTML and its DOM."""
    keep(desk, 1)
    view = opened(desk)
    desk.until(lambda: view.stored_dom.record is not None)
    return view


def test_text_and_dom_are_read_from_the_archive_that_has_them(desk: DetailsDesk) -> None:
    asked: list[object] = []
    view = desk.details.views.rendered_page
    view.stored_dom.wanted.connect(lambda *request: asked.append(request))
    archived(desk)
    assert asked == [(f"{BASE}/", HTML_RECORD, DOM_RECORD)]
    assert view.comparisons.dom.text.note.text() == "Reading the archive…"
    view.stored_dom.show_error("The archive file is missing.")
    assert view.comparisons.dom.text.note.text() == "The archive file is missing."
    view.stored_dom.show_stored(StoredDomComparison(0, f"{BASE}/other"))
    assert view.stored_dom.found is None
    stored = StoredDomComparison(0, f"{BASE}/", BEFORE_AND_AFTER, BEFORE_AND_AFTER)
    view.stored_dom.show_stored(stored)
    for part in (view.comparisons.texts, view.comparisons.dom):
        assert "Ready" in part.text.toPlainText()


READING = "Reading the archive…"


def test_the_stored_dom_is_read_after_a_rendering_that_was_stopped(desk: DetailsDesk) -> None:
    keep(desk, 1)
    desk.details.select_url(1)
    view = desk.details.views.rendered_page
    desk.until(view.bar.button.isEnabled)
    desk.details.tabs.bring_to_front(DetailViews.rendered_page)
    with desk.qtbot.waitSignal(view.wanted):
        view.render_page()
    assert not view.stored_dom.is_waiting
    with desk.qtbot.waitSignal(view.stored_dom.wanted) as wanted:
        view.bar.stopped.emit()
    assert wanted.args == [f"{BASE}/", HTML_RECORD, DOM_RECORD]
    assert view.comparisons.dom.text.note.text() == READING


def test_the_stored_dom_is_read_when_the_page_is_next_looked_at(desk: DetailsDesk) -> None:
    view = archived(desk)
    desk.details.tabs.bring_to_front(DetailViews.summary)
    view.stored_dom.stop_waiting()  # another view has asked for something
    assert view.comparisons.dom.text.note.text() != READING
    with desk.qtbot.waitSignal(view.stored_dom.wanted):
        desk.details.tabs.bring_to_front(DetailViews.rendered_page)
    assert view.comparisons.dom.text.note.text() == READING


def test_nothing_is_read_while_another_view_takes_the_place_of_a_rendering(
    desk: DetailsDesk,
) -> None:
    view = archived(desk)
    asked: list[object] = []
    view.render_page()
    view.stored_dom.stop_waiting()
    view.stored_dom.wanted.connect(lambda *request: asked.append(request))
    view.stop_waiting()
    assert asked == [], "that would end the request of the other view"


GONE = PageFetchOutcome(Outcome.CLIENT_ERROR, 404)
CRASHED = RenderingReport(0, f"{BASE}/", READ, Rendering(RenderOutcome.CRASHED))


@pytest.mark.parametrize(
    ("failed", "reason"),
    [
        ("There is no browser x.", "There is no browser x."),
        (CRASHED, "The browser crashed on this page."),
        (replace(CRASHED, fetched=GONE), "Not found."),
    ],
)
def test_what_was_shown_is_shown_again_after_a_failed_rendering(
    desk: DetailsDesk, failed: RenderingReport | str, reason: str
) -> None:
    desk.rows.change(1, page_requests=4)
    view = archived(desk)
    facts = texts(view.facts)

    def fail() -> None:
        view.render_page()
        view.stored_dom.stop_waiting()
        if isinstance(failed, str):
            view.show_error(failed)
        else:
            view.show_rendering(failed)

    with desk.qtbot.waitSignal(view.stored_dom.wanted):
        fail()
    assert view.parts.isVisible()
    assert texts(view.facts) == facts
    assert view.bar.state.text() == f"Not rendered again: {reason} · 4 requests"
    assert view.accessibleDescription() == view.bar.state.text()
    view.show_rendering(RENDERED)
    assert view.bar.state.text().startswith("Rendered now, not stored")
    fail()
    assert view.bar.state.text().startswith(f"Not rendered again: {reason} · Rendered now")


def test_a_page_that_is_crawled_again_without_rendering_shows_no_rendering(
    desk: DetailsDesk,
) -> None:
    view = archived(desk)
    assert view.parts.isVisible()
    desk.rows.change(1, render_outcome=None)
    desk.details.refresh()
    desk.until(lambda: "Press “Render this page”" in view.note.text())
    assert not view.parts.isVisible()


def test_the_stored_dom_is_compared_with_the_present_one_when_it_is_rendered_again(
    desk: DetailsDesk,
) -> None:
    asked: list[object] = []
    view = archived(desk)
    place = view.lists.indexOf(view.comparisons.dom_changes)
    assert not view.lists.isTabVisible(place)
    view.wanted.connect(lambda *request: asked.append(request))
    view.render_page()
    assert asked == [(f"{BASE}/", DOM_RECORD)]
    view.show_rendering(replace(RENDERED, dom_changes=BEFORE_AND_AFTER))
    assert view.lists.isTabVisible(place)
    shown = view.comparisons.dom_changes.text.toPlainText()
    assert shown.index("As stored") < shown.index("As rendered now") < shown.index("Ready")
    view.show_rendering(replace(RENDERED, why_no_changes=said("The archive is gone.")))
    assert view.comparisons.dom_changes.text.note.text() == "The archive is gone."


def test_another_page_stops_the_reading_of_the_stored_dom_of_the_one_before(
    desk: DetailsDesk,
) -> None:
    view = archived(desk)
    assert view.stored_dom.is_waiting
    with desk.qtbot.waitSignal(view.stored_dom.stopped):
        desk.details.select_url(2)


def waterfall(desk: DetailsDesk) -> RequestWaterfall:
    view = opened(desk)
    view.show_rendering(RENDERED)
    view.lists.setCurrentWidget(view.requests)
    return view.requests


def test_requests_come_in_the_order_of_time_with_what_became_of_them(desk: DetailsDesk) -> None:
    assert texts(waterfall(desk)) == [
        [f"{BASE}/track.js", "Script", "", "", "", "", "blocked by robots.txt"],
        [f"{BASE}/a.png", "Image", "", "", "0 ms", "", "failed: timed out"],
        [f"{BASE}/app.js", "Script", "200", "2.0 KiB", "60 ms", "", ""],
        [f"{BASE}/data", "XHR", "500", "10 bytes", "100 ms", "", ""],
    ]


def test_requests_are_sorted_by_numbers_not_by_their_words(desk: DetailsDesk) -> None:
    requests = waterfall(desk)
    requests.sortByColumn(3, Qt.SortOrder.DescendingOrder)
    assert [row[3] for row in texts(requests)][:2] == ["2.0 KiB", "10 bytes"]
    requests.sortByColumn(4, Qt.SortOrder.DescendingOrder)
    assert [row[4] for row in texts(requests)] == ["100 ms", "60 ms", "0 ms", ""]


def test_bars_are_told_to_screen_readers_and_painted_by_time(desk: DetailsDesk) -> None:
    requests = waterfall(desk)
    script = requests.topLevelItem(2)
    assert script is not None
    assert script.data(5, ACCESSIBLE) == "started after 30 ms, took 60 ms"
    room = requests.visualItemRect(script)
    start = requests.header().sectionViewportPosition(5)
    width = requests.header().sectionSize(5)
    image = requests.viewport().grab().toImage()
    y = room.center().y()
    inside = image.pixelColor(int(start + width * 60 / 190), y)
    before = image.pixelColor(int(start + width * 20 / 190), y)
    assert inside != before


def test_rows_are_copied(desk: DetailsDesk) -> None:
    requests = waterfall(desk)
    tracker = requests.topLevelItem(0)
    assert tracker is not None
    requests.setCurrentItem(tracker)
    requests.actions()[0].trigger()
    assert QGuiApplication.clipboard().text() == (
        f"{BASE}/track.js\tScript\t\t\t\t\tblocked by robots.txt"
    )


def test_without_a_rendering_the_tab_says_how_to_get_one(desk: DetailsDesk) -> None:
    view = opened(desk)
    assert "Press “Render this page”" in view.note.text()
    assert "“Render pages”" in view.note.text()


def test_without_a_picture_the_tab_says_what_to_switch_on(desk: DetailsDesk) -> None:
    view = opened(desk)
    view.show_rendering(RENDERED)
    assert "“Keep screenshots”" in view.screenshot.text()


def test_pages_that_could_not_be_rendered_say_why(desk: DetailsDesk) -> None:
    view = opened(desk)
    for outcome, words in (
        (RenderOutcome.CRASHED, "crashed"),
        (RenderOutcome.OUT_OF_MEMORY, "more than 2 GB of memory"),
        (RenderOutcome.FAILED, "did not show"),
        (RenderOutcome.NOT_NEEDED, "was not rendered"),
        (RenderOutcome.NO_BROWSER, browser_trouble()),
    ):
        view.show_rendering(RenderingReport(0, f"{BASE}/", READ, Rendering(outcome)))
        assert words in view.note.text()
    gone = PageFetchOutcome(Outcome.CLIENT_ERROR, 404)
    view.show_rendering(RenderingReport(0, f"{BASE}/", gone))
    assert view.note.text() == "Not found."


def test_an_answer_for_another_page_is_not_shown(desk: DetailsDesk) -> None:
    view = opened(desk)
    view.show_rendering(replace(RENDERED, url=f"{BASE}/other"))
    assert view.bar.state.text() == ""


def test_render_this_page_in_a_table_opens_the_tab_and_asks_for_the_page(whole_desk: Desk) -> None:
    view = whole_desk.details.views.rendered_page
    whole_desk.table.view.selectRow(1)
    actions = whole_desk.table._url_actions[whole_desk.table.view]  # noqa: SLF001 - its menu
    with whole_desk.qtbot.waitSignal(view.wanted) as wanted:
        actions.actions[ViewAction.RENDER_PAGE].trigger()
    assert wanted.args == [f"{BASE}/docs/", None]
    assert whole_desk.details.tabs.front is view
    assert view.note.text() == "Rendering…"
    assert view.bar.button.text() == "Stop"


def test_render_this_page_compares_with_the_stored_dom(whole_desk: Desk) -> None:
    keep(whole_desk, 2)
    view = whole_desk.details.views.rendered_page
    whole_desk.table.view.selectRow(1)
    actions = whole_desk.table._url_actions[whole_desk.table.view]  # noqa: SLF001 - its menu
    with whole_desk.qtbot.waitSignal(view.wanted) as wanted:
        actions.actions[ViewAction.RENDER_PAGE].trigger()
    assert wanted.args == [f"{BASE}/docs/", DOM_RECORD]


def test_render_again_waits_until_it_is_known_whether_the_dom_is_stored(desk: DetailsDesk) -> None:
    keep(desk, 1)
    desk.details.select_url(1)
    view = desk.details.views.rendered_page
    desk.until(view.bar.button.isEnabled)
    asked: list[object] = []
    view.wanted.connect(lambda *request: asked.append(request))
    desk.details.tabs.bring_to_front(DetailViews.rendered_page)
    view.render_page()
    assert view.bar.is_waiting
    assert asked == []
    desk.until(lambda: asked == [(f"{BASE}/", DOM_RECORD)])


def test_a_rendering_that_is_stopped_before_that_is_known_is_not_asked_for(
    desk: DetailsDesk,
) -> None:
    keep(desk, 1)
    desk.details.select_url(1)
    view = desk.details.views.rendered_page
    desk.until(view.bar.button.isEnabled)
    asked: list[object] = []
    view.wanted.connect(lambda *request: asked.append(request))
    view.render_page()
    view.bar.stopped.emit()
    desk.until(lambda: view.stored_dom.record is not None)
    assert asked == []


def test_a_page_whose_stored_rendering_cannot_be_read_is_rendered(
    desk: DetailsDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise ProjectError("{path} is damaged.", path="x")

    keep(desk, 1)
    desk.details.select_url(1)
    view = desk.details.views.rendered_page
    desk.until(view.bar.button.isEnabled)
    monkeypatch.setattr(desk.rows, "dom_record", refuse)
    with desk.qtbot.waitSignal(view.wanted) as wanted:
        view.render_page()
    assert wanted.args == [f"{BASE}/", None]


def test_another_page_stops_the_rendering_of_the_one_before(desk: DetailsDesk) -> None:
    view = opened(desk)
    view.render_page()
    with desk.qtbot.waitSignal(view.stopped):
        desk.details.select_url(2)
    assert not view.bar.is_waiting


def test_a_click_on_the_picture_shows_it_in_its_own_size(qtbot: QtBot) -> None:
    view = ScreenshotView()
    qtbot.addWidget(view)
    view.show_screenshot(b"", "none")
    assert view.enlarge() is None
    view.show_screenshot(SVG, "none")
    assert not view.has_screenshot, "only what a crawl stores: an SVG may load other files"
    view.show_screenshot(jpeg(400, 300), "none")
    view.resize(200, 400)
    view.show()
    image = view.grab().toImage()
    assert image.pixelColor(100, 60).green() > image.pixelColor(100, 60).red()
    assert image.pixelColor(100, 390) != image.pixelColor(100, 60), "proportions are kept"
    dialog = view.enlarge()
    assert dialog is not None
    assert dialog.width() >= 400
    dialog.close()


def test_a_rendering_is_asked_of_the_session_and_can_be_stopped(play: Play) -> None:
    async def scene(stage: Stage) -> None:
        session = await stage.start()
        view = stage.window.workspace.details.views.rendered_page
        inspection = session.inspection
        inspection.rendered = RENDERED
        inspection.gate.clear()
        view.wanted.emit(f"{BASE}/", None)
        await until(lambda: inspection.asked == [(f"{BASE}/", "rendering")])
        view.stopped.emit()
        inspection.error = UsageError("There is no browser x.")
        inspection.gate.set()
        view.stored_dom.wanted.emit(f"{BASE}/", HTML_RECORD, DOM_RECORD)
        await until(lambda: view.stored_dom.error == "There is no browser x.")
        view.wanted.emit(f"{BASE}/", DOM_RECORD)
        await until(lambda: view.note.text() == "There is no browser x.")

    play(scene)


def test_an_archive_error_of_one_page_does_not_appear_on_the_next(play: Play) -> None:
    async def scene(stage: Stage) -> None:
        session = await stage.start()
        view = stage.window.workspace.details.views.rendered_page
        session.inspection.error = UsageError("The archive is gone.")
        session.inspection.gate.clear()
        view.stored_dom.begin(f"{BASE}/", HTML_RECORD, DOM_RECORD)
        view.stored_dom.read()
        await until(lambda: "inspect page" in stage.tasks.names())
        view.stored_dom.begin(f"{BASE}/docs/", None, None)
        session.inspection.gate.set()
        await until(lambda: "inspect page" not in stage.tasks.names())
        assert view.stored_dom.error == ""

    play(scene)


LINK = ViolationNode("main > a", "<a href=/x></a>", "has no text", 100, 50, 200, 60)
VIOLATIONS = [
    Violation("region", 2, 1, [ViolationNode("p", "<p>", "is in no landmark")]),
    Violation("link-name", 3, 25, [LINK]),
]


def checked(desk: DetailsDesk) -> RenderedPageView:
    """A page that was checked for accessibility, with a green screenshot."""
    outcome = AccessibilityOutcome.CHECKED
    desk.rows.change(1, render_outcome=RenderOutcome.RENDERED, accessibility=outcome)
    desk.rows.renderings[1] = RenderingDetails(violations=VIOLATIONS)
    desk.rows.screenshots[1] = jpeg(1024, 768)
    view = opened(desk)
    desk.until(lambda: view.screenshot.has_screenshot)
    return view


def test_violations_come_with_their_elements_the_gravest_first(desk: DetailsDesk) -> None:
    view = checked(desk)
    place = view.lists.indexOf(view.violations)
    assert view.lists.isTabVisible(place)
    assert view.lists.tabText(place).split() == ["Accessibility", "2"]
    rows = texts(view.violations)
    assert [row[:2] for row in rows] == [
        ["Links Must Have Discernible Text", "WCAG 2.0 A · Serious · 25 elements"],
        ["main > a", "<a href=/x></a>"],
        ["24 more", ""],
        [
            "All Page Content Should Be Contained by Landmarks",
            "Best Practice · Moderate · 1 element",
        ],
        ["p", "<p>"],
    ]
    assert rows[1][2] == "has no text"


def test_a_selected_element_is_marked_in_the_screenshot(desk: DetailsDesk) -> None:
    view = checked(desk)

    def colours() -> set[str]:
        dialog = view.screenshot.enlarge()
        assert dialog is not None
        [picture] = [each for each in dialog.findChildren(QLabel) if each.pixmap().width()]
        image = picture.pixmap().toImage()
        dialog.close()
        return {QColor(image.pixel(x, 50)).name() for x in (100, 200)}

    unmarked = colours()
    gravest = view.violations.topLevelItem(0)
    assert gravest is not None
    view.violations.setCurrentItem(gravest)
    marked = colours()
    assert len(unmarked) == 1
    assert marked != unmarked
    view.violations.clearSelection()
    assert colours() == unmarked


def test_a_page_that_was_not_checked_has_no_list_of_violations(desk: DetailsDesk) -> None:
    desk.rows.change(1, render_outcome=RenderOutcome.RENDERED)
    desk.rows.screenshots[1] = jpeg(100, 100)
    view = opened(desk)
    desk.until(lambda: view.screenshot.has_screenshot)
    assert not view.lists.isTabVisible(view.lists.indexOf(view.violations))


def test_tabs_about_rendering_come_in_sight_with_a_crawl_that_renders(whole_desk: Desk) -> None:
    row = whole_desk.table.bar.tab_row
    assert RuleGroup.JAVASCRIPT not in row.in_sight()
    settings = CrawlSettings(roots=(BASE,), render=RenderMode.AUTO)
    whole_desk.table.issue_counts.use_settings(settings)
    shown = row.in_sight()
    assert shown.index(RuleGroup.JAVASCRIPT) == shown.index(ISSUES) + 1
    assert RuleGroup.ACCESSIBILITY not in shown
    checked = replace(settings, accessibility=AccessibilityLevel.AA)
    whole_desk.table.issue_counts.use_settings(checked)
    assert {RuleGroup.JAVASCRIPT, RuleGroup.ACCESSIBILITY} < set(row.in_sight())
    assert shown.index(RuleGroup.JAVASCRIPT) == shown.index(ISSUES) + 1
    row.tabs.setTabVisible(row.index(RuleGroup.JAVASCRIPT), False)
    whole_desk.table.issue_counts.use_settings(replace(checked, workers=3))
    assert RuleGroup.JAVASCRIPT not in row.in_sight(), "the person has put it away"
