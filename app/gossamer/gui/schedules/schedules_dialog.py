"""The dialog of schedules: a list, what to do with them, and the runs of the chosen one."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QHBoxLayout,
    QPushButton,
    QSplitter,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from gossamer.gui.look import theme
from gossamer.gui.look.icons import icon
from gossamer.gui.schedules.runs_pane import RunsPane, compared
from gossamer.gui.schedules.schedule_texts import (
    change_numbers,
    next_words,
    outcome_style,
    run_words,
)
from gossamer.gui.tables.value_tree import ValueTree
from gossamer.gui.text import local_formatting as formatting
from gossamer.gui.text.translated_sentences import spoken
from gossamer.gui.widgets.help_context import explain
from gossamer.gui.widgets.message_bar import InlineMessage, MessageButton
from gossamer.gui.widgets.window_geometry import fitted
from gossamer.model.translatable import Translatable
from gossamer.scheduling.schedule_operations import ScheduleOverview

NAME: Final = "schedules-dialog"
_SIZE: Final = (1120, 600)
_SHARES: Final = (0.11, 0.155, 0.12, 0.125, 0.19, 0.055, 0.065, 0.07)
_NAME, _SITE, _WHEN, _NEXT, _LAST = range(5)
_NUMBERS: Final = range(5, 9)
_AT_RIGHT: Final = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_KEY: Final = int(Qt.ItemDataRole.UserRole)
_LOOK_MS: Final = 3_000
"""While one runs, its history is read again so often."""
_MOST_LOOKS: Final = 10
"""So often that of one which was to run now is read before it has begun: a process has to start."""


class _Starting(NamedTuple):
    before: float | None
    """When the run before it began."""
    looks: int
    """So often its history is read again before it is given up."""


class SchedulesDialog(QDialog):
    """Lists schedules; deletes itself when closed.

    `add_wanted` asks for another, `change_wanted` carries the Schedule to change; `enable_wanted`,
    `disable_wanted`, `run_wanted` and `remove_wanted` carry a name, `open_wanted` the path of a
    project, `compare_wanted` those of two. `refresh_wanted` asks to be shown what there is now.
    """

    add_wanted = Signal()
    change_wanted = Signal(object)
    enable_wanted = Signal(str)
    disable_wanted = Signal(str)
    run_wanted = Signal(str)
    remove_wanted = Signal(str)
    open_wanted = Signal(str)
    compare_wanted = Signal(str, str)
    refresh_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(NAME)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Schedules"))
        explain(self, "window/schedules")
        self._found: Sequence[ScheduleOverview] = ()
        self._shown: Sequence[tuple[ScheduleOverview, bool]] = ()
        """What is listed, and whether each is busy."""
        self._starting: dict[str, _Starting] = {}
        self.list = ValueTree(
            self.tr("Schedules"),
            [
                *(self.tr("Name"), self.tr("Site"), self.tr("When")),
                *(self.tr("Next run"), self.tr("Last run")),
                *(self.tr("New"), self.tr("Missing"), self.tr("Changed"), self.tr("New issues")),
            ],
            _SHARES,
            self.tr("No schedules. Add one to have a site crawled every day or every week."),
        )
        self.runs_pane = RunsPane()
        self.runs = self.runs_pane.tree
        self.add = QPushButton(self.tr("&Add…"))
        self.change = QPushButton(self.tr("&Change…"))
        self.toggle = QPushButton(self.tr("&Disable"))
        self.run = QPushButton(icon("start"), self.tr("&Run now"))
        self.compare = QPushButton(icon("compare"), self.tr("&What changed"))
        self.remove = QPushButton(self.tr("Re&move…"))
        self.confirm = InlineMessage()
        self.message = InlineMessage()
        for column in _NUMBERS:
            self.list.headerItem().setTextAlignment(column, _AT_RIGHT)
        self._look = QTimer(self, interval=_LOOK_MS)
        self._look.timeout.connect(self.refresh_wanted)
        self._lay_out()
        self._connect()
        self._choose()
        self.resize(fitted(_SIZE, self.screen().availableGeometry()))

    @property
    def chosen(self) -> ScheduleOverview | None:
        """The schedule of the current row."""
        item = self.list.currentItem()
        name = None if item is None else item.data(_NAME, _KEY)
        return next((each for each, _ in self._shown if each.name == name), None)

    def show_schedules(self, overviews: Sequence[ScheduleOverview]) -> None:
        """List these; the chosen one, and its chosen run, stay chosen."""
        self._found = overviews
        self._note_started()
        shown = [(each, self._is_busy(each)) for each in overviews]
        if shown != self._shown:  # often nothing has changed; rows and scroll bars stay then
            self._list(shown)
        if any(is_busy for _, is_busy in shown):
            self._look.start()
        else:
            self._look.stop()

    def _is_busy(self, overview: ScheduleOverview) -> bool:
        """Whether it runs, or is about to."""
        return overview.is_running or overview.name in self._starting

    def _list(self, shown: Sequence[tuple[ScheduleOverview, bool]]) -> None:
        chosen = self.chosen
        before = None if chosen is None else chosen.name
        self._shown = shown
        self.list.blockSignals(True)
        self.list.clear()
        for each, is_busy in shown:
            row = QTreeWidgetItem(self.list, _texts(each, is_busy=is_busy))
            row.setData(_NAME, _KEY, each.name)
            for column in (_SITE, _WHEN):
                row.setToolTip(column, formatting.tooltip(row.text(column)))
            if each.last_ended is not None:
                _, sign, role = outcome_style(each.last_ended.outcome)
                row.setIcon(_LAST, icon(sign))
                row.setForeground(_LAST, theme.colour(role))
            self._style_numbers(row, each)
            if each.trouble is not None:
                row.setIcon(_NEXT, icon("warning"))
            if each.name == before or before is None:
                self.list.setCurrentItem(row)
                before = each.name
        self.list.blockSignals(False)
        self._choose()

    def choose(self, name: str) -> None:
        """Choose the schedule of that name, if it is listed."""
        for place in range(self.list.topLevelItemCount()):
            item = self.list.topLevelItem(place)
            if item is not None and item.data(_NAME, _KEY) == name:
                self.list.setCurrentItem(item)

    def show_warning(self, sentence: Translatable | None) -> None:
        """Say what there is to know of a schedule that was kept, if anything."""
        if sentence is not None:
            self.message.show_text("warning", spoken(sentence))

    def show_error(self, sentence: Translatable) -> None:
        """Say what could not be done."""
        self._starting.clear()
        self.show_schedules(self._found)
        self.message.show_text("error", spoken(sentence))

    def _style_numbers(self, row: QTreeWidgetItem, overview: ScheduleOverview) -> None:
        """They lead to the comparison, if there is one."""
        is_link = compared(overview.last_ended) is not None
        for column in _NUMBERS:
            row.setTextAlignment(column, _AT_RIGHT)
            if is_link:
                row.setForeground(column, theme.colour("accent"))
                row.setToolTip(column, self.tr("Click to see what has changed"))

    def _offer_comparison(self) -> None:
        self.compare.setEnabled(self.runs_pane.compared() is not None)

    def _compare(self) -> None:
        projects = self.runs_pane.compared()
        if projects is not None:
            self.compare_wanted.emit(*projects)

    def _activate(self, column: int) -> None:
        if column not in _NUMBERS:  # a click there has done something already
            self._change()

    def _click(self, column: int) -> None:
        """A number leads to the comparison of the last run."""
        projects = None if self.chosen is None else compared(self.chosen.last_ended)
        if column in _NUMBERS and projects is not None:
            self.compare_wanted.emit(*projects)

    def _choose(self) -> None:
        chosen = self.chosen
        schedule = None if chosen is None else chosen.schedule
        self.change.setEnabled(schedule is not None)
        self.toggle.setEnabled(schedule is not None)
        is_disabled = schedule is not None and not schedule.is_enabled
        self.toggle.setText(self.tr("&Enable") if is_disabled else self.tr("&Disable"))
        is_idle = chosen is not None and not self._is_busy(chosen)
        self.run.setEnabled(schedule is not None and is_idle)
        self.remove.setEnabled(is_idle)
        self.runs_pane.show_runs(chosen)
        self._offer_comparison()

    def _toggle(self) -> None:
        chosen = self.chosen
        if chosen is None or chosen.schedule is None:
            return
        signal = self.disable_wanted if chosen.schedule.is_enabled else self.enable_wanted
        signal.emit(chosen.name)

    def _ask_to_remove(self) -> None:
        chosen = self.chosen
        if chosen is None:
            return
        words = self.tr("Remove the schedule {name}? Its projects stay.")
        name = chosen.name
        self.confirm.show_text(
            "warning",
            words.format(name=formatting.clean(name)),
            MessageButton(self.tr("Remove"), lambda: self.remove_wanted.emit(name)),
        )

    def _change(self) -> None:
        if self.chosen is not None and self.chosen.schedule is not None:
            self.change_wanted.emit(self.chosen.schedule)

    def _run(self) -> None:
        chosen = self.chosen
        if chosen is not None:
            self.message.hide()
            self._starting[chosen.name] = _Starting(_last_began(chosen), _MOST_LOOKS)
            self.show_schedules(self._found)
            self.run_wanted.emit(chosen.name)

    def _note_started(self) -> None:
        """Forget the runs that have begun since they were asked for, and those that never do."""
        for each in self._found:
            starting = self._starting.pop(each.name, None)
            if starting is None or each.is_running or _last_began(each) != starting.before:
                continue
            if starting.looks > 0:
                self._starting[each.name] = _Starting(starting.before, starting.looks - 1)

    def _connect(self) -> None:
        self.list.currentItemChanged.connect(lambda *_: self._choose())
        self.list.itemActivated.connect(lambda _item, column: self._activate(column))
        self.list.itemClicked.connect(lambda _item, column: self._click(column))
        self.runs_pane.chosen.connect(self._offer_comparison)
        self.compare.clicked.connect(self._compare)
        self.runs_pane.open_wanted.connect(self.open_wanted)
        self.add.clicked.connect(self.add_wanted)
        self.change.clicked.connect(self._change)
        self.toggle.clicked.connect(self._toggle)
        self.run.clicked.connect(self._run)
        self.remove.clicked.connect(self._ask_to_remove)

    def _buttons(self) -> tuple[QPushButton, ...]:
        return self.add, self.change, self.toggle, self.run, self.compare, self.remove

    def _lay_out(self) -> None:
        self.list.setSelectionMode(ValueTree.SelectionMode.SingleSelection)
        self.list.setRootIsDecorated(False)
        buttons = QHBoxLayout()
        buttons.setSpacing(theme.SPACE_S)
        for button in self._buttons():
            button.setAutoDefault(False)
            buttons.addWidget(button)
        buttons.addStretch(1)
        split = QSplitter(Qt.Orientation.Vertical)
        split.setChildrenCollapsible(False)
        split.addWidget(self.list)
        split.addWidget(self.runs_pane)
        close = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        close.button(QDialogButtonBox.StandardButton.Close).setAutoDefault(False)
        close.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(theme.SPACE_L, theme.SPACE_M, theme.SPACE_L, theme.SPACE_M)
        layout.setSpacing(theme.SPACE_S)
        layout.addLayout(buttons)
        layout.addWidget(self.confirm)
        layout.addWidget(self.message)
        layout.addWidget(split, 1)
        layout.addWidget(close)


def _texts(overview: ScheduleOverview, *, is_busy: bool) -> list[str]:
    schedule, last = overview.schedule, overview.last_ended
    return [
        formatting.clean(overview.name),
        formatting.clean(overview.site),
        "" if schedule is None else spoken(schedule.times.described),
        next_words(overview._replace(is_running=is_busy)),
        "" if last is None else " · ".join(run_words(last)[:2]),
        *change_numbers(last),
    ]


def _last_began(overview: ScheduleOverview) -> float | None:
    runs = overview.history.runs
    return runs[-1].started_s if runs else None
