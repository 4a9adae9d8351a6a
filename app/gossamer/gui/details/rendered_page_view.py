"""The selected page as rendered: screenshot, facts beside the HTML, console, requests."""

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QPalette, QShowEvent
from PySide6.QtWidgets import QLabel, QSplitter, QStackedWidget, QTabWidget, QToolButton, QWidget

from gossamer.gui.details.fetch_bar import FetchBar, reason_unread
from gossamer.gui.details.rendered_texts import TextComparisons
from gossamer.gui.details.rendering_trees import ComparedFacts, ConsoleMessages
from gossamer.gui.details.request_waterfall import RequestWaterfall
from gossamer.gui.details.screenshot_view import ScreenshotView
from gossamer.gui.details.stored_dom_reading import StoredDomReading
from gossamer.gui.details.stored_rendering_reading import StoredRenderingReading
from gossamer.gui.details.violation_tree import ViolationTree
from gossamer.gui.look import theme
from gossamer.gui.project.reader_thread import ProjectReader
from gossamer.gui.text import local_formatting as formatting
from gossamer.gui.text.browser_sentences import browser_trouble
from gossamer.gui.text.translated_sentences import setting_labels
from gossamer.gui.widgets.stacked_column import column_of
from gossamer.model.archive_record import ArchiveRecord
from gossamer.model.fields.rendering_fields import RenderOutcome
from gossamer.model.fields.url_record import UrlRecord
from gossamer.model.messages.page_rendering_messages import RenderingReport
from gossamer.urls.url_folders import display_url

_SCREENSHOT, _LISTS = 1, 3
"""How screenshot and lists share the width."""


class RenderedPageView(QWidget):
    """Shows what the crawl stored, or what `wanted` asks for: an address to be rendered now.

    With the address goes the ArchiveRecord of its stored DOM, if there is one, to compare.
    `stopped` cancels the request. Stored renderings are read only while the view is visible, or
    before the page is rendered.
    `measuring_wanted` asks to measure how an address loads.
    """

    wanted = Signal(str, object)
    measuring_wanted = Signal(str)
    stopped = Signal()

    def __init__(self, reader: ProjectReader, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._record: UrlRecord | None = None
        self._awaited: int | None = None
        """The URL to render as soon as its record is there."""
        self._is_due = False
        """Whether to render the page as soon as it is known whether its DOM is stored."""
        self._crawled: RenderingReport | None = None
        self._fresh: RenderingReport | None = None
        """The last rendering on request that succeeded."""
        self._failed: RenderingReport | str | None = None
        """The one on request since then that did not, or why there was none."""
        self.bar = FetchBar(self.tr("Render this page"), self.tr("Render again"))
        self.measure = QToolButton()
        self.measure.setText(self.tr("Measure loading…"))
        self.measure.setProperty("raised", True)
        self.measure.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.bar.row.insertWidget(1, self.measure)
        self.note = _note()
        self.screenshot = ScreenshotView()
        self.facts = ComparedFacts()
        self.comparisons = TextComparisons()
        self.stored_dom = StoredDomReading(self)
        self._stored = StoredRenderingReading(reader, self)
        self.console = ConsoleMessages()
        self.requests = RequestWaterfall()
        self.violations = ViolationTree()
        self.lists = QTabWidget()
        self.parts = QSplitter(Qt.Orientation.Horizontal)
        self._lay_out_parts()
        self._pages = QStackedWidget()
        for page in (self.note, self.parts):
            self._pages.addWidget(page)
        column_of(self.bar, self._pages, filling=self._pages, inside=self)
        self._connect()
        self._show()

    def _connect(self) -> None:
        self.violations.marked.connect(self.screenshot.mark)
        self.bar.wanted.connect(self.render_page)
        self.bar.stopped.connect(self._stop)
        self.measure.clicked.connect(self._want_measuring)
        self.stored_dom.changed.connect(self._show)
        self._stored.found.connect(self._show_stored)
        self._stored.failed.connect(self._render_if_due)

    def _lay_out_parts(self) -> None:
        self.lists.setDocumentMode(True)
        self.lists.tabBar().setAccessibleName(self.tr("Rendered page"))
        for part in (
            *(self.facts, *self.comparisons.parts),
            *(self.console, self.requests, self.violations),
        ):
            self.lists.addTab(part, part.accessibleName())
        self.parts.setChildrenCollapsible(False)
        self.parts.addWidget(self.screenshot)
        self.parts.addWidget(self.lists)
        self.parts.setStretchFactor(0, _SCREENSHOT)
        self.parts.setStretchFactor(1, _LISTS)

    def show_record(self, record: UrlRecord | None) -> None:
        """Show a URL, or its new state."""
        before, self._record = self._record, record
        if _key(record) == _key(before):
            return
        awaited, self._awaited = self._awaited, None
        if record is None or before is None or record.id != before.id:
            if self.bar.is_waiting:
                self.stopped.emit()
            self.bar.is_waiting = self._is_due = False
            self._crawled = self._fresh = self._failed = None
        self.stored_dom.begin("", None, None)
        self._stored.begin(record)
        if self._stored.is_done:
            self._crawled = None
        if self.isVisible():
            self._stored.read()
        self._show()
        if self._is_due or (record is not None and record.id == awaited):
            self.render_page()

    def render_url(self, url_id: int) -> None:
        """Ask to render a page that is, or soon will be, the one shown."""
        if self._record is not None and self._record.id == url_id:
            self.render_page()
        else:
            self._awaited = url_id

    def render_page(self) -> None:
        """Ask to render the page now."""
        if self._record is not None:
            self.bar.is_waiting = self._is_due = True
            self._failed = None
            self._show()
            self._stored.read()
            self._render_if_due()

    def show_rendering(self, rendering: RenderingReport) -> None:
        """Show the rendering, if it is still wanted."""
        if self._record is not None and rendering.url == self._record.url:
            if rendering.is_rendered:
                self._fresh, self._failed = rendering, None
                self.stop_waiting()
            else:
                self._fail(rendering)

    def show_error(self, text: str) -> None:
        """Show why the request failed, beside what was there before it."""
        self._fail(text)

    def stop_waiting(self) -> None:
        """Stop waiting for a result: another view has a request."""
        self.bar.is_waiting = self._is_due = False
        self._show()

    def showEvent(self, event: QShowEvent) -> None:
        """Read the stored rendering and the stored DOM."""
        super().showEvent(event)
        self._stored.read()
        self._read_stored_dom()

    def changeEvent(self, event: QEvent) -> None:
        """Use the colours of a new palette."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._show()

    def _render_if_due(self) -> None:
        """Ask to render the page, unless its stored DOM is still being looked for."""
        if self._record is not None and self._is_due and self._stored.is_done:
            self._is_due = False
            self.wanted.emit(self._record.url, self.stored_dom.record)

    def _show_stored(
        self, rendering: RenderingReport, html: ArchiveRecord | None, dom: ArchiveRecord | None
    ) -> None:
        self.stored_dom.begin(rendering.url, html, dom)
        self._crawled = rendering
        self._render_if_due()
        self._read_stored_dom()
        self._show()

    def _read_stored_dom(self) -> None:
        """Read it for the stored rendering, if that is looked at.

        A rendering comes first: there is one request at a time.
        """
        if self.isVisible() and self._fresh is None and not self.bar.is_waiting:
            self.stored_dom.read()
            self._show()

    def _fail(self, failed: RenderingReport | str) -> None:
        self._failed = failed
        self.stop_waiting()
        self._read_stored_dom()

    def _want_measuring(self) -> None:
        if self._record is not None:
            self.measuring_wanted.emit(self._record.url)

    def _stop(self) -> None:
        self.stopped.emit()
        self.stop_waiting()
        self._read_stored_dom()

    def _show(self) -> None:
        shown = self._fresh or self._crawled
        is_rendered = shown is not None and shown.is_rendered
        summary = self._summary(shown) if shown is not None and is_rendered else ""
        self.measure.setEnabled(self._record is not None)
        self.bar.show_state(
            summary,
            can_fetch=self._record is not None,
            is_waiting=self.bar.is_waiting,
            is_again=is_rendered,
        )
        if shown is None or not is_rendered or self.bar.is_waiting:
            self._show_note(self._why_empty())
            return
        self._pages.setCurrentWidget(self.parts)
        self.setAccessibleDescription(summary)
        self.screenshot.show_screenshot(shown.rendering.screenshot, self._why_no_screenshot(shown))
        details = shown.rendering.details
        self.facts.show_rendering(shown)
        self._show_texts(shown)
        self.console.show_messages(details.console)
        self.requests.show_requests(details.resources)
        self.violations.show_violations(details.violations)
        is_checked = shown.rendering.accessibility is not None
        self.lists.setTabVisible(self.lists.indexOf(self.violations), is_checked)
        for tree, count in (
            (self.console, len(details.console)),
            (self.requests, len(details.resources)),
            (self.violations, len(details.violations)),
        ):
            words = formatting.with_count(tree.accessibleName(), formatting.number(count))
            self.lists.setTabText(self.lists.indexOf(tree), words)

    def _show_texts(self, shown: RenderingReport) -> None:
        stored = self.stored_dom.found if self._fresh is None else None
        self.comparisons.show_rendering(shown, stored, self._why_no_texts())
        changes = self.comparisons.dom_changes
        is_compared = shown.dom_changes is not None or shown.why_no_changes is not None
        self.lists.setTabVisible(self.lists.indexOf(changes), is_compared)

    def _show_note(self, text: str) -> None:
        self._pages.setCurrentWidget(self.note)
        self.note.setText(text)
        self.setAccessibleDescription(text)

    def _why_empty(self) -> str:
        if self.bar.is_waiting:
            return self.tr("Rendering…")
        if self._failed is not None:
            return self._why_failed(self._failed)
        if self._record is None:
            return self.tr("What a browser shows of the selected page appears here.")
        outcome = self._record.render_outcome
        if outcome in {RenderOutcome.RENDERED, RenderOutcome.TIMED_OUT}:
            return self.tr("Reading…")
        return self._why_not_rendered(outcome)

    def _why_failed(self, failed: RenderingReport | str) -> str:
        """Why a rendering on request failed."""
        if isinstance(failed, str):
            return failed
        if not failed.fetched.is_read:
            return reason_unread(failed.fetched)
        return self._why_not_rendered(failed.rendering.render_outcome)

    def _why_not_rendered(self, outcome: RenderOutcome | None) -> str:
        if outcome is RenderOutcome.NO_BROWSER:
            return browser_trouble()
        if outcome is RenderOutcome.CRASHED:
            return self.tr("The browser crashed on this page.")
        if outcome is RenderOutcome.OUT_OF_MEMORY:
            return self.tr("This page took more than 2 GB of memory in the browser.")
        if outcome is RenderOutcome.FAILED:
            return self.tr("The browser did not show this page.")
        if outcome is RenderOutcome.NOT_NEEDED:
            return self.tr("This page was not rendered: as far as is known, its HTML is complete.")
        [setting] = setting_labels(["render"])
        return self.tr(
            "This page was not rendered. Press “Render this page” to see it now as a browser "
            "does, or choose “{setting}” in the settings of the next crawl."
        ).format(setting=setting)

    def _why_no_screenshot(self, shown: RenderingReport) -> str:
        if shown.redirect:
            return self.tr("Scripts of this page redirect, so there is no screenshot of it.")
        [setting] = setting_labels(["screenshots"])
        return self.tr(
            "No screenshot was kept. Press “Render again”, or choose “{setting}” in the "
            "settings of the next crawl."
        ).format(setting=setting)

    def _why_no_texts(self) -> str:
        stored = self.stored_dom
        if stored.error or stored.is_waiting:
            return stored.error or self.tr("Reading the archive…")
        return self.tr(
            "Press “Render again” to set the HTML and the rendered page side by side. Crawls keep "
            "both in the archive if the settings want one."
        )

    def _summary(self, shown: RenderingReport) -> str:
        parts: list[str] = []
        if self._failed is not None:
            reason = " ".join(self._why_failed(self._failed).split())
            parts.append(self.tr("Not rendered again: {reason}").format(reason=reason))
        if self._fresh is not None:
            parts.append(self.tr("Rendered now, not stored"))
        return " · ".join([*parts, *self._counts(shown)])

    def _counts(self, shown: RenderingReport) -> list[str]:
        found = shown.rendering
        parts: list[str] = []
        if found.render_outcome is RenderOutcome.TIMED_OUT:
            parts.append(self.tr("read as it was when time ran out"))
        parts.append(self.tr("%Ln request(s)", "", found.page_requests or 0))
        if found.blocked_requests:
            parts.append(self.tr("%Ln blocked", "", found.blocked_requests))
        if found.failed_requests:
            parts.append(self.tr("%Ln failed", "", found.failed_requests))
        if found.load_ms is not None:
            time = formatting.duration(found.load_ms)
            parts.append(self.tr("loaded in {time}").format(time=time))
        if found.console_errors:
            parts.append(self.tr("%Ln error(s)", "", found.console_errors))
        if found.console_warnings:
            parts.append(self.tr("%Ln warning(s)", "", found.console_warnings))
        if shown.redirect:
            address = formatting.clean(display_url(shown.redirect))
            parts.append(self.tr("scripts redirect to {address}").format(address=address))
        return parts


def _key(record: UrlRecord | None) -> tuple[object, ...]:
    """The key that distinguishes renderings of a page."""
    if record is None:
        return ()
    return record.id, record.render_outcome, record.render_ms, record.fetched_at


def _note() -> QLabel:
    note = QLabel()
    note.setAlignment(Qt.AlignmentFlag.AlignCenter)
    note.setWordWrap(True)
    note.setTextFormat(Qt.TextFormat.PlainText)
    note.setProperty("muted", True)
    note.setMargin(theme.SPACE_L)
    note.setBackgroundRole(QPalette.ColorRole.Base)
    note.setAutoFillBackground(True)
    return note
