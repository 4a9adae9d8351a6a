"""The details panel: summary, links, redirects, headers, content, files and source of a URL."""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, Final, TypeVar

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QApplication,
    QHBoxLayout,
    QStackedWidget,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from gossamer.gui.actions.view_actions import ViewAction, add_view_action
from gossamer.gui.details.detail_tab_declarations import other_tabs, usual_tabs
from gossamer.gui.details.detail_tab_widget import DetailTabs
from gossamer.gui.details.detail_table import DetailTable
from gossamer.gui.details.detail_views import DetailViews, OnDemand, address_of
from gossamer.gui.details.summary_view import UrlSummary
from gossamer.gui.look.theme import UNLIMITED
from gossamer.gui.project.project_panel import ProjectPanel
from gossamer.gui.project.reader_interfaces import ProjectRows
from gossamer.gui.project.reader_thread import ProjectReader
from gossamer.model.archive_record import ArchiveRecord
from gossamer.model.fields.url_record import UrlRecord
from gossamer.urls.url_parsing import origin

if TYPE_CHECKING:
    from gossamer.gui.details.detail_tab_widget import RowList
    from gossamer.gui.details.source_tab import SourceTab
    from gossamer.gui.details.stored_page_view import StoredPageView
    from gossamer.gui.details.structured_data_view import StructuredDataView

W = TypeVar("W", bound=QWidget)

_NO_LENGTHS: Final = ((None, 0), (None, 0))
_MIN_HEIGHT: Final = 110
"""The minimum height of the open panel, including its tabs."""


class DetailsPanel(ProjectPanel):
    """Shows the details of the URL that is selected in another panel. Reads only the current tab.

    `url_selected` is emitted when the user follows a link here, so that other panels show it too.

    The panel is collapsed to its tabs while no URL is selected or the user has collapsed it.
    `opened` is emitted when that changes, `open_wanted` when the user wants to change it.
    """

    opened = Signal(bool)
    open_wanted = Signal(bool)
    ignore_error_wanted = Signal(object)
    """The TextError that is no longer to be reported."""

    def __init__(self, reader: ProjectReader, parent: QWidget | None = None) -> None:
        super().__init__(reader, parent)
        self._url_id: int | None = None
        self._wanted = True
        self._forced = False
        """Whether the panel is open even without a URL."""
        self._is_open = True
        self._second_click = QTimer(self, singleShot=True)
        self._second_click.timeout.connect(self._show_url)
        self._summary: UrlSummary | None = None
        self._shown_in: list[Callable[[], None]] = []
        self.views = DetailViews(reader)
        self.tabs = DetailTabs([*usual_tabs(), *other_tabs()], self.views)
        self._connect_tabs()
        self._fold_button = self._add_fold_button()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.tabs)
        self._update_placeholders()
        self._fold()

    @property
    def url_id(self) -> int | None:
        """The ID of the URL that is shown."""
        return self._url_id

    def show_in_flight(self, url_ids: frozenset[int]) -> None:
        """Show in the summary whether the URL is in flight."""
        if self.views.is_made(DetailViews.summary):
            self.views.summary.show_in_flight(url_ids)

    def select_url(self, url_id: int) -> None:
        """Show the details of a URL."""
        if self._project is None or url_id == self._url_id:
            return
        self._url_id = url_id
        self._update_placeholders()
        if self._is_open or QGuiApplication.mouseButtons() is Qt.MouseButton.NoButton:
            self._show_url()
        else:
            # It takes its room from the table, where the row would move away from under the
            # pointer before the second click of a double click.
            self._second_click.start(QApplication.doubleClickInterval())

    @property
    def is_open(self) -> bool:
        """Whether the panel shows more than its tabs."""
        return self._is_open

    def focus_target(self) -> QWidget | None:
        """The widget that takes the focus: the current view, or the tab bar if collapsed."""
        return self.tabs.front if self._is_open else self.tabs.tabBar()

    def set_wanted(self, *, wanted: bool) -> None:
        """Expand the panel, or collapse it until it is wanted again."""
        self._wanted = self._forced = wanted
        if self._second_click.isActive():
            self._show_url()
        else:
            self._fold()

    def show_inlinks(self, url_id: int) -> None:
        """Show the inlinks of a URL."""
        self.select_url(url_id)
        self._request_open()
        self.tabs.bring_to_front(DetailViews.inlinks)

    def show_notes(self, url_id: int) -> None:
        """Show the notes about a URL."""
        self.select_url(url_id)
        self._request_open()
        self.tabs.bring_to_front(DetailViews.notes)

    def render_url(self, url_id: int) -> None:
        """Render a page, and show the result."""
        self.select_url(url_id)
        self._request_open()
        self.tabs.bring_to_front(DetailViews.rendered_page)
        self.views.rendered_page.render_url(url_id)

    def save_state(self) -> bytes:
        """The current tab, the hidden tabs, and the columns of the lists."""
        return self.tabs.save_state()

    def restore_state(self, state: bytes) -> None:
        """Restore a layout from `save_state`; an invalid one is ignored."""
        self.tabs.restore_state(state)

    def _start(self) -> None:
        self._url_id = None
        self._second_click.stop()
        self._fold()
        self._reader.forget(self._key)
        self._show_summary(None)
        if self.views.is_made(DetailViews.snippet):
            self.views.snippet.forget_edits()
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
        self._summary = summary
        if summary is not None:
            self.views.view(DetailViews.notes)  # its tab shows their number
        for show in self._shown_in:
            show()
        lengths = _NO_LENGTHS if summary is None else summary.link_lengths
        for view, length in zip((DetailViews.inlinks, DetailViews.outlinks), lengths, strict=True):
            self.tabs.show_count(view, *length)
        self._refresh.finished()

    def _keep_shown(self, declared: OnDemand[W], show: Callable[[W], None]) -> None:
        """Call `show` with a view when it is made, and whenever the summary changes."""

        def begin(view: W) -> None:
            self._shown_in.append(partial(show, view))
            show(view)

        self.views.when_made(declared, begin)

    @property
    def _record(self) -> UrlRecord | None:
        return None if self._summary is None else self._summary.record

    @property
    def _archived(self) -> ArchiveRecord | None:
        return None if self._summary is None else self._summary.archived

    def _follow_link(self, url_id: int) -> None:
        self.select_url(url_id)
        self.url_selected.emit(url_id)

    def _connect_tabs(self) -> None:
        views = self.views
        for tab in self.tabs.declared:
            if tab.list_in is not None:
                views.when_made(tab.view, partial(self._connect_list, tab.list_in))
        about_records: tuple[OnDemand[Any], ...] = (
            *(DetailViews.snippet, DetailViews.structured_data, DetailViews.duplicates),
            *(DetailViews.rendered_page, DetailViews.images, DetailViews.notes),
        )
        for declared in about_records:
            self._keep_shown(declared, lambda view: view.show_record(self._record))
        self._keep_shown(DetailViews.summary, lambda view: view.show_summary(self._summary))
        self._keep_shown(DetailViews.source_tab, self._show_in_source_tab)
        self._keep_shown(DetailViews.stored_page, self._show_stored_page)
        views.when_made(DetailViews.structured_data, self._connect_structured_data)
        views.when_made(
            DetailViews.stored_page, lambda page: page.url_wanted.connect(self._follow_link)
        )
        views.when_made(DetailViews.text_errors, self._offer_to_ignore)
        views.when_made(
            DetailViews.summary, lambda summary: summary.url_wanted.connect(self._follow_link)
        )
        views.when_made(
            DetailViews.notes,
            lambda notes: notes.counted.connect(partial(self.tabs.show_count, DetailViews.notes)),
        )
        self.tabs.currentChanged.connect(self._load_tab)
        self.tabs.tabBarClicked.connect(lambda _index: self._request_open())
        self.tabs.tab_chosen.connect(self._request_open)

    def _connect_list(self, list_in: "Callable[[QWidget], RowList]", view: QWidget) -> None:
        rows = list_in(view)
        rows.url_wanted.connect(self._follow_link)
        if isinstance(rows, DetailTable):
            rows.when_complete(self._connect_actions)
            rows.source_wanted.connect(self._show_in_source)

    def _connect_structured_data(self, view: "StructuredDataView") -> None:
        view.line_wanted.connect(lambda page, line: self._show_in_source(page, "", line))

    def _offer_to_ignore(self, errors: DetailTable[Any]) -> None:
        def ignore() -> None:
            error = errors.rows.record(errors.currentIndex().row())
            if error is not None:
                self.ignore_error_wanted.emit(error)

        add_view_action(errors, ViewAction.IGNORE_ERROR, ignore)

    def _show_in_source_tab(self, tab: "SourceTab") -> None:
        tab.show_record(self._record, self._archived)

    def _show_stored_page(self, page: "StoredPageView") -> None:
        record = self._record
        page.show_record("" if record is None else record.url, self._archived)

    def _connect_actions(self, table: DetailTable[Any]) -> None:
        actions = table.url_actions
        actions.tree_wanted.connect(self.tree_wanted)
        actions.table_wanted.connect(self.table_wanted)
        actions.inlinks_wanted.connect(self.show_inlinks)
        actions.rendering_wanted.connect(self.render_url)

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

    def _show_url(self) -> None:
        """Show the selected URL, and open the panel for it."""
        self._second_click.stop()
        self._fold()
        self._read_summary(background=False)
        self._load_tab()

    def _fold(self) -> None:
        """Open the panel if it is wanted and has something to show; collapse it otherwise."""
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
        self.tabs.bring_to_front(DetailViews.source_tab)
        self.views.source_tab.ask(page, target, line=line)

    def _update_placeholders(self) -> None:
        self.tabs.update_placeholders(has_url=self._url_id is not None)


def _found_on(rows: ProjectRows, record: UrlRecord) -> str | None:
    return None if record.parent is None else address_of(rows, record.parent)
