"""The runs of a schedule: when, how they ended, what changed, and what went wrong."""

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QTreeWidgetItem, QVBoxLayout, QWidget

from gossamer.gui.look import theme
from gossamer.gui.look.icons import icon
from gossamer.gui.schedules.schedule_texts import outcome_style, run_words, times_words
from gossamer.gui.tables.value_tree import ValueTree
from gossamer.gui.text import local_formatting as formatting
from gossamer.gui.text.translated_sentences import sentences, spoken
from gossamer.scheduling.run_history import ScheduledRun
from gossamer.scheduling.schedule_operations import ScheduleOverview

if TYPE_CHECKING:
    from collections.abc import Sequence

_SHARES: Final = (0.14, 0.16, 0.09, 0.32)


class RunsPane(QWidget):
    """Shows the runs of the chosen schedule, and what keeps it from running.

    `chosen` reports that another run is chosen, `open_wanted` carries the path of a project.
    """

    chosen = Signal()
    open_wanted = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._name = ""
        self._runs: Sequence[ScheduledRun] = ()
        """The latest first, as they are listed."""
        self.tree = ValueTree(
            self.tr("Runs"),
            [
                *(self.tr("Started"), self.tr("Outcome"), self.tr("Duration")),
                *(self.tr("Changes"), self.tr("Project")),
            ],
            _SHARES,
            self.tr("No runs yet."),
        )
        self.tree.setSelectionMode(ValueTree.SelectionMode.SingleSelection)
        self.times = QLabel()
        self.trouble = QLabel()
        self._lay_out()
        self.tree.currentItemChanged.connect(lambda *_: self.chosen.emit())
        self.tree.itemActivated.connect(self._open)

    def show_runs(self, overview: ScheduleOverview | None) -> None:
        """Show a schedule; if it is the same one, the chosen run stays chosen."""
        before = self._run_of(self.tree.currentItem())
        is_same = overview is not None and overview.name == self._name
        self.tree.clear()
        self._name = "" if overview is None else overview.name
        self._runs = () if overview is None else overview.runs[::-1]
        self._say(overview)
        for run in self._runs:
            row = self._add(run)
            if is_same and before is not None and before.started_s == run.started_s:
                self.tree.setCurrentItem(row)
        latest = self.tree.topLevelItem(0)
        if latest is not None:
            latest.setExpanded(True)  # what went wrong last is in sight

    def compared(self) -> tuple[str, str] | None:
        """The crawls of the chosen run and of the one before it; else of the last run with both."""
        run = self._run_of(self.tree.currentItem())
        if run is not None:
            return compared(run)
        return next((found for each in self._runs if (found := compared(each))), None)

    def _say(self, overview: ScheduleOverview | None) -> None:
        told = () if overview is None else (overview.trouble, overview.remark)
        said = [spoken(each) for each in told if each is not None]
        schedule = None if overview is None else overview.schedule
        self.times.setText("" if schedule is None else times_words(schedule.times))
        self.trouble.setText(sentences(said))
        self.trouble.setVisible(bool(said))

    def _add(self, run: ScheduledRun) -> QTreeWidgetItem:
        row = QTreeWidgetItem(self.tree, run_words(run))
        _, sign, role = outcome_style(run.outcome)
        row.setIcon(1, icon(sign))
        row.setForeground(1, theme.colour(role))
        failures = "\n".join(spoken(each) for each in run.failures)
        for column in range(row.columnCount()):
            tip = failures or row.text(column)
            row.setToolTip(column, formatting.tooltip(*tip.split("\n")))
        for failure in filter(None, failures.split("\n")):
            QTreeWidgetItem(row, [formatting.clean(failure)]).setFirstColumnSpanned(True)
        return row

    def _run_of(self, item: QTreeWidgetItem | None) -> ScheduledRun | None:
        """The run of a row, or of a row below it."""
        if item is None:
            return None
        return self._runs[self.tree.indexOfTopLevelItem(item.parent() or item)]

    def _open(self, item: QTreeWidgetItem) -> None:
        run = self._run_of(item)
        if run is not None and run.project and item.parent() is None:
            self.open_wanted.emit(run.project)

    def _lay_out(self) -> None:
        heading = QLabel(self.tr("Runs"))
        heading.setProperty("heading", True)
        self.times.setProperty("muted", True)
        self.trouble.setWordWrap(True)
        self.trouble.setTextFormat(Qt.TextFormat.PlainText)
        head = QHBoxLayout()
        head.setSpacing(theme.SPACE_S)
        head.addWidget(heading)
        head.addWidget(self.times, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, theme.SPACE_S, 0, 0)
        column.setSpacing(theme.SPACE_S)
        column.addLayout(head)
        column.addWidget(self.trouble)
        column.addWidget(self.tree, 1)


def compared(run: ScheduledRun | None) -> tuple[str, str] | None:
    """The projects of a run and of the crawl that it was compared with."""
    if run is None or run.base is None or run.project is None:
        return None
    return run.base, run.project
