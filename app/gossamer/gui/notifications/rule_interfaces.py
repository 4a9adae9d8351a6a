"""The interface by which the notifications dialog changes rules, and its implementation."""

import time
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple, Protocol

import msgspec

from gossamer.gui.runtime.gossamer_command import run_gossamer
from gossamer.model.errors import UsageError
from gossamer.model.translatable import Translatable, said
from gossamer.notifying import rule_commands
from gossamer.notifying.channels import stored_channel
from gossamer.notifying.message_language import translator
from gossamer.notifying.notification_messages import Message, title_of
from gossamer.notifying.notification_rules import NotificationRule
from gossamer.notifying.outbox_delivery import default_outbox
from gossamer.notifying.rule_store import RuleStore
from gossamer.notifying.rule_trial import RuleTrial
from gossamer.notifying.sitemap_condition import sitemap_warning
from gossamer.session.series import series_of
from gossamer.store.notification_outbox import DeliveryState, OutboxMessage


class ListedRule(NamedTuple):
    """A rule; `project` is one of the site that it is for, None for all crawls.

    `fault` is why it is invalid and notifies nobody.
    """

    rule: NotificationRule
    project: Path | None
    fault: Translatable | None = None


class SentMessage(NamedTuple):
    """A message of the outbox: when it was made, through what, what came of it."""

    number: int
    created_at: float
    channel: Translatable
    state: DeliveryState
    tries: int
    problem: Translatable | None
    title: str = ""
    """The site and the message about it."""
    rules: tuple[str, ...] = ()
    """The names of the rules that require it."""


class RulePort(Protocol):
    """Keeps rules and messages. All but `test` may be called on any thread. KnownError."""

    def rules(self, project: Path | None) -> list[ListedRule]:
        """The rules for all crawls, and those for the site of a project, also invalid ones."""

    def messages(self) -> list[SentMessage]:
        """The messages that were made, the latest first."""

    def add(self, listed: ListedRule, secrets: Mapping[str, str]) -> Translatable | None:
        """Keep a rule, and its secrets in the keyring; what the user should know of it."""

    def change(
        self, before: ListedRule, after: ListedRule, secrets: Mapping[str, str]
    ) -> Translatable | None:
        """Keep a rule in the place of another; as `add`."""

    def switch(self, listed: ListedRule, *, is_enabled: bool) -> Translatable | None:
        """Enable or disable a rule."""

    def remove(self, listed: ListedRule) -> Translatable | None:
        """Forget a rule, with its secrets and messages."""

    def retry(self, number: int) -> None:
        """Have a message tried again."""

    async def test(self, listed: ListedRule) -> RuleTrial:
        """Send a message to all channels of a rule; what came of it."""

    async def deliver(self) -> None:
        """Try what is due; `messages` carry the results."""


class StoredRules:
    """A RulePort on the rules of the user. What is sent, a process of its own sends."""

    def rules(self, project: Path | None) -> list[ListedRule]:
        """See `RulePort`."""
        stores: list[tuple[RuleStore, Path | None]] = [(RuleStore(), None)]
        if project is not None:
            stores.append((RuleStore(series_of(project)), project))
        return [
            ListedRule(each.rule, of, each.fault)
            for store, of in stores
            for each in store.stored_rules()
        ]

    def messages(self) -> list[SentMessage]:
        """See `RulePort`."""
        return [_sent(each) for each in reversed(default_outbox().messages())]

    def add(self, listed: ListedRule, secrets: Mapping[str, str]) -> Translatable | None:
        """See `RulePort`."""
        store = self._store(listed)
        kept, _ = rule_commands.add_rule(store, listed.rule, secrets)
        return sitemap_warning(kept.conditions, store.series)

    def change(
        self, before: ListedRule, after: ListedRule, secrets: Mapping[str, str]
    ) -> Translatable | None:
        """See `RulePort`."""
        store = self._store(before)
        kept, left = rule_commands.change_rule(store, before.rule, after.rule, secrets)
        return left or sitemap_warning(kept.conditions, store.series)

    def switch(self, listed: ListedRule, *, is_enabled: bool) -> Translatable | None:
        """See `RulePort`."""
        store, name = self._store(listed), listed.rule.name
        return rule_commands.switch_rule(store, name, is_enabled=is_enabled)[1]

    def remove(self, listed: ListedRule) -> Translatable | None:
        """See `RulePort`."""
        return rule_commands.remove_rule(self._store(listed), listed.rule.name)[1]

    def retry(self, number: int) -> None:
        """See `RulePort`."""
        default_outbox().retry([number], time.time())

    async def test(self, listed: ListedRule) -> RuleTrial:
        """See `RulePort`."""
        of = [] if listed.project is None else ["--for", str(listed.project)]
        answer = await _asked("test", "--for-window", *of, "--", listed.rule.name)
        return msgspec.json.decode(answer, type=RuleTrial)

    async def deliver(self) -> None:
        """See `RulePort`."""
        await _asked("deliver")

    def _store(self, listed: ListedRule) -> RuleStore:
        return RuleStore(None if listed.project is None else series_of(listed.project))


async def _asked(*words: str) -> bytes:
    """What `gossamer notify` prints; UsageError if it fails."""
    answer = await run_gossamer("notify", *words)
    if answer.code:
        reason = answer.complaint.rpartition("\n")[2]
        raise UsageError("Nothing could be sent. {reason}", reason=reason)
    return answer.output


def _sent(entry: OutboxMessage) -> SentMessage:
    channel = stored_channel(entry.channel)
    problem: Translatable | None = None
    if entry.problem:
        problem = msgspec.json.decode(entry.problem, type=Translatable)
    elif entry.state is DeliveryState.GIVEN_UP:
        problem = said("the outbox was full")
    state = DeliveryState(entry.state)
    message = msgspec.json.decode(entry.content, type=Message)
    return SentMessage(
        *(entry.number, entry.created_at, channel.said, state, entry.tries, problem),
        title=title_of(message, translator(entry.language)),
        rules=message.rules,
    )
