"""The notification rules in the window: filled in, kept, tested; messages tried again."""

import asyncio
import sys
from collections.abc import Mapping
from pathlib import Path
from time import time

import msgspec
import pytest
from msgspec.structs import replace
from pytestqt.qtbot import QtBot

from gossamer.gui.notifications.channel_form import ChannelForm
from gossamer.gui.notifications.notifications_dialog import NotificationsDialog
from gossamer.gui.notifications.rule_form import RuleForm
from gossamer.gui.notifications.rule_interfaces import ListedRule, SentMessage, StoredRules
from gossamer.gui.notifications.rule_trial_dialog import RuleTrialDialog
from gossamer.gui.shell.notification_rule_controller import NotificationRuleController
from gossamer.model.errors import KnownError, UsageError
from gossamer.model.translatable import Translatable, said
from gossamer.notifying.channels import (
    CommandChannel,
    DesktopChannel,
    EmailChannel,
    WebhookChannel,
    channel_key,
    secret_name,
)
from gossamer.notifying.conditions import ConditionKind, RuleCondition, parse_condition
from gossamer.notifying.notification_rules import NotificationRule
from gossamer.notifying.outbox_delivery import default_outbox
from gossamer.notifying.rule_trial import ChannelTrial, RuleTrial
from gossamer.notifying.sample_message import sample_message
from gossamer.store.notification_outbox import (
    DeliveryState,
    Outbox,
    OutboxMessage,
    ToldFingerprints,
)
from tests.gui.conftest import Play
from tests.gui.stage import Stage, until


class FakeRules:
    """Keeps rules in memory. `told` is what comes of the next message, `error` is raised once."""

    def __init__(self) -> None:
        self.kept: list[ListedRule] = []
        self.secrets: dict[str, str] = {}
        self.told: Translatable | None = None
        self.error: KnownError | None = None
        self.retried: list[int] = []

    def rules(self, project: Path | None) -> list[ListedRule]:
        return [each for each in self.kept if each.project in {None, project}]

    def messages(self) -> list[SentMessage]:
        state = DeliveryState.DELIVERED if self.retried else DeliveryState.WAITING
        problem = None if self.retried else said("no answer")
        return [
            SentMessage(3, 1e9, said("desktop notification"), state, 2, problem, "a.test: It broke")
        ]

    def add(self, listed: ListedRule, secrets: Mapping[str, str]) -> None:
        error, self.error = self.error, None
        if error is not None:
            raise error
        self.kept.append(listed)
        self.secrets.update(secrets)

    def change(self, before: ListedRule, after: ListedRule, secrets: Mapping[str, str]) -> None:
        self.kept[self.kept.index(before)] = after
        self.secrets.update(secrets)

    def switch(self, listed: ListedRule, *, is_enabled: bool) -> None:
        self.change(listed, ListedRule(replace(listed.rule, is_enabled=is_enabled), None), {})

    def remove(self, listed: ListedRule) -> None:
        self.kept.remove(listed)

    def retry(self, number: int) -> None:
        self.retried.append(number)

    async def test(self, listed: ListedRule) -> RuleTrial:
        assert listed in self.kept
        tried = ChannelTrial(said("desktop notification"), problem=self.told)
        return RuleTrial("A test", "This is one.", (tried,))

    async def deliver(self) -> None:
        assert self.retried


def chosen(dialog: NotificationsDialog) -> str:
    item = dialog.rules.currentItem()
    return "" if item is None else item.text(0).strip()


def mail_to(form: ChannelForm, *addresses: str) -> None:
    form.by_email.setChecked(True)
    form.to.setText(", ".join(addresses))
    form.server.setText("mail.example.com")
    form.user.setText("me")


@pytest.fixture
def form(qtbot: QtBot) -> RuleForm:
    form = RuleForm(Path("/a.gossamer"))
    qtbot.addWidget(form)
    form.show()
    return form


def test_a_rule_has_the_conditions_and_channels_that_are_filled_in(
    form: RuleForm, qtbot: QtBot
) -> None:
    form.name.setText("Broken")
    form.conditions.boxes[ConditionKind.ERRORS].setChecked(True)
    form.conditions.errors.setValue(5)
    mail_to(form.channels, "me@example.com")
    form.channels.password.setText("hush")
    form.channels.by_webhook.setChecked(True)
    form.channels.address.setText("https://hooks.example/x")
    form.channels.signed.setChecked(True)
    form.scope.setCurrentIndex(1)
    with qtbot.waitSignal(form.requested) as requested:
        form.keep.click()
    listed, secrets = requested.args
    assert listed.project == Path("/a.gossamer")
    assert RuleCondition(ConditionKind.ERRORS, "5") in listed.rule.conditions
    hook = listed.rule.channels[-1]
    assert isinstance(hook, WebhookChannel)
    assert (hook.url, hook.is_signed) == ("https://hooks.example/x", True)
    mail = EmailChannel("me@example.com", "smtps://me@mail.example.com", "me@example.com")
    assert listed.rule.channels == (DesktopChannel(), mail, hook)
    assert secrets == {
        secret_name(hook): form.channels.secret.text(),
        mail.place.keyring_name: "hush",
    }
    assert form.channels.secret.text()


def test_without_a_password_that_of_the_keyring_stays(form: RuleForm, qtbot: QtBot) -> None:
    form.name.setText("Another")
    mail_to(form.channels, "me@example.com")
    with qtbot.waitSignal(form.requested) as requested:
        form.keep.click()
    assert requested.args[1] == {}


def test_what_is_wrong_with_a_rule_is_said_where_it_is_filled_in(form: RuleForm) -> None:
    form.keep.click()
    assert "name" in form.message.text()
    form.name.setText("x")
    form.channels.by_program.setChecked(True)
    form.channels.command.setText("say 'hello")
    form.keep.click()
    assert form.message.text().startswith("The command has a quote")
    form.channels.by_program.setChecked(False)
    form.channels.desktop.setChecked(False)
    form.keep.click()
    assert form.message.text() != ""
    assert form.isEnabled()


PAGES = (
    RuleCondition(ConditionKind.PAGE, "/pricing", ("status", "title")),
    RuleCondition(ConditionKind.PAGE, "."),
)


@pytest.mark.parametrize(
    "conditions",
    [
        PAGES,
        (RuleCondition(ConditionKind.ENDED, "failed,paused"), *PAGES),
        (RuleCondition(ConditionKind.ISSUE, "low"), RuleCondition(ConditionKind.SITEMAP)),
        (RuleCondition(ConditionKind.ERRORS, "0"), RuleCondition(ConditionKind.CERTIFICATE, "30")),
        (RuleCondition(ConditionKind.PAGE, "/x", ("text_ratio",)),),  # not one of the usual fields
    ],
)
def test_a_rule_is_changed_from_what_it_is(
    qtbot: QtBot, conditions: tuple[RuleCondition, ...]
) -> None:
    """What the form has no fields for stays, too."""
    server = "smtp+plain://localhost:2525"
    channels = (
        EmailChannel("a@b.example", server, "c@b.example"),
        EmailChannel("d@b.example", server, "c@b.example"),
        WebhookChannel("https://a.example/1", "1a"),
        CommandChannel(("/usr/bin/tell me", "--it's")),
        EmailChannel("e@b.example", "smtps://you%40b@mail.example", "c@b.example"),
        WebhookChannel("https://a.example/2"),
    )
    rule = NotificationRule(
        *("Mine", conditions, channels), interval_s=600.0, repeats=True, language="zh_CN"
    )
    form = RuleForm(Path("/a.gossamer"), ListedRule(rule, Path("/a.gossamer")))
    qtbot.addWidget(form)
    with qtbot.waitSignal(form.requested) as requested:
        form.keep.click()
    listed, secrets = requested.args
    assert listed == ListedRule(rule, Path("/a.gossamer"))
    assert secrets == {}  # those of the keyring stay
    form.setEnabled(True)
    form.channels.renew.click()
    with qtbot.waitSignal(form.requested) as requested:
        form.keep.click()
    renewed = requested.args[0].rule.channels[2]
    assert requested.args[1] == {secret_name(renewed): form.channels.secret.text()}
    assert renewed != channels[2]


def test_of_several_conditions_of_a_kind_the_form_has_the_widest(qtbot: QtBot) -> None:
    written = ("ended:failed", "ended:finished", "issue:high", "issue:low", "errors:9", "errors:3")
    rule = NotificationRule("r", tuple(map(parse_condition, written)), (DesktopChannel(),))
    form = RuleForm(None, ListedRule(rule, None))
    qtbot.addWidget(form)
    assert list(map(str, form.conditions.conditions())) == [
        *("ended:finished,failed", "issue:low", "errors:3")
    ]


@pytest.mark.parametrize(("written_s", "shown"), [(0.0, 0), (20.0, 1), (90.0, 2), (3599.0, 60)])
def test_a_wait_of_seconds_stays_until_it_is_changed(
    written_s: float, shown: int, form: RuleForm, qtbot: QtBot
) -> None:
    form.conditions.show_conditions((RuleCondition(ConditionKind.ENDED, "finished"),))
    rule = NotificationRule(
        "Mine", form.conditions.conditions(), (DesktopChannel(),), interval_s=written_s
    )
    changed = RuleForm(None, ListedRule(rule, None))
    qtbot.addWidget(changed)
    assert changed.interval.value() == shown
    assert changed.rule().interval_s == written_s
    changed.interval.setValue(shown + 1)
    assert changed.rule().interval_s == 60.0 * (shown + 1)


def test_pages_are_chosen_by_pattern_and_fields(form: RuleForm) -> None:
    conditions = form.conditions
    conditions.boxes[ConditionKind.ENDED].setChecked(False)
    conditions.boxes[ConditionKind.PAGE].setChecked(True)
    form.name.setText("Pages")
    form.keep.click()
    assert "Say which pages" in form.message.text()
    conditions.pages.rows[0].pattern.setText("/a")
    conditions.pages.add.click()
    second = conditions.pages.rows[1]
    second.pattern.setText("/b")
    second.fields.fields["title"].trigger()
    assert second.fields.text() == "Title"
    found = form.rule().conditions
    assert [(each.argument, each.fields) for each in found] == [("/a", ()), ("/b", ("title",))]
    second.fields.any_change.trigger()
    assert (second.fields.text(), second.fields.chosen()) == ("Any change", ())
    conditions.pages.rows[0].remove.click()
    assert [each.argument for each in form.rule().conditions] == ["/b"]
    assert not conditions.pages.rows[0].remove.isEnabled()


def test_rules_are_added_tested_and_removed(play: Play) -> None:
    async def scene(stage: Stage) -> None:
        port = FakeRules()
        parts, tasks = stage.window.parts, stage.tasks
        NotificationRuleController(parts, stage.crawl, tasks, lambda: port).show()
        dialog = stage.window.findChild(NotificationsDialog)
        assert dialog is not None
        assert not dialog.test.isEnabled()
        dialog.add.click()
        form = dialog.findChild(RuleForm)
        assert form is not None
        assert form.scope.count() == 1  # no project is shown
        form.name.setText("Ended")
        port.error = UsageError("There is a rule of that name.")
        form.keep.click()
        await until(lambda: form.message.text() == "There is a rule of that name.")
        form.keep.click()
        await until(lambda: dialog.rules.topLevelItemCount() == 1)
        port.told = said("there is no desktop session to show it in")
        dialog.test.click()
        await until(lambda: dialog.findChild(RuleTrialDialog) is not None)
        shown = dialog.findChild(RuleTrialDialog)
        assert shown is not None
        assert shown.results == [
            "desktop notification: not delivered: there is no desktop session to show it in"
        ]
        assert "A test" in shown.sent.toPlainText()

    play(scene)


def test_a_rule_is_changed_and_switched_off(play: Play) -> None:
    async def scene(stage: Stage) -> None:
        port = FakeRules()
        port.kept.append(ListedRule(NotificationRule("Ended", PAGES, (DesktopChannel(),)), None))
        parts, tasks = stage.window.parts, stage.tasks
        NotificationRuleController(parts, stage.crawl, tasks, lambda: port).show()
        dialog = stage.window.findChild(NotificationsDialog)
        assert dialog is not None
        await until(lambda: chosen(dialog) == "Ended")
        dialog.change.click()
        form = dialog.findChild(RuleForm)
        assert form is not None
        form.name.setText("Over")
        form.keep.click()
        await until(lambda: chosen(dialog) == "Over")
        assert port.kept[0].rule.conditions == PAGES
        dialog.toggle.click()
        await until(lambda: chosen(dialog) == "Over (off)")
        assert not port.kept[0].rule.is_enabled
        dialog.toggle.click()
        await until(lambda: chosen(dialog) == "Over")

    play(scene)


def test_the_chosen_rule_stays_chosen_and_is_removed_when_that_is_confirmed(play: Play) -> None:
    async def scene(stage: Stage) -> None:
        port = FakeRules()
        condition = (RuleCondition(ConditionKind.ERRORS, "5"),)
        rule = NotificationRule("Ended", condition, (DesktopChannel(),))
        port.kept.append(ListedRule(rule, None))
        parts, tasks = stage.window.parts, stage.tasks
        NotificationRuleController(parts, stage.crawl, tasks, lambda: port).show()
        dialog = stage.window.findChild(NotificationsDialog)
        assert dialog is not None
        await until(lambda: chosen(dialog) == "Ended")
        dialog.add.click()
        form = dialog.findChild(RuleForm)
        assert form is not None
        form.name.setText(" Broken ")
        form.keep.click()
        await until(lambda: chosen(dialog) == "Broken")
        assert chosen(dialog) == "Broken"
        dialog.remove.click()
        assert len(port.kept) == 2
        dialog.rules.setCurrentIndex(dialog.rules.model().index(0, 0))
        assert dialog.confirm.isHidden()  # it asked about the other one
        dialog.remove.click()
        dialog.confirm.answer("Remove").click()
        await until(lambda: dialog.rules.topLevelItemCount() == 1)
        assert [each.rule.name.strip() for each in port.kept] == ["Broken"]

    play(scene)


def test_a_message_that_did_not_arrive_is_tried_again(play: Play) -> None:
    async def scene(stage: Stage) -> None:
        port = FakeRules()
        parts, tasks = stage.window.parts, stage.tasks
        NotificationRuleController(parts, stage.crawl, tasks, lambda: port).show()
        dialog = stage.window.findChild(NotificationsDialog)
        assert dialog is not None
        await until(dialog.retry.isEnabled)
        row = dialog.sent.topLevelItem(0)
        assert row is not None
        assert [row.text(column) for column in (2, 3, 4)] == [
            "Waiting",
            "a.test: It broke",
            "no answer",
        ]
        dialog.retry.click()
        await until(lambda: dialog.message.text() == "Delivered.")
        assert port.retried == [3]

    play(scene)


def give_up(outbox: Outbox, name: str) -> None:
    """Put a message into the outbox that was given up."""
    channel = channel_key(CommandChannel((sys.executable, "-c", "pass")))
    content = msgspec.json.encode(sample_message(name, time())).decode()
    message = OutboxMessage(
        *(name, channel, "en", content, time(), DeliveryState.WAITING),
        *(0, 0.0, 0.0, "", 0),
    )

    def put(
        told: ToldFingerprints, untried: OutboxMessage | None
    ) -> tuple[ToldFingerprints, OutboxMessage]:
        assert untried is None
        return told, message

    outbox.enqueue(name, channel, put)
    outbox.note_failed(name, "", is_over=True, reached=True)


def test_of_messages_that_were_given_up_only_the_chosen_one_is_tried_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    for name in ("first", "second"):
        give_up(default_outbox(), name)
    port = StoredRules()
    port.retry(2)
    asyncio.run(port.deliver())
    assert [(each.number, each.state) for each in port.messages()] == [
        (2, DeliveryState.DELIVERED),
        (1, DeliveryState.GIVEN_UP),
    ]
