"""The overview panel: charts of the crawl whose elements open the rows that they count."""

from collections.abc import Collection, Sequence
from typing import Final

import msgspec
from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QScrollArea,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from gossamer.gui.look import theme
from gossamer.gui.overview import chart_data
from gossamer.gui.overview.bar_and_line_charts import BarList, ColumnChart, StatLine, TimeSeries
from gossamer.gui.overview.chart_data import Throughput, TimeSpan
from gossamer.gui.overview.chart_widget import Chart, RowsTarget
from gossamer.gui.overview.donut_chart import DonutChart
from gossamer.gui.text import local_formatting as formatting
from gossamer.gui.widgets.labels import describe
from gossamer.model.crawl_state import LIVE
from gossamer.model.messages.crawl_messages import Progress
from gossamer.model.overview_data import OverviewData
from gossamer.model.project_queries import Order, View

_LEAST: Final = 64


class ChartSection(QWidget):
    """A heading over charts. `key` names it in the saved state."""

    chosen = Signal(object)
    """As in `Chart`."""

    def __init__(
        self, key: str, title: str, *charts: Chart, rows: RowsTarget | None = None
    ) -> None:
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
        describe(self.heading, title)
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
        """Whether its charts are visible."""
        return self.heading.isChecked()

    def set_open(self, *, shown: bool) -> None:
        """Expand or collapse it."""
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


STATE_VERSION: Final = 1
_ROWS: Final = 5
_MIDDLE: Final = Qt.TextElideMode.ElideMiddle


class _Saved(msgspec.Struct):
    """The saved state of the overview: the collapsed sections."""

    version: int
    closed: list[str]


class OverviewCharts(QWidget):
    """The charts in their sections."""

    chosen = Signal(object)
    """As in `Chart`."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("overview-page")
        self.setAutoFillBackground(True)
        self._make_charts()
        self.sections = self._sections()
        column = QVBoxLayout(self)
        column.setContentsMargins(theme.SPACE_S, theme.SPACE_XS, theme.SPACE_S, theme.SPACE_M)
        column.setSpacing(theme.SPACE_XS)
        for section in self.sections:
            column.addWidget(section)
            section.chosen.connect(self.chosen)
        column.addStretch(1)

    def show_progress(self, progress: Progress) -> None:
        """Show new counters."""
        self.responses.show_marks(chart_data.responses(progress))
        total = formatting.number(progress.fetched) if progress.fetched else ""
        self.responses.set_center(total, self.tr("requests completed") if total else "")
        self.outcomes.show_marks(chart_data.outcomes(progress))
        self.hosts.show_marks(chart_data.hosts(progress) if progress.state in LIVE else ())

    def show_speed(self, spans: Sequence[TimeSpan], progress: Progress) -> None:
        """Show the speed over time."""
        if spans or progress.state in LIVE:
            self.speed.show_marks(chart_data.speed(spans))
        elif progress.seconds > 0:
            # Too short, or before the window existed: only its average is known.
            average = TimeSpan(0.0, progress.seconds, progress.fetched / progress.seconds)
            self.speed.show_marks(chart_data.speed([average], average=True))

    def show_figures(self, figures: OverviewData) -> None:
        """Show depths, times, types and extreme pages."""
        self.depths.show_marks(chart_data.depths(figures.depths))
        self.times.show_marks(chart_data.times(figures.times))
        self.percentiles.show_marks(chart_data.percentiles(figures.times))
        self.types.show_marks(chart_data.types(figures.types))
        self.slowest.show_marks(chart_data.slowest(figures.slowest[:_ROWS]))
        self.largest.show_marks(chart_data.largest(figures.largest[:_ROWS]))

    def clear(self) -> None:
        """Forget the crawl that was shown."""
        self.responses.set_center("", "")
        for section in self.sections:
            for chart in section.charts:
                chart.clear()

    def closed(self) -> list[str]:
        """The keys of the collapsed sections."""
        return [section.key for section in self.sections if not section.is_open]

    def close_sections(self, keys: Collection[str]) -> None:
        """Collapse these sections and no others."""
        for section in self.sections:
            section.set_open(shown=section.key not in keys)

    def _make_charts(self) -> None:
        nothing = self.tr("No data yet.")
        self.responses = DonutChart(
            self.tr("Responses by status"), self.tr("Responses appear here.")
        )
        self.speed = TimeSeries(
            self.tr("URLs per second"), self.tr("Crawl speed appears here while a crawl runs.")
        )
        self.depths = ColumnChart(self.tr("Pages by crawl depth"), nothing)
        self.times = ColumnChart(self.tr("Response times"), nothing)
        self.percentiles = StatLine(self.tr("Response time percentiles"), "")
        self.types = BarList(self.tr("Content types"), nothing)
        self.outcomes = BarList(self.tr("Most frequent"), nothing)
        self.slowest = BarList(self.tr("Slowest pages"), nothing, rows=_ROWS, elide=_MIDDLE)
        self.largest = BarList(self.tr("Largest pages"), nothing, rows=_ROWS, elide=_MIDDLE)
        self.hosts = BarList(
            self.tr("Hosts"), self.tr("Hosts appear here as they are crawled."), elide=_MIDDLE
        )

    def _sections(self) -> tuple[ChartSection, ...]:
        by_time = RowsTarget(View.PAGES, order=Order("time", descending=True))
        by_size = RowsTarget(View.PAGES, order=Order("size", descending=True))
        return (
            ChartSection("answers", self.tr("Responses by HTTP status"), self.responses),
            ChartSection("speed", self.tr("URLs per second"), self.speed),
            ChartSection(
                "times", self.tr("Response times in seconds"), self.times, self.percentiles
            ),
            ChartSection("depths", self.tr("Pages by crawl depth"), self.depths),
            ChartSection("outcomes", self.tr("Most frequent"), self.outcomes),
            ChartSection("types", self.tr("Content types"), self.types),
            ChartSection("slowest", self.tr("Slowest pages"), self.slowest, rows=by_time),
            ChartSection("largest", self.tr("Largest pages"), self.largest, rows=by_size),
            ChartSection("hosts", self.tr("Hosts"), self.hosts),
        )


class OverviewPanel(QScrollArea):
    """Charts in sections. Counters update ten times a second, other figures on project changes.

    The charts are made when the panel is first shown. While it is hidden, they are not updated.
    `rows_wanted` asks for rows of the table (a `RowsTarget`), `url_wanted` for a URL, by id.
    """

    rows_wanted = Signal(object)
    url_wanted = Signal(int)
    figures_wanted = Signal()
    """It is shown; the figures may be out of date."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("overview")
        self.setAccessibleName(self.tr("Crawl overview"))
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._throughput = Throughput()
        self._progress: Progress | None = None
        self._charts: OverviewCharts | None = None
        self._closed: Sequence[str] = ()
        """The sections to collapse once there are any."""

    @property
    def charts(self) -> OverviewCharts:
        """The charts, made if they are not there yet."""
        if self._charts is None:
            self._charts = OverviewCharts()
            self._charts.setBackgroundRole(self.backgroundRole())
            self._charts.close_sections(self._closed)
            self._charts.chosen.connect(self._choose)
            self.setWidget(self._charts)
        return self._charts

    def show_progress(self, progress: Progress) -> None:
        """Show new counters."""
        is_live = progress.state in LIVE
        has_new_span = is_live and self._throughput.add(progress.seconds, progress.fetched)
        self._progress = progress
        if self.isVisible():
            self.charts.show_progress(progress)
            if has_new_span or not is_live:
                self.charts.show_speed(self._throughput.spans(), progress)

    def show_figures(self, figures: OverviewData) -> None:
        """Show depths, times, types and extreme pages."""
        self.charts.show_figures(figures)

    def clear(self) -> None:
        """Forget the crawl that was shown."""
        self._throughput.clear()
        self._progress = None
        if self._charts is not None:
            self._charts.clear()

    def showEvent(self, event: QShowEvent) -> None:
        """Show the latest counters."""
        super().showEvent(event)
        charts = self.charts
        if self._progress is not None:
            charts.show_progress(self._progress)
            charts.show_speed(self._throughput.spans(), self._progress)
        self.figures_wanted.emit()

    def save_state(self) -> bytes:
        """Which sections are collapsed."""
        closed = self._closed if self._charts is None else self._charts.closed()
        return msgspec.json.encode(_Saved(STATE_VERSION, list(closed)))

    def restore_state(self, state: bytes) -> None:
        """Restore a state from `save_state`; an invalid one is ignored."""
        try:
            saved = msgspec.json.decode(state, type=_Saved)
        except ValueError:
            return
        if saved.version == STATE_VERSION:
            self._closed = saved.closed
            if self._charts is not None:
                self._charts.close_sections(saved.closed)

    def _choose(self, target: object) -> None:
        if isinstance(target, RowsTarget):
            self.rows_wanted.emit(target)
        elif isinstance(target, int):
            self.url_wanted.emit(target)
