"""The details panel: summary, links, redirects, headers, content, files and source of a URL."""

from dataclasses import replace
from functools import partial
from typing import Any, Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QToolButton, QVBoxLayout, QWidget

from gossamer.gui.actions.view_actions import ViewAction, add_view_action
from gossamer.gui.details import detail_lists, file_lists, page_lists
from gossamer.gui.details.comparison_view import DuplicatesTab
from gossamer.gui.details.crawler_list import crawler_matrix
from gossamer.gui.details.detail_table import DetailTable, RedirectChainView
from gossamer.gui.details.detail_tabs import DetailTab, DetailTabs, list_tab
from gossamer.gui.details.hreflang_view import HreflangView
from gossamer.gui.details.images_view import ImagesView
from gossamer.gui.details.rendered_page_view import RenderedPageView
from gossamer.gui.details.snippet_view import SnippetView
from gossamer.gui.details.source_tab import SourceTab
from gossamer.gui.details.source_view import SourceView
from gossamer.gui.details.stored_page_view import StoredPageView
from gossamer.gui.details.structured_data_view import StructuredDataView
from gossamer.gui.details.summary_view import SummaryView, UrlSummary
from gossamer.gui.details.text_error_list import text_errors
from gossamer.gui.look.theme import UNLIMITED
from gossamer.gui.notes.url_notes import UrlNotes
from gossamer.gui.project.project_panel import ProjectPanel
from gossamer.gui.project.reader_interfaces import ProjectRows
from gossamer.gui.project.reader_thread import ProjectReader
from gossamer.model.fields.url_record import UrlRecord
from gossamer.urls.url_parsing import origin

_NO_LENGTHS: Final = ((None, 0), (None, 0))
_MIN_HEIGHT: Final = 110
"""How high they are at least, tabs included, when they are open."""


class DetailsPanel(ProjectPanel):
    """Shows the details of the URL selected elsewhere. Reads data for the front tab only.

    `url_selected` says that the person followed a link here: the other panels should show it.

    While no URL is selected, and where the person has folded it away, it is a row of tabs: `opened`
    says when that changes, `open_wanted` that the person wants it to.
    """

    opened = Signal(bool)
    open_wanted = Signal(bool)
    ignore_error_wanted = Signal(object)
    """The TextError that is to be reported no more."""

    def __init__(self, reader: ProjectReader, parent: QWidget | None = None) -> None:
        super().__init__(reader, parent)
        self._url_id: int | None = None
        self._wanted = True
        self._forced = False
        """Whether it is to be open without a URL, too."""
        self._is_open = True
        self.summary = SummaryView()
        self.inlinks = DetailTable(detail_lists.inlinks(), reader)
        self.outlinks = DetailTable(detail_lists.outlinks(), reader)
        self.chain = RedirectChainView(reader)
        self.headers = DetailTable(detail_lists.headers(), reader)
        self.cookies = DetailTable(detail_lists.cookies(), reader)
        self.duplicates = DuplicatesTab(DetailTable(page_lists.duplicates(), reader))
        self.headings = DetailTable(page_lists.headings(), reader)
        self.text_errors = DetailTable(text_errors(), reader)
        self.crawlers = DetailTable(crawler_matrix(_address_of), reader)
        self.images = ImagesView(reader)
        self.resources = DetailTable(file_lists.resources(), reader)
        self.hreflang = HreflangView(reader)
        self.structured_data = StructuredDataView()
        self.rendered_page = RenderedPageView(reader)
        self.snippet = SnippetView()
        self.source = SourceView()
        self.source_tab = SourceTab(self.source)
        self.stored_page = StoredPageView(reader)
        self.notes = UrlNotes(reader)
        self.tabs = DetailTabs([*self._usual_tabs(), *self._other_tabs()])
        self._connect_tabs()
        self._fold_button = self._add_fold_button()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.tabs)
        self._update_placeholders()
        self._fold()

    @property
    def url_id(self) -> int | None:
        """The URL shown."""
        return self._url_id

    def show_in_flight(self, url_ids: frozenset[int]) -> None:
        """Show it in the summary."""
        self.summary.show_in_flight(url_ids)

    def select_url(self, url_id: int) -> None:
        """Show what is known of a URL."""
        if self._project is None or url_id == self._url_id:
            return
        self._url_id = url_id
        self._fold()
        self._update_placeholders()
        self._read_summary(background=False)
        self._load_tab()

    @property
    def is_open(self) -> bool:
        """Whether more than the tabs is shown."""
        return self._is_open

    def focus_target(self) -> QWidget | None:
        """What takes the keyboard: the tab in front, or the tabs where that is folded away."""
        return self.tabs.currentWidget() if self._is_open else self.tabs.tabBar()

    def set_wanted(self, *, wanted: bool) -> None:
        """Unfold it, or fold it away until it is wanted again."""
        self._wanted = self._forced = wanted
        self._fold()

    def show_inlinks(self, url_id: int) -> None:
        """Show the links to a URL."""
        self.select_url(url_id)
        self._request_open()
        self.tabs.setCurrentWidget(self.inlinks)

    def show_notes(self, url_id: int) -> None:
        """Show what was noted about a URL."""
        self.select_url(url_id)
        self._request_open()
        self.tabs.setCurrentWidget(self.notes)

    def render_url(self, url_id: int) -> None:
        """Render a page now, and show what a browser makes of it."""
        self.select_url(url_id)
        self._request_open()
        self.tabs.setCurrentWidget(self.rendered_page)
        self.rendered_page.render_url(url_id)

    def save_state(self) -> bytes:
        """The tab in front, those out of sight, and the columns of the lists."""
        return self.tabs.save_state()

    def restore_state(self, state: bytes) -> None:
        """Restore a layout from `save_state`; an invalid one is ignored."""
        self.tabs.restore_state(state)

    def _start(self) -> None:
        self._url_id = None
        self._fold()
        self._reader.forget(self._key)
        self._show_summary(None)
        self.snippet.forget_edits()
        self.tabs.clear_lists()
        self._update_placeholders()

    @property
    def _key(self) -> str:
        return f"details {id(self)}"

    def _read(self) -> None:
        if self._url_id is None:
            self._refresh.finished()
            return
        self._read_summary(background=True)
        self.tabs.refresh_list()

    def _read_summary(self, *, background: bool) -> None:
        url_id = self._url_id
        if url_id is None:
            return

        def read(rows: ProjectRows) -> UrlSummary | None:
            for record in rows.records([url_id]):
                target = rows.lookup(record.redirect) if record.redirect else None
                links = rows.link_counts(url_id)
                shown = rows.certificate(origin(record.url))
                found_on = _found_on(rows, record)
                archived = rows.archive_record(url_id)
                return UrlSummary(record, links, found_on, target, False, shown, archived)
            return None

        self._reader.submit(
            read,
            self._show_summary,
            key=self._key,
            on_failure=self._refresh.finished,
            background=background,
        )

    def _show_summary(self, summary: UrlSummary | None) -> None:
        self.summary.show_summary(summary)
        record = None if summary is None else summary.record
        for view in (
            *(self.snippet, self.structured_data, self.duplicates),
            *(self.rendered_page, self.images, self.notes),
        ):
            view.show_record(record)
        archived = None if summary is None else summary.archived
        self.source_tab.show_record(record, archived)
        self.stored_page.show_record("" if record is None else record.url, archived)
        lengths = _NO_LENGTHS if summary is None else summary.link_lengths
        for table, length in zip((self.inlinks, self.outlinks), lengths, strict=True):
            self.tabs.show_count(table, *length)
        self._refresh.finished()

    def _follow_link(self, url_id: int) -> None:
        self.select_url(url_id)
        self.url_selected.emit(url_id)

    def _connect_tabs(self) -> None:
        for tab in self.tabs.declared:
            if tab.list is not None:
                tab.list.url_wanted.connect(self._follow_link)
            if isinstance(tab.list, DetailTable):
                tab.list.when_complete(self._connect_actions)
                tab.list.source_wanted.connect(self._show_in_source)
        self.notes.counted.connect(partial(self.tabs.show_count, self.notes))
        self.structured_data.line_wanted.connect(
            lambda page, line: self._show_in_source(page, "", line)
        )
        self.summary.url_wanted.connect(self._follow_link)
        self.stored_page.url_wanted.connect(self._follow_link)
        add_view_action(self.text_errors, ViewAction.IGNORE_ERROR, self._ignore_error)
        self.tabs.currentChanged.connect(self._load_tab)
        self.tabs.tabBarClicked.connect(lambda _index: self._request_open())
        self.tabs.tab_chosen.connect(self._request_open)

    def _connect_actions(self, table: DetailTable[Any]) -> None:
        actions = table.url_actions
        actions.tree_wanted.connect(self.tree_wanted)
        actions.table_wanted.connect(self.table_wanted)
        actions.inlinks_wanted.connect(self.show_inlinks)
        actions.rendering_wanted.connect(self.render_url)

    def _ignore_error(self) -> None:
        error = self.text_errors.rows.record(self.text_errors.currentIndex().row())
        if error is not None:
            self.ignore_error_wanted.emit(error)

    def _load_tab(self) -> None:
        self.tabs.load_list(self._url_id)

    def _add_fold_button(self) -> QToolButton:
        button = QToolButton()
        button.setProperty("quiet", True)
        button.clicked.connect(lambda: self.open_wanted.emit(not self._is_open))
        corner = QWidget()
        row = QHBoxLayout(corner)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(self.tabs.menu_button)
        row.addWidget(button)
        self.tabs.setCornerWidget(corner)
        return button

    def _request_open(self) -> None:
        if not self._is_open:
            self.open_wanted.emit(True)

    def _fold(self) -> None:
        """Open it where there is something to show, and it is wanted."""
        is_open = self._wanted and (self._forced or self._url_id is not None)
        if is_open == self._is_open:
            return
        self._is_open = is_open
        pages = self.tabs.findChild(QStackedWidget)
        if pages is not None:
            pages.setVisible(is_open)
        height = self.tabs.tabBar().sizeHint().height()
        self.setMinimumHeight(_MIN_HEIGHT if is_open else height)
        self.setMaximumHeight(UNLIMITED if is_open else height)
        self._update_fold_button()
        self.opened.emit(is_open)

    def _update_fold_button(self) -> None:
        up, down = Qt.ArrowType.UpArrow, Qt.ArrowType.DownArrow
        self._fold_button.setArrowType(down if self._is_open else up)
        words = self.tr("Collapse the details") if self._is_open else self.tr("Expand the details")
        self._fold_button.setAccessibleName(words)
        self._fold_button.setToolTip(f"{words} (Ctrl+2)")

    def _show_in_source(self, page: str, target: str, line: int = 0) -> None:
        self.tabs.setCurrentWidget(self.source_tab)
        self.source_tab.ask(page, target, line=line)

    def _usual_tabs(self) -> tuple[DetailTab, ...]:
        """What people look for most comes first: a narrow window has the first few in sight."""
        duplicates = list_tab(
            "duplicates",
            self.tr("Duplicates"),
            self.duplicates.table,
            self.tr("Pages that are like the selected one appear here."),
            self.tr("No duplicates found. They are looked for by the site audit."),
        )
        images = list_tab(
            "images",
            self.tr("Images"),
            self.images.table,
            self.tr("The images of the selected page appear here."),
            self.tr("No images."),
        )
        return (
            DetailTab("summary", self.tr("Summary"), self.summary),
            list_tab(
                "inlinks",
                self.tr("Inlinks"),
                self.inlinks,
                self.tr("Links to the selected URL appear here."),
                self.tr("No inlinks."),
            ),
            list_tab(
                "outlinks",
                self.tr("Outlinks"),
                self.outlinks,
                self.tr("Links on the selected page appear here."),
                self.tr("No outlinks."),
            ),
            list_tab(
                "chain",
                self.tr("Redirect chain"),
                self.chain,
                self.tr("Redirects through the selected URL appear here."),
                self.tr("This URL does not redirect, and no URL redirects to it."),
            ),
            list_tab(
                "headers",
                self.tr("Headers"),
                self.headers,
                self.tr("Response headers appear here."),
                self.tr("No response, so there are no headers."),
            ),
            replace(duplicates, widget=self.duplicates),
            list_tab(
                "hreflang",
                self.tr("Hreflang"),
                self.hreflang,
                self.tr("The versions of the selected page in other languages appear here."),
                self.tr("The page names no versions in other languages."),
            ),
            replace(images, widget=self.images),
            list_tab(
                "headings",
                self.tr("Headings"),
                self.headings,
                self.tr("The headings of the selected page appear here."),
                self.tr("No headings."),
            ),
            DetailTab("source", self.tr("Source"), self.source_tab),
            DetailTab("structured-data", self.tr("Structured data"), self.structured_data),
        )

    def _other_tabs(self) -> tuple[DetailTab, ...]:
        """What fewer people look for, and what is asked of few URLs."""
        return (
            list_tab(
                "resources",
                self.tr("Resources"),
                self.resources,
                self.tr("Scripts, style sheets and other files of the selected page appear here."),
                self.tr("No scripts, style sheets or other files."),
            ),
            DetailTab("snippet", self.tr("Search result"), self.snippet),
            DetailTab("rendered-page", self.tr("Rendered page"), self.rendered_page),
            DetailTab("view", self.tr("View"), self.stored_page),
            list_tab(
                "spelling",
                self.tr("Spelling"),
                self.text_errors,
                self.tr("The misspelt words of the selected page appear here."),
                self.tr("No errors of spelling or grammar. The settings say what is checked."),
            ),
            list_tab(
                "cookies",
                self.tr("Cookies"),
                self.cookies,
                self.tr("Cookies set by the response appear here."),
                self.tr("The response sets no cookies."),
            ),
            DetailTab("notes", self.tr("Notes"), self.notes),
            list_tab(
                "crawlers",
                self.tr("Crawlers"),
                self.crawlers,
                self.tr("Which crawlers may fetch the selected URL appears here."),
                self.tr("The robots.txt of this host was not requested."),
            ),
        )

    def _update_placeholders(self) -> None:
        self.tabs.update_placeholders(has_url=self._url_id is not None)


def _address_of(rows: ProjectRows, url_id: int) -> str | None:
    return next((record.url for record in rows.records([url_id])), None)


def _found_on(rows: ProjectRows, record: UrlRecord) -> str | None:
    return None if record.parent is None else _address_of(rows, record.parent)
