"""A part of the overview under a heading that folds it away."""

from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QToolButton, QVBoxLayout, QWidget

from gossamer.gui.look import theme
from gossamer.gui.overview.charts.chart import Chart
from gossamer.gui.overview.charts.chart_model import Shown
from gossamer.gui.widgets.tooltips import explain

_LEAST: Final = 64


class ChartSection(QWidget):
    """A heading over charts. `key` names it for whoever remembers whether it is open."""

    chosen = Signal(object)
    """As in `Chart`."""

    def __init__(self, key: str, title: str, *charts: Chart, rows: Shown | None = None) -> None:
        """`rows` are what "Show all" in the heading shows."""
        super().__init__()
        self.key = key
        self.charts = charts
        self.heading = _button(title, title)
        self.heading.setCheckable(True)
        self.heading.setChecked(True)
        self.heading.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        # A long title is cut rather than wider than the overview, which does not scroll sideways.
        self.heading.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.heading.setMinimumWidth(_LEAST)
        explain(self.heading, title)
        self.heading.toggled.connect(self._fold)
        top = QHBoxLayout()
        top.addWidget(self.heading)
        if rows is not None:
            name = self.tr("{section}: show all").format(section=title)
            self.every = _button(self.tr("Show all"), name)
            self.every.clicked.connect(lambda: self.chosen.emit(rows))
            top.addWidget(self.every)
        self._body = QWidget()
        inner = QVBoxLayout(self._body)
        inner.setContentsMargins(0, 0, 0, theme.SPACE_S)
        inner.setSpacing(theme.SPACE_XS)
        for chart in charts:
            inner.addWidget(chart)
            chart.chosen.connect(self.chosen)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(theme.SPACE_XS)
        column.addLayout(top)
        column.addWidget(self._body)
        self._fold(shown=True)

    @property
    def is_open(self) -> bool:
        """Whether its charts are in sight."""
        return self.heading.isChecked()

    def set_open(self, *, shown: bool) -> None:
        """Unfold it, or fold it away."""
        self.heading.setChecked(shown)

    def _fold(self, shown: bool) -> None:  # noqa: FBT001 - a slot
        arrow = Qt.ArrowType.DownArrow if shown else Qt.ArrowType.RightArrow
        self.heading.setArrowType(arrow)
        self._body.setVisible(shown)


def _button(text: str, name: str) -> QToolButton:
    button = QToolButton()
    button.setText(text)
    button.setAccessibleName(name)
    button.setProperty("fold", True)
    button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    return button
