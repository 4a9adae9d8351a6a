"""The window that measures the loading of pages, several times each."""

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QHBoxLayout,
    QLabel,
    QProgressBar,
    QPushButton,
    QSpinBox,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from gossamer.gui.details.fetch_bar import reason_unread
from gossamer.gui.look import theme
from gossamer.gui.look.icons import icon
from gossamer.gui.look.stylesheet import CONTROL_HEIGHT
from gossamer.gui.tables.clipboard import tsv_cell
from gossamer.gui.tables.table_columns import kind_text
from gossamer.gui.tables.value_tree import ValueTree
from gossamer.gui.text import local_formatting as formatting
from gossamer.gui.text.local_formatting import translator
from gossamer.gui.text.translated_sentences import spoken
from gossamer.gui.widgets.help_context import explain
from gossamer.gui.widgets.labels import buddy
from gossamer.gui.widgets.message_bar import InlineMessage
from gossamer.model.fields.field_declaration import FieldKind
from gossamer.model.messages.page_load_messages import LoadReport
from gossamer.model.page_load_limits import MAX_RUNS
from gossamer.model.page_load_metrics import PAGE_LOAD_METRICS, PageLoadMetric, PageLoadRating
from gossamer.model.translatable import Translatable
from gossamer.urls.url_folders import display_url

NAME: Final = "loading"
DEFAULT_RUNS: Final = 5
_SIZE: Final = (760, 560)
_SHARES: Final = (0.34, 0.13, 0.13, 0.13)
_MEDIAN, _LOWEST, _HIGHEST, _RATING = range(1, 5)
_NONE: Final = "\N{EN DASH}"
_SIGNS: Final[dict[PageLoadRating, tuple[str, theme.Role]]] = {
    PageLoadRating.GOOD: ("finished", "ok"),
    PageLoadRating.NEEDS_IMPROVEMENT: ("warning", "warning"),
    PageLoadRating.POOR: ("error", "error"),
}
_tr = translator("PageLoadWindow")


class LoadTree(ValueTree):
    """The measures of each page, below its address."""

    def __init__(self, parent: QWidget | None = None) -> None:
        columns = [
            self.tr("Measure"),
            self.tr("Median"),
            self.tr("Lowest"),
            self.tr("Highest"),
            self.tr("Rating"),
        ]
        super().__init__(self.tr("Measures"), columns, _SHARES, parent=parent)
        for column in (_MEDIAN, _LOWEST, _HIGHEST):
            right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
            self.headerItem().setTextAlignment(column, right)
        self._pages: dict[str, QTreeWidgetItem] = {}

    def show_pages(self, urls: Sequence[str]) -> None:
        """List pages before they are measured."""
        self.clear()
        self._pages = {}
        for url in urls:
            page = self._pages[url] = QTreeWidgetItem(self)
            page.setFirstColumnSpanned(True)
            page.setToolTip(0, formatting.tooltip(url))
            font = page.font(0)
            font.setBold(True)
            page.setFont(0, font)
            page.setText(0, _address(url))

    def show_report(self, report: LoadReport) -> None:
        """Show the measurements of a page so far."""
        page = self._pages[report.url]
        page.takeChildren()
        if not report.runs:
            row = QTreeWidgetItem(page, [_why_not(report)])
            row.setFirstColumnSpanned(True)
            row.setIcon(0, icon("error"))
            row.setToolTip(0, formatting.tooltip(row.text(0)))
        else:
            runs = _tr("%Ln run(s)", len(report.runs))
            page.setText(0, f"{_address(report.url)} · {runs}")
            for measure in PAGE_LOAD_METRICS:
                page.addChild(_row(measure, report))
        page.setExpanded(True)

    def as_text(self) -> str:
        """The table as text for a spreadsheet, with the address on each line."""
        columns = range(_RATING + 1)
        lines = [[self.tr("Address"), *map(self.headerItem().text, columns)]]
        for url, page in self._pages.items():
            rows = filter(None, map(page.child, range(page.childCount())))
            lines += [[url, *map(row.text, columns)] for row in rows]
        return "".join("\t".join(map(tsv_cell, line)).rstrip() + "\n" for line in lines)


class PageLoadWindow(QDialog):
    """Lists pages with their page load metrics.

    `wanted` asks for a number of runs of each page; `stopped` ends them.
    """

    wanted = Signal(int)
    stopped = Signal()

    def __init__(self, urls: Sequence[str], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        explain(self, "window/loading")
        self.setObjectName(NAME)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Measure loading"))
        self.resize(*_SIZE)
        self.urls = list(urls)
        self.is_measuring = False
        self.runs = QSpinBox()
        self.runs.setRange(1, MAX_RUNS)
        self.runs.setValue(DEFAULT_RUNS)
        self.runs.setMinimumHeight(CONTROL_HEIGHT)
        self.start = QPushButton()
        self.start.setDefault(True)
        self.start.clicked.connect(self._start_or_stop)
        self.progress = QProgressBar()
        self.progress.setTextVisible(False)
        self.progress.setAccessibleName(self.tr("Progress"))
        self.state = QLabel()
        self.state.setTextFormat(Qt.TextFormat.PlainText)
        self.message = InlineMessage()
        self.tree = LoadTree()
        self.tree.show_pages(self.urls)
        self.copy = QPushButton(self.tr("Copy table"))
        self.copy.setAutoDefault(False)
        self.copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(self.tree.as_text()))
        self._lay_out()
        self._show_progress(0)
        self.stop()

    def show_report(self, report: LoadReport, done: int) -> None:
        """Show the measurements of a page; `done` of all runs are finished."""
        self.tree.show_report(report)
        self.copy.setEnabled(True)
        self._show_progress(done)

    def show_error(self, text: str) -> None:
        """Show why measuring has ended."""
        self.stop()
        self.message.show_text("error", text)

    def stop(self) -> None:
        """Show that measuring has ended."""
        self.is_measuring = False
        self.start.setText(self.tr("Measure"))
        self.runs.setEnabled(True)
        self.progress.hide()
        self.state.hide()

    def _lay_out(self) -> None:
        top = QHBoxLayout()
        top.addWidget(buddy(self.tr("&Runs per page"), self.runs))
        top.addWidget(self.runs)
        top.addWidget(self.start)
        top.addWidget(self.progress, 1)
        top.addWidget(self.state)
        top.addStretch()
        note = QLabel(
            self.tr(
                "Each run reloads the page with the settings of the crawl and an empty cache. A "
                "running crawl slows the page down: pause it first. Results are not stored."
            )
        )
        note.setWordWrap(True)
        note.setProperty("muted", True)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.addButton(self.copy, QDialogButtonBox.ButtonRole.ActionRole)
        buttons.button(QDialogButtonBox.StandardButton.Close).setAutoDefault(False)
        buttons.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.setContentsMargins(theme.SPACE_M, theme.SPACE_M, theme.SPACE_M, theme.SPACE_M)
        column.addLayout(top)
        column.addWidget(note)
        column.addWidget(self.message)
        column.addWidget(self.tree, 1)
        column.addWidget(buttons)
        self.copy.setEnabled(False)

    def _start_or_stop(self) -> None:
        if self.is_measuring:
            self.stop()
            self.stopped.emit()
            return
        self.is_measuring = True
        self.message.withdraw()
        self.tree.show_pages(self.urls)
        self.copy.setEnabled(False)
        self.start.setText(self.tr("Stop"))
        self.runs.setEnabled(False)
        self.progress.setMaximum(len(self.urls) * self.runs.value())
        self._show_progress(0)
        self.progress.show()
        self.state.show()
        self.wanted.emit(self.runs.value())

    def _show_progress(self, done: int) -> None:
        total = len(self.urls) * self.runs.value()
        self.progress.setValue(done)
        self.state.setText(
            self.tr("{done} of {total} runs").format(
                done=formatting.number(done), total=formatting.number(total)
            )
        )


def _address(url: str) -> str:
    return formatting.clean(display_url(url))


def _why_not(report: LoadReport) -> str:
    """Why there are no measurements, on one line."""
    if report.fetched.is_read:
        return _tr("The browser did not show this page. Render it to see why.")
    return formatting.clean(reason_unread(report.fetched))


def _row(measure: PageLoadMetric, report: LoadReport) -> QTreeWidgetItem:
    median, values = report.median(measure.name), report.values(measure.name)
    shown = (median, min(values, default=None), max(values, default=None))
    texts = [_NONE if value is None else _text(measure.kind, value) for value in shown]
    rating = measure.rating(median)
    words = "" if rating is None else spoken(Translatable(rating))
    row = QTreeWidgetItem([spoken(Translatable(measure.label)), *texts, words])
    for column in (_MEDIAN, _LOWEST, _HIGHEST):
        row.setTextAlignment(column, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
    if rating is not None:
        sign, role = _SIGNS[rating]
        row.setIcon(_RATING, icon(sign))
        row.setForeground(_RATING, theme.colour(role))
    if measure.limits is not None:
        good, poor = (_text(measure.kind, limit) for limit in measure.limits)
        limits = _tr("Good up to {good}, poor above {poor}").format(good=good, poor=poor)
        row.setToolTip(_RATING, formatting.tooltip(limits))
    return row


def _text(kind: FieldKind, value: float) -> str:
    return kind_text(kind)(value if kind is FieldKind.DECIMAL else round(value))
