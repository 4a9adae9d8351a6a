"""The stored page in the details: shown without a request, links that lead into the table."""

import pytest
from PySide6.QtCore import QUrl
from PySide6.QtGui import QColor, QImage, QTextDocument
from PySide6.QtTest import QSignalSpy

from gossamer.gui.details.stored_page_view import StoredPageView
from gossamer.model.archive_record import ArchiveRecord, RecordKind
from gossamer.model.messages.stored_page_messages import ViewedPage
from tests.gui.desk import BASE, Desk

URL = f"{BASE}/docs/"
RECORD = ArchiveRecord(RecordKind.RESPONSE, "a-1-1-1.warc.gz", 100, 50, b"")
HTML = (
    f'<h1>Title</h1><p><a href="{BASE}/">home</a> <a href="http://elsewhere.example/">far</a>'
    ' <a href="#low">low</a></p>' + "<p>text</p>" * 80 + '<p><a name="low"></a>end</p>'
    '<img src="image:0"><img src="image:1"><img src="http://elsewhere.example/x.png">'
)
PAGE = ViewedPage(1, URL, HTML, date="2026-11-01T10:00:00Z")


@pytest.fixture
def view(desk: Desk) -> StoredPageView:
    """The view of a page that the archive has, in front."""
    desk.open()
    desk.rows.archive_records[2] = RECORD
    view = desk.details.stored_page
    wanted = QSignalSpy(view.wanted)
    desk.details.select_url(2)
    desk.details.tabs.setCurrentWidget(view)
    desk.until(lambda: wanted.count() > 0)
    assert wanted.at(0) == [URL, RECORD]
    assert wanted.count() == 1
    return view


def test_the_page_is_shown_with_the_pictures_that_the_archive_has(view: StoredPageView) -> None:
    assert view.note.text() == "Reading the archive…"
    picture = QImage(8, 8, QImage.Format.Format_RGB32)
    picture.fill(QColor("red"))
    view.show_page(ViewedPage(1, "http://other.example/", "<p>other"), {})
    assert view.page.toPlainText() == ""
    view.show_page(PAGE, {0: picture})
    assert view.page.toPlainText().startswith("Title\nhome far low")
    assert view.note.isHidden()
    assert view.bar.state.text().startswith("Stored ")
    kinds = QTextDocument.ResourceType
    for kind in (kinds.ImageResource, kinds.StyleSheetResource, kinds.HtmlResource):
        for name in ("http://elsewhere.example/x.png", "file:///etc/hostname", "image:1", "x"):
            assert view.page.loadResource(kind.value, QUrl(name)) is None
    assert view.page.loadResource(kinds.ImageResource.value, QUrl("image:0")) == picture


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
    assert "The archive does not have this page" in view.note.text()


def test_what_cannot_be_shown_is_said(view: StoredPageView) -> None:
    view.show_error("The archive file is missing; put it back in its place.")
    assert view.note.text().startswith("The archive file is missing")
    view.show_record("", None)
    assert "appears here" in view.note.text()
    assert view.page.accessibleName() == "Stored page"
