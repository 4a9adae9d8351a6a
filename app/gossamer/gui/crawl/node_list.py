"""Lists the nodes of a crawl on a cluster: what each does, how fast, or why it cannot."""

from collections.abc import Sequence
from html import escape
from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from gossamer.gui.crawl.in_flight_panel import InFlightList
from gossamer.gui.look import theme
from gossamer.gui.text.local_formatting import decimal
from gossamer.gui.text.translated_sentences import spoken
from gossamer.model.messages.crawl_messages import NodeState

_MOST: Final = 8
"""More would leave no room for what is in flight."""


class NodeList(QLabel):
    """A line for each node; hidden if there are none."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("nodes")
        self.setAccessibleName(self.tr("Nodes of the cluster"))
        self.setTextFormat(Qt.TextFormat.RichText)
        self.setWordWrap(True)
        self.setContentsMargins(theme.SPACE_M, theme.SPACE_XS, theme.SPACE_M, theme.SPACE_XS)
        self.hide()

    def show_nodes(self, nodes: Sequence[NodeState]) -> None:
        """Show these."""
        lines = [self._line(node) for node in nodes[:_MOST]]
        if rest := len(nodes) - len(lines):
            lines.append(self.tr("%Ln more node(s)", "", rest))
        self.setText("<br>".join(map(escape, lines)))
        self.setVisible(bool(lines))

    def _line(self, node: NodeState) -> str:
        if node.trouble is not None:
            return spoken(node.trouble)
        if not node.workers:
            return self.tr("{name}: starting").format(name=node.name)
        said = self.tr("{name}: {active} in flight, {speed} per second")
        return said.format(name=node.name, active=node.active, speed=decimal(node.per_second))


class InFlightPage(QWidget):
    """The URLs in flight, below the nodes that fetch them."""

    def __init__(self, flights: InFlightList, nodes: NodeList) -> None:
        super().__init__()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(nodes)
        column.addWidget(flights, 1)
        self.setFocusProxy(flights)
