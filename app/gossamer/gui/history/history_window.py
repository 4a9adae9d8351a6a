"""The window with the history of a site: its crawls as a table, their figures as charts."""

from collections.abc import Mapping, Sequence
from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QSplitter,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from gossamer.gui.help.help_window import explain
from gossamer.gui.history import trend_lines
from gossamer.gui.history.crawl_table import CrawlTable, ListedCrawl
from gossamer.gui.history.trend_chart import TrendChart
from gossamer.gui.look import theme
from gossamer.gui.notes.note_list import NoteList
from gossamer.gui.text import local_formatting as formatting
from gossamer.gui.widgets.screen_fit import place
from gossamer.model.series_contents import Note

NAME: Final = "crawl-history"
_SIZE: Final = (1040, 780)
_HEIGHTS: Final = (520, 240)
_PAIR: Final = 2
_LONGEST: Final = 48


class HistoryWindow(QDialog):
    """Shows the crawls of a site, and leads to them and to what differs between two.

    `open_wanted` carries the ListedCrawl that is to be opened; `comparison_wanted` two of them,
    the earlier one first; `trend_wanted` what the chart of the person's choice is to show, as
    `offer_trends` named it; `notes_wanted` the crawl, or None for the site, whose notes are shown.
    """

    open_wanted = Signal(object)
    comparison_wanted = Signal(object, object)
    trend_wanted = Signal(object)
    notes_wanted = Signal(object)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName(NAME)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Crawl history"))
        place(self, _SIZE)
        explain(self, "history")
        self._crawls: Sequence[ListedCrawl] = ()
        nothing = self.tr("The figures of each crawl appear here as it ends.")
        self.issues = TrendChart(self.tr("Issues by priority"), nothing)
        self.pages = TrendChart(self.tr("Pages"), nothing)
        self.errors = TrendChart(self.tr("Errors"), nothing)
        self.times = TrendChart(self.tr("Response times"), nothing)
        self.chosen = TrendChart(self.tr("Chosen issue or tab"), nothing)
        self.choice = QComboBox()
        self.choice.setAccessibleName(self.tr("Issue or tab to show"))
        self.choice.setSizeAdjustPolicy(
            QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
        )
        self.choice.setMinimumContentsLength(_LONGEST)
        self.choice.setMaxVisibleItems(30)
        self.heading = QLabel()
        self.heading.setTextFormat(Qt.TextFormat.PlainText)
        self.table = CrawlTable()
        self.crawl_notes = NoteList("")
        self.site_notes = NoteList(self.tr("No notes about the site as a whole yet."))
        self.compare = QPushButton(self.tr("&Compare"))
        self.open_crawl = QPushButton(self.tr("&Open crawl"))
        self.hint = QLabel()
        self.hint.setProperty("muted", True)
        self._lay_out()
        self._connect()
        self._enable()

    @property
    def charts(self) -> tuple[TrendChart, ...]:
        """All charts, in their order."""
        return (self.issues, self.pages, self.errors, self.times, self.chosen)

    def show_crawls(self, site: str, crawls: Sequence[ListedCrawl]) -> None:
        """Show these crawls, the earliest first."""
        self._crawls = crawls
        count = self.tr("%Ln crawl(s)", "", len(crawls))
        self.heading.setText(f"{formatting.clean(site)} · {count}")
        snapshots = [each.snapshot for each in crawls]
        days, notes = self._days(), [each.notes for each in crawls]
        unaudited = self.tr("The site audit was not up to date: issues that need it are missing.")
        remarks = ["" if each.snapshot.audited else unaudited for each in crawls]
        self.issues.show_lines(trend_lines.issue_lines(snapshots), days, notes, remarks)
        self.pages.show_lines(trend_lines.page_lines(snapshots), days, notes)
        self.errors.show_lines(trend_lines.error_lines(snapshots), days, notes)
        self.times.show_lines(trend_lines.time_lines(snapshots), days, notes)
        self.table.show_crawls(crawls)
        self._enable()

    def offer_trends(self, trends: Sequence[tuple[str, object]]) -> None:
        """Offer issues and tabs to be shown as a chart: their names, and what they are."""
        wanted = self.choice.currentData()
        self.choice.blockSignals(True)
        self.choice.clear()
        for name, what in trends:
            self.choice.addItem(name, what)
        self.choice.setCurrentIndex(max(0, self.choice.findData(wanted)))
        self.choice.blockSignals(False)
        self._want_trend()

    def show_trend(self, what: object, urls: Mapping[float, int]) -> None:
        """Show how many URLs there were of what is chosen: `created_at` of the crawl → URLs."""
        if what == self.choice.currentData():
            lines = trend_lines.chosen_lines(
                self.choice.currentText(), [each.snapshot for each in self._crawls], urls
            )
            self.chosen.show_lines(lines, self._days())

    def show_notes(self, about: ListedCrawl | None, notes: Sequence[Note]) -> None:
        """Show the notes about a crawl, or about the site for None."""
        if about is None:
            self.site_notes.show_notes(notes)
        elif about == self.noted:
            self.crawl_notes.show_notes(notes)

    @property
    def noted(self) -> ListedCrawl | None:
        """The crawl whose notes are shown: the selected one, if it is one."""
        selected = self.table.selected()
        return selected[0] if len(selected) == 1 else None

    def _days(self) -> list[str]:
        """When the crawls were: the days, with the time where several were on one day."""
        begun = [each.snapshot.created_at for each in self._crawls]
        days = list(map(formatting.day, begun))
        return days if len(set(days)) == len(days) else list(map(formatting.moment, begun))

    def _want_trend(self) -> None:
        self.trend_wanted.emit(self.choice.currentData())

    def _follow_selection(self) -> None:
        self._enable()
        places = {each.snapshot.created_at: at for at, each in enumerate(self._crawls)}
        noted = self.noted
        at = -1 if noted is None else places.get(noted.snapshot.created_at, -1)
        for chart in self.charts:
            chart.mark_crawl(at)
        if noted is None:
            self.crawl_notes.show_notes(())
        else:
            self.notes_wanted.emit(noted)

    def _pair(self) -> tuple[ListedCrawl, ListedCrawl] | None:
        """The two crawls to compare: those selected, or the selected one and the one before."""
        selected = self.table.selected()
        if len(selected) == 1:
            at = self._crawls.index(selected[0]) if selected[0] in self._crawls else 0
            earlier = [each for each in self._crawls[:at] if each.exists]
            selected = [*earlier[-1:], *selected]
        if len(selected) == _PAIR and all(each.exists for each in selected):
            return selected[0], selected[1]
        return None

    def _enable(self) -> None:
        one = self.noted
        self.open_crawl.setEnabled(one is not None and one.exists and not one.is_open)
        self.compare.setEnabled(self._pair() is not None)
        self.crawl_notes.set_enabled(enabled=one is not None)
        self.crawl_notes.note.show_text(
            self.tr("Select a crawl to note something about it.")
            if one is None
            else self.tr("No notes about this crawl yet.")
        )
        self.hint.setText(
            self.tr("This project was removed; its figures are kept.")
            if one is not None and not one.exists
            else self.tr("Select a crawl to compare it with the one before, or any two crawls.")
        )

    def _compare(self) -> None:
        if (pair := self._pair()) is not None:
            self.comparison_wanted.emit(*pair)

    def _open(self, each: ListedCrawl | None) -> None:
        if each is not None and each.exists and not each.is_open:
            self.open_wanted.emit(each)

    def _choose_point(self, at: object) -> None:
        """A point of a chart leads to what changed since the crawl before."""
        if not isinstance(at, int) or at >= len(self._crawls):
            return
        self.table.select_crawl(self._crawls[at].snapshot.created_at)
        self._compare()

    def _connect(self) -> None:
        self.table.chosen.connect(self._follow_selection)
        self.table.open_wanted.connect(self._open)
        self.compare.clicked.connect(self._compare)
        self.open_crawl.clicked.connect(lambda: self._open(self.noted))
        self.choice.currentIndexChanged.connect(self._want_trend)
        for chart in self.charts:
            chart.chosen.connect(self._choose_point)

    def _lay_out(self) -> None:
        split = QSplitter(Qt.Orientation.Vertical)
        split.addWidget(self._chart_area())
        split.addWidget(self._lists())
        split.setChildrenCollapsible(False)
        split.setSizes(_HEIGHTS)
        buttons = QHBoxLayout()
        buttons.addWidget(self.hint, 1)
        for button in (self.compare, self.open_crawl):
            button.setAutoDefault(False)
            buttons.addWidget(button)
        column = QVBoxLayout(self)
        column.setContentsMargins(theme.SPACE_M, theme.SPACE_M, theme.SPACE_M, theme.SPACE_M)
        column.addWidget(self.heading)
        column.addWidget(split, 1)
        column.addLayout(buttons)
        self.table.setFocus()

    def _chart_area(self) -> QWidget:
        page = QWidget()
        grid = QGridLayout(page)
        grid.setContentsMargins(0, 0, theme.SPACE_S, theme.SPACE_S)
        grid.setHorizontalSpacing(theme.SPACE_L)
        grid.setVerticalSpacing(theme.SPACE_M)
        for at, chart in enumerate((self.issues, self.pages, self.errors, self.times)):
            grid.addLayout(_titled(chart, QLabel(chart.accessibleName())), at // 2, at % 2)
        grid.addLayout(_titled(self.chosen, self.choice), 2, 0, 1, 2)
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setWidget(page)
        return area

    def _lists(self) -> QWidget:
        tabs = QTabWidget()
        tabs.setDocumentMode(True)
        crawls = QSplitter(Qt.Orientation.Horizontal)
        crawls.addWidget(self.table)
        crawls.addWidget(self.crawl_notes)
        crawls.setChildrenCollapsible(False)
        crawls.setStretchFactor(0, 4)
        crawls.setStretchFactor(1, 1)
        tabs.addTab(crawls, self.tr("Crawls"))
        tabs.addTab(self.site_notes, self.tr("Notes about the site"))
        return tabs


def _titled(chart: TrendChart, title: QWidget) -> QVBoxLayout:
    column = QVBoxLayout()
    column.setSpacing(theme.SPACE_XS)
    head = QHBoxLayout()
    head.addWidget(title)
    head.addStretch(1)
    column.addLayout(head)
    column.addWidget(chart)
    return column
