"""Shows an archived page as a browser does, or as text and images. Nothing in it runs."""

from collections.abc import Mapping
from typing import Final

from PySide6.QtCore import QEvent, QUrl, Signal
from PySide6.QtGui import QImage, QPalette, QShowEvent, QTextDocument
from PySide6.QtWidgets import QComboBox, QFrame, QStackedWidget, QTextBrowser, QWidget

from gossamer.gui.details.fetch_bar import FetchBar
from gossamer.gui.details.full_page_screenshot_view import FullPageScreenshotView
from gossamer.gui.look import theme
from gossamer.gui.project.reader_thread import ProjectReader
from gossamer.gui.tables.empty_state import EmptyStateText
from gossamer.gui.text import local_formatting as formatting
from gossamer.gui.text.translated_sentences import spoken
from gossamer.gui.widgets.stacked_column import column_of
from gossamer.model.archive_record import ArchiveRecord
from gossamer.model.messages.stored_page_messages import ViewedPage
from gossamer.urls.url_folders import display_url
from gossamer.urls.url_parsing import without_fragment

_SCREENSHOT: Final = 0
"""The index of the screenshot among the ways to show a page."""


class _Browser(QTextBrowser):
    """Shows only the images that it was given, by number."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.images: Mapping[int, QImage] = {}
        self.setOpenLinks(False)
        self.setOpenExternalLinks(False)
        self.setUndoRedoEnabled(False)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.document().setDocumentMargin(theme.SPACE_L)
        self.setAccessibleName(self.tr("Stored page"))

    def loadResource(self, kind: int, name: QUrl | str) -> object:
        """A screenshot of the page; nothing else is loaded."""
        number = QUrl(name).path()
        if kind == QTextDocument.ResourceType.ImageResource.value and number.isdecimal():
            return self.images.get(int(number))
        return None


class StoredPageView(QWidget):
    """Shows the page when it becomes visible, which needs no request.

    `wanted` carries an address, its ArchiveRecord, and the PageScreen for a browser, or None for
    text and images; `stopped` cancels. `url_wanted` carries the id of a clicked link's target.
    """

    wanted = Signal(str, object, object)
    stopped = Signal()
    url_wanted = Signal(int)

    def __init__(self, reader: ProjectReader, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._reader = reader
        self._url = ""
        self._record: ArchiveRecord | None = None
        self._page: ViewedPage | None = None
        self._error = ""
        self._is_waiting = False
        self.bar = FetchBar("", "")
        self.bar.button.hide()
        self.choice = QComboBox()
        self.choice.addItems([self.tr("As a browser shows it"), self.tr("Text and images")])
        for widget in (self.choice, self.choice.view()):
            widget.setAccessibleName(self.tr("How to show the stored page"))
        self.bar.row.insertWidget(0, self.choice)
        self.page = _Browser()
        self.screenshot = FullPageScreenshotView()
        self._views = QStackedWidget()
        self._views.addWidget(self.page)
        self._views.addWidget(self.screenshot)
        self.note = EmptyStateText(self.page)
        column_of(self.bar, self._views, filling=self._views, inside=self)
        self.setFocusProxy(self._views)
        self.choice.currentIndexChanged.connect(self._read_again)
        self.page.anchorClicked.connect(self._follow)
        self.page.highlighted.connect(lambda url: self._show_target(url.toString()))
        self.screenshot.followed.connect(lambda url: self._follow(QUrl(url)))
        self.screenshot.pointed.connect(self._show_target)
        self._show()

    def show_record(self, url: str, record: ArchiveRecord | None) -> None:
        """Show an address with its record in the archive."""
        if (url, record) != (self._url, self._record):
            if self._is_waiting:
                self.stopped.emit()
            self._url, self._record, self._page = url, record, None
            self._error, self._is_waiting = "", False
            self._show()
            self._read_if_seen()

    def show_page(self, page: ViewedPage, images: Mapping[int, QImage]) -> None:
        """Show the page, if it is still wanted."""
        if page.url == self._url:
            self._is_waiting, self._page, self._error = False, page, ""
            self.page.images = images
            self._show()

    def show_error(self, text: str) -> None:
        """Show why the page could not be read."""
        self._is_waiting, self._error = False, text
        self._show()

    def stop_waiting(self) -> None:
        """Stop waiting for a result."""
        self._is_waiting = False
        self._show()

    def showEvent(self, event: QShowEvent) -> None:
        """Read the page."""
        super().showEvent(event)
        self._read_if_seen()

    def changeEvent(self, event: QEvent) -> None:
        """Use the colours of a new palette."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and self._page is not None:
            self._show()

    def _read_again(self) -> None:
        """Read the page again for the other way to show it."""
        if self._is_waiting:
            self.stopped.emit()
        self._page, self._error, self._is_waiting = None, "", False
        self._show()
        self._read_if_seen()

    def _read_if_seen(self) -> None:
        is_read = self._page is not None or bool(self._error) or self._is_waiting
        if self.isVisible() and self._record is not None and not is_read:
            self._is_waiting = True
            self._show()
            is_screenshot = self.choice.currentIndex() == _SCREENSHOT
            screen = self.screenshot.screen_of(self._views.width()) if is_screenshot else None
            self.wanted.emit(self._url, self._record, screen)

    def _show(self) -> None:
        page = None if self._error else self._page
        self._say(self._state(page))
        self.page.clear()
        screenshot = None if page is None else page.screenshot
        self.screenshot.show_screenshot(screenshot)
        self._views.setCurrentWidget(self.page if screenshot is None else self.screenshot)
        self.choice.setEnabled(self._record is not None)
        if page is not None:
            self.page.document().setDefaultStyleSheet(_style(self.palette()))
            self.page.setHtml(page.html)
        else:
            self.page.images = {}
        is_empty = page is None or (screenshot is None and not page.html.strip())
        self.note.setVisible(is_empty)
        self.note.setText(self._why_empty())

    def _state(self, page: ViewedPage | None) -> str:
        address = formatting.clean(display_url(self._url))
        if page is None:
            return address
        parts = [
            self.tr("Stored {moment}").format(moment=formatting.iso_moment(page.date)),
            self.tr("without scripts")
            if page.screenshot
            else self.tr("without scripts and styles"),
            self.tr("cut off") if page.is_cut else "",
            "" if page.no_screenshot is None else spoken(page.no_screenshot),
            address,
        ]
        return " · ".join(part for part in parts if part)

    def _why_empty(self) -> str:
        if self._error:
            return self._error
        if self._is_waiting:
            return self.tr("Reading the archive…")
        if not self._url:
            return self.tr("The archived version of the selected page appears here.")
        if self._record is None:
            return self.tr(
                "The archive does not contain this page. To keep pages, switch on the setting "
                "Keep pages and crawl again."
            )
        return self.tr("The stored page has no text.")

    def _say(self, text: str) -> None:
        self.bar.show_state(text, can_fetch=False)

    def _show_target(self, named: str) -> None:
        """Show the target of the link under the pointer, or the state without one."""
        self._say(formatting.clean(display_url(named)) if named else self._state(self._page))

    def _follow(self, target: QUrl) -> None:
        url = target.toString(QUrl.ComponentFormattingOption.FullyEncoded)
        if url.startswith("#"):
            self.page.scrollToAnchor(QUrl.fromPercentEncoding(url[1:].encode()))
            return

        def show(url_id: int | None) -> None:
            if url_id is not None:
                self.url_wanted.emit(url_id)
                return
            words = self.tr("{address} is not in this crawl.")
            self._say(words.format(address=formatting.clean(display_url(url))))

        known = without_fragment(url)
        self._reader.submit(lambda rows: rows.lookup(known), show, key=f"link {id(self)}")


def _style(palette: QPalette) -> str:
    """A style sheet for pages in the colours of the window."""
    line, soft = palette.mid().color().name(), palette.alternateBase().color().name()
    link = palette.link().color().name()
    return (
        f"a {{ color: {link}; }} td, th {{ border: 1px solid {line}; }} th {{ text-align: left; }}"
        f" pre {{ background-color: {soft}; }} table {{ border-collapse: collapse; }}"
    )
