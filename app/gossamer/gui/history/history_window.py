"""The window with the history of a site: its figures as charts, its crawls and notes as tables."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import Final

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QMenu,
    QSplitter,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from gossamer.gui.history import trend_lines
from gossamer.gui.history.chart_dates import local_day
from gossamer.gui.history.crawl_table import ListedCrawl
from gossamer.gui.history.crawls_pane import CrawlsPane
from gossamer.gui.history.trend_chart import ChartedCrawl, ChartNote, TrendChart
from gossamer.gui.look import theme
from gossamer.gui.notes.notes_pane import NotesPane
from gossamer.gui.text import local_formatting as formatting
from gossamer.gui.widgets.help_context import explain
from gossamer.gui.widgets.message_bar import InlineMessage, MessageButton
from gossamer.gui.widgets.window_geometry import PageScroll, place
from gossamer.model.series_contents import Note
from gossamer.model.settings.crawl_settings import CrawlSettings

NAME: Final = "crawl-history"
_SIZE: Final = (1280, 860)
_HEIGHTS: Final = (420, 300)
_LONGEST: Final = 40
_LARGER: Final = 1.25
_TO: Final = "\N{EN DASH}"


class HistoryWindow(QDialog):
    """Shows the crawls of a site, and leads to them and to what differs between two.

    `trend_wanted` carries what the chart of the user's choice is to show, as `offer_trends` named
    it, `forget_wanted` a ListedCrawl that is to be forgotten for sure. The signals of `crawls` and
    `notes` report what else the user wants.
    """

    trend_wanted = Signal(object)
    forget_wanted = Signal(object)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Window)  # not kept above its parent
        self.setObjectName(NAME)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Crawl history"))
        place(self, _SIZE)
        explain(self, "window/history")
        self._crawls: Sequence[ListedCrawl] = ()
        self._audited: Sequence[ChartedCrawl] = ()
        self._flags: Sequence[ChartNote] = ()
        nothing = self.tr("The figures of each crawl appear here as it ends.")
        self.issues = TrendChart(self.tr("Issues by priority (URLs)"), nothing)
        self.pages = TrendChart(self.tr("Pages"), nothing)
        self.errors = TrendChart(self.tr("Errors (URLs)"), nothing)
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
        self.span = QLabel()
        self.span.setProperty("muted", True)
        self.message = InlineMessage()
        self.crawls = CrawlsPane()
        self.notes = NotesPane()
        self.tabs = QTabWidget()
        self._lay_out()
        self._connect()

    @property
    def charts(self) -> tuple[TrendChart, ...]:
        """All charts, in their order."""
        return (self.issues, self.pages, self.errors, self.times, self.chosen)

    # ------------------------------------------------------------ what it shows

    def show_crawls(
        self, site: str, crawls: Sequence[ListedCrawl], flags: Sequence[ChartNote] = ()
    ) -> None:
        """Show these crawls, the earliest first, and flags for notes in the charts."""
        self._crawls, self._flags = crawls, flags
        self.heading.setText(formatting.clean(site))
        self.span.setText(self._span())
        snapshots = [each.snapshot for each in crawls]
        self.crawls.show_crawls(crawls)
        charted = self._charted_crawls()
        self._audited = self._with_audits(charted)
        self.issues.show_lines(trend_lines.issue_lines(snapshots), self._audited, flags)
        for chart, lines in (
            (self.pages, trend_lines.page_lines),
            (self.errors, trend_lines.error_lines),
            (self.times, trend_lines.time_lines),
        ):
            chart.show_lines(lines(snapshots), charted, flags)

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
            snapshots = [each.snapshot for each in self._crawls]
            lines = trend_lines.chosen_lines(self.choice.currentText(), snapshots, urls)
            self.chosen.show_lines(lines, self._audited, self._flags)

    def show_notes(self, notes: Sequence[Note], settings: CrawlSettings) -> None:
        """Show all notes of the site; issues are named by the thresholds of `settings`."""
        self.notes.show_notes(notes, settings)
        count = formatting.number(len(notes))
        self.tabs.setTabText(1, self.tr("Notes ({n})").format(n=count))

    def turn_to_notes(self, ids: Sequence[int] = ()) -> None:
        """Show the notes, and choose the first of those with these ids."""
        self.tabs.setCurrentWidget(self.notes)
        self.notes.choose(ids)

    def turn_to_crawl(self, created_at: float) -> None:
        """Show a crawl in the table."""
        self.tabs.setCurrentIndex(0)
        self.crawls.table.select_crawl(created_at)

    def turn_to_day(self, day: date) -> None:
        """Show the crawl to which a day belongs: the first since then, or the last."""
        begun = [each.snapshot.created_at for each in self._crawls]
        later = [at for at in begun if local_day(at) >= day]
        if begun:
            self.turn_to_crawl((later or begun[-1:])[0])

    def ask_for_day_note(self, day: date) -> None:
        """Ask for a note about a day."""
        self.notes.ask_for_note(day)

    # ------------------------------------------------------------ crawls

    def _span(self) -> str:
        count = self.tr("%Ln crawl(s)", "", len(self._crawls))
        if not self._crawls:
            return count
        ends = (self._crawls[0], self._crawls[-1])
        first, last = (formatting.day(each.snapshot.created_at) for each in ends)
        return f"{count} · {first if first == last else f'{first} {_TO} {last}'}"

    def _charted_crawls(self) -> list[ChartedCrawl]:
        return [
            ChartedCrawl(
                each.snapshot.created_at,
                day,
                formatting.moment(each.snapshot.created_at),
                [each.notes] if each.notes else [],
                hint=self.crawls.hint_at(at),
            )
            for at, (each, day) in enumerate(zip(self._crawls, self._days(), strict=True))
        ]

    def _with_audits(self, charted: Sequence[ChartedCrawl]) -> list[ChartedCrawl]:
        """The same for charts of issues, for which it matters whether a crawl was audited."""
        remark = self.tr("The site audit was not up to date: issues that need it are missing.")
        return [
            each if crawl.snapshot.audited else replace(each, remark=remark)
            for each, crawl in zip(charted, self._crawls, strict=True)
        ]

    def _days(self) -> list[str]:
        """When the crawls were: the days, with the time where several were on one day."""
        begun = [each.snapshot.created_at for each in self._crawls]
        days = list(map(formatting.day, begun))
        return days if len(set(days)) == len(days) else list(map(formatting.moment, begun))

    def _want_trend(self) -> None:
        self.trend_wanted.emit(self.choice.currentData())

    def _mark_selected(self) -> None:
        for chart in self.charts:
            chart.mark_crawl(self.crawls.selected_place)

    def _choose_point(self, at: object) -> None:
        """A point of a chart leads to what changed since the crawl before."""
        if isinstance(at, int) and at < len(self._crawls):
            self.turn_to_crawl(self._crawls[at].snapshot.created_at)
            self.crawls.compare_selected()

    def _ask_to_forget(self, crawl: ListedCrawl) -> None:
        when = formatting.moment(crawl.snapshot.created_at)
        self.message.show_text(
            "warning",
            self.tr(
                "Forget the figures of the crawl of {time}? They cannot be brought back, unless "
                "its project is found."
            ).format(time=when),
            MessageButton(self.tr("Forget"), lambda: self.forget_wanted.emit(crawl)),
            MessageButton(self.tr("Keep"), lambda: None),
        )

    def _offer_menu(self, at: int, day: object, where: QPoint) -> None:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        if 0 <= at < len(self._crawls):
            crawl = self._crawls[at]
            self.turn_to_crawl(crawl.snapshot.created_at)
            pane = self.crawls
            text = self.tr("Compare with the crawl before")
            compare = menu.addAction(text, pane.compare_selected)
            compare.setEnabled(pane.compare.isEnabled())
            open_ = menu.addAction(self.tr("Open crawl"), lambda: pane.open_project(crawl))
            open_.setEnabled(pane.open_crawl.isEnabled())
            text = self.tr("Add note about this crawl…")
            menu.addAction(text, lambda: pane.ask_for_note(crawl))
        if isinstance(day, date):
            text = self.tr("Add note about {day}…").format(day=formatting.date_words(day))
            menu.addAction(text, lambda: self.ask_for_day_note(day))
        menu.popup(where)

    # ------------------------------------------------------------ parts

    def _connect(self) -> None:
        self.crawls.chosen.connect(self._mark_selected)
        self.crawls.forget_wanted.connect(self._ask_to_forget)
        self.choice.currentIndexChanged.connect(self._want_trend)
        for chart in self.charts:
            chart.chosen.connect(self._choose_point)
            chart.notes_chosen.connect(self.turn_to_notes)
            chart.day_chosen.connect(self.ask_for_day_note)
            chart.menu_wanted.connect(self._offer_menu)

    def _lay_out(self) -> None:
        font = self.heading.font()
        font.setBold(True)
        font.setPointSizeF(font.pointSizeF() * _LARGER)
        self.heading.setFont(font)
        head = QHBoxLayout()
        head.addWidget(self.heading)
        head.addWidget(self.span)
        head.addStretch(1)
        self.tabs.setDocumentMode(True)
        self.tabs.tabBar().setAccessibleName(self.windowTitle())
        self.tabs.addTab(self.crawls, self.tr("Crawls"))
        self.tabs.addTab(self.notes, self.tr("Notes"))
        split = QSplitter(Qt.Orientation.Vertical)
        split.addWidget(self._chart_area())
        split.addWidget(self.tabs)
        split.setChildrenCollapsible(False)
        split.setStretchFactor(1, 1)
        split.setSizes(_HEIGHTS)
        column = QVBoxLayout(self)
        column.setContentsMargins(theme.SPACE_M, theme.SPACE_M, theme.SPACE_M, theme.SPACE_M)
        column.addLayout(head)
        column.addWidget(self.message)
        column.addWidget(split, 1)
        self.crawls.table.setFocus()

    def _chart_area(self) -> QWidget:
        page = QWidget()
        grid = QGridLayout(page)
        grid.setContentsMargins(0, 0, theme.SPACE_S, theme.SPACE_S)
        grid.setHorizontalSpacing(2 * theme.SPACE_L)
        grid.setVerticalSpacing(theme.SPACE_L)
        for column in range(3):
            grid.setColumnStretch(column, 1)
        for at, chart in enumerate((self.issues, self.pages, self.errors, self.times)):
            grid.addLayout(_titled(chart, QLabel(chart.accessibleName())), at // 3, at % 3)
        grid.addLayout(_titled(self.chosen, self.choice), 1, 1, 1, 2)
        for row in range(2):
            grid.setRowStretch(row, 1)
        area = PageScroll()
        area.setWidget(page)
        return area


def _titled(chart: TrendChart, title: QWidget) -> QVBoxLayout:
    font = title.font()
    font.setBold(True)
    title.setFont(font)
    column = QVBoxLayout()
    column.setSpacing(theme.SPACE_XS)
    head = QHBoxLayout()
    head.addWidget(title)
    head.addStretch(1)
    column.addLayout(head)
    column.addWidget(chart, 1)
    return column
