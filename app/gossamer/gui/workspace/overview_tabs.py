"""The faces of the overview: charts of the crawl, its issues by group, and its segments."""

from typing import Final

from PySide6.QtWidgets import QTabWidget, QWidget

from gossamer.gui.issues.rule_tree import RuleTree
from gossamer.gui.overview.overview_panel import OverviewPanel
from gossamer.gui.overview.segment_list import SegmentList

_STATE_VERSION: Final = b"1"


class OverviewTabs(QTabWidget):
    """Shows one of them; the others read nothing."""

    def __init__(
        self,
        charts: OverviewPanel,
        rules: RuleTree,
        segments: SegmentList,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setDocumentMode(True)
        self.addTab(charts, self.tr("Charts"))
        self.addTab(rules, self.tr("Issues by group"))
        self.addTab(segments, self.tr("Segments"))
        self.setFocusProxy(charts)
        self.currentChanged.connect(lambda _: self.setFocusProxy(self.currentWidget()))

    def save_state(self) -> bytes:
        """Which one is shown."""
        return _STATE_VERSION + b" %d" % self.currentIndex()

    def restore_state(self, state: bytes) -> None:
        """Restore a state from `save_state`; an invalid one is ignored."""
        version, _, index = state.partition(b" ")
        if version == _STATE_VERSION and index.isdigit() and int(index) < self.count():
            self.setCurrentIndex(int(index))
