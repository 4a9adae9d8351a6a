"""The tabs of the overview: charts of the crawl, its issues by group, and its segments."""

from typing import Final

from PySide6.QtWidgets import QTabWidget, QVBoxLayout, QWidget

from gossamer.gui.issues.rule_tree import RuleTree
from gossamer.gui.issues.segment_choice import SegmentChoice
from gossamer.gui.look.theme import SPACE_S, SPACE_XS
from gossamer.gui.overview.overview_panel import OverviewPanel
from gossamer.gui.overview.segment_list import SegmentList

_STATE_VERSION: Final = b"1"


class OverviewTabs(QTabWidget):
    """Shows one of them; the others read nothing."""

    def __init__(
        self,
        charts: OverviewPanel,
        rules: RuleTree,
        choice: SegmentChoice,
        segments: SegmentList,
        parent: QWidget | None = None,
    ) -> None:
        """`choice` limits the counts of `rules`, and is above them."""
        super().__init__(parent)
        self.setDocumentMode(True)
        self.addTab(charts, self.tr("Charts"))
        self.addTab(_with_choice(choice, rules), self.tr("Issues by group"))
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


def _with_choice(choice: SegmentChoice, rules: RuleTree) -> QWidget:
    page = QWidget()
    page.setFocusProxy(rules)
    above = QVBoxLayout()
    above.setContentsMargins(SPACE_S, SPACE_XS, SPACE_S, SPACE_XS)
    above.addWidget(choice)
    column = QVBoxLayout(page)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(0)
    column.addLayout(above)
    column.addWidget(rules, 1)
    return page
