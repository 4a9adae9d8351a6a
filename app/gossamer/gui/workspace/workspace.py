"""The window's body while there is a project: trees, table over details, overview, in flight."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Final, Protocol

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QSplitter,
    QTabWidget,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from gossamer.gui.crawl.in_flight_panel import InFlightList
from gossamer.gui.details.details_panel import DetailsPanel
from gossamer.gui.look import theme
from gossamer.gui.overview.overview_panel import Overview
from gossamer.gui.project.reader_thread import ProjectReader
from gossamer.gui.runtime.refresh_throttle import RefreshThrottle
from gossamer.gui.tables.clipboard import LinkActions
from gossamer.gui.tables.table_view import TableView
from gossamer.gui.trees.discovery_tree import DiscoveryPanel
from gossamer.gui.trees.folder_tree import FoldersPanel
from gossamer.gui.url_menu.url_crawl_actions import UrlCrawlActions
from gossamer.gui.workspace.panel_wiring import connect_panels
from gossamer.gui.workspace.side_panel import STRIP, Side
from gossamer.gui.workspace.table_panel import TablePanel
from gossamer.model.messages import Progress
from gossamer.model.overview_data import OverviewData
from gossamer.model.state import CrawlState
from gossamer.urls.tree import display_url

if TYPE_CHECKING:
    from gossamer.gui.project.project_panel import ProjectPanel

REFRESH_S: Final = 0.4
"""What grows is shown, and the project looked at, again after this time at the soonest."""
YOUNG_S: Final = 1.0
"""A crawl that has run no longer than this is shown as often as its counters: the views fill up."""

_COLUMNS: Final = (280, 720, 280)
_TREE_SHARE: Final = 0.2
_SIDE_SHARE: Final = 0.27
_NARROW: Final = 200
"""Trees and overview have this width at least, as long as nobody wants it otherwise."""
_NARROWEST: Final = 160
_ROWS: Final = (400, 240)
_SIDE: Final = (440, 180)
_HEADING: Final = 28


class _Remembering(Protocol):
    """A panel with a layout of its own, in whatever form it likes."""

    def save_state(self) -> bytes: ...

    def restore_state(self, state: bytes) -> None: ...


class Workspace(QWidget):
    """Lays out the panels and carries selections between them.

    Panels read the project through `reader` and are told to look again when its revision rose;
    `refreshed` says that they were.
    """

    refreshed = Signal()
    export_wanted = Signal()
    links_wanted = Signal(object)
    """A LinksOf: the links to some URLs, or on them, are to be exported."""
    act_wanted = Signal(object, object)
    """An Action and a Selection: what the crawl should do with some of its URLs."""
    part_opened = Signal(str, bool)
    """A part, "trees", "details" or "side", was unfolded or folded away."""
    part_wanted = Signal(str, bool)
    """A person wants it so."""

    def __init__(self, reader: ProjectReader, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("workspace")
        self._reader = reader
        self._revision = -1
        self._progress = Progress(state=CrawlState.NEW)
        self._has_project = False
        self.discovery = DiscoveryPanel(reader)
        self.folders = FoldersPanel(reader)
        self.table = TablePanel(reader)
        self.details = DetailsPanel(reader)
        self.overview = Overview()
        self.in_flight = InFlightList()
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
        }
        # All at a time: each change to the window has it painted and sent to the screen.
        self._pace = RefreshThrottle(self, least_s=REFRESH_S)
        self._pace.due.connect(self._show_growth)
        # Counting takes longer the larger the project: each has to end before the next begins.
        self._counting = RefreshThrottle(self)
        self._counting.due.connect(self._read_figures)
        self.trees = QTabWidget()
        self.charts = _splitter("side", Qt.Orientation.Vertical, (), ())
        self.side = Side(self.tr("Overview and in flight"), self.charts, _NARROWEST)
        self._details_height = _ROWS[1]
        self._columns = QSplitter()
        self._rows = QSplitter()
        self._side_width = _COLUMNS[2]
        self._is_laid_out = False
        self._lay_out()
        self._connect()

    def set_project(self, path: Path | None) -> None:
        """Show the project at `path`, or none."""
        self._revision = -1
        self._has_project = path is not None
        self._pace.reset()
        self._counting.reset()
        self.overview.clear()
        self.in_flight.show_rows([])
        if path is None:
            self._reader.close()
        else:
            self._reader.open(path)
        for panel in self._panels:
            panel.set_project(path)
        if path is not None:
            self._counting.want()

    def set_home(self, origin: str) -> None:
        """Which site this is about: its origin is left out where there is little room."""
        shown = display_url(origin)
        for table in self.findChildren(TableView):
            table.home = shown

    def set_read_only(self, *, read_only: bool) -> None:
        """Whether somebody else crawls the project: nothing can be done to its URLs here."""
        for acts in self.findChildren(UrlCrawlActions):
            acts.set_read_only(read_only=read_only)

    def share_width(self, width: int) -> None:
        """Lay the columns out anew for this width: the table has half of it or more."""
        tree, side = (
            max(min(int(width * share), _COLUMNS[0]), _NARROW)
            for share in (_TREE_SHARE, _SIDE_SHARE)
        )
        self._side_width = side
        side = side if self.side.is_open else STRIP
        self._columns.setSizes([tree, width - tree - side, side])

    def open_part(self, part: str, *, shown: bool) -> None:
        """Unfold a part of the window, or fold it away."""
        if part == "details":
            self.details.set_wanted(wanted=shown)
        elif part == "side":
            self._open_side(shown=shown)
        else:
            self.trees.setVisible(shown)
            self.part_opened.emit(part, shown)

    def settle(self) -> None:
        """Give what is folded away no more room than it shows: splitters keep that of before.

        Before it is shown for the first time there are no sizes that mean anything.
        """
        if not self._is_laid_out:
            return
        tree, table, side = self._columns.sizes()
        if not self.side.is_open:
            self._columns.setSizes([tree, table + side - STRIP, STRIP])
        if not self.details.is_open:
            self._rows.setSizes([sum(self._rows.sizes()), 0])

    def showEvent(self, event: QShowEvent) -> None:
        """From now on the splitters have the sizes that are seen."""
        super().showEvent(event)
        self._is_laid_out = True
        self.settle()

    def _open_side(self, *, shown: bool) -> None:
        tree, table, side = self._columns.sizes()
        if self.side.is_open and self._is_laid_out:
            self._side_width = side or self._side_width
        strip, focused = self.side.strip, self.side.content.focusWidget()
        taker: QWidget | None = None
        if shown and strip.hasFocus():
            taker = self.overview
        elif not shown and focused is not None and focused.hasFocus():
            taker = strip
        self.side.set_open(shown=shown)
        if taker is not None:
            taker.setFocus(Qt.FocusReason.OtherFocusReason)
        if shown and self._is_laid_out:
            self._columns.setSizes([tree, table + side - self._side_width, self._side_width])
        self.settle()
        self.part_opened.emit("side", shown)

    def _open_details(self, shown: bool) -> None:  # noqa: FBT001 - a signal's argument
        """Give the details their room, or the table all of it, with its current row in sight."""
        high = sum(self._rows.sizes())
        if shown:
            lower = min(self._details_height, high // 2)
            self._rows.setSizes([high - lower, lower])
            table = self.table.view
            QTimer.singleShot(0, table, lambda: table.scrollTo(table.currentIndex()))
        else:
            self._details_height = self._rows.sizes()[1] or self._details_height
            self.settle()
        self.part_opened.emit("details", shown)

    def show_progress(self, progress: Progress) -> None:
        """Show new counters, and read again if the project has changed.

        At once what changes the state, and a young crawl; soon what merely grows.
        """
        before, self._progress = self._progress.state, progress
        if progress.state is before and progress.seconds > YOUNG_S:
            self._pace.want()
        else:
            self._show()

    def layouts(self) -> dict[str, bytes]:
        """What to remember of the panels' layout, by name."""
        return {name: panel.save_state() for name, panel in self._remembering.items()}

    def lay_out_as(self, remembered: Callable[[str], bytes]) -> None:
        """Take up what was remembered, by name."""
        for name, panel in self._remembering.items():
            panel.restore_state(remembered(name))

    def revision(self) -> int:
        """The revision of the project at which the panels looked at it last, -1 for none."""
        return self._revision

    def _show_growth(self) -> None:
        self._show()
        self._pace.finished()

    def _show(self) -> None:
        progress = self._progress
        self.overview.show_progress(progress)
        self.in_flight.show_rows(progress.in_flight)
        in_flight = frozenset(each.url_id for each in progress.in_flight)
        for panel in self._panels:
            panel.show_in_flight(in_flight)
        self.table.bar.show_skip_reasons(progress.outcomes)
        self.table.set_ended(ended=progress.state is CrawlState.FINISHED)
        if progress.revision == self._revision or not self._has_project:
            return
        self._revision = progress.revision
        for panel in self._panels:
            panel.refresh()
        self._counting.want()
        self.refreshed.emit()

    def _read_figures(self) -> None:
        self._reader.submit(
            lambda rows: rows.figures(),
            self._show_figures,
            key="overview",
            on_failure=self._counting.finished,
            background=True,
        )

    def _show_figures(self, figures: OverviewData) -> None:
        self.overview.show_figures(figures)
        self._counting.finished()

    def _connect(self) -> None:
        connect_panels(self.discovery, self.folders, self.table, self.details)
        for panel in (self.folders, self.table, self.details):
            panel.tree_wanted.connect(self._show_in_tree)
        self.overview.rows_wanted.connect(
            lambda rows: self.table.show_rows(rows.view, rows.filter_, rows.order)
        )
        self.overview.url_wanted.connect(self.table.select_url)
        self.overview.url_wanted.connect(self.details.select_url)
        for acting in (self.discovery, self.folders, self.table):
            acting.act_wanted.connect(self.act_wanted)
        self.table.bar.export_wanted.connect(self.export_wanted)
        for links in self.findChildren(LinkActions):
            links.export_wanted.connect(self.links_wanted)
            links.said.connect(self.table.summary.show_message)
        self.details.opened.connect(self._open_details)
        self.details.open_wanted.connect(lambda on: self.part_wanted.emit("details", on))
        self.side.open_wanted.connect(lambda on: self.part_wanted.emit("side", on))

    def _show_in_tree(self, url_id: int) -> None:
        self.trees.setCurrentWidget(self.discovery)
        self.discovery.select_url(url_id)

    def _lay_out(self) -> None:
        self.trees.setDocumentMode(True)
        self.trees.setObjectName("trees")
        self.trees.addTab(self.discovery, self.tr("Discovery"))
        self.trees.addTab(self.folders, self.tr("Folders"))
        discovery = self.tr("How the crawl came to each page: it stands below what led to it first")
        self.trees.setTabToolTip(0, discovery)
        self.trees.setTabToolTip(1, self.tr("The same addresses by their paths, as on a disk"))
        rows = _splitter("rows", Qt.Orientation.Vertical, (self.table, self.details), _ROWS)
        self._rows = rows
        rows.setStretchFactor(0, 1)
        rows.setStretchFactor(1, 0)
        self.charts.addWidget(_titled(self.tr("Overview"), self.overview, self.side.fold))
        self.charts.addWidget(_titled(self.tr("In flight"), self.in_flight))
        self.charts.setSizes(list(_SIDE))
        columns = _splitter(
            "columns", Qt.Orientation.Horizontal, (self.trees, rows, self.side), _COLUMNS
        )
        columns.setStretchFactor(0, 0)
        columns.setStretchFactor(1, 1)
        columns.setStretchFactor(2, 0)
        self.trees.setMinimumWidth(_NARROWEST)
        self._columns = columns
        page = QVBoxLayout(self)
        page.setContentsMargins(0, 0, 0, 0)
        page.addWidget(columns)


def _splitter(
    name: str, way: Qt.Orientation, parts: tuple[QWidget, ...], sizes: tuple[int, ...]
) -> QSplitter:
    splitter = QSplitter(way)
    splitter.setObjectName(name)
    splitter.setChildrenCollapsible(False)
    splitter.setHandleWidth(1)
    for part in parts:
        splitter.addWidget(part)
    splitter.setSizes(list(sizes))
    return splitter


def _titled(title: str, content: QWidget, *buttons: QToolButton) -> QWidget:
    box = QWidget()
    heading = QHBoxLayout()
    heading.setContentsMargins(theme.SPACE_M, theme.SPACE_XS, theme.SPACE_XS, theme.SPACE_XS)
    name = QLabel(title)
    name.setMinimumHeight(_HEADING)
    heading.addWidget(name, 1)
    for button in buttons:
        heading.addWidget(button)
    column = QVBoxLayout(box)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(0)
    column.addLayout(heading)
    column.addWidget(content, 1)
    return box
