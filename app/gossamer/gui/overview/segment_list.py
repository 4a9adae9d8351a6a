"""The list of segments with how many URLs each has, for the overview."""

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QFrame, QHeaderView, QTreeWidget, QTreeWidgetItem, QWidget

from gossamer.gui.issues.segment_choice import NO_SEGMENT, defined_segments, segment_icon
from gossamer.gui.look.theme import colour, tabular
from gossamer.gui.project.reader_thread import ProjectReader
from gossamer.gui.tables.empty_state import EmptyStateLabel
from gossamer.gui.tables.table_view import PaddedDelegate
from gossamer.gui.text import local_formatting as formatting
from gossamer.model.facets import SEGMENT, FacetCount
from gossamer.model.project_queries import Filter, View
from gossamer.model.settings.crawl_settings import CrawlSettings

if TYPE_CHECKING:
    from gossamer.model.segments import Segment

_NAME: Final = Qt.ItemDataRole.UserRole
_COUNT_WIDTH: Final = 10
_REST_S: Final = 2.0


class SegmentList(QTreeWidget):
    """Segments, and URLs in none, with their counts. While it is hidden, nothing is read.

    `segment_wanted` carries the name of the one that was clicked; "" for URLs in none.
    """

    segment_wanted = Signal(str)

    def __init__(self, reader: ProjectReader, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._reader = reader
        self._segments: tuple[Segment, ...] = ()
        self._has_project = False
        self._counting = reader.throttle.add(self._read, _REST_S)
        self.setColumnCount(2)
        self.setAccessibleName(self.tr("Segments"))
        self.setHeaderHidden(True)
        self.setRootIsDecorated(False)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setUniformRowHeights(True)
        self.setItemDelegate(PaddedDelegate(self))
        self.setFont(tabular(self.font()))
        header = self.header()
        header.setStretchLastSection(False)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        header.setSectionResizeMode(1, QHeaderView.ResizeMode.Fixed)
        header.resizeSection(1, self.fontMetrics().averageCharWidth() * _COUNT_WIDTH)
        self.note = EmptyStateLabel(self)
        self.note.show_text(self.tr("Name parts of the site in the settings, under Audit."))
        self.itemClicked.connect(self._choose)
        self.itemActivated.connect(self._choose)

    def set_project(self, *, has_project: bool) -> None:
        """Another project is shown, or none."""
        self._counting.reset()
        self._has_project = has_project
        self._show(())

    def use_settings(self, settings: CrawlSettings) -> None:
        """List the segments of these settings."""
        segments = defined_segments(settings)
        if segments != self._segments:
            self._segments = segments
            self._show(())
            self._counting.reset()
            self.refresh()

    def refresh(self) -> None:
        """The project has changed: count again, as soon as is reasonable."""
        if self._has_project and self._segments and self.isVisible():
            self._counting.request()

    def showEvent(self, event: QShowEvent) -> None:
        """Catch up with the counts."""
        super().showEvent(event)
        self.refresh()

    def counts(self) -> list[tuple[str, str]]:
        """The rows: names and counts as they are shown."""
        items = (self.topLevelItem(row) for row in range(self.topLevelItemCount()))
        return [(item.text(0), item.text(1)) for item in items if item is not None]

    def _read(self) -> None:
        self._reader.submit(
            lambda rows: rows.facet(View.ALL, Filter(), SEGMENT),
            self._take,
            key=f"segments {id(self)}",
            on_failure=self._counting.finished,
            background=True,
        )

    def _take(self, counts: list[FacetCount]) -> None:
        self._show(counts)
        self._counting.finished()

    def _show(self, counts: "list[FacetCount] | tuple[()]") -> None:
        by_name = {str(each.value): each.count for each in counts}
        self.note.setVisible(not self._segments)
        rows = [(each.name, each.name, each.colour) for each in self._segments]
        if rows:
            rows.append((NO_SEGMENT, self.tr("No segment"), colour("muted").name()))
        if self.topLevelItemCount() != len(rows):
            self.clear()
            self.addTopLevelItems([QTreeWidgetItem() for _ in rows])
        for place, (name, label, tint) in enumerate(rows):
            item = self.topLevelItem(place)
            if item is not None:
                item.setData(0, _NAME, name)
                item.setText(0, formatting.clean(label))
                item.setIcon(0, segment_icon(tint))
                item.setText(1, formatting.number(by_name.get(name, 0)) if counts else "")
                item.setTextAlignment(
                    1, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
                )

    def _choose(self, item: QTreeWidgetItem) -> None:
        self.segment_wanted.emit(item.data(0, _NAME))
