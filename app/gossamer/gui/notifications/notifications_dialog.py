"""The dialog of notifications: the rules, and the messages that were sent or wait."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from gossamer.gui.look import theme
from gossamer.gui.look.icons import icon
from gossamer.gui.notifications.rule_interfaces import ListedRule, SentMessage
from gossamer.gui.notifications.rule_trial_dialog import RuleTrialDialog
from gossamer.gui.tables.value_tree import ValueTree
from gossamer.gui.text import local_formatting as formatting
from gossamer.gui.text.translated_sentences import labelled, listed, spoken
from gossamer.gui.widgets.help_context import explain
from gossamer.gui.widgets.message_bar import InlineMessage, MessageButton
from gossamer.gui.widgets.window_geometry import fitted
from gossamer.model.translatable import Translatable
from gossamer.notifying.rule_trial import RuleTrial
from gossamer.store.notification_outbox import DeliveryState

NAME: Final = "notifications-dialog"
_SIZE: Final = (820, 580)
_RULE_SHARES: Final = (0.22, 0.16, 0.34)
_SENT_SHARES: Final = (0.16, 0.20, 0.12, 0.30)
_KEY: Final = int(Qt.ItemDataRole.UserRole)


class NotificationsDialog(QDialog):
    """Lists rules and messages; deletes itself when closed.

    `add_wanted` asks for a form; `change_wanted`, `switch_wanted`, `remove_wanted` and
    `test_wanted` carry a ListedRule, `retry_wanted` the number of a message.
    """

    add_wanted = Signal()
    change_wanted = Signal(object)
    switch_wanted = Signal(object)
    remove_wanted = Signal(object)
    test_wanted = Signal(object)
    retry_wanted = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(NAME)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Notifications"))
        explain(self, "window/notifications")
        self._rules: Sequence[ListedRule] = ()
        self._messages: Sequence[SentMessage] = ()
        self.rules = ValueTree(
            self.tr("Rules"),
            [self.tr("Name"), self.tr("Crawls"), self.tr("When"), self.tr("How")],
            _RULE_SHARES,
            self.tr(
                "There are no notifications. Add a rule to get one when a crawl finds something."
            ),
        )
        self.sent = ValueTree(
            self.tr("Messages"),
            [
                *(self.tr("Made"), self.tr("Sent by"), self.tr("State")),
                *(self.tr("Subject"), self.tr("Problem")),
            ],
            _SENT_SHARES,
            self.tr("No messages yet."),
        )
        self.add = QPushButton(self.tr("&Add…"))
        self.change = QPushButton(self.tr("&Change…"))
        self.toggle = QPushButton(self.tr("&Disable"))
        self.test = QPushButton(self.tr("Send a &test message"))
        self.remove = QPushButton(self.tr("Re&move…"))
        self.retry = QPushButton(self.tr("Try a&gain"))
        self.confirm = InlineMessage()
        self.message = InlineMessage()
        self._lay_out()
        self._connect()
        self._offer()
        self.resize(fitted(_SIZE, self.screen().availableGeometry()))

    def show_rules(self, rules: Sequence[ListedRule], messages: Sequence[SentMessage]) -> None:
        """List these; the chosen ones stay chosen."""
        chosen, sent = self._chosen(), self.sent.currentItem()
        number = None if sent is None else sent.data(0, _KEY)
        self._rules, self._messages = rules, messages
        self.rules.clear()
        for place, each in enumerate(rules):
            row = QTreeWidgetItem(self.rules, self._rule_texts(each))
            row.setData(0, _KEY, place)
            self._style_rule(row, each)
        self.sent.clear()
        for message in messages:
            QTreeWidgetItem(self.sent, self._texts(message)).setData(0, _KEY, message.number)
        numbers = [each.number for each in messages]
        _choose_row(self.sent, numbers.index(number) if number in numbers else 0)
        _choose_row(self.rules, 0)
        if chosen is not None:
            self.choose(chosen)
        for place, message in enumerate(messages):
            self._style(self.sent.topLevelItem(place), message)
        self._offer()

    def choose(self, rule: ListedRule) -> None:
        """Choose the rule of that name and scope, if it is listed."""
        for place, each in enumerate(self._rules):
            if _identity(each) == _identity(rule):
                _choose_row(self.rules, place)

    def show_trial(self, trial: RuleTrial) -> None:
        """Show a test message, and the results of sending it."""
        self.message.hide()
        RuleTrialDialog(trial, self).show()
        self._offer()

    def show_retried(self, number: int) -> None:
        """Say what came of another try of a message."""
        found = next((each for each in self._messages if each.number == number), None)
        if found is None or found.state is DeliveryState.DELIVERED:
            self.message.show_text("finished", self.tr("Delivered."))
        else:
            why = "" if found.problem is None else spoken(found.problem)
            words = self.tr("Not delivered: {reason}").format(reason=why)
            self.message.show_text("error", formatting.clean(words))
        self._offer()

    def show_waiting(self) -> None:
        """Something is being sent."""
        self.message.show_text("info", self.tr("Sending…"))
        for button in (self.test, self.retry):
            button.setEnabled(False)

    def show_warning(self, sentence: Translatable | None) -> None:
        """Say what there is to know of a rule that was changed, if anything."""
        if sentence is None:
            self.message.hide()
        else:
            self.message.show_text("warning", spoken(sentence))

    def show_error(self, sentence: Translatable) -> None:
        """Say what could not be done."""
        self.message.show_text("error", spoken(sentence))
        self._offer()

    def _rule_texts(self, of: ListedRule) -> list[str]:
        name, rule = formatting.clean(of.rule.name), of.rule
        when = listed(spoken(each.sentence) for each in rule.conditions)
        if of.fault is not None:
            words = self.tr("Invalid, notifies nobody: {reason}")
            when = formatting.clean(words.format(reason=spoken(of.fault)))
        return [
            name if rule.is_enabled else self.tr("{name} (off)").format(name=name),
            self.tr("All") if of.project is None else self.tr("This site"),
            when,
            formatting.clean(listed(spoken(each.said) for each in rule.channels)),
        ]

    def _style_rule(self, row: QTreeWidgetItem, of: ListedRule) -> None:
        if of.fault is not None:
            row.setIcon(2, icon("error"))
            row.setForeground(2, theme.colour("error"))
        for column in range(4):
            if not of.rule.is_enabled:
                row.setForeground(column, theme.colour("muted"))
            row.setToolTip(column, formatting.tooltip(row.text(column)))

    def _texts(self, sent: SentMessage) -> list[str]:
        states = {
            DeliveryState.WAITING: self.tr("Waiting"),
            DeliveryState.DELIVERED: self.tr("Delivered"),
            DeliveryState.GIVEN_UP: self.tr("Given up"),
        }
        problem = "" if sent.problem is None else spoken(sent.problem)
        channel = formatting.clean(spoken(sent.channel))
        made = formatting.moment(sent.created_at)
        title = formatting.clean(sent.title)
        if sent.rules:
            title = labelled(formatting.clean(listed(sent.rules)), title)
        return [made, channel, states[sent.state], title, formatting.clean(problem)]

    def _style(self, row: QTreeWidgetItem | None, sent: SentMessage) -> None:
        signs: dict[DeliveryState, tuple[str, theme.Role]] = {
            DeliveryState.WAITING: ("queued", "pending"),
            DeliveryState.DELIVERED: ("finished", "ok"),
            DeliveryState.GIVEN_UP: ("error", "error"),
        }
        if row is not None:
            sign, role = signs[sent.state]
            row.setIcon(2, icon(sign))
            row.setForeground(2, theme.colour(role))
            for column in (3, 4):
                row.setToolTip(column, formatting.tooltip(row.text(column)))

    def _chosen(self) -> ListedRule | None:
        item = self.rules.currentItem()
        return None if item is None else self._rules[item.data(0, _KEY)]

    def _offer(self) -> None:
        chosen = self._chosen()
        for button in (self.change, self.toggle, self.remove):
            button.setEnabled(chosen is not None)
        self.test.setEnabled(chosen is not None and chosen.fault is None)
        is_off = chosen is not None and not chosen.rule.is_enabled
        self.toggle.setText(self.tr("&Enable") if is_off else self.tr("&Disable"))
        self.retry.setEnabled(self.sent.currentItem() is not None)

    def _connect(self) -> None:
        self.add.clicked.connect(self.add_wanted)
        self.change.clicked.connect(lambda: self.change_wanted.emit(self._chosen()))
        self.rules.itemActivated.connect(lambda *_: self.change_wanted.emit(self._chosen()))
        self.toggle.clicked.connect(lambda: self.switch_wanted.emit(self._chosen()))
        self.test.clicked.connect(lambda: self.test_wanted.emit(self._chosen()))
        self.remove.clicked.connect(self._ask_to_remove)
        self.retry.clicked.connect(self._retry)
        for tree in (self.rules, self.sent):
            tree.currentItemChanged.connect(lambda *_: self._offer())
        self.rules.currentItemChanged.connect(lambda *_: self.confirm.hide())

    def _ask_to_remove(self) -> None:
        chosen = self._chosen()
        if chosen is not None:
            words = self.tr("Remove the rule {name}?")
            self.confirm.show_text(
                "warning",
                words.format(name=formatting.clean(chosen.rule.name)),
                MessageButton(self.tr("Remove"), lambda: self.remove_wanted.emit(chosen)),
            )

    def _retry(self) -> None:
        item = self.sent.currentItem()
        if item is not None:
            self.retry_wanted.emit(item.data(0, _KEY))

    def _of_rules(self) -> tuple[QPushButton, ...]:
        return self.add, self.change, self.toggle, self.test, self.remove

    def _lay_out(self) -> None:
        for tree in (self.rules, self.sent):
            tree.setRootIsDecorated(False)
            tree.setSelectionMode(ValueTree.SelectionMode.SingleSelection)
        top, middle = QHBoxLayout(), QHBoxLayout()
        for button in (*self._of_rules(), self.retry):
            button.setAutoDefault(False)
            (middle if button is self.retry else top).addWidget(button)
        top.addStretch(1)
        heading = QLabel(self.tr("Messages"))
        heading.setProperty("heading", True)
        middle.insertWidget(0, heading)
        middle.insertStretch(1)
        close = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        close.button(QDialogButtonBox.StandardButton.Close).setAutoDefault(False)
        close.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.setContentsMargins(theme.SPACE_L, theme.SPACE_M, theme.SPACE_L, theme.SPACE_M)
        column.setSpacing(theme.SPACE_S)
        column.addLayout(top)
        column.addWidget(self.confirm)
        column.addWidget(self.message)
        column.addWidget(self.rules, 1)
        column.addLayout(middle)
        column.addWidget(self.sent, 1)
        column.addWidget(close)


def _choose_row(tree: ValueTree, place: int) -> None:
    tree.setCurrentIndex(tree.model().index(place, 0))


def _identity(listed: ListedRule) -> tuple[str, Path | None]:
    """What identifies a rule, however it was typed."""
    return " ".join(listed.rule.name.split()), listed.project
