"""The window of a comparison: overview, and a tab for each kind of what differs."""

from functools import partial
from pathlib import Path
from typing import Final, NamedTuple

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from gossamer.gui.comparison.broken_links_pane import BrokenLinksPane
from gossamer.gui.comparison.changes_pane import ChangesPane
from gossamer.gui.comparison.compared_contents import CrawledPage, contents_of
from gossamer.gui.comparison.comparison_head import ComparisonHead
from gossamer.gui.comparison.comparison_interfaces import ComparisonRows
from gossamer.gui.comparison.filter_counts_tree import FilterCountsTree
from gossamer.gui.comparison.folder_differences_tree import FolderDifferencesTree
from gossamer.gui.comparison.page_changes_view import PageChangesView
from gossamer.gui.comparison.site_files_pane import SiteFilesPane
from gossamer.gui.look import theme
from gossamer.gui.look.icons import icon
from gossamer.gui.look.stylesheet import CONTROL_HEIGHT
from gossamer.gui.project.reader_thread import BackgroundReader, ProjectReader
from gossamer.gui.text import local_formatting as formatting
from gossamer.gui.text.translated_sentences import host_of, spoken
from gossamer.gui.widgets.help_context import explain
from gossamer.gui.widgets.message_bar import Kind, MessageButton, MessageColumn
from gossamer.gui.widgets.window_geometry import fitted
from gossamer.model.comparison_filters import VIEW
from gossamer.model.comparison_results import (
    ComparedPage,
    ComparisonFilter,
    ComparisonSummary,
    FilterCounts,
    FilterMove,
    PageChange,
)
from gossamer.model.fields.comparison_only_fields import OUTLINKS
from gossamer.model.project_queries import Facet, Value, View
from gossamer.model.translatable import Translatable
from gossamer.urls.url_folders import display_url
from gossamer.urls.url_parsing import origin, parse_root

NAME: Final = "comparison-window"
_SIZE: Final = (1180, 780)
_REDIRECT: Final = "redirect"
_WHOLE: Final = "whole"


class Readers(NamedTuple):
    """What reads the comparison, and the two projects, which are opened when they are needed."""

    comparison: BackgroundReader[ComparisonRows]
    before: ProjectReader
    after: ProjectReader


class _Whole(NamedTuple):
    summary: ComparisonSummary
    filters: list[FilterCounts]


class ComparisonWindow(QDialog):
    """Shows the comparison file that `readers.comparison` has opened.

    `page_wanted` carries the path of a project and the id of a URL in it that is to be opened;
    `export_wanted` nothing; `audit_wanted` that both crawls are to be audited and compared again;
    `mapping_wanted` the PathRewrite with which they are to be compared again.
    """

    page_wanted = Signal(object, int)
    export_wanted = Signal()
    audit_wanted = Signal()
    mapping_wanted = Signal(object)

    def __init__(self, readers: Readers, parent: QWidget | None = None) -> None:
        super().__init__(parent, Qt.WindowType.Window)
        self.setObjectName(NAME)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Comparison"))
        explain(self, "window/compare")
        self._readers = readers
        self._whole: _Whole | None = None
        self._opened: set[ProjectReader] = set()
        self.head = ComparisonHead()
        self.filters = FilterCountsTree()
        self.filter_text = QLineEdit()
        self.only_changed = QCheckBox(self.tr("Only what changed"))
        self.changes = ChangesPane(readers.comparison)
        self.broken_links = BrokenLinksPane(readers.comparison)
        self.moved = ChangesPane(readers.comparison, ComparisonFilter(has_moved=True))
        self.redirects = ChangesPane(readers.comparison, ComparisonFilter(field=_REDIRECT))
        self.site_files = SiteFilesPane(readers.comparison)
        self.structure = FolderDifferencesTree(readers.comparison)
        self.only_changed_folders = QCheckBox(self.tr("Only what changed"))
        self.tabs = QTabWidget()
        self.messages = MessageColumn()
        self.export = QPushButton(icon("export"), self.tr("Export…"))
        self._lay_out()
        self._connect()
        self.resize(fitted(_SIZE, self.screen().availableGeometry()))
        self.filters.setFocus(Qt.FocusReason.OtherFocusReason)
        readers.comparison.submit(
            lambda rows: _Whole(rows.summary(), rows.filters()), self._show, key=_WHOLE
        )

    @property
    def summary(self) -> ComparisonSummary | None:
        """The comparison as a whole, as soon as it was read."""
        return None if self._whole is None else self._whole.summary

    def show_moved(self, section: Facet, value: Value, move: FilterMove | None) -> None:
        """List the pages that have moved into a filter or issue, or out of it."""
        if (section, value) == (VIEW, View.BROKEN_LINKS):
            self.tabs.setCurrentWidget(self.broken_links)
            self.broken_links.show_moved(move)
            self.broken_links.table.setFocus(Qt.FocusReason.OtherFocusReason)
            return
        if (section, value) == (VIEW, View.LINKS):
            self.tabs.setCurrentWidget(self.changes)
            self.changes.show_field(OUTLINKS.name)
            return
        found = () if self._whole is None else self._whole.filters
        for counts in found:
            if (counts.section, counts.value) == (section, value):
                self.tabs.setCurrentWidget(self.changes)
                self.changes.show_moved(counts, move)
                self.changes.table.setFocus(Qt.FocusReason.OtherFocusReason)

    def show_change(self, change: PageChange | None) -> None:
        """List the pages with a change."""
        self.tabs.setCurrentWidget(self.changes)
        self.changes.show_change(change)
        self.changes.table.setFocus(Qt.FocusReason.OtherFocusReason)

    def tell_export(self, kind: Kind, words: str, *buttons: MessageButton) -> None:
        """Say how far an export is, or what became of it."""
        self.messages.tell("export", kind, words, *buttons)

    def tell_trouble(self, sentence: Translatable) -> None:
        """Say what went wrong."""
        self.messages.tell("trouble", "error", spoken(sentence))

    def _show(self, whole: _Whole) -> None:
        self._whole = whole
        summary = whole.summary
        title = self.tr("Comparison of {site}: {before} and {after}").format(
            site=host_of(summary.after.root),
            before=formatting.moment(summary.before.created_at),
            after=formatting.moment(summary.after.created_at),
        )
        self.setWindowTitle(formatting.clean(title))
        self.head.show_summary(summary, whole.filters)
        self._suggest_mapping(summary)
        self._list_filters()
        self.filters.show_counts(whole.filters, summary.after.settings)
        home = origin(parse_root(summary.after.root)) if summary.after.root else ""
        for pane in (self.changes, self.moved, self.redirects):
            pane.table.home = home
        self.broken_links.table.home = home
        self.changes.show_fields(summary.fields)
        self.changes.read()
        self.broken_links.read()
        self.moved.read()
        self.redirects.read()
        self.site_files.read()
        self.structure.read()
        links = next((x for x in whole.filters if x.value == View.BROKEN_LINKS), None)
        for tab, name, number in (
            (self.broken_links, self.tr("Broken links"), sum(links.moves) if links else 0),
            (self.moved, self.tr("Moved"), summary.moved),
            (self.redirects, self.tr("Redirects"), summary.fields.get(_REDIRECT, 0)),
        ):
            words = formatting.with_count(name, formatting.number(number))
            self.tabs.setTabText(self.tabs.indexOf(tab), words)

    def _suggest_mapping(self, summary: ComparisonSummary) -> None:
        """Say which folder has moved, and offer to compare its pages with what they were."""
        for rewrite in summary.rewrites[:1]:
            words = self.tr(
                "{n} pages have probably moved from {before} to {after}. Map these addresses to "
                "see what has changed on them."
            ).format(
                n=formatting.number(rewrite.pages),
                before=formatting.clean(display_url(rewrite.before)),
                after=formatting.clean(display_url(rewrite.after)),
            )
            self.messages.tell(
                "moved",
                "info",
                words,
                MessageButton(
                    self.tr("Map and compare again"), partial(self.mapping_wanted.emit, rewrite)
                ),
            )

    def _list_filters(self) -> None:
        self.filters.set_filter(self.filter_text.text(), only_changed=self.only_changed.isChecked())
        self.filters.note.show_text(
            self.tr("No filter or issue has changed.")
            if not self.filter_text.text()
            else self.tr("No filter or issue is called so.")
        )

    def _read_page(self, view: PageChangesView, page: ComparedPage) -> None:
        """Read a page from both projects, one after the other: each has a thread of its own."""
        readers, whole = self._readers, self._whole
        if whole is None:
            return
        for reader, side in (
            (readers.before, whole.summary.before),
            (readers.after, whole.summary.after),
        ):
            if reader not in self._opened:
                self._opened.add(reader)
                reader.open(Path(side.path))

        def read_after(before: CrawledPage) -> None:
            readers.after.submit(
                lambda rows: before.beside(contents_of(rows, page.after_id)),
                lambda both: view.show_contents(page, both),
                key="page",
            )

        readers.before.submit(
            lambda rows: contents_of(rows, page.before_id), read_after, key="page"
        )

    def _open(self, is_after: bool, url_id: int) -> None:  # noqa: FBT001 - a signal's argument
        if self._whole is not None:
            summary = self._whole.summary
            side = summary.after if is_after else summary.before
            self.page_wanted.emit(Path(side.path), url_id)

    def _connect(self) -> None:
        self.head.change_wanted.connect(self.show_change)
        self.head.audit_wanted.connect(self.audit_wanted)
        self.filters.pages_wanted.connect(lambda target: self.show_moved(*target))
        self.filter_text.textChanged.connect(self._list_filters)
        self.only_changed.toggled.connect(self._list_filters)
        self.only_changed_folders.toggled.connect(self.structure.show_only_changed)
        self.export.clicked.connect(self.export_wanted)
        for reader in self._readers:
            reader.failed.connect(self.tell_trouble)
        for pane in (self.changes, self.moved, self.redirects):
            details = pane.details
            details.open_wanted.connect(self._open)
            details.contents_wanted.connect(
                lambda page, details=details: self._read_page(details, page)
            )
        QShortcut(QKeySequence(QKeySequence.StandardKey.Find), self, self._find)

    def _find(self) -> None:
        shown = self.tabs.currentWidget()
        panes = (ChangesPane, BrokenLinksPane)
        field = shown.text if isinstance(shown, panes) else self.filter_text
        if field.isVisible():
            field.setFocus(Qt.FocusReason.ShortcutFocusReason)
            field.selectAll()

    def _lay_out(self) -> None:
        self.filter_text.setPlaceholderText(self.tr("Filter by name"))
        self.filter_text.setAccessibleName(self.tr("Filter by name"))
        self.filter_text.setClearButtonEnabled(True)
        self.filter_text.addAction(icon("search"), QLineEdit.ActionPosition.LeadingPosition)
        self.filter_text.setMinimumHeight(CONTROL_HEIGHT)
        self.only_changed.setChecked(True)
        hint = QLabel(self.tr("Click a number to see its pages."))
        hint.setProperty("muted", True)
        self.tabs.setDocumentMode(True)
        self.tabs.tabBar().setAccessibleName(self.windowTitle())
        self.tabs.addTab(
            _page(self.filters, self.filter_text, self.only_changed, hint), self.tr("Overview")
        )
        self.tabs.addTab(self.changes, self.tr("Changes"))
        self.tabs.addTab(self.broken_links, self.tr("Broken links"))
        self.tabs.addTab(self.moved, self.tr("Moved"))
        self.tabs.addTab(self.redirects, self.tr("Redirects"))
        self.tabs.addTab(self.site_files, self.tr("Robots.txt and sitemaps"))
        self.tabs.addTab(_page(self.structure, self.only_changed_folders), self.tr("Structure"))
        self.export.setAutoDefault(False)
        top = QHBoxLayout()
        top.setContentsMargins(0, 0, theme.SPACE_M, theme.SPACE_S)
        top.addWidget(self.head, 1)
        top.addWidget(self.export, 0, Qt.AlignmentFlag.AlignBottom)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(top)
        column.addWidget(self.head.messages)
        column.addWidget(self.tabs, 1)
        column.addWidget(self.messages)


def _page(view: QWidget, *bar: QWidget) -> QWidget:
    """A view below the widgets of its bar."""
    page = QWidget()
    row = QHBoxLayout()
    row.setContentsMargins(theme.SPACE_S, theme.SPACE_S, theme.SPACE_S, theme.SPACE_S)
    row.setSpacing(theme.SPACE_M)
    for part in bar:
        row.addWidget(part)
    row.addStretch(1)
    column = QVBoxLayout(page)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(0)
    column.addLayout(row)
    column.addWidget(view, 1)
    return page
