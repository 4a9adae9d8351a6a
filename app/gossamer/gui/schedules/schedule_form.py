"""The form of a schedule: what is crawled when, where to, and what is kept."""

import re
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Final

from PySide6.QtCore import Qt, QTime, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QSpinBox,
    QTimeEdit,
    QVBoxLayout,
    QWidget,
)

from gossamer.gui.look import theme
from gossamer.gui.look.stylesheet import CONTROL_HEIGHT
from gossamer.gui.schedules.schedule_interfaces import ScheduleRequest
from gossamer.gui.schedules.schedule_texts import next_times, times_words, weekday_names
from gossamer.gui.text import local_formatting as formatting
from gossamer.gui.text.translated_sentences import spoken
from gossamer.gui.widgets.help_context import explain
from gossamer.gui.widgets.labels import centre_labels, name_inner
from gossamer.gui.widgets.message_bar import InlineMessage
from gossamer.model.errors import UsageError
from gossamer.model.file_names import typed_path
from gossamer.model.translatable import Translatable
from gossamer.scheduling.local_time import local_now
from gossamer.scheduling.retention_rule import KEEP_ALL, MOST_KEPT, RetentionRule, rule_of
from gossamer.scheduling.run_times import DAYS, RunTimes, daily, from_cron, weekly
from gossamer.scheduling.schedule import Schedule, TimerKind

NAME: Final = "schedule-form"
_DAILY, _WEEKLY, _CRON = range(3)
_NIGHT: Final = QTime(2, 30)
_WIDTH: Final = 560
_BEGUN: Final = re.compile(r" \d{4}-\d\d-\d\d \d\d\.\d\d\.\d\d( \(\d+\))?$")
"""What the names of projects say of when their crawl began."""


class ScheduleForm(QDialog):
    """Fills in a schedule for `project`, or changes one. Deletes itself when closed.

    `requested` carries a ScheduleRequest when the form is to be kept; `accept` it when it was.
    `browse_wanted` asks for another project, for `show_project`.
    """

    requested = Signal(object)
    browse_wanted = Signal()

    def __init__(
        self,
        project: Path | None,
        schedule: Schedule | None = None,
        parent: QWidget | None = None,
        *,
        now: Callable[[], datetime] = local_now,
    ) -> None:
        super().__init__(parent)
        self.setObjectName(NAME)
        self.setWindowTitle(
            self.tr("Add schedule") if schedule is None else self.tr("Change schedule")
        )
        explain(self, "window/schedules")
        self._now = now
        self._requested_from: QWidget | None = None
        self._schedule = schedule
        self.name = QLineEdit()
        self.project = QLineEdit()
        self.when = QComboBox()
        self.day = QComboBox()
        self.time = QTimeEdit(_NIGHT)
        self.cron = QLineEdit("30 2 * * 1-5")
        self.described = QLabel()
        self.described.setTextFormat(Qt.TextFormat.PlainText)
        self.folder = QLineEdit()
        self.prunes = QCheckBox(self.tr("&Remove old projects, but keep"))
        self.keeps = [QSpinBox() for _ in range(3)]
        self.message = InlineMessage()
        self.keep = QPushButton(self.tr("Add") if schedule is None else self.tr("Change"))
        self._lay_out()
        self._fill(project, schedule)
        self.when.currentIndexChanged.connect(self._describe)
        self.day.currentIndexChanged.connect(self._describe)
        self.time.timeChanged.connect(self._describe)
        for field in (self.cron, self.name, self.project):
            field.textChanged.connect(self._describe)
        self.prunes.toggled.connect(self._describe)
        self.keep.clicked.connect(self._request)
        self._describe()
        name_inner(self)

    def times(self) -> RunTimes:
        """The times filled in; UsageError."""
        time = self.time.time().toString("HH:mm")
        if self.when.currentIndex() == _DAILY:
            return daily(time)
        if self.when.currentIndex() == _WEEKLY:
            return weekly(self.day.currentData(), time)
        return from_cron(self.cron.text())

    def show_project(self, project: Path) -> None:
        """Have this project crawled again."""
        self.project.setText(str(project))
        if not self.name.text().strip():
            self._propose_name(project)

    def show_error(self, sentence: Translatable) -> None:
        """Say why it cannot be kept."""
        self.setEnabled(True)
        if (field := self._requested_from) is not None:
            field.setFocus()
        self.message.show_text("error", spoken(sentence))

    def _request(self) -> None:
        try:
            times, rule = self.times(), self._rule()
        except UsageError as e:
            self._requested_from = self.focusWidget()
            self.show_error(e.said)
            return
        self.message.hide()
        self._requested_from = self.focusWidget()  # a form that is disabled forgets it
        folder = self.folder.text().strip()
        self.setEnabled(False)
        self.requested.emit(
            ScheduleRequest(
                self.name.text().strip(),
                times,
                typed_path(self.project.text()),
                typed_path(folder) if folder else None,
                rule,
            )
        )

    def _rule(self) -> RetentionRule:
        """Which projects are to stay; UsageError if that is not what the form says."""
        if not self.prunes.isChecked():
            return KEEP_ALL
        daily, weekly, monthly = (box.value() for box in self.keeps)
        return rule_of(daily, weekly, monthly)

    def _describe(self) -> None:
        """Say in words when it runs, and when next."""
        kind = self.when.currentIndex()
        self.day.setVisible(kind == _WEEKLY)
        self.time.setVisible(kind != _CRON)
        self.cron.setVisible(kind == _CRON)
        for box in self.keeps:
            box.setEnabled(self.prunes.isChecked())
        is_right = True
        try:
            times = self.times()
        except UsageError as e:
            is_right = False
            self.described.setText(spoken(e.said))
        else:
            words = [times_words(times)]
            if self._schedule is None or self._schedule.timer is not TimerKind.NONE:
                words.append(next_times(times.following(self._now(), 3)))
            self.described.setText("\n".join(words))
        self.described.setProperty("wrong", not is_right)
        self.described.style().polish(self.described)
        has_all = bool(self.name.text().strip() and self.project.text().strip())
        self.keep.setEnabled(is_right and has_all)

    def _propose_name(self, project: Path) -> None:
        """Name it after the site, so that it can be kept as it is; typing replaces that."""
        self.name.setText(_BEGUN.sub("", project.stem))
        self.name.selectAll()

    def _fill(self, project: Path | None, schedule: Schedule | None) -> None:
        if schedule is None:
            self.project.setText("" if project is None else str(project))
            if project is not None:
                self._propose_name(project)
            self.prunes.setChecked(True)
            self._show_rule(RetentionRule())
            return
        self.name.setText(schedule.name)
        self.project.setText(schedule.project or self.tr("A new crawl of the site each time"))
        for field in (self.name, self.project):
            field.setReadOnly(True)
        self._browse_project.setEnabled(False)
        self.folder.setText(schedule.folder)
        self.prunes.setChecked(not schedule.retention.keeps_all)
        self._show_rule(RetentionRule() if schedule.retention.keeps_all else schedule.retention)
        minute, hour, day, month, weekday = schedule.times.expression.split()
        is_time = minute.isdigit() and hour.isdigit() and (day, month) == ("*", "*")
        self.cron.setText(schedule.times.expression)
        if is_time and (weekday == "*" or weekday.isdigit()):
            self.time.setTime(QTime(int(hour), int(minute)))
            self.when.setCurrentIndex(_DAILY if weekday == "*" else _WEEKLY)
            if weekday != "*":
                self.day.setCurrentIndex(self.day.findData(DAYS[int(weekday) % 7]))
        else:
            self.when.setCurrentIndex(_CRON)

    def _show_rule(self, rule: RetentionRule) -> None:
        for box, number in zip(self.keeps, (rule.daily, rule.weekly, rule.monthly), strict=True):
            box.setValue(number)

    # ------------------------------------------------------------ assembly

    def _lay_out(self) -> None:
        self.name.setPlaceholderText(self.tr("Such as: Shop, nightly"))
        self.when.addItems(
            [self.tr("Every day"), self.tr("Every week"), self.tr("Cron expression")]
        )
        self.when.setAccessibleName(self.tr("How often"))
        for name, day in weekday_names():
            self.day.addItem(name, day)
        self.day.setAccessibleName(self.tr("Day of the week"))
        self.time.setAccessibleName(self.tr("Time of day"))
        self.time.setDisplayFormat("HH:mm")
        self.cron.setAccessibleName(self.tr("Cron expression"))
        self.described.setWordWrap(True)
        self.described.setProperty("muted", True)
        self.folder.setPlaceholderText(self.tr("A folder of its own, where crawls are kept"))
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.keep.setDefault(True)
        self.keep.setProperty("primary", True)
        buttons.addButton(self.keep, QDialogButtonBox.ButtonRole.ActionRole)
        buttons.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.setContentsMargins(theme.SPACE_L, theme.SPACE_L, theme.SPACE_L, theme.SPACE_M)
        column.setSpacing(theme.SPACE_M)
        column.addLayout(self._fields())
        column.addWidget(self.message)
        column.addStretch(1)
        column.addWidget(buttons)
        self.setMinimumWidth(_WIDTH)

    def _fields(self) -> QFormLayout:
        form = QFormLayout()
        form.setHorizontalSpacing(theme.SPACE_M)
        form.setVerticalSpacing(theme.SPACE_S)
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        form.addRow(self.tr("&Name"), self.name)
        project, self._browse_project = self._with_browse(self.project, self.browse_wanted.emit)
        form.addRow(self._label(self.tr("&Crawl again"), self.project), project)
        form.addRow(
            self._label(self.tr("&When"), self.when),
            _row(self.when, self.day, self.time, self.cron),
        )
        form.addRow("", self.described)
        folder, _ = self._with_browse(self.folder, self._choose_folder)
        form.addRow(self._label(self.tr("&Projects go to"), self.folder), folder)
        form.addRow("", self.prunes)
        form.addRow("", self._kept())
        for field in (
            self.name,
            self.project,
            self.when,
            self.day,
            self.time,
            self.cron,
            self.folder,
        ):
            field.setMinimumHeight(CONTROL_HEIGHT)
        centre_labels(form)
        return form

    def _kept(self) -> QWidget:
        names = (self.tr("days"), self.tr("weeks"), self.tr("months"))
        parts: list[QWidget] = []
        for box, name in zip(self.keeps, names, strict=True):
            box.setRange(0, MOST_KEPT)
            box.setMinimumHeight(CONTROL_HEIGHT)
            box.setAccessibleName(name)
            parts += [box, QLabel(name)]
        note = self.tr("Of each of the last days, weeks and months, the last crawl stays.")
        for box in self.keeps:
            box.setToolTip(formatting.tooltip(note))
        return _row(*parts)

    def _label(self, text: str, field: QWidget) -> QLabel:
        label = QLabel(text)
        label.setBuddy(field)
        field.setAccessibleName(text.replace("&", ""))
        return label

    def _with_browse(
        self, field: QLineEdit, choose: Callable[[], None]
    ) -> tuple[QWidget, QPushButton]:
        button = QPushButton(self.tr("Browse…"))
        button.setAutoDefault(False)
        button.clicked.connect(choose)
        return _row(field, button), button

    def _choose_folder(self) -> None:
        dialog = QFileDialog(self, self.tr("Folder for the projects"), self.folder.text())
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        dialog.fileSelected.connect(self.folder.setText)
        dialog.open()


def _row(*parts: QWidget) -> QWidget:
    widget = QWidget()
    row = QHBoxLayout(widget)
    row.setContentsMargins(0, 0, 0, 0)
    row.setSpacing(theme.SPACE_S)
    for part in parts:
        row.addWidget(part, int(isinstance(part, QLineEdit)))
    if not any(isinstance(part, QLineEdit) for part in parts):
        row.addStretch(1)
    return widget
