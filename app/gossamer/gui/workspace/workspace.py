"""The body of the window while a project is open, with the table and all docks connected."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import (
    QVBoxLayout,
    QWidget,
)

from gossamer.gui.actions.window_actions import WindowAction
from gossamer.gui.context_menu.bulk_action_menu import BulkActionMenu
from gossamer.gui.crawl.in_flight_panel import InFlightList
from gossamer.gui.crawl.node_list import InFlightPage, NodeList
from gossamer.gui.details.detail_table import DetailTable
from gossamer.gui.details.detail_views import DetailViews
from gossamer.gui.details.details_panel import DetailsPanel
from gossamer.gui.issues.rule_tree import RuleTree
from gossamer.gui.issues.segment_choice import SegmentChoice
from gossamer.gui.overview.overview_panel import OverviewPanel
from gossamer.gui.overview.overview_tabs import OverviewTabs
from gossamer.gui.overview.segment_list import SegmentList
from gossamer.gui.project.reader_thread import ProjectReader
from gossamer.gui.tables.link_actions import LinkActions
from gossamer.gui.tables.table_view import TableView, tables_in
from gossamer.gui.trees.discovery_tree import DiscoveryPanel
from gossamer.gui.trees.folder_tree import FoldersPanel
from gossamer.gui.trees.tree_panel import TreePanel
from gossamer.gui.widgets.labels import name_inner
from gossamer.gui.workspace.dock_area import DockArea
from gossamer.gui.workspace.dock_panels import Panel
from gossamer.gui.workspace.table_panel import TablePanel
from gossamer.model.crawl_state import LIVE, CrawlState
from gossamer.model.messages.crawl_messages import Progress
from gossamer.model.overview_data import OverviewData
from gossamer.model.project_queries import Filter, View, facet_values
from gossamer.urls.url_folders import display_url

if TYPE_CHECKING:
    from gossamer.gui.details.snippet_view import SnippetView
    from gossamer.gui.issues.issue_counts import IssueCounts
    from gossamer.gui.issues.issues_pane import IssuesPane
    from gossamer.gui.project.project_panel import ProjectPanel


class _Remembering(Protocol):
    """A panel with a layout of its own, in any format."""

    def save_state(self) -> bytes: ...

    def restore_state(self, state: bytes) -> None: ...


class Workspace(QWidget):
    """Lays out the panels and carries selections between them.

    Panels read the project through `reader` and are refreshed when its revision rises; `refreshed`
    reports that.
    """

    refreshed = Signal()
    export_wanted = Signal()
    links_wanted = Signal(object)
    """A LinksOf: the links to some URLs, or on them, are to be exported."""
    bulk_action_wanted = Signal(object, object)
    """An Action and a Selection: what the crawl should do with some of its URLs."""
    panels_shown = Signal(object, bool)
    """A WindowAction, and whether the panels that it shows and hides are shown now."""
    panels_wanted = Signal(object, bool)
    """What the user has chosen."""

    def __init__(self, reader: ProjectReader, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("workspace")
        self._reader = reader
        self._revision = -1
        self._has_project = False
        self._home = ""
        self._is_read_only = False
        self.discovery = DiscoveryPanel(reader)
        self.folders = FoldersPanel(reader)
        self.table = TablePanel(reader)
        self.details = DetailsPanel(reader)
        self.overview = OverviewPanel()
        self.rules = RuleTree(self.table.issue_counts)
        self.segments = SegmentList(reader)
        segment_choice = SegmentChoice(self.table.issue_counts)
        self.side = OverviewTabs(self.overview, self.rules, segment_choice, self.segments)
        self.in_flight = InFlightList()
        self.nodes = NodeList()
        self._panels: tuple[ProjectPanel, ...] = (
            self.discovery,
            self.folders,
            self.table,
            self.details,
        )
        self._remembering: dict[str, _Remembering] = {
            "table": self.table,
            "details": self.details,
            "overview": self.overview,
            "overview tabs": self.side,
        }
        # Counting takes longer the larger the project.
        self._figures = reader.throttle.add(self._read_figures)
        contents: dict[Panel, QWidget] = {
            Panel.DISCOVERY: self.discovery,
            Panel.FOLDERS: self.folders,
            Panel.DETAILS: self.details,
            Panel.OVERVIEW: self.side,
            Panel.IN_FLIGHT: InFlightPage(self.in_flight, self.nodes),
        }
        self.docks = DockArea(self.table, contents)
        page = QVBoxLayout(self)
        page.setContentsMargins(0, 0, 0, 0)
        page.addWidget(self.docks)
        self._connect()

    def set_project(self, path: Path | None, revision: int) -> None:
        """Show the project at `path`, whose revision is at least this, or none."""
        self._revision = revision
        self._has_project = path is not None
        self._figures.reset()
        self.overview.clear()
        self.in_flight.show_rows([])
        self.nodes.show_nodes([])
        if path is None:
            self._reader.close()
        else:
            self._reader.open(path)
        self.segments.set_project(has_project=path is not None)
        for panel in self._panels:
            panel.set_project(path)
        if path is not None:
            self._figures.request()

    def take_up(self, before: "Workspace") -> None:
        """Show the rows and the URL that another workspace shows of the same project."""
        url_id = before.details.url_id
        self.table.take_up(before.table)
        if url_id is None:
            return
        self.details.select_url(url_id)
        for tree in (self.discovery, self.folders):
            tree.follow(url_id)
        if before.table.lists(url_id):
            self.table.select_url(url_id)

    def set_home(self, origin: str) -> None:
        """Set the site: its origin is left out where there is little room."""
        self._home = display_url(origin)
        self._shorten_addresses(self)

    def set_read_only(self, *, read_only: bool) -> None:
        """Set whether another process crawls the project: nothing can be done to its URLs here."""
        self._is_read_only = read_only
        self._allow_actions(self)

    def show_panels(self, action: WindowAction, *, shown: bool) -> None:
        """Show or hide the panels of an action; for the details, their tabs stay."""
        if action is WindowAction.DETAILS:
            self.details.set_wanted(wanted=shown)
        else:
            self.docks.show_panels(action, shown=shown)

    def _open_details(self, opened: bool) -> None:  # noqa: FBT001 - a signal's argument
        """Give the details their room, with the current row of the table visible."""
        self.docks.open_details(opened=opened)
        if opened:
            table = self.table.view
            QTimer.singleShot(0, table, lambda: table.scrollTo(table.currentIndex()))
        self.panels_shown.emit(WindowAction.DETAILS, opened)

    def show_progress(self, progress: Progress) -> None:
        """Show new counters, and read again if the project has changed."""
        self.overview.show_progress(progress)
        self.in_flight.show_rows(progress.in_flight)
        self.nodes.show_nodes(progress.nodes)
        self.docks.set_idle(idle=progress.state not in LIVE and not progress.in_flight)
        in_flight = frozenset(each.url_id for each in progress.in_flight)
        for panel in self._panels:
            panel.show_in_flight(in_flight)
        self.table.bar.show_skip_reasons(progress.outcomes)
        self.table.set_ended(ended=progress.state is CrawlState.FINISHED)
        if progress.revision == self._revision or not self._has_project:
            return
        self._revision = progress.revision
        self.refresh()
        self.refreshed.emit()

    def refresh(self) -> None:
        """Read the project again, as soon as is reasonable."""
        if self._has_project:
            for panel in self._panels:
                panel.refresh()
            self._figures.request()
            self.segments.refresh()

    def _show_segment(self, name: str) -> None:
        """Show the URLs of a segment."""
        self.table.show_rows(View.ALL, Filter(facets=facet_values(segment=[name])))

    def layouts(self) -> dict[str, bytes]:
        """The layout of the panels to remember, by name."""
        layouts = {name: panel.save_state() for name, panel in self._remembering.items()}
        docks = self.docks.save()
        return layouts | {"docks": docks} if docks else layouts

    def lay_out_as(self, remembered: Callable[[str], bytes]) -> bool:
        """Apply what was remembered, by name; False if the docks are in their initial places."""
        for name, panel in self._remembering.items():
            panel.restore_state(remembered(name))
        return self.docks.restore(remembered("docks"))

    def revision(self) -> int:
        """The revision of the project that the panels read last."""
        return self._revision

    def _read_figures(self) -> None:
        if not (self._has_project and self.overview.isVisible()):
            self._figures.finished()
            return
        self._reader.submit(
            lambda rows: rows.figures(),
            self._show_figures,
            key="overview",
            on_failure=self._figures.finished,
            background=True,
        )

    def _show_figures(self, figures: OverviewData) -> None:
        self.overview.show_figures(figures)
        self._figures.finished()

    def _connect(self) -> None:
        connect_panels(self.discovery, self.folders, self.table, self.details)
        for panel in (self.folders, self.table, self.details):
            panel.tree_wanted.connect(self._show_in_tree)
        self.overview.figures_wanted.connect(self._figures.request)
        self.overview.rows_wanted.connect(
            lambda rows: self.table.show_rows(rows.view, rows.filter_, rows.order)
        )
        self.table.issues_area.when_made(self._complete_issues)
        counts = self.table.issue_counts
        views = self.details.views
        views.when_made(DetailViews.snippet, partial(_follow_settings, counts))
        self.rules.target_wanted.connect(self.table.show_rule)
        counts.changed.connect(lambda: self.segments.use_settings(counts.settings))
        self.segments.segment_wanted.connect(self._show_segment)
        self.overview.url_wanted.connect(self.table.select_url)
        self.overview.url_wanted.connect(self.details.select_url)
        for acting in (self.discovery, self.folders, self.table):
            acting.bulk_action_wanted.connect(self.bulk_action_wanted)
        self.table.bar.export_wanted.connect(self.export_wanted)
        for tree in (self.discovery, self.folders):
            tree.when_complete(self._complete_tree)
        self.table.tables.each_made(self._complete_table)
        views.each_made(self._complete_view)
        self.details.opened.connect(self._open_details)
        self.details.open_wanted.connect(partial(self.panels_wanted.emit, WindowAction.DETAILS))
        self.docks.shown_changed.connect(self.panels_shown)
        self.docks.show_wanted.connect(self.panels_wanted)

    def _complete_view(self, view: QWidget) -> None:
        """Do for a view of the details, which is made late, what was done for all others."""
        name_inner(view)
        for table in tables_in(view, DetailTable):
            table.when_complete(self._connect_links)
        self._shorten_addresses(view)

    def _complete_tree(self, tree: TreePanel) -> None:
        """Do for a tree, whose actions are made late, what is done for all of them."""
        self._connect_links(tree)
        self._allow_actions(tree)

    def _complete_table(self, table: QWidget) -> None:
        """Do for a table of rows, one of which is made late, what is done for all of them."""
        self._connect_links(table)
        self._shorten_addresses(table)
        self._allow_actions(table)

    def _complete_issues(self, issues: "IssuesPane") -> None:
        """Give the issues, which are made late, their menu."""
        from gossamer.gui.issues.issue_menu import IssueMenu  # noqa: PLC0415 - the start does without

        menu = IssueMenu(issues.table, self._reader)
        menu.export_wanted.connect(self.export_wanted)
        menu.links_wanted.connect(self.links_wanted)
        menu.ignore_wanted.connect(issues.ignore_wanted)
        menu.said.connect(self.table.summary.show_message)
        self._shorten_addresses(issues)

    def _allow_actions(self, part: QWidget) -> None:
        for bulk_actions in part.findChildren(BulkActionMenu):
            bulk_actions.set_read_only(read_only=self._is_read_only)

    def _shorten_addresses(self, part: QWidget) -> None:
        for table in tables_in(part, TableView):
            table.home = self._home

    def _connect_links(self, part: QWidget) -> None:
        for links in part.findChildren(LinkActions):
            links.export_wanted.connect(self.links_wanted)
            links.said.connect(self.table.summary.show_message)

    def _show_in_tree(self, url_id: int) -> None:
        self.docks.bring_to_front(Panel.DISCOVERY)
        self.discovery.select_url(url_id)


def _follow_settings(counts: "IssueCounts", snippet: "SnippetView") -> None:
    """Measure search results by the thresholds of the project shown."""
    snippet.use_settings(counts.settings)
    counts.changed.connect(lambda: snippet.use_settings(counts.settings))


def connect_panels(
    discovery: DiscoveryPanel, folders: FoldersPanel, table: TablePanel, details: DetailsPanel
) -> None:
    """Connect selection, folder filter, and "show in table".

    "Show in tree" is left to the window, which must bring the tree to the front first.
    """
    panels = (discovery, folders, table)
    for panel in panels:
        panel.url_selected.connect(details.select_url)
        panel.inlinks_wanted.connect(details.show_inlinks)
        panel.rendering_wanted.connect(details.render_url)
        for follower in panels:
            if follower is not panel:
                panel.url_selected.connect(follower.follow)
    for other in (discovery, folders, details):
        other.table_wanted.connect(table.select_url)
    details.url_selected.connect(table.select_url)
    for tree in (discovery, folders):
        details.url_selected.connect(tree.follow)
    discovery.found_on_wanted.connect(table.set_found_on)
    for tree in (discovery, folders):
        tree.when_complete(lambda tree: tree.bulk_actions.said.connect(table.summary.show_message))
    folders.folder_selected.connect(
        lambda folder_id: table.set_folder(folder_id, folders.folder_path(folder_id))
    )
