"""What the dialog of notifications asks for, and what does it really."""

import asyncio
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Final, NamedTuple, Protocol

import msgspec

from gossamer.ipc.process_start import program_command
from gossamer.model.translatable import Translatable, said
from gossamer.notifying.channels import Channel
from gossamer.notifying.deliveries import default_outbox
from gossamer.notifying.notification_rules import NotificationRule, RuleStore
from gossamer.notifying.rule_changes import add_rule, remove_rule
from gossamer.session.series import series_of
from gossamer.store.outbox_file import DeliveryState, OutboxMessage

_NOT_DELIVERED: Final = "Not delivered"
"""How the command line begins to say so."""
_PROGRAM: Final = "gossamer: "
"""What it puts before each sentence."""


class ListedRule(NamedTuple):
    """A rule; `project` is one of the site that it is for, None for all crawls."""

    rule: NotificationRule
    project: Path | None


class SentMessage(NamedTuple):
    """A message of the outbox: when it was made, through what, what came of it."""

    number: int
    created_at: float
    channel: Translatable
    state: DeliveryState
    tries: int
    problem: Translatable | None


class RulePort(Protocol):
    """Keeps rules and messages. All but `test` may be called on any thread. KnownError."""

    def rules(self, project: Path | None) -> list[ListedRule]:
        """The rules for all crawls, and those for the site of a project."""

    def messages(self) -> list[SentMessage]:
        """The messages that were made, the latest first."""

    def add(self, listed: ListedRule, secrets: Mapping[str, str]) -> None:
        """Keep a rule, and its secrets in the keyring."""

    def remove(self, listed: ListedRule) -> None:
        """Forget a rule."""

    def retry(self, number: int) -> None:
        """Have a message tried again."""

    async def test(self, listed: ListedRule) -> str:
        """Send a message to all channels of a rule; what was not delivered, "" if all was."""

    async def deliver(self) -> str:
        """Try what is due; what was not delivered, "" if all was."""


class StoredRules:
    """A RulePort on the rules of the person. What is sent, a process of its own sends."""

    def rules(self, project: Path | None) -> list[ListedRule]:
        """See `RulePort`."""
        found = [ListedRule(each, None) for each in RuleStore().rules()]
        if project is not None:
            store = RuleStore(series_of(project))
            found += [ListedRule(each, project) for each in store.rules()]
        return found

    def messages(self) -> list[SentMessage]:
        """See `RulePort`."""
        return [_sent(each) for each in reversed(default_outbox().messages())]

    def add(self, listed: ListedRule, secrets: Mapping[str, str]) -> None:
        """See `RulePort`."""
        add_rule(self._store(listed), listed.rule, secrets)

    def remove(self, listed: ListedRule) -> None:
        """See `RulePort`."""
        remove_rule(self._store(listed), listed.rule.name)

    def retry(self, number: int) -> None:
        """See `RulePort`."""
        default_outbox().retry([number], time.time())

    async def test(self, listed: ListedRule) -> str:
        """See `RulePort`."""
        of = [] if listed.project is None else ["--for", str(listed.project)]
        return await _asked("test", *of, "--", listed.rule.name)

    async def deliver(self) -> str:
        """See `RulePort`."""
        return await _asked("deliver")

    def _store(self, listed: ListedRule) -> RuleStore:
        return RuleStore(None if listed.project is None else series_of(listed.project))


async def _asked(*words: str) -> str:
    """What `gossamer notify` complains of."""
    pipe, nothing = asyncio.subprocess.PIPE, asyncio.subprocess.DEVNULL
    process = await asyncio.create_subprocess_exec(
        *program_command(), "notify", *words, stdin=nothing, stdout=nothing, stderr=pipe
    )
    try:
        _, errors = await process.communicate()
    except asyncio.CancelledError:
        process.kill()
        await process.wait()
        raise
    lines = errors.decode(errors="replace").splitlines()
    told = "\n".join(each.removeprefix(_PROGRAM) for each in lines).strip()
    return told if process.returncode or _NOT_DELIVERED in told else ""


def _sent(entry: OutboxMessage) -> SentMessage:
    channel = msgspec.json.decode(entry.channel, type=Channel)
    problem: Translatable | None = None
    if entry.problem:
        problem = msgspec.json.decode(entry.problem, type=Translatable)
    elif entry.state is DeliveryState.GIVEN_UP:
        problem = said("the outbox was full")
    state = DeliveryState(entry.state)
    return SentMessage(entry.number, entry.created_at, channel.said, state, entry.tries, problem)
