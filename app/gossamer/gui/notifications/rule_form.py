"""The form of a notification rule: when somebody is told, and how."""

from pathlib import Path
from typing import Final

from PySide6.QtCore import QLocale, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QGridLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from gossamer.gui.help.help_window import explain
from gossamer.gui.look import theme
from gossamer.gui.look.stylesheet import CONTROL_HEIGHT
from gossamer.gui.notifications.rule_port import ListedRule
from gossamer.gui.text.translated_sentences import spoken
from gossamer.gui.widgets.labels import explain as tell_of
from gossamer.gui.widgets.labels import name_inner
from gossamer.gui.widgets.message_bar import InlineMessage
from gossamer.model.errors import UsageError
from gossamer.model.translatable import Translatable
from gossamer.notifying.channels import (
    Channel,
    CommandChannel,
    DesktopChannel,
    EmailChannel,
    WebhookChannel,
    checked_channel,
    new_secret_id,
    secret_name,
)
from gossamer.notifying.command_words import split_command
from gossamer.notifying.conditions import ConditionKind, RuleCondition
from gossamer.notifying.notification_rules import NotificationRule
from gossamer.notifying.webhook_signature import new_secret

NAME: Final = "rule-form"
_WIDTH: Final = 620


class RuleForm(QDialog):
    """Fills in a rule for all crawls or, if a project is shown, for its site.

    `wished` carries a ListedRule, and the secrets to keep, by their names in the keyring.
    """

    wished = Signal(object, object)

    def __init__(self, project: Path | None, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(NAME)
        self.setWindowTitle(self.tr("Add notification"))
        explain(self, "notifications")
        self._project = project
        self._secret_id = new_secret_id()
        self.name = QLineEdit()
        self.scope = QComboBox()
        self.scope.addItem(self.tr("All crawls"), None)
        if project is not None:
            self.scope.addItem(self.tr("Crawls of this site"), project)
        self.conditions = {kind: _condition(kind) for kind in ConditionKind}
        self.desktop = QCheckBox(self.tr("&Desktop notification"))
        self.email = _field(self.tr("E-mail to"), "me@example.com")
        self.server = _field(self.tr("Mail server"), "smtps://me@mail.example.com")
        self.password = _field(self.tr("Password of the mail server"), "")
        self.password.setEchoMode(QLineEdit.EchoMode.Password)
        self.webhook = _field(self.tr("Webhook"), "https://example.com/hook")
        self.signed = QCheckBox(self.tr("Si&gned"))
        self.command = _field(self.tr("Command"), "notify-me --from gossamer")
        self.secret = _field(self.tr("Secret of the signature"), "")
        self.secret.setReadOnly(True)
        self.message = InlineMessage()
        self.keep = QPushButton(self.tr("Add"))
        self._lay_out()
        self.keep.clicked.connect(self._wish)
        self.signed.toggled.connect(self._show_secret)
        name_inner(self)

    def rule(self) -> NotificationRule:
        """The rule filled in; UsageError."""
        conditions = [
            RuleCondition(kind, field.text().strip()).checked()
            for kind, (box, field) in self.conditions.items()
            if box.isChecked()
        ]
        language = "zh_CN" if QLocale().language() is QLocale.Language.Chinese else "en"
        channels = tuple(map(checked_channel, self._channels()))
        return NotificationRule(
            self.name.text(), tuple(conditions), channels, language=language
        ).checked()

    def show_error(self, sentence: Translatable) -> None:
        """Say why it cannot be kept."""
        self.setEnabled(True)
        self.message.show_text("error", spoken(sentence))

    def _channels(self) -> list[Channel]:
        found: list[Channel] = [DesktopChannel()] if self.desktop.isChecked() else []
        if address := self.email.text().strip():
            found.append(EmailChannel(address, self.server.text().strip(), address))
        if url := self.webhook.text().strip():
            found.append(WebhookChannel(url, self._secret_id if self.signed.isChecked() else ""))
        if command := self.command.text().strip():
            found.append(CommandChannel(split_command(command)))
        return found

    def _show_secret(self, is_signed: bool) -> None:  # noqa: FBT001 - a signal's argument
        """The receiver needs it, and it is shown here alone."""
        self.secret.setText(new_secret() if is_signed else "")

    def _wish(self) -> None:
        try:
            rule = self.rule()
        except UsageError as e:
            self.show_error(e.said)
            return
        secrets: dict[str, str] = {}
        for channel in rule.channels:
            name = secret_name(channel)
            if name is None:
                continue
            # An empty field stands for the password that the keyring may have of another rule.
            secret = self.password if isinstance(channel, EmailChannel) else self.secret
            if secret.text():
                secrets[name] = secret.text()
        self.setEnabled(False)
        self.wished.emit(ListedRule(rule, self.scope.currentData()), secrets)

    def _lay_out(self) -> None:
        self.name.setPlaceholderText(self.tr("Such as: Something broke"))
        self.name.setAccessibleName(self.tr("Name"))
        self.scope.setAccessibleName(self.tr("Of which crawls"))
        self.desktop.setChecked(True)
        column = QVBoxLayout(self)
        column.setContentsMargins(theme.SPACE_L, theme.SPACE_L, theme.SPACE_L, theme.SPACE_M)
        column.setSpacing(theme.SPACE_S)
        top = QGridLayout()
        for row, (name, field) in enumerate(
            ((self.tr("Name"), self.name), (self.tr("Of which crawls"), self.scope))
        ):
            top.addWidget(QLabel(name), row, 0)
            top.addWidget(field, row, 1)
            field.setMinimumHeight(CONTROL_HEIGHT)
        column.addLayout(top)
        column.addWidget(_heading(self.tr("Tell when")))
        column.addLayout(self._conditions())
        column.addWidget(_heading(self.tr("How")))
        column.addLayout(self._ways())
        column.addWidget(self.message)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.keep.setDefault(True)
        self.keep.setProperty("primary", True)
        buttons.addButton(self.keep, QDialogButtonBox.ButtonRole.ActionRole)
        buttons.rejected.connect(self.reject)
        column.addStretch(1)
        column.addWidget(buttons)
        self.setMinimumWidth(_WIDTH)

    def _conditions(self) -> QGridLayout:
        grid = QGridLayout()
        for row, (box, field) in enumerate(self.conditions.values()):
            grid.addWidget(box, row, 0)
            grid.addWidget(field, row, 1)
        self.conditions[ConditionKind.ENDED][0].setChecked(True)
        return grid

    def _ways(self) -> QGridLayout:
        grid = QGridLayout()
        grid.addWidget(self.desktop, 0, 0, 1, 3)
        rows = (
            *(self.email, self.server, self.password),
            *(self.webhook, self.secret, self.command),
        )
        for row, field in enumerate(rows, 1):
            grid.addWidget(QLabel(field.accessibleName()), row, 0)
            grid.addWidget(field, row, 1, 1, 1 if field is self.webhook else 2)
        grid.addWidget(self.signed, rows.index(self.webhook) + 1, 2)
        return grid


def _condition(kind: ConditionKind) -> tuple[QCheckBox, QLineEdit]:
    """The choice of a condition, and the field of its argument."""
    box = QCheckBox(spoken(Translatable(kind.label)))
    hint = spoken(Translatable(kind.argument)) if kind.argument else ""
    field = _field(hint or box.text(), hint)
    field.setText(kind.default)
    tell_of(field, hint)
    field.setVisible(bool(kind.argument))
    field.setEnabled(False)
    box.toggled.connect(field.setEnabled)
    return box, field


def _field(name: str, example: str) -> QLineEdit:
    field = QLineEdit()
    field.setAccessibleName(name)
    field.setPlaceholderText(example)
    field.setMinimumHeight(CONTROL_HEIGHT)
    return field


def _heading(text: str) -> QLabel:
    label = QLabel(text)
    label.setProperty("heading", True)
    return label
