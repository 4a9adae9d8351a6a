"""The stored page in the details: shown without a request, links that lead into the table."""

import pytest
from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QPoint, Qt, QUrl
from PySide6.QtGui import QColor, QImage, QTextDocument
from PySide6.QtTest import QSignalSpy, QTest

from gossamer.gui.details.detail_views import DetailViews
from gossamer.gui.details.stored_page_view import StoredPageView
from gossamer.model.archive_record import ArchiveRecord, RecordKind
from gossamer.model.messages.stored_page_messages import (
    FullPageScreenshot,
    PageScreen,
    ScreenshotLink,
    ViewedPage,
)
from gossamer.model.translatable import said
from tests.gui.desk import BASE, Desk

URL = f"{BASE}/docs/"
RECORD = ArchiveRecord(RecordKind.RESPONSE, "a-1-1-1.warc.gz", 100, 50, b"")
HTML = (
    f'<h1>Title</h1><p><a href="{BASE}/">home</a> <a href="http://elsewhere.example/">far</a>'
    ' <a href="#low">low</a></p>' + "<p>text</p>" * 80 + '<p><a name="low"></a>end</p>'
    '<img src="image:0"><img src="image:1"><img src="http://elsewhere.example/x.png">'
)
LEFT = Qt.MouseButton.LeftButton
PAGE = ViewedPage(1, URL, HTML, date="2026-11-01T10:00:00Z")


@pytest.fixture
def view(desk: Desk) -> StoredPageView:
    """The view of a page that the archive has, in front."""
    desk.open()
    desk.rows.archive_records[2] = RECORD
    view = desk.details.views.stored_page
    wanted = QSignalSpy(view.wanted)
    desk.details.select_url(2)
    desk.details.tabs.bring_to_front(DetailViews.stored_page)
    desk.until(lambda: wanted.count() > 0)
    assert wanted.at(0)[:2] == [URL, RECORD]
    screen = wanted.at(0)[2]
    assert isinstance(screen, PageScreen)
    assert max(480, view.width() - 30) <= screen.width <= max(480, view.width())
    assert wanted.count() == 1
    return view


def test_the_page_is_shown_with_the_images_that_the_archive_has(view: StoredPageView) -> None:
    assert view.note.text() == "Reading the archive…"
    screenshot = QImage(8, 8, QImage.Format.Format_RGB32)
    screenshot.fill(QColor("red"))
    view.show_page(ViewedPage(1, "http://other.example/", "<p>other"), {})
    assert view.page.toPlainText() == ""
    view.show_page(PAGE, {0: screenshot})
    assert view.page.toPlainText().startswith("Title\nhome far low")
    assert view.note.isHidden()
    assert view.bar.state.text().startswith("Stored ")
    kinds = QTextDocument.ResourceType
    for kind in (kinds.ImageResource, kinds.StyleSheetResource, kinds.HtmlResource):
        for name in ("http://elsewhere.example/x.png", "file:///etc/hostname", "image:1", "x"):
            assert view.page.loadResource(kind.value, QUrl(name)) is None
    assert view.page.loadResource(kinds.ImageResource.value, QUrl("image:0")) == screenshot


def test_a_link_leads_to_its_url_in_the_crawl_and_nowhere_else(
    desk: Desk, view: StoredPageView
) -> None:
    view.show_page(PAGE, {})
    shown = QSignalSpy(desk.details.url_selected)
    view.page.anchorClicked.emit(QUrl("#low"))
    assert view.page.verticalScrollBar().value() > 0
    view.page.anchorClicked.emit(QUrl("http://elsewhere.example/"))
    desk.until(lambda: "is not in this crawl" in view.bar.state.text())
    assert shown.count() == 0
    assert view.page.toPlainText().startswith("Title")
    view.page.anchorClicked.emit(QUrl(f"{BASE}/#part"))
    desk.until(lambda: shown.count() > 0)
    assert shown.at(0) == [1]
    desk.until(lambda: view.page.toPlainText() == "")
    assert "The archive does not contain this page" in view.note.text()


def test_what_cannot_be_shown_is_said(view: StoredPageView) -> None:
    view.show_error("The archive file is missing; put it back in its place.")
    assert view.note.text().startswith("The archive file is missing")
    view.show_record("", None)
    assert "appears here" in view.note.text()
    assert view.page.accessibleName() == "Stored page"


def strip(colour: str) -> bytes:
    """A part of a screenshot, in one colour."""
    image = QImage(600, 1_000, QImage.Format.Format_RGB32)
    image.fill(QColor(colour))
    data = QByteArray()
    buffer = QBuffer(data)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    image.save(buffer, "JPG")  # type: ignore[call-overload] # its stub knows no buffer with a format
    return bytes(data.data())


def test_the_screenshot_of_a_page_scrolls_and_its_links_lead_on(
    desk: Desk, view: StoredPageView
) -> None:
    """What is shown is said; the text and images are a choice away."""
    near = ScreenshotLink(0, 0, 100, 20, f"{BASE}/")
    low = ScreenshotLink(0, 40, 100, 20, f"{URL}#low", 1_500)
    screenshot = FullPageScreenshot(600, 2_000, 1_000, [strip("red"), strip("blue")], [near, low])
    view.show_page(ViewedPage(1, URL, date=PAGE.date, screenshot=screenshot), {})
    shown = view.screenshot
    assert shown.isVisible()
    assert "without scripts" in view.bar.state.text()
    assert "styles" not in view.bar.state.text()
    bar, left = shown.verticalScrollBar(), max(0, (shown.viewport().width() - 600) // 2)
    zoom = min(1.0, shown.viewport().width() / 600)
    assert bar.maximum() == round(2_000 * zoom) - shown.viewport().height()

    def colour() -> QColor:
        return QColor(shown.viewport().grab().toImage().pixel(left + 300, 5))

    assert colour().red() > 200
    QTest.mouseClick(shown.viewport(), LEFT, pos=QPoint(left + 5, round(45 * zoom)))
    assert bar.value() == round(1_500 * zoom)
    assert colour().blue() > 200
    QTest.keyClick(shown, Qt.Key.Key_Home)
    followed = QSignalSpy(desk.details.url_selected)
    QTest.mouseMove(shown.viewport(), QPoint(left + 5, 5))
    QTest.mouseClick(shown.viewport(), LEFT, pos=QPoint(left + 5, 5))
    desk.until(lambda: followed.count() > 0)
    assert followed.at(0) == [1]


def test_without_a_browser_the_view_says_why_and_offers_the_text(view: StoredPageView) -> None:
    why = said("There is no Chromium, Chrome or Edge on this computer.")
    view.show_page(ViewedPage(1, URL, HTML, date=PAGE.date, no_screenshot=why), {})
    assert view.page.isVisible()
    assert "without scripts and styles" in view.bar.state.text()
    assert "There is no Chromium" in view.bar.state.text()
    wanted = QSignalSpy(view.wanted)
    view.choice.setCurrentIndex(1)
    assert wanted.at(0) == [URL, RECORD, None]
