"""The details panel: summary, inlinks, outlinks, redirect chain, headers, cookies, source."""

import base64
from typing import Any, Final

import msgspec
from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QStackedWidget, QTabWidget, QToolButton, QVBoxLayout, QWidget

from gossamer.gui.details import detail_lists, page_lists
from gossamer.gui.details.detail_table import DetailTable, RedirectChainView
from gossamer.gui.details.snippet_view import SnippetView
from gossamer.gui.details.source_view import SourceView
from gossamer.gui.details.summary_view import SummaryView, UrlSummary
from gossamer.gui.look.theme import UNLIMITED
from gossamer.gui.project.project_panel import ProjectPanel
from gossamer.gui.project.reader_interface import ProjectRows
from gossamer.gui.project.reader_thread import ProjectReader
from gossamer.gui.text import local_formatting as formatting
from gossamer.model.fields.url_record import UrlRecord

STATE_VERSION: Final = 4
_MIN_HEIGHT: Final = 110
"""How high they are at least, tabs included, when they are open."""


class _Saved(msgspec.Struct):
    """The layout of the details as settings keep it: the header of each list in base64."""

    version: int
    tab: int
    headers: list[str]


class DetailsPanel(ProjectPanel):
    """Shows the details of the URL selected elsewhere. Reads data for the front tab only.

    `url_selected` says that the person followed a link here: the other panels should show it.

    While no URL is selected, and where the person has folded it away, it is a row of tabs: `opened`
    says when that changes, `open_wanted` that the person wants it to.
    """

    opened = Signal(bool)
    open_wanted = Signal(bool)

    def __init__(self, reader: ProjectReader, parent: QWidget | None = None) -> None:
        super().__init__(reader, parent)
        self._url_id: int | None = None
        self._source_of: int | None = None
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
        self.duplicates = DetailTable(page_lists.duplicates(), reader)
        self.headings = DetailTable(page_lists.headings(), reader)
        self.snippet = SnippetView()
        self.source = SourceView()
        self._lists: list[DetailTable[Any]] = [
            self.inlinks,
            self.outlinks,
            self.chain,
            self.headers,
            self.cookies,
            self.duplicates,
            self.headings,
        ]
        self.tabs = QTabWidget()
        self._add_tabs()
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
        self._load_tab(self.tabs.currentIndex())

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

    def save_state(self) -> bytes:
        """The tab in front, and the columns of the lists."""
        headers = [base64.b64encode(view.save_columns()).decode() for view in self._lists]
        return msgspec.json.encode(_Saved(STATE_VERSION, self.tabs.currentIndex(), headers))

    def restore_state(self, state: bytes) -> None:
        """Restore a layout from `save_state`; an invalid one is ignored."""
        try:
            saved = msgspec.json.decode(state, type=_Saved)
            headers = [base64.b64decode(text) for text in saved.headers]
        except ValueError:
            return
        if saved.version != STATE_VERSION or len(headers) != len(self._lists):
            return
        for view, header in zip(self._lists, headers, strict=True):
            view.restore_columns(header)
            view.fill(anew=True)
        self.tabs.setCurrentIndex(saved.tab)

    def _start(self) -> None:
        self._url_id = None
        self._fold()
        self._reader.forget(self._key)
        self._show_summary(None)
        for view in self._lists:
            view.rows.show_url(None)
        self._update_placeholders()

    @property
    def _key(self) -> str:
        return f"details {id(self)}"

    def _read(self) -> None:
        if self._url_id is None:
            self._refresh.finished()
            return
        self._read_summary(background=True)
        view = self.tabs.currentWidget()
        if isinstance(view, DetailTable):
            view.rows.refresh()

    def _read_summary(self, *, background: bool) -> None:
        url_id = self._url_id
        if url_id is None:
            return

        def read(rows: ProjectRows) -> UrlSummary | None:
            for record in rows.records([url_id]):
                target = rows.lookup(record.redirect) if record.redirect else None
                links = rows.link_counts(url_id)
                return UrlSummary(record, links, _found_on(rows, record), target)
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
        self.snippet.show_record(None if summary is None else summary.record)
        self._show_source_of(summary)
        names = self._names()
        for i, (count, others) in enumerate(_list_lengths(summary)):
            name, hint = names[i], ""
            if count is not None:
                more = f" (+{formatting.number(others)})" if others else ""
                name = formatting.with_count(name, formatting.number(count) + more)
            if others:
                hint = self.tr("%Ln other reference(s) included", "", others)
            self.tabs.setTabText(i + 1, name)
            self.tabs.setTabToolTip(i + 1, hint)
        self._refresh.finished()

    def _show_source_of(self, summary: UrlSummary | None) -> None:
        """Turn the source to the URL, once: it may show another page since."""
        url_id = None if summary is None else summary.record.id
        if url_id != self._source_of:
            self._source_of = url_id
            self.source.show_url("" if summary is None else summary.record.url)

    def _load_tab(self, index: int) -> None:
        """Read the list in front, if it is still about another URL."""
        view = self.tabs.widget(index)
        if isinstance(view, DetailTable) and view.rows.about != self._url_id:
            view.rows.show_url(self._url_id)

    def _follow_link(self, url_id: int) -> None:
        self.select_url(url_id)
        self.url_selected.emit(url_id)

    def _add_tabs(self) -> None:
        self.tabs.setDocumentMode(True)
        self.tabs.addTab(self.summary, self.tr("Summary"))
        for view, name in zip(self._lists, self._names(), strict=True):
            self.tabs.addTab(view, name)
            view.setAccessibleName(name)
            view.url_wanted.connect(self._follow_link)
            view.url_actions.tree_wanted.connect(self.tree_wanted)
            view.url_actions.table_wanted.connect(self.table_wanted)
            view.url_actions.inlinks_wanted.connect(self.show_inlinks)
            view.source_wanted.connect(self._show_in_source)
        self.tabs.addTab(self.snippet, self.tr("Search result"))
        self.tabs.addTab(self.source, self.tr("Source"))
        self.summary.url_wanted.connect(self._follow_link)
        self.tabs.currentChanged.connect(self._load_tab)
        self.tabs.tabBarClicked.connect(lambda _index: self._request_open())

    def _add_fold_button(self) -> QToolButton:
        button = QToolButton()
        button.setProperty("quiet", True)
        button.clicked.connect(lambda: self.open_wanted.emit(not self._is_open))
        self.tabs.setCornerWidget(button)
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

    def _show_in_source(self, page: str, target: str) -> None:
        self.tabs.setCurrentWidget(self.source)
        self.source.ask(page, target)

    def _names(self) -> tuple[str, ...]:
        return (
            self.tr("Inlinks"),
            self.tr("Outlinks"),
            self.tr("Redirect chain"),
            self.tr("Headers"),
            self.tr("Cookies"),
            self.tr("Duplicates"),
            self.tr("Headings"),
        )

    def _update_placeholders(self) -> None:
        if self._url_id is None:
            words = (
                self.tr("Links to the selected URL appear here."),
                self.tr("Links on the selected page appear here."),
                self.tr("Redirects through the selected URL appear here."),
                self.tr("Response headers appear here."),
                self.tr("Cookies set by the response appear here."),
                self.tr("Pages that are like the selected one appear here."),
                self.tr("The headings of the selected page appear here."),
            )
        else:
            words = (
                self.tr("No inlinks."),
                self.tr("No outlinks."),
                self.tr("This URL does not redirect, and no URL redirects to it."),
                self.tr("No response, so there are no headers."),
                self.tr("The response sets no cookies."),
                self.tr("No duplicates found. They are looked for by the site audit."),
                self.tr("No headings."),
            )
        for view, text in zip(self._lists, words, strict=True):
            view.note.show_text(text)


def _list_lengths(summary: UrlSummary | None) -> tuple[tuple[int | None, int], ...]:
    """How many rows the lists of links have: as the columns of a table count, and others."""
    if summary is None:
        return ((None, 0), (None, 0))
    links = summary.links
    return (links.inlinks, links.other_inlinks), (links.outlinks, links.other_outlinks)


def _found_on(rows: ProjectRows, record: UrlRecord) -> str | None:
    if record.parent is None:
        return None
    return next((parent.url for parent in rows.records([record.parent])), None)
