"""The form of a notification rule: when somebody is notified, and how."""

from math import ceil
from pathlib import Path
from typing import Final

from msgspec.structs import replace
from PySide6.QtCore import QLocale, Qt, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QFrame,
    QLabel,
    QLineEdit,
    QPushButton,
    QScrollArea,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from gossamer.gui.look import theme
from gossamer.gui.look.stylesheet import CONTROL_HEIGHT
from gossamer.gui.notifications.channel_form import ChannelForm
from gossamer.gui.notifications.rule_condition_form import RuleConditionForm
from gossamer.gui.notifications.rule_interfaces import ListedRule
from gossamer.gui.text.translated_sentences import spoken
from gossamer.gui.widgets.help_context import explain
from gossamer.gui.widgets.labels import buddy, centre_labels, describe, name_inner
from gossamer.gui.widgets.message_bar import InlineMessage
from gossamer.gui.widgets.window_geometry import fitted
from gossamer.model.errors import UsageError
from gossamer.model.translatable import Translatable
from gossamer.notifying.notification_rules import MAX_INTERVAL_S, NotificationRule

NAME: Final = "rule-form"
_SIZE: Final = (680, 700)
_NARROW: Final = 200
_MINUTE_S: Final = 60


class RuleForm(QDialog):
    """Fills in a rule for all crawls or, if a project is shown, for its site; or changes one.

    `requested` carries a ListedRule, and the secrets to keep, by their names in the keyring.
    """

    requested = Signal(object, object)

    def __init__(
        self, project: Path | None, before: ListedRule | None = None, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName(NAME)
        is_new = before is None
        self.setWindowTitle(
            self.tr("Add notification") if is_new else self.tr("Change notification")
        )
        explain(self, "window/notifications")
        language = "zh_CN" if QLocale().language() is QLocale.Language.Chinese else "en"
        self._before = NotificationRule("", (), (), language=language)
        self.name = QLineEdit()
        self.scope = QComboBox()
        self.scope.addItem(self.tr("All crawls"), None)
        if project is not None:
            self.scope.addItem(self.tr("Crawls of this site"), project)
        self.conditions = RuleConditionForm()
        self.channels = ChannelForm()
        self.interval = QSpinBox()
        self.repeats = QCheckBox(self.tr("Repeat what has not changed since the last message"))
        self.message = InlineMessage()
        self.keep = QPushButton(self.tr("Add") if is_new else self.tr("Change"))
        self._lay_out()
        if before is not None:
            self._fill(before)
        self.keep.clicked.connect(self._request)
        name_inner(self)

    def rule(self) -> NotificationRule:
        """The rule filled in; UsageError."""
        return replace(
            self._before,
            name=self.name.text(),
            conditions=self.conditions.conditions(),
            channels=self.channels.channels(),
            interval_s=self._interval_s(),
            repeats=self.repeats.isChecked(),
        ).checked()

    def _interval_s(self) -> float:
        """As it was written, to a part of a minute, until it is changed here."""
        written, minutes = self._before.interval_s, self.interval.value()
        return written if minutes == _minutes(written) else float(minutes * _MINUTE_S)

    def show_error(self, sentence: Translatable) -> None:
        """Say why it cannot be kept."""
        self.setEnabled(True)
        self.message.show_text("error", spoken(sentence))

    def _fill(self, listed: ListedRule) -> None:
        rule = self._before = listed.rule
        self.name.setText(rule.name)
        self.scope.setCurrentIndex(0 if listed.project is None else self.scope.count() - 1)
        self.scope.setEnabled(False)
        self.conditions.show_conditions(rule.conditions)
        if listed.fault is not None:
            self.show_error(listed.fault)
        self.channels.show_channels(rule.channels)
        self.interval.setValue(_minutes(rule.interval_s))
        self.repeats.setChecked(rule.repeats)

    def _request(self) -> None:
        try:
            rule = self.rule()
            secrets = self.channels.secrets()
        except UsageError as e:
            self.show_error(e.said)
            return
        self.setEnabled(False)
        self.requested.emit(ListedRule(rule, self.scope.currentData()), secrets)

    # ------------------------------------------------------------ assembly

    def _lay_out(self) -> None:
        self.name.setPlaceholderText(self.tr("Such as: Something broke"))
        self.interval.setRange(0, int(MAX_INTERVAL_S / _MINUTE_S))
        self.interval.setSpecialValueText(self.tr("No wait"))
        self.interval.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.interval.setMaximumWidth(_NARROW)
        self.interval.setSuffix(f" {self.tr('minutes')}")
        describe(self.interval, self.tr("What comes meanwhile waits, and is put into one message."))
        fields = QWidget()
        column = QVBoxLayout(fields)
        column.setContentsMargins(theme.SPACE_L, theme.SPACE_M, theme.SPACE_L, theme.SPACE_M)
        column.setSpacing(theme.SPACE_S)
        column.addLayout(
            _form((self.tr("&Name"), self.name), (self.tr("&Of which crawls"), self.scope))
        )
        column.addWidget(_heading(self.tr("Notify when")))
        column.addWidget(self.conditions)
        column.addWidget(_heading(self.tr("How")))
        column.addWidget(self.channels)
        column.addWidget(_heading(self.tr("How often")))
        column.addLayout(_form((self.tr("Wait between two messages"), self.interval)))
        column.addWidget(self.repeats)
        column.addStretch(1)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.keep.setDefault(True)
        self.keep.setProperty("primary", True)
        buttons.addButton(self.keep, QDialogButtonBox.ButtonRole.ActionRole)
        buttons.rejected.connect(self.reject)
        foot = QVBoxLayout()
        foot.setContentsMargins(theme.SPACE_L, 0, theme.SPACE_L, theme.SPACE_M)
        foot.addWidget(self.message)
        foot.addWidget(buttons)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(_scrolled(fields), 1)
        whole.addLayout(foot)
        self.resize(fitted(_SIZE, self.screen().availableGeometry()))


def _minutes(interval_s: float) -> int:
    """What is shown of an interval: a wait of seconds is no "No wait"."""
    return ceil(interval_s / _MINUTE_S)


def _form(*rows: tuple[str, QWidget]) -> QFormLayout:
    form = QFormLayout()
    form.setHorizontalSpacing(theme.SPACE_M)
    form.setVerticalSpacing(theme.SPACE_S)
    for name, field in rows:
        field.setMinimumHeight(CONTROL_HEIGHT)
        form.addRow(buddy(name, field), field)
    centre_labels(form)
    return form


def _scrolled(fields: QWidget) -> QScrollArea:
    area = QScrollArea()
    area.setWidgetResizable(True)
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setWidget(fields)
    return area


def _heading(text: str) -> QLabel:
    label = QLabel(text)
    label.setProperty("heading", True)
    return label
